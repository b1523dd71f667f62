#!/usr/bin/env python3
"""A build without theses holds nothing of them.

usage: check_theses.py SHOAL LIBRARY SOURCE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tap  # noqa: E402

WORKLOADS = ["pso", "ga", "tsp", "mlp", "gas"]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def declared(source):
    """Functions and tables that the headers of the folders declare."""
    names = set()
    for header in [source / "include/shoal/theses.h", *source.glob("src/*/thesis/*.h")]:
        text = re.sub(r"/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
        names |= set(re.findall(r"^(?!static|typedef|struct \w+ \{)[a-zA-Z][^;{}=]*?\b(\w+)\([^;{}]*\);", text, re.MULTILINE))
        for line in re.findall(r"^extern ([^;]*);", text, re.MULTILINE):
            names |= set(re.findall(r"(\w+)(?:\[\])?(?:,|$)", line))
    return names


def absent(source):
    """Options, and options with a value, that builds with theses alone have, by the headers: command, option, value."""
    for header in [*source.glob("src/*/thesis/options.h"), source / "tools/cli/tsp/thesis.h"]:
        command, text = header.parent.parent.name if header.parent.name == "thesis" else "tsp", header.read_text()
        for name in re.findall(r'\{\.name = "([\w-]+)"|THESIS_ALIAS\("(\w+)"', text):
            yield command, "".join(name), ""
        for word in re.findall(r'"([\w-]+=[\w-]+)"', text[text.rindex("#else"):]):
            yield command, *word.split("=")
    yield "ga", "preset", "thesis"


def refusals(shoal, source, folder):
    """What is not refused by a line that says why, of the command line or of a configuration file."""
    config = pathlib.Path(folder) / "run.ini"
    for command, option, value in absent(source):
        config.write_text(f"[{command}]\n{option} = {value or 1}\n")
        for words in (f"--{option}", value or "1"), (f"--{option}={value or 1}",), ("--config", str(config)):
            done = run(shoal, command, *words, "--device", "host")
            if (done.returncode, done.stdout, done.stderr.count("\n")) != (2, "", 1) or \
               not re.search(rf"\b{option}{' ' if value else ''}.*needs a build with theses", done.stderr):
                yield f"{command} {' '.join(words)}: {done.returncode} {done.stderr}"


def unlisted(source):
    """Choices that the headers of the theses add to options and do not name among those of a build without them."""
    listed = {value for _, _, value in absent(source)}
    for header in source.glob("src/*/thesis/options.h"):
        for names in re.findall(r'^#define \w+_NAMES? +((?:"\w+",? ?)+)$', header.read_text(), re.MULTILINE):
            yield from set(re.findall(r'"(\w+)"', names)) - listed


def main():
    shoal, library, source = sys.argv[1:]
    source = pathlib.Path(source)
    names = declared(source)
    symbols = {line.split()[-1] for line in run("nm", library).stdout.splitlines()}
    tap.case("names of the theses are known", "" if len(names) > 40 and len(symbols) > 1000 else f"{len(names)} {len(symbols)}")
    tap.case("symbols", " ".join(sorted(names & symbols)))
    for name in WORKLOADS:
        text = run(shoal, name, "--help", "all").stdout
        tap.case(f"options of {name}", " ".join(re.findall(r"^Thesis:?$", text, re.MULTILINE)) if text else "no help")
        tap.case(f"group of {name}", "" if run(shoal, name, "--help", "thesis").returncode == 2 else "--help thesis")
    content = pathlib.Path(library).read_bytes()
    texts = {path.decode() for path in re.findall(rb"[a-z]+/thesis/[a-z_0-9]+\.clh?", content)}
    tap.case("kernels", " ".join(sorted(texts)))
    listed = re.findall(r"\((\w+)/thesis/\w+\.cl\)", run(shoal, "kernels").stdout)
    tap.case("programs", " ".join(sorted(set(listed))))
    suites = re.findall(r"^thesis-\w+", run(shoal, "bench", "--list").stdout, re.MULTILINE)
    tap.case("suites of the bench", " ".join(sorted(set(suites))))
    found = list(absent(source))
    tap.case("what only theses have is known", "" if len(found) > 60 else str(found))
    tap.case("choices of the theses are listed", " ".join(unlisted(source)))
    with tempfile.TemporaryDirectory() as folder:
        tap.case("options of the theses are refused", "".join(refusals(shoal, source, folder)))
    done = run(shoal, "bench", "thesis-gas")
    tap.case("suites of the bench are refused", "" if "needs a build with theses" in done.stderr else done.stderr)
    tap.done()


main()
