#!/usr/bin/env python3
"""The man pages: one for each command, which man and mandoc can show, whose references lead somewhere, and which list
every key of the JSON documents.

usage: check_man.py ROOT SHOAL

Small runs print the documents; where only a share of the cases is asked for (SHOAL_TEST_SHARE), the first of each
command. A key that is listed is one that the sources have.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "FILES", "JSON FIELDS", "EXIT STATUS", "SEE ALSO"]
WITHOUT = {"help": {"JSON FIELDS"}}
HOST = ["--device", "host"]
FIT = ["--data", "fit.csv", "--target", "y", "--model", "a*t+b", "--fit", "a=0:9,b=0:9", "--particles", "9",
       "--iterations", "9", *HOST]
# Command, and the arguments of its runs.
RUNS = [
    ("devices", []), ("devices", ["--measure", *HOST]),
    ("optimise", ["--dim", "3", "--iterations", "9", "--runs", "2", *HOST]),
    ("pso", ["--dim", "3", "--particles", "9", "--iterations", "9", "--runs", "3", "--trace", "2", "--restart", "3",
             "--polish", "9", "--target", "1e-3", *HOST]),
    ("pso", FIT), ("pso", ["--device", "nothing"]),
    ("ga", ["--dim", "3", "--population", "8", "--iterations", "9", "--runs", "2", *HOST]),
    ("cmaes", ["--dim", "3", "--iterations", "9", "--runs", "2", *HOST]),
    ("de", ["--dim", "3", "--population", "8", "--iterations", "9", "--runs", "2", *HOST]),
    ("nelder-mead", ["--dim", "3", "--iterations", "9", *HOST]), ("pattern", ["--dim", "3", "--iterations", "9", *HOST]),
    ("random", ["--dim", "3", "--iterations", "9", *HOST]),
    ("portfolio", ["--dim", "3", "--iterations", "9", *HOST]),
    ("gas", ["--particles", "64", "--steps", "20", "--thermo", "5", "--rdf-bins", "5", "--speed-bins", "5", "--profile-axis",
             "x", "--profile-bins", "5", "--msd", "--thermostat", "langevin", *HOST]),
    ("gas", ["--particles", "256", "--steps", "40", "--thermo", "10", "--dim", "3", "--cut", "truncated", "--cutoff", "2"]),
    ("gas", ["--particles", "64", "--steps", "20", "--thermo", "5", "--boundary-x", "walls", "--cluster-distance", "1.5",
             "--minimise", "5", *HOST]),
    ("gas", ["--config", "stages.ini", *HOST]),
    ("tsp", ["--generate", "uniform:30:1", "--iterations", "5", "--trace", "1", *HOST]),
    ("tsp", ["--generate", "E1k.0", "--iterations", "2", "--algorithm", "mmas", "--colonies", "2", *HOST]),
    ("mlp", ["--generate", "teacher:300", "--epochs", "2", "--nets", "2", *HOST]),
    ("mlp", ["--data", "fit.csv", "--target", "y", "--epochs", "2", "--model", "net.safetensors", *HOST]),
    ("mlp", ["--load", "net.safetensors", "--predict", "fit.csv"]),
    ("data", ["least-squares", "--rows", "10", "--out", "table.npy"]), ("data", ["info", "table.npy"]),
    ("data", ["info", "fit.csv", "--target", "y"]), ("data", ["convert", "fit.csv", "--target", "y", "--out", "fit.npy"]),
    ("data tsp", ["--generate", "uniform:30:1", "--out", "cities.tsp"]),
    ("data gas", ["start.xyz"]),
    ("data mlp", ["fit.csv", "--target", "y"]), ("data mlp", ["class.csv", "--target", "class"]),
    ("compare", ["pso", "--set", "pso.dim=3,pso.particles=9,pso.iterations=9", "--samples", "1", *HOST]),
    ("bench", ["--list"]), ("bench", ["pso.global.rastrigin30-1024", "--time", "0", "--no-roofs", *HOST]),
    ("bench bbob", ["--functions", "1", "--dims", "2", "--instances", "1", "--budget", "50", *HOST]),
    ("report", ["bench.json", "--baseline", "bench.json"]),
    ("verify", ["lib"]),
    ("tune", ["lib.scan", "--dry-run", "--time", "0.001", "--from", "64", "--to", "64"]),
    ("tune pso", ["--dim", "3", "--particles", "16", "--dry-run"]),
    ("kernels", []), ("kernels", ["--dump", "kernels"]), ("cache", []),
]
# They take seconds. OPTIMISED: its kernels run for longer than an optimiser.
LONG = {"verify", "tune", "tune pso"}
OPTIMISED = {"tune"}
EXIT_CODES = {0, 3}  # success, and no such device
# Keys that the sources write, and those of other files alone: lines of --report, traces.
KEY = re.compile(r'(?:result_(?:add|join)_\w+|add_known)\(result, "(\w+)"|cli_json_\w+\(\s*\w+, "(\w+)"')
IN_FILES = {"as", "interval", "of"}
FIELD = re.compile(r"^\.TP\n\\fB([^\n]*?)\\fR(?: \([^\n]*\))?\n([^\n]+)$", re.MULTILINE)


def shoal_of(command, folder, *words):
    env = dict(os.environ)
    if words[0] in OPTIMISED:
        env.pop("POCL_EXTRA_BUILD_FLAGS", None)
    return subprocess.run([command, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120, check=False)


def plain(text):
    for code, character in [("\\-", "-"), ("\\(aq", "'"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\&", ""), ("\\e", "\\")]:
        text = text.replace(code, character)
    return text


def sections_of(page):
    parts = re.split(r"^\.SH (.*)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def references(page):
    return [plain(name) for name in re.findall(r"^\.BR (\S+) \(1\)", page, re.MULTILINE)]


def documents(page):
    found = re.search(r"^In share/doc/shoal/docs:\n((?:\S+\n?)+)", page, re.MULTILINE)
    return [plain(name).rstrip(",") for name in found[1].split()] if found else []


PAGES = {}  # the commands of pages, by the names of these


def pages_of(command, folder):
    """Text by command: "" the program's, and all that it refers to."""
    pages = {"": shoal_of(command, folder, "--generate", "man").stdout}
    for name in references(pages[""]):
        whole = name.removeprefix("shoal-")  # a command may have a dash in its name, too
        for words in ([whole], whole.split("-", 1)):
            done = shoal_of(command, folder, "--generate", "man", *words)
            if done.returncode == 0:
                break
        PAGES[name] = " ".join(words)
        pages[" ".join(words)] = done.stdout if done.returncode == 0 else ""
    return pages


def paths_of(value, path=""):
    """Keys of a document, joined; an empty list or object, or null, is a key without what it may hold."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from paths_of(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from paths_of(inner, path + "[]")
    else:
        yield path, value is None or value == [] or value == {}


def unlisted(document, fields):
    # A word in capitals stands for any key.
    patterns = [re.compile(re.sub(r"\b[A-Z]{2,}\b", r"[^.]+", re.escape(field)) + "$") for field in fields]
    missing = set()
    for path, is_empty in paths_of(document):
        if not any(pattern.match(path) for pattern in patterns) and \
                not (is_empty and any(field.startswith((path + ".", path + "[]")) for field in fields)):
            missing.add(path)
    return sorted(missing)


def check_page(root, command, page, pages):
    parts = sections_of(page)
    expected = [name for name in SECTIONS if name not in WITHOUT.get(command, ())] if command else ["COMMANDS", "SEE ALSO"]
    problems = [f"no section {name}" for name in expected if not parts.get(name, "").strip()]
    problems += [f"there is no page {name}" for name in references(page)
                 if name != "shoal" and PAGES.get(name) not in pages]
    problems += [f"there is no docs/{name}" for name in documents(page)
                 if not os.path.exists(os.path.join(root, "docs", name))]
    tap.case(f"man page of {command or 'shoal'}", "\n".join(problems))


def check_files(pages):
    """What is written is not among what is read."""
    read = {}
    for command, page in pages.items():
        found = re.search(r"^Options that name a file to read:\n((?:[^\n]*,\n)*[^\n]*)", page, re.MULTILINE)
        read[command] = set(re.findall(r"--([\w-]+)", plain(found[1]))) if found else set()
    problems = [f"{command} reads --{name}" for command, names in read.items() for name in sorted(names & {"out", "html"})]
    problems += [f"pso does not read --{name}" for name in ("start", "lower", "upper", "data") if name not in read["pso"]]
    tap.case("files that options name", "\n".join(problems))


def check_syntax(folder, pages):
    for program, words in [("man", ["--warnings", "-l"]), ("mandoc", ["-T", "lint", "-W", "warning"])]:
        if not shutil.which(program):
            tap.skip(f"{program} shows the pages", f"{program} is not installed")
            continue
        problems = []
        for command, page in pages.items():
            path = os.path.join(folder, "page.1")
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
            done = subprocess.run([program, *words, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                  env=dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80"))
            warnings = done.stdout if program == "mandoc" else done.stderr
            if done.returncode or warnings:
                problems.append(f"{command or 'shoal'}: {done.returncode} {warnings[:500]}")
        tap.case(f"{program} shows the pages", "\n".join(problems))


def fields_of(page):
    return [plain(name) for name, _ in FIELD.findall(sections_of(page).get("JSON FIELDS", ""))]


def sources(root):
    text = []
    for folder in ("src", "tools/cli", "bench/runner"):
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith((".c", ".h")) and not name.startswith("fields."):
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        text.append(file.read())
    return "\n".join(text)


def check_keys(text, pages):
    """What small runs do not print: each key that is listed is in the sources, or what begins or ends it, and each
    that the sources write as a word is listed."""
    words = set(re.findall(r"\w+", text))
    keys = {key.rstrip("[]") for page in pages.values() for field in fields_of(page) for key in field.split(".")}
    cuts = {key: [i for i, letter in enumerate(key) if letter == "_"] for key in keys}
    unknown = [key for key in sorted(keys) if not key.isupper() and key not in words and
               not any(key[i:] in words or key[:i + 1] in words for i in cuts[key])]
    tap.case("keys that are listed are in the sources", "\n".join(unknown) if len(keys) > 300 else f"{len(keys)} keys")
    written = {name for names in KEY.findall(text) for name in names if name}
    tap.case("keys of the sources are listed",
             "\n".join(sorted(written - keys - IN_FILES)) if len(written) > 200 else f"{len(written)} keys")


def check_runs(command, folder, pages):
    with open(os.path.join(folder, "fit.csv"), "w", encoding="utf-8") as file:
        file.write("t,y\n" + "".join(f"{i},{2 * i + i % 3}\n" for i in range(30)))
    with open(os.path.join(folder, "start.xyz"), "w", encoding="utf-8") as file:
        file.write('1\nLattice="8 0 0 0 8 0 0 0 0" Properties=pos:R:3:velo:R:3\n1 2 0 3 4 0\n')
    with open(os.path.join(folder, "bench.json"), "w", encoding="utf-8") as file:
        row = {"case": "gas.a.b", "device": "host", "variant": "t1", "precision": "fp32", "value": 1, "unit": "s",
               "better": "lower", "samples": 1, "min": 1, "max": 1, "spread": 0, "bound": None, "roof": None, "share": None,
               "check": "pass", "error": 0, "device_s": 1, "wall_s": 1, "build_s": 0, "first_launch_s": 0}
        skipped = {"case": "gas.a.c", "device": "host", "error": {"status": "unsupported", "message": "none"}}
        json.dump({"schema": 1, "commit": "", "date": "2026-11-27", "command": "", "rows": [row], "skipped": [skipped],
                   "devices": [{"id": "host", "name": "AMD", "driver": "gcc", "roofs": None}]}, file)
    with open(os.path.join(folder, "stages.ini"), "w", encoding="utf-8") as file:
        file.write("[gas]\nparticles = 64\nsteps = 10\n[gas.melt]\ntemperature = 2\n[gas.cool]\ntemperature = 1\nthermo = 5\n")
    with open(os.path.join(folder, "class.csv"), "w", encoding="utf-8") as file:
        file.write("x,class\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(30)))
    is_quick, done_commands = "SHOAL_TEST_SHARE" in os.environ, set()
    for name, words in RUNS:
        if is_quick and (name in done_commands or name in LONG):
            continue
        done_commands.add(name)
        done = shoal_of(command, folder, *name.split(), *words, "--json")
        if done.returncode not in EXIT_CODES:
            tap.case(f"{name} {' '.join(words)}", f"exit code {done.returncode}: {done.stderr}")
            continue
        missing = unlisted(json.loads(done.stdout), fields_of(pages.get(name, "")))
        tap.case(f"shoal-{name.replace(' ', '-')}(1) lists the keys of {' '.join(words) or name}", "\n".join(missing))
    commands = {name for name in pages if name and name not in WITHOUT and not name.startswith("tune ")}
    tap.case("each command has a run", "\n".join(sorted(commands - {name for name, _ in RUNS})))


def check_unlisted():
    document = {"a": {"b": [1, {"c": 2}]}, "d": None, "e": [], "f": {"x": 1}}
    cases = [(["a.b[]", "a.b[].c", "d.g", "e[].h", "f.NAME"], []), (["a.b[]", "d.g", "e[].h", "f.x"], ["a.b[].c"]),
             (["a.b[]", "a.b[].c", "e[]", "f.y"], ["d", "f.x"])]
    wrong = [f"{fields}: {unlisted(document, fields)}" for fields, missing in cases if unlisted(document, fields) != missing]
    tap.case("a key that is not listed is noticed", "\n".join(wrong))


def main():
    root, command = sys.argv[1], os.path.abspath(sys.argv[2])
    check_unlisted()
    with tempfile.TemporaryDirectory(prefix="shoal-man-") as folder:
        for name in [name for name in os.environ if name.startswith("SHOAL_") and not name.startswith("SHOAL_TEST_")]:
            del os.environ[name]
        os.environ.update(LC_ALL="C", XDG_CACHE_HOME=folder, OMP_WAIT_POLICY="passive")
        pages = pages_of(command, folder)
        block = shoal_of(command, folder, "help").stdout.split("Commands:\n")[1].split("\n\n")[0]
        commands = re.findall(r"^  (\S+)", block, re.MULTILINE)
        tap.case("every command has a page", "\n".join(sorted(set(commands) - {name for name, page in pages.items() if page})))
        for name, page in pages.items():
            check_page(root, name, page, pages)
        check_files(pages)
        check_syntax(folder, pages)
        check_keys(sources(root), pages)
        check_runs(command, folder, pages)
    tap.done()


main()
