#!/usr/bin/env python3
"""The scripts of tools: help, a wrong option, what is not installed, and how tests are counted.

usage: check_scripts.py ROOT
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

# What the scripts call before they look for anything.
BASIC = ("bash", "cat", "dirname", "ls", "realpath", "sort", "nproc")
# With --no-install. The last is taken away from the others.
NEEDED = {"bundle.sh": ("meson", "ninja", "pkg-config", "strip", "patchelf"),
          "check.sh": ("gcc", "meson", "ninja", "pkg-config"),
          "quickstart.sh": ("meson", "ninja", "pkg-config"),
          "wheel.sh": ("meson", "ninja", "pkg-config", "auditwheel")}


def result_of(script, *arguments, **environment):
    return subprocess.run([shutil.which("bash"), script, *arguments], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})


def problem_of(done, code, text):
    found = done.stdout + done.stderr
    return None if done.returncode == code and text in found else f"exit code {done.returncode}, not {code} with {text!r}: {found}"


# A meson that ends at once, and keeps the arguments of the call.
MESON = '#!/bin/sh\necho "$@" >"$SHOAL_TEST_ARGUMENTS"\nexit 1\n'


def is_without_theses(script, programs, *arguments):
    """Whether the script sets up a build without theses."""
    kept = programs / "arguments"
    (programs / "meson").write_text(MESON, encoding="ascii")
    (programs / "meson").chmod(0o755)
    (programs / "auditwheel").symlink_to("/bin/false")
    result_of(script, "--no-install", *arguments, PATH=f"{programs}:{os.environ['PATH']}", SHOAL_TEST_ARGUMENTS=str(kept))
    words = kept.read_text(encoding="utf-8").split() if kept.exists() else []
    for name in ("meson", "auditwheel", "arguments"):
        (programs / name).unlink(missing_ok=True)
    return words[:1] == ["setup"] and "-Dtheses=false" in words


# As meson logs them: cases of two kinds of program, one that only ends, one that ends badly behind its cases.
LOG = [{"name": "a", "result": "OK", "stdout": "ok 1 - x\nok 2 - y # SKIP no z\n1..2\n"},
       {"name": "b", "result": "FAIL", "stdout": "not ok 1 - x\n# it is 2\n# not 1\nok 2 - y\nnot ok 3 - z\n1..3\n"},
       {"name": "c", "result": "FAIL", "stdout": "[       OK ] x\n[  FAILED  ] y\n[==========] 2 test(s) run.\n[  FAILED  ] y\n"},
       {"name": "d", "result": "SKIP"}, {"name": "e", "result": "TIMEOUT"}, {"name": "f", "result": "FAIL", "stdout": "ok 1\n"}]
COUNTED = "4 5 2\nb: not ok 1 - x\n# it is 2\n# not 1\nb: not ok 3 - z\n"


def counted(folder, program):
    log = pathlib.Path(folder, "log.json")
    log.write_text("\n".join(map(json.dumps, LOG)), encoding="utf-8")
    text, problem = tap.run([sys.executable, program, log])
    log.unlink()
    return problem or (text != COUNTED and text)


def main():
    tools = pathlib.Path(os.path.abspath(sys.argv[1]), "tools")
    with tempfile.TemporaryDirectory(prefix="shoal-scripts-") as folder:
        # A copy, which has nothing built: a script that goes on would fail for another reason.
        copy = pathlib.Path(folder, "tools")
        shutil.copytree(tools, copy)
        programs = pathlib.Path(folder, "bin")
        programs.mkdir()
        for name in BASIC:
            (programs / name).symlink_to(shutil.which(name))
        for script in sorted(copy.glob("*.sh")):
            if script.name == "packages.sh":
                continue
            tap.case(f"{script.name}: help", problem_of(result_of(script, "--help"), 0, f"usage: tools/{script.name}"))
            tap.case(f"{script.name}: unknown option",
                     problem_of(result_of(script, "--nonsense"), 2, f"see tools/{script.name} --help"))
        for name, needed in NEEDED.items():
            for program in needed[:-1]:
                (programs / program).symlink_to("/bin/false")
            done = result_of(copy / name, "--no-install", PATH=str(programs))
            tap.case(f"{name}: says at once what is not installed",
                     problem_of(done, 1, f"not installed: {needed[-1]};") or (done.stdout and f"it began: {done.stdout}"))
            for program in needed[:-1]:
                (programs / program).unlink()
        wheel_build = pathlib.Path(folder, "wheel-build")
        tap.case("wheel.sh: builds without theses",
                 None if is_without_theses(copy / "wheel.sh", programs, "--build-dir", wheel_build) else "theses are in the wheel")
        shutil.rmtree(wheel_build)
        tap.case("tests are counted, failed cases printed", counted(folder, tools / "count_tests.py"))
        tap.case("no folder was made for a build", sorted({path.name for path in pathlib.Path(folder).iterdir()} - {"bin", "tools"}))
    tap.done()


main()
