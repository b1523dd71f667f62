#!/usr/bin/env python3
"""The package is of the library that it loads: declarations, options, errors, devices."""
import os
import re
import unittest
from pathlib import Path

import numpy as np
import shoal
from shoal._library import ffi, lib, text
from shoal._options import Table
from support import Case, in_full, main

HEADERS = Path(__file__).parents[2] / "include" / "shoal"
WORKLOADS = [text(lib.shoal_workload_at(k).name) for k in range(lib.shoal_workload_count())]


class Declarations(unittest.TestCase):
    def test_every_function_of_the_headers_is_there(self):
        declared = set()
        for header in HEADERS.glob("*.h"):
            if header.name not in ("mpi.h", "opencl.h", "theses.h"):
                declared |= set(re.findall(r"\bSHOAL_API\b.*?\b(shoal_\w+)\(", header.read_text(), re.DOTALL))
        self.assertGreater(len(declared), 200)
        self.assertEqual([name for name in sorted(declared) if not hasattr(lib, name)], [])

    def test_structs_have_the_size_that_the_library_has_them_by(self):
        for name in WORKLOADS:
            workload = lib.shoal_workload_find(name.encode())
            # The parameters of a thesis, where there are some, lie behind.
            self.assertGreaterEqual(workload.params_size, ffi.sizeof(f"struct shoal_{name.replace('-', '_')}_params"), name)
            self.assertEqual(workload.size, ffi.sizeof("struct shoal_workload"))


class Options(Case):
    def test_every_option_is_an_argument_and_in_the_help(self):
        for name in WORKLOADS:
            table = Table(name, "solve")
            rows = lib.shoal_workload_find(name.encode())
            self.assertEqual([option.option for option in table.options.values()],
                             [text(rows.options[k].name) for k in range(rows.option_count)])
            for argument in set(table.options) - {"frames"}:
                self.assertRegex(shoal.solve.__doc__, rf"(?m)^{argument}_?: ")
        self.assertRegex(shoal.Gas.__doc__, r"(?m)^boundary_x: one of periodic, walls, open; default periodic\n    \S")
        self.assertRegex(shoal.Gas.__doc__, r"(?m)^density: a number\n")

    def test_defaults_in_the_help_are_those_of_the_function(self):
        self.assertRegex(shoal.minimise.__doc__, r"(?m)^particles: a whole number; default 60\n")
        self.assertRegex(shoal.solve.__doc__, r"(?m)^particles: a whole number; default 60\n")

    def test_values_arrive_as_they_are_given(self):
        table = Table("gas", "f")
        params = table.new_params()
        given = {"particles": 1e3, "density": 1, "boundary_x": "walls", "start_file": Path("a b.xyz"), "seed": 2**64 - 1}
        keep = table.set(params, given)
        self.assertEqual({name: table.options[name].get(params) for name in given},
                         {**given, "start_file": "a b.xyz"})
        self.assertEqual(len(keep), 1)
        table.set(params, {"particles": None})
        self.assertEqual(table.options["particles"].get(params), 1000)

    def test_arguments_that_there_are_not(self):
        with self.assertRaisesRegex(TypeError, r"^Gas\(\) has no argument desnity \(is it density\?\)$"):
            shoal.Gas("host", desnity=1)
        with self.assertRaisesRegex(TypeError, r"^solve\(\) has no argument zzzzz$"):
            shoal.solve("pso", zzzzz=1)
        for name in ("frames", "time"):
            with self.assertRaisesRegex(TypeError, rf"^Gas\(\) has no argument {name}"):
                shoal.Gas("host", **{name: 1})
        with self.assertRaisesRegex(TypeError, r"^minimise\(\) has no argument expr"):
            shoal.minimise("sphere", dim=2, expr="x[0]")

    def test_values_of_another_kind(self):
        for name, value, kind in (("particles", "many", "a whole number"), ("particles", 2.5, "a whole number"),
                                  ("density", "high", "a number"), ("boundary_x", 1, "one of periodic, walls, open"),
                                  ("start_file", 3, "a text")):
            with self.assertRaisesRegex(TypeError, f"^{name} is {kind}, not "):
                shoal.Gas("host", **{name: value})
        with self.assertRaisesRegex(TypeError, "^maximise is True or False, not 1$"):
            shoal.minimise("sphere", dim=2, maximise=1)

    def test_values_out_of_range(self):
        self.refuses(r"^dim is 4, allowed are 2 to 3$", shoal.Gas, "host", dim=4)
        self.refuses(r"^particles is -1, allowed are ", shoal.Gas, "host", particles=-1)
        self.refuses(r"^boundary_x has no choice wall \(is it walls\?\); there are periodic, walls, open$", shoal.Gas,
                     "host", boundary_x="wall")
        self.refuses(r"^friction needs thermostat= langevin", shoal.Gas, "host", friction=2)
        self.refuses(r"^there is no workload psi; there are pso, ", shoal.solve, "psi")
        self.refuses(r"^there is no variant fast; there are auto, cl, cu$", shoal.solve, "pso", "host", variant="fast")


    def test_help_has_shapes(self):
        for call, shapes in ((shoal.fit, ("(rows,)", "(parameters,)", "(points, parameters)")), (shoal.MLP, ("(rows, columns)", "(rows, outputs)")),
                             (shoal.Trainer, ("(rows, inputs)", "(rows, outputs)")), (shoal.array, ("any shape",)),
                             (shoal.tour, ("(cities, 2)",)), (shoal.Gas, ("(n, 2)",)), (shoal.minimise, ("(dim,)",))):
            for shape in shapes:
                self.assertIn(shape, call.__doc__)


class Devices(Case):
    def test_properties(self):
        host = shoal.devices("host")[0]
        self.assertEqual((host.id, host.is_host, host.alias_of), ("host", True, None))
        self.assertIn(repr(host), [repr(device) for device in shoal.devices()])

    def test_devices_that_there_are_not(self):
        self.refuses("opencl:99", shoal.devices, "opencl:99", status="no such device")
        self.refuses("opencl:99", shoal.Gas, "opencl:99", status="no such device")
        with self.assertRaisesRegex(TypeError, "^device is a shoal.Device"):
            shoal.Gas(3)


class Library(Case):
    def test_a_library_that_is_not_there_or_another_one(self):
        for library in ("/nonexistent/libshoal.so", "libc.so.6"):
            code, _, messages = self.runs("import shoal", SHOAL_LIBRARY=library)
            self.assertEqual(code, 1)
            self.assertRegex(messages, rf"ImportError: {library} is not the library of shoal, or is not found: ")

    def test_a_process_made_by_fork_is_told_what_to_do(self):
        code, out, messages = self.runs("""
import os, sys, shoal
gas = shoal.Gas("host", particles=16, dim=2)
if os.fork() == 0:
    try:
        shoal.devices()
    except RuntimeError as problem:
        print(problem)
    sys.exit(0)
os.wait()
gas.step(1)
print(gas.steps)
""")
        self.assertEqual(code, 0, messages)
        self.assertRegex(out, r"(?s)^shoal was used before this process was made by fork: .*spawn.*\n1\n$")

    def test_objects_that_nothing_refers_to_are_closed_in_their_order(self):
        code, _, messages = self.runs("""
import shoal
for _ in range(5):
    gas = shoal.Gas(particles=16, dim=2)
    gas.step(3)
    del gas
""", MALLOC_PERTURB_="85")
        self.assertEqual((code, messages), (0, ""))

    @in_full
    def test_objects_of_a_cycle_are_closed_in_their_order(self):
        code, _, messages = self.runs("""
import gc, shoal
gas = shoal.Gas(particles=16, dim=2)
gas.step(3)
gas.cycle = gas
del gas
gc.collect()
""", MALLOC_PERTURB_="85")
        self.assertEqual((code, messages), (0, ""))

    def test_calls_use_the_same_thread_again(self):
        code, out, messages = self.runs("""
import threading, shoal
gas = shoal.Gas("host", particles=16, steps=9)
gas.step()
before = threading.active_count()
for _ in range(8):
    gas.step()
for _ in range(3):
    try:
        gas.step()
    except shoal.Error as problem:
        print(problem)
print(threading.active_count() - before)
""")
        self.assertEqual((code, messages), (0, ""))
        self.assertRegex(out, r"^(.*complete.*\n){3}0\n$")

    def test_objects_that_are_left_open_are_closed_at_the_end(self):
        code, _, messages = self.runs("import shoal\ngas = shoal.Gas(particles=16, dim=2)\ngas.step(3)")
        self.assertEqual((code, messages), (0, ""))


class Results(unittest.TestCase):
    def test_entries_are_attributes(self):
        result = shoal.Result(x=1, fun=2.5)
        self.assertEqual((result.x, result["fun"], "x" in dir(result)), (1, 2.5, True))
        self.assertEqual(repr(result), "  x: 1\nfun: 2.5")
        self.assertEqual(repr(shoal.Result(x=np.zeros((40, 2)))), "x: <array of the shape (40, 2)>")
        self.assertEqual(repr(shoal.Result(series=shoal.Result({name: 1 for name in "abcdef"}))), "series: <a, b, c, d and 2 more>")
        lines = repr(shoal.Result({f"x{k}": k for k in range(40)})).splitlines()
        self.assertEqual((len(lines), lines[0], lines[24][:12]), (25, " x0: 0", "and x24, x25"))
        with self.assertRaisesRegex(AttributeError, "^there is no y; there are x, fun$"):
            result.y


if __name__ == "__main__":
    main()
