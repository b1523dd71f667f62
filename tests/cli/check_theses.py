#!/usr/bin/env python3
"""A build without theses holds nothing of them.

usage: check_theses.py SHOAL LIBRARY SOURCE
"""
import pathlib
import re
import subprocess
import sys

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
    tap.done()


main()
