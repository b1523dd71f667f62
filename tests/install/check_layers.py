#!/usr/bin/env python3
"""Includes and calls point down the layers, and shared code names no workload: in the lists of workloads, report
modules and bench cases their names are parts of identifiers.

usage: check_layers.py ROOT [STATIC_LIBRARY]

With the static library of a build, the symbols of its objects are compared as well.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import nm
import tap

# From the bottom up. What stands in one row may not use each other. The genetic algorithm improves tours by the local search
# of tsp, which uses nothing of it.
LAYERS = [["src/base"], ["src/io"], ["src/dataset"], ["src/compute"], ["src/lib"], ["src/fmm", "src/measure"], ["src/workload"], ["src/objective"],
          ["src/search"], ["src/cmaes", "src/de", "src/direct_search", "src/gas", "src/mlp", "src/portfolio", "src/pso", "src/tsp"], ["src/ga"], ["src/split"], ["tools/cli/output"], ["tools/cli/gas/writer"], ["bench"], ["tools"]]
LEVELS = {folder: level for level, row in enumerate(LAYERS) for folder in row}
# The lists that name workloads, algorithms, report modules and their bench cases.
LISTS = {"src/workload/registry.c", "src/search/registry.c", "src/search/choice/choose.c", "src/workload/shared_programs.c", "tools/cli/reports.c", "bench/runner/cases.c"}
WORKLOADS = [folder.removeprefix("src/") for row in LAYERS[9:11] for folder in row]
WORD = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(WORKLOADS)})(?![A-Za-z0-9])", re.IGNORECASE)
IDENTIFIER = re.compile(rf"\b\w*(?:(?:{'|'.join(WORKLOADS)})_|_(?:{'|'.join(WORKLOADS)}))\w*\b")
SHARED = re.compile(r"^(?:src/(?:compute|lib|workload|split|objective|search)/|tools/cli/[^/]+$|tools/cli/commands/|bench/runner/)")
OF_WORKLOADS = re.compile(rf"^src/(?:search|{'|'.join(WORKLOADS)})/")
PART = re.compile(r"\bpthread_\w+|\bshoal_part\b|#\s*include [<\"]\w*/?split")
# Who sends messages between processes, and who knows that there are some.
MESSAGES = re.compile(r"\bMPI_\w+|<mpi\.h>")
RANKS = re.compile(r"\bMPI\b|\branks?\b|<shoal/mpi\.h>", re.IGNORECASE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SOURCE = re.compile(r"\.(?:c|h)$")


def layer(path):
    """The longest of the layers' folders that the file lies in; None: it has no layer."""
    return max((folder for folder in LEVELS if path.startswith(folder + "/")), key=len, default=None)


def is_upward(user, used):
    """Whether a file may not use another one."""
    mine, other = layer(user), layer(used)
    if mine is None or other is None or mine == other or user in LISTS:
        return False
    return LEVELS[other] >= LEVELS[mine]


def sources(root):
    found = {}
    for top in ("src", "tools", "bench"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in filter(SOURCE.search, names):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found[os.path.relpath(path, root)] = file.read()
    return found


def upward_includes(files):
    wrong = []
    for path, text in sorted(files.items()):
        for match in INCLUDE.finditer(text):
            name = match[1]
            places = (os.path.join(os.path.dirname(path), name), "src/" + name, name, "tools/" + name)
            used = next((place for place in places if place in files), None)
            if used and is_upward(path, used):
                wrong.append(f"{path}:{text.count(chr(10), 0, match.start()) + 1} includes {used}")
    return wrong


def opened_backends(files):
    """What includes the objects of the compute layer, also by another header, and is not part of it."""
    wrong = []
    for path in sorted(files):
        if path.startswith("src/compute/"):
            continue
        seen, waiting = set(), [path]
        while waiting:
            for match in INCLUDE.finditer(files[waiting.pop()]):
                used = "src/" + match[1]
                if used in files and used not in seen:
                    seen.add(used)
                    waiting.append(used)
        if "src/compute/backend.h" in seen:
            wrong.append(f"{path} includes src/compute/backend.h")
    return wrong


# Folders without circles of sources. Other folders have private headers of several sources, which
# include the headers of their parts: there only headers are free of circles.
WITHOUT_CIRCLES = ("base", "io", "dataset", "compute", "lib", "fmm", "measure", "mpi", "cmaes", "de", "direct_search", "ga", "mlp")


def circles(files, folder, ends=(".c", ".h")):
    """Sources of the folder, a .c and its .h as one, that include each other in a circle, also by others. ends: the
    sources whose includes count."""
    uses = {}
    for path, text in files.items():
        if path.startswith(folder + "/") and path.endswith(ends):
            uses.setdefault(path[:-2], set()).update("src/" + name[:-2] for name in INCLUDE.findall(text) if name.endswith(".h"))
    uses = {unit: {other for other in used if other in uses and other != unit} for unit, used in uses.items()}
    while True:
        # In a circle each uses another one, and is used.
        used = set().union(*uses.values())
        left = {unit: {other for other in others if uses[other]} for unit, others in uses.items() if others and unit in used}
        if left == uses:
            return sorted(left)
        uses = {unit: others & left.keys() for unit, others in left.items()}


def symbols(library):
    """Pairs of a source file and a symbol: those it defines, those it needs."""
    defined, needed = {}, []
    for place, name, kind in nm.symbols([library]):
        # Objects are named after their sources, e.g. src_gas_model_check.c.o.
        source = re.search(r"(?:^|[\[/])(src_[^\]/]*\.c)\.o\]?$", place)
        if not source:
            continue
        if kind in "TDBRC":
            defined[name] = source[1]
        elif kind == "U":
            needed.append((source[1], name))
    return defined, needed


def upward_calls(files, library):
    by_object = {path.replace("/", "_"): path for path in files}
    defined, needed = symbols(library)
    if len(defined) < 100:
        return [f"{library}: only {len(defined)} symbols were read"]
    wrong = set()
    for user, symbol in needed:
        used = defined.get(symbol)
        if used and user in by_object and used in by_object and is_upward(by_object[user], by_object[used]):
            wrong.add(f"{by_object[user]} needs {symbol} of {by_object[used]}")
    return sorted(wrong)


def names_workloads(files):
    wrong = []
    for path, text in sorted(files.items()):
        if not SHARED.match(path):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if path in LISTS:
                line = IDENTIFIER.sub("", line)
            if WORD.search(line):
                wrong.append(f"{path}:{number}: {text.splitlines()[number - 1].strip()}")
    return wrong


def divides_itself(files):
    """Workloads that know how a run is divided over devices: threads and parts are those of src/split."""
    return [f"{path}:{number}: {line.strip()}" for path, text in sorted(files.items()) if OF_WORKLOADS.match(path)
            for number, line in enumerate(text.splitlines(), 1) if PART.search(line)]


def knows_messages(files):
    """MPI is called by its plug-in alone, and neither the division of a run nor a workload knows of other processes."""
    return [f"{path}:{number}: {line.strip()}" for path, text in sorted(files.items()) if not path.startswith("src/mpi/")
            for number, line in enumerate(text.splitlines(), 1)
            if MESSAGES.search(line) or (path.startswith("src/split/") and RANKS.search(line))]


def self_test():
    """The rules refuse what they are for."""
    files = {"src/base/a.c": '#include "compute/b.h"\n', "src/compute/b.h": "/* of the gas */\n",
             "src/workload/registry.c": "&gas_workload,\n/* gas */\n", "src/gas/c.c": '#include "pso/d.h"\n', "src/pso/d.h": '#include "base/e.h"\n', "src/base/e.h": ""}
    opened = {"src/gas/a.c": '#include "compute/b.h"\n', "src/compute/b.h": '#include "compute/backend.h"\n',
              "src/compute/backend.h": "", "src/gas/c.c": '#include "compute/d.h"\n', "src/compute/d.h": ""}
    divided = {"src/pso/a.c": '#include "split/b.h"\nstruct solver_share share;\n', "src/split/b.c": '#include "split/b.h"\n', "src/search/c.h": "pthread_t t;\n"}
    sent = {"src/mpi/a.c": "MPI_Test(x);\n", "src/split/b.c": "uint32_t rank;\n", "src/compute/c.c": "\nMPI_Isend(x);\nuint32_t rank;\n"}
    circle = {"src/compute/a.c": '#include "compute/a.h"\n#include "compute/b.h"\n', "src/compute/a.h": "", "src/compute/b.h": '#include "compute/c.h"\n',
              "src/compute/c.h": "", "src/compute/c.c": '#include "compute/a.h"\n', "src/compute/d.c": '#include "compute/a.h"\n'}
    if circles(circle, "src/compute") != ["src/compute/a", "src/compute/b", "src/compute/c"] or circles(opened, "src/compute"):
        return False
    headers = {"src/gas/a.h": '#include "pso/b.h"\n', "src/pso/b.h": '#include "gas/a.h"\n'}
    if circles(headers, "src", ".h") != ["src/gas/a", "src/pso/b"] or circles(circle, "src", ".h"):
        return False
    return (knows_messages(sent) == ["src/compute/c.c:2: MPI_Isend(x);", "src/split/b.c:1: uint32_t rank;"] and divides_itself(divided) == ['src/pso/a.c:1: #include "split/b.h"', "src/search/c.h:1: pthread_t t;"] and opened_backends(opened) == ["src/gas/a.c includes src/compute/backend.h"] and upward_includes(files) == ["src/base/a.c:1 includes src/compute/b.h", "src/gas/c.c:1 includes src/pso/d.h"]
            and names_workloads(files) == ["src/compute/b.h:1: /* of the gas */", "src/workload/registry.c:2: /* gas */"])


def main():
    root, *libraries = sys.argv[1:]
    files = sources(root)
    tap.case("the rules refuse what they are for", None if self_test() else "they do not")
    tap.case("shared code names no workload", "\n".join(names_workloads(files)))
    tap.case("includes point down", "\n".join(upward_includes(files)))
    tap.case("the objects of the compute layer are its own", "\n".join(opened_backends(files)))
    for layer in WITHOUT_CIRCLES:
        tap.case(f"no circle of includes in src/{layer}", "\n".join(circles(files, f"src/{layer}")))
    tap.case("no circle of headers", "\n".join(circles(files, "src", ".h")))
    tap.case("workloads know no threads and parts of a divided run", "\n".join(divides_itself(files)))
    tap.case("messages between processes are sent by the plug-in alone", "\n".join(knows_messages(files)))
    for library in libraries:
        tap.case("calls point down", "\n".join(upward_calls(files, library)))
    tap.done()


main()
