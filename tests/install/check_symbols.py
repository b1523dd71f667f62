#!/usr/bin/env python3
"""No private function is visible to other files for nothing, and every exported one is called.

usage: check_symbols.py BUILD INCLUDE

Reads the symbols of the objects in a build folder. A function that no file but its own needs is static; those
that only tests need are listed here, and the list does not grow. Every exported function is called by a program
of the tree, an example or a test that was written by hand.
"""
import glob
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import nm
import tap

# Functions that only tests call by their names: parsers, references, single steps of what a table holds.
FOR_TESTS = set("""
allpairs_create arg_desc_bytes cache_parse cells_within factor_value gas_drawing_set gas_lattice_fitting
gas_picture_add gas_picture_finish gas_timetable_parse measure_is_busy
mlp_device_gradient mlp_device_load mlp_device_parameters mlp_device_save mlp_thesis_begin mlp_thesis_create
mlp_thesis_destroy mlp_thesis_end_epoch mlp_thesis_fetch mlp_thesis_gradient mlp_thesis_load mlp_thesis_predict
mlp_thesis_update particles_parse parts_move pci_parse ranks_join_by
ranks_open_by ranks_serve_by rows_cut_make rows_plan_make rows_resident safetensors_find
search_host_evaluate shoal_open_with split_whole_create table_unpack thread_choice_learn
trainer_destroy trainer_end_epoch trainer_score tsp_city tsp_device_neighbours tsp_improver_moves
tsp_parse_lists tsp_parse_tour tuning_parse tuning_print
""".split())


# The program of the calls that are made from the headers: these are calls of every function.
MADE = os.path.join("tests", "api", "test_calls.p")


def objects_in(folder):
    """The objects below a folder. Names that begin with a dot are those of sources outside the folder's own."""
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".o")]


def objects_of(build, pattern):
    """The objects of the targets of the build's root with names of this pattern."""
    return [file for folder in pathlib.Path(build).glob(pattern) for file in objects_in(folder)]


def symbols(files):
    """Names defined and names needed, each with the objects; what compilers add by themselves is left out."""
    defined, needed = {}, {}
    files = sorted(files)
    for place, name, kind in nm.symbols(files):
        if re.fullmatch(r"[a-z]\w*", name):
            (defined if kind in "TDBR" else needed if kind == "U" else {}).setdefault(name, set()).add(place)
    return defined, needed


def exported(folder):
    found = set()
    for path in glob.glob(os.path.join(folder, "shoal/*.h")):
        with open(path, encoding="utf-8") as file:
            found.update(re.findall(r"SHOAL_API[^;(]*?\b(shoal_\w+)\s*\(", file.read()))
    return found


def main():
    build, include = sys.argv[1:]
    public = exported(include)
    library, inner = symbols(file for pattern in ("libshoal.a.p", "libshoal.so.*.p", "libshoal-*.a.p")
                             for file in objects_of(build, pattern))
    programs = symbols(objects_in(os.path.join(build, "tools")) + objects_in(os.path.join(build, "bench")))[1]
    tests = symbols(file for file in objects_in(os.path.join(build, "tests")) if MADE not in file)[1]
    if len(public) < 300 or len(library) < 1000 or len(tests) < 1000:
        tap.case("symbols were read", f"{len(public)} exported, {len(library)} defined, {len(tests)} needed by tests")
        tap.done()
        return
    alone = {name for name in library.keys() - public if name not in inner and name not in programs}
    tap.case("what only its own file needs is static", "\n".join(sorted(alone - tests.keys())))
    tap.case("what only tests need is listed", "\n".join(sorted((alone & tests.keys()) - FOR_TESTS)))
    tap.case("what is listed is needed by tests alone", "\n".join(sorted(FOR_TESTS - (alone & tests.keys()))))
    uncalled = {name for name in public if name not in inner and name not in programs and name not in tests}
    tap.case("every exported function is called", "\n".join(sorted(uncalled)))
    tap.done()


main()
