#!/usr/bin/env python3
"""shoal gas: frames, pictures and charts of a run, checks, presets and input."""

import csv
import io
import json
import math
import re
import signal
import struct
import xml.etree.ElementTree as tree
import zlib
from pathlib import Path

import support
from support import Case, environment, shoal

SMALL = ["gas", "--particles", "100", "--density", "0.4", "--steps", "40", "--seed", "3"]
HOST = [*SMALL, "--device", "host"]
COLUMNS = ["step", "time", "temperature", "kinetic", "potential", "total", "conserved", "pressure", "volume",
           "wall_pressure", "max_speed", "momentum_x", "momentum_y", "rebuilds", "largest_cluster"]


def xyz_frames(path):
    """(comment, rows) of each frame of an extended XYZ file."""
    return xyz_frames_of(path.read_text())


def xyz_frames_of(text):
    lines = text.splitlines()
    frames = []
    while lines:
        count = int(lines[0])
        frames.append((lines[1], [line.split() for line in lines[2:2 + count]]))
        del lines[:2 + count]
    return frames


def dump_frames(path):
    """(step, bounds, columns, rows) of each frame of a LAMMPS dump."""
    lines = path.read_text().splitlines()
    frames = []
    while lines:
        assert lines[0] == "ITEM: TIMESTEP" and lines[2] == "ITEM: NUMBER OF ATOMS"
        count = int(lines[3])
        frames.append((int(lines[1]), lines[4:8], lines[8].split()[2:], [line.split() for line in lines[9:9 + count]]))
        del lines[:9 + count]
    return frames


def pixels_of(path):
    """Width, height and the unpacked bytes of a PNG file whose parts are checked."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    return *size, zlib.decompress(packed)


def unfiltered(kind, line, above):
    """A row of RGB pixels of a PNG file: its filter, its bytes, the row above."""
    row = bytearray()
    for i, byte in enumerate(line):
        left, up, corner = (row[i - 3], above[i], above[i - 3]) if i >= 3 else (0, above[i], 0)
        near = min((abs(left + up - corner - other), order, other) for order, other in enumerate((left, up, corner)))[2]
        row.append((byte + (0, left, up, (left + up) // 2, near)[kind]) % 256)
    return bytes(row)


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


class Frames(Case):
    def test_xyz(self):
        path = self.folder / "run.xyz"
        self.succeeds(*HOST, "--frames", "20", "--xyz", path)
        frames = xyz_frames(path)
        self.assertEqual(len(frames), 3)
        for (comment, rows), step in zip(frames, [0, 20, 40]):
            self.assertIn(f"Step={step} ", comment)
            self.assertIn('pbc="T T F"', comment)
            self.assertIn('Lattice="15.81', comment)
            self.assertEqual(len(rows), 100)
            for row in rows:
                self.assertEqual((row[0], len(row), row[3], row[6], row[7]), ("Ar", 11, "0", "0", "1"))
                self.assertEqual(row[4:7], row[8:])  # of mass 1
                self.assertTrue(0 <= float(row[1]) < 15.812 and 0 <= float(row[2]) < 15.812)

    def test_dump_says_what_xyz_says_and_starts_a_run(self):
        xyz, dump = self.folder / "run.xyz", self.folder / "run.dump"
        self.succeeds(*HOST, "--frames", "40", "--xyz", xyz, "--dump", dump)
        for (_, rows), (_, bounds, columns, atoms) in zip(xyz_frames(xyz), dump_frames(dump), strict=True):
            self.assertEqual(bounds[0], "ITEM: BOX BOUNDS pp pp pp")
            self.assertEqual(columns, "id type x y z vx vy vz ix iy iz".split())
            self.assertEqual([int(atom[0]) for atom in atoms], list(range(1, 101)))
            for row, atom in zip(rows, atoms):
                self.assertEqual(row[1:7], atom[2:8])
        energies = []
        for path in [xyz, dump]:
            lines = self.folder / "again.jsonl"
            self.succeeds("gas", "--device", "host", "--start", "file", "--start-file", path, "--steps", "1", "--thermo",
                          "1", "--thermo-file", lines)
            energies.append(json.loads(lines.read_text().splitlines()[0])["total"])
        self.assertAlmostEqual(energies[0], energies[1], 9)

    def test_3d(self):
        path = self.folder / "run.xyz"
        self.succeeds("gas", "--device", "host", "--dim", "3", "--particles", "108", "--density", "0.3", "--cutoff", "2.5",
                      "--steps", "4", "--frames", "4", "--xyz", path)
        comment, rows = xyz_frames(path)[1]
        self.assertIn('pbc="T T T"', comment)
        self.assertGreater(len({row[3] for row in rows}), 100)

    def test_pictures(self):
        self.succeeds(*HOST, "--frames", "40", "--png", self.folder / "view", "--png-size", "120")
        for step in [0, 40]:
            width, height, pixels = pixels_of(self.folder / f"view-{step:09}.png")
            self.assertEqual((width, height), (120, 120))
            self.assertGreater(len(set(pixels)), 20)

    def test_pictures_have_time_and_scale(self):
        def labels(step):
            """The rows below the box: its left part with the time, the right one with the scale; and all colours."""
            width, height, pixels = pixels_of(self.folder / f"view-{step:09}.png")
            self.assertEqual(height, 400)
            self.assertLess(width, height)
            rows, above = [], bytes(3 * width)
            for at in range(0, len(pixels), 3 * width + 1):
                above = unfiltered(pixels[at], pixels[at + 1:at + 3 * width + 1], above)
                rows.append(above)
            below = rows[width:]
            return ([row[:width] for row in below], [row[-3 * (width // 2):] for row in below],
                    {row[i:i + 3] for row in below for i in range(0, 3 * width, 3)})

        self.succeeds(*HOST, "--frames", "40", "--png", self.folder / "view", "--png-size", "400")
        first, last = labels(0), labels(40)
        self.assertNotEqual(first[0], last[0])
        self.assertEqual(first[1], last[1])
        # From slow to fast, on the ground of the labels.
        self.assertGreater(len(first[2]), 50)
        for colour in ((72, 40, 120), (31, 158, 137), (253, 231, 37), (32, 32, 32)):
            self.assertLess(min(max(abs(a - b) for a, b in zip(colour, other)) for other in first[2]), 16)

    def test_each_device_has_files_of_its_own(self):
        device = self.needs_opencl()
        self.succeeds(*SMALL, "--device", f"host,{device}", "--frames", "40", "--xyz", self.folder / "run.xyz", "--png",
                      self.folder / "view", "--png-size", "60")
        tags = ["host", device.replace(":", "-")]
        for tag in tags:
            self.assertEqual(len(xyz_frames(self.folder / f"run-{tag}.xyz")), 2)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.png")),
                         sorted(f"view-{tag}-{step:09}.png" for tag in tags for step in (0, 40)))

    def test_the_element_of_the_particles(self):
        path = self.folder / "run.xyz"
        for args, element in ([], "Ar"), (["--element", "Kr"], "Kr"), (["--element", "C"], "C"):
            path.unlink(missing_ok=True)
            self.succeeds(*HOST, "--frames", "40", "--xyz", path, *args)
            for _, rows in xyz_frames(path):
                self.assertEqual({row[0] for row in rows}, {element})
            self.succeeds("gas", "--device", "host", "--start-file", path, "--steps", "4")
        path.unlink()
        for wrong in "kr", "KR", "K1", "Krxx", "K r", "\u00c4r":
            self.assertIn(f"--element: '{wrong}' is no symbol of an element", self.fails(2, *HOST, "--xyz", path, "--element", wrong))
        self.assertIn("--element needs --xyz", self.fails(2, *HOST, "--element", "Kr"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_frames_need_a_file(self):
        self.assertIn("--xyz", self.fails(2, *HOST, "--frames", "10"))


class Charts(Case):
    def test_charts(self):
        names = ["energy", "temperature", "rdf", "speeds", "profile", "msd", "structure", "vacf", "clusters", "g6"]
        paths = [self.folder / f"{name}.svg" for name in names]
        self.succeeds(*HOST, "--cluster-distance", "1.5", "--hexatic-range", "1.5", *(word for name, path in zip(names, paths) for word in (f"--plot-{name}", path)))
        curves = [len(tree.parse(path).getroot().findall(".//{*}path")) for path in paths]
        self.assertEqual(curves, [3, 1, 1, 2, 1, 3, 1, 1, 1, 1])

    def test_columns_of_samples(self):
        path = self.folder / "chart.svg"
        chart = [*HOST, "--plot-samples", path]
        for words, labels in (([], ["pressure"]), (["--plot-columns", "Total,temperature,max_speed"], ["total", "temperature", "max_speed"])):
            self.succeeds(*chart, *words)
            self.assertEqual(len(tree.parse(path).getroot().findall(".//{*}path")), len(labels))
            for label in labels:
                self.assertIn(f">{label}<", path.read_text())
        for words, message in ((["--plot-columns", "presure"], "--plot-columns: 'presure' is not one of .*; did you mean 'pressure'"),
                               (["--plot-columns", ""], "--plot-columns: needs a text that is not empty"),
                               (["--plot-columns", "time,total,pressure,kinetic,potential"], "--plot-columns: a chart shows at most 4 columns"),
                               (["--plot-columns", "piston"], "--plot-columns: this run has no values of 'piston'; leave it out")):
            self.assertRegex(self.fails(2, *chart, *words), message)
        self.assertIn("--plot-samples", self.fails(2, *HOST, "--plot-columns", "total"))

    def test_charts_are_svg(self):
        for name in ["energy", "temperature", "rdf", "speeds", "profile", "msd", "structure", "vacf", "clusters", "g6"]:
            message = self.fails(2, *HOST, f"--plot-{name}", self.folder / "chart.png")
            self.assertRegex(message, rf"--plot-{name}: .*chart.png: .* give a name that ends in .svg")
        self.assertEqual(list(self.folder.iterdir()), [])


class Shares(Case):
    @support.long
    def test_every_method_says_where_its_time_went(self):
        device = self.needs_opencl()
        box = ["--potential", "log", "--boundary-x", "open", "--boundary-y", "open"]
        shares = {"force", "observe"}
        of_thesis = (
            ([*box, "--kernel", "unrolled"], shares),
            ([*box, "--method", "cells", "--cells", 8], shares | {"sort"}),
            ([*box, "--method", "cells", "--cells", 8, "--sort", "v2"], shares | {"sort"}),
        )
        for args, names in (
            (["--method", "allpairs"], shares),
            (["--method", "list"], shares | {"sort", "list"}),
            *(of_thesis if support.has_theses() else ()),
        ):
            with self.subTest(args=args):
                run = ["gas", "--particles", "256", "--steps", "20", "--device", device, "--json"]
                result = json.loads(self.succeeds(*run, *args))["rows"][0]["result"]["fields"]
                found = {key[:-6]: value for key, value in result.items() if key.endswith("_share") and value is not None}
                self.assertEqual(set(found), names)
                self.assertTrue(all(0 < share < 1 for share in found.values()), found)
                self.assertAlmostEqual(sum(found.values()), 1, places=9)


class Checks(Case):
    # Another force on devices than the one that the host looks at.
    WRONG = """#define CUTOFF 2.0
#if REAL == 32
#define STRENGTH R(1.001)
#else
#define STRENGTH R(1.0)
#endif
static inline real user_force(real d) { return STRENGTH / (d * d); }
static inline real user_energy(real d) { return STRENGTH * R(0.5) / d; }
"""

    def test_a_result_that_fails_its_check_is_there_to_look_at(self):
        device = self.needs_opencl()
        force, checkpoint, chart = self.folder / "force.c", self.folder / "run.ckp", self.folder / "rdf.svg"
        force.write_text(self.WRONG)
        run = [*SMALL, "--device", device, "--pair-force", force, "--plot-rdf", chart]
        message = self.fails(6, *run, "--checkpoint", checkpoint, "--quiet")
        self.assertRegex(message, r"failed its check: force_error is 0\.00\d+, at most 1e-05 is allowed \(")
        self.assertTrue(chart.exists())
        done = shoal(*run, "--steps", "50", "--resume", checkpoint, "--json")
        self.assertEqual(done.returncode, 6)
        row, = json.loads(done.stdout)["rows"]
        self.assertEqual((row["status"], row["samples"]), ("result check failed", 1))
        self.assertEqual((row["result"]["check"], row["result"]["steps"]), ("fail", 50))
        self.assertIn("force_error is 0.00", row["result"]["check_failure"])
        self.assertAlmostEqual(row["result"]["fields"]["force_error"], 0.001, delta=2e-4)
        done = shoal(*run)
        self.assertRegex(done.stdout, rf"\ndevice: +{device}\n(.+\n)+check: +FAIL\nsteps: +40\n")
        self.assertRegex(done.stdout, r"\nforce error: +0\.00")


    def test_a_pair_force_leaves_the_names_of_the_kernels_alone(self):
        force = self.folder / "force.clh"
        for name, line in (("CUT", "#define CUT 0"), ("gas_move", "static inline real gas_move(real d) { return d; }"),
                           ("<math.h>", "#include <math.h>")):
            force.write_text("#define CUTOFF 2.0\n" + line + "\nstatic inline real user_force(real d) { return d; }\n"
                             "static inline real user_energy(real d) { return d; }\n")
            message = self.fails(1, "gas", "--device", "nosuch:7,host", "--pair-force", force)
            self.assertRegex(message, rf"\Ashoal: force\.clh:2: [^\n]*{name}[^\n]*\n\Z")

    def test_a_pair_force_that_never_returns_is_told(self):
        force = self.folder / "force.clh"
        force.write_text("#define CUTOFF 2.0\nstatic inline real user_energy(real d) { return d; }\n"
                         # At the cutoff it returns.
                         "static real user_force(real d)\n{\n    volatile real y[100];\n    y[0] = d;\n"
                         "    return d >= 4 ? d : user_force(d * R(0.9)) * y[0] + 1;\n}\n")
        done = shoal("gas", "-dhost", "--pair-force", force, "--particles", "64", "--steps", "5",
                     preexec_fn=support.limit_crashes)
        self.assertEqual(done.returncode, -signal.SIGSEGV, done.stderr)
        self.assertEqual(done.stderr, "shoal: force.clh: crashed on the host (invalid memory access): correct the text\n")

    def test_a_pair_force_is_compiled_before_devices(self):
        force, start = self.folder / "force.clh", self.folder / "start.ck"
        force.write_text("#define CUTOFF 2.0\nstatic inline real user_force(real d) { return d; }\n"
                         "static inline real user_energy(real d) { return nothing; }\n")
        self.succeeds("gas", "-dhost", "--particles", "64", "--steps", "1", "--checkpoint", start)
        for more in [], ["--start-file", start]:
            done = shoal("gas", "--device", "nosuch:7", "--pair-force", force, *more)
            self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
            self.assertRegex(done.stderr, r"\Ashoal: force\.clh does not compile: force\.clh:3: [^\n]*nothing[^\n]*\n\Z")


class Verify(Case):
    def test_methods_of_the_host(self):
        rows = json.loads(self.succeeds("verify", "gas.methods", "--device", "host", "--json"))["rows"]
        self.assertEqual([(row["what"], row["result"]) for row in rows],
                         [(f"gas.methods fmm, {gas}: {what}", "pass") for gas in ("uniform", "droplet") for what in ("forces", "potential")])

    def test_no_choice_is_left_out(self):
        rows = json.loads(self.succeeds("verify", "gas", "pso", "ga", "--steps", "2", "--device", "host", "--json"))["rows"]
        self.assertEqual([row["what"] for row in rows if row["result"] != "pass"], [])
        names = {row["what"] for row in rows}
        if support.has_theses():
            self.assertLessEqual({"gas kernel=naive", "gas scheme=tiled3", "gas far=ha3", "gas adder=kadder", "gas sort=v2", "gas limiter=l1",
                                  "gas wall-method=w1", "gas integrator=euler-in-place"}, names)
        self.assertLessEqual({"gas wall-method=w4", "gas wall-back=thermal", "pso exchange-topology=ring",
                              "pso method=warp2", "pso function=f6"}, names)
        # Tables of so many rows that the host takes seconds for a step.
        self.assertEqual([name for name in names if re.search("function=(f[7-9]|f10)$", name)], [])


class Methods(Case):
    def test_what_the_thesis_cannot_do_is_said_without_a_device(self):
        self.need_theses()
        for options, part in [(["--method", "cells"], "method cells does the potentials log and real"),
                              (["--kernel", "rsqrt"], "--kernel rsqrt needs --potential log")]:
            # Faults of options come before those of devices.
            self.assertIn(part, self.fails(2, *SMALL, *options, "--device", "opencl:99"))


class Kernels(Case):
    @support.long
    def test_compilers_have_nothing_to_say(self):
        device, force = self.needs_opencl(), Path(__file__).resolve().parents[2] / "examples" / "pair_forces" / "morse.clh"
        walls = ["--boundary-x", "walls", "--boundary-y", "walls"]
        of_thesis = (["--potential", "log-repulsion", "--kernel", "unrolled", *walls],
                     ["--potential", "real", "--kernel", "semi-blocked", *walls])
        for options in (["--pair-force", force], ["--potential", "lj"], ["--potential", "lj", "--cutoff", "0", *walls],
                        *(of_thesis if support.has_theses() else ())):
            with self.subTest(options=options):
                done = shoal(*SMALL, "--steps", "2", "--method", "allpairs", *options, "--no-cache", "--device", device,
                             env=environment(POCL_CACHE_DIR=str(self.folder)))
                self.assertEqual((done.returncode, done.stderr), (0, ""))


class Sizes(Case):
    def test_no_particles(self):
        self.assertIn("--particles: 0 is out of range; give 1 to", self.fails(2, "gas", "--particles", "0", "--device", "host"))
        config = self.folder / "run.ini"
        config.write_text("[gas]\nparticles = 0\n")
        self.assertIn("0 is out of range; give 1 to", self.fails(2, "gas", "--device", "host", "--config", config))


class Idle(Case):
    """Values that say nothing: also those that are the defaults."""

    def test_refused(self):
        force = self.folder / "force.clh"
        force.write_text("")
        of_thesis = ((["--method", "list", "--cells", "50"], "--cells needs --method auto or cells"),
                     (["--unroll", "8"], "--unroll needs --kernel unrolled"))
        for options, part in [(["--friction", "1"], "--friction needs --thermostat langevin; give that too, or leave --friction out"),
                              (["--thermostat", "langevin", "--relaxation", "0.5"], "--relaxation needs --thermostat rescale or chain or --equilibration"),
                              (["--wall-damping", "0.5", "--boundary-x", "walls"], "wall-front or --wall-back damping"),
                              (["--wall-temperature", "1"], "wall-front or --wall-back thermal"),
                              (["--wall-stiffness", "1000", "--boundary-x", "walls"], "--wall-stiffness needs --wall-method w5"),
                              (["--wall-method", "w3"], "needs --boundary-x, --boundary-y or --boundary-z walls"),
                              (["--wall-method", "w5"], "needs --boundary-x, --boundary-y or --boundary-z walls"),
                              (["--droplet-share", "0.5"], "--droplet-share needs --start droplet"),
                              *(of_thesis if support.has_theses() else ()),
                              (["--method", "allpairs", "--skin", "0.3"], "--skin needs --method auto or list"),
                              (["--png-size", "800"], "--png-size needs --png"),
                              (["--potential", "lj", "--pair-force", force], "use one")]:
            with self.subTest(options=options):
                self.assertIn(part, self.fails(2, *HOST, *options))
        # A configuration is there for many runs.
        config = self.folder / "run.ini"
        config.write_text("[gas]\nwall-method = w3\n")
        self.succeeds(*HOST, "--config", config)

    def test_taken(self):
        self.succeeds(*HOST, "--boundary-x", "walls", "--wall-left", "damping", "--wall-damping", "0.5", "--wall-method", "w3",
                      "--start", "droplet", "--droplet-share", "0.5", "--thermostat", "langevin", "--friction", "1",
                      "--equilibration", "2", "--relaxation", "0.5")


class Input(Case):
    def test_input_is_read_before_any_device_is_asked_for(self):
        bad = self.folder / "bad.xyz"
        bad.write_text('2\nLattice="9 0 0 0 9 0 0 0 9"\nAr 1 2 0\nAr 7 nan 0\n')
        for code, args, words in (
            (1, ["--start-file", self.folder / "none.xyz"], "none.xyz"),
            (1, ["--start-file", bad], "bad.xyz: line 4: y is 'nan'"),
            (1, ["--pair-force", self.folder / "none.cl"], "none.cl"),
            (2, ["--particles", "20", "--width", "4", "--height", "4"], "larger than half the periodic box"),
        ):
            with self.subTest(args=args):
                self.assertIn(words, self.fails(code, "gas", "--device", "nosuch:7", *args))


    def test_what_a_minimisation_leaves_overlapping_is_refused(self):
        start = ["gas", "--device", "host", "--particles", "100", "--density", "0.8", "--start", "random",
                 "--start-distance", "0.2", "--steps", "5"]
        for options, words in ((["--minimise", "50", "--minimise-force", "1e12"],
                                r"overlap after 0 steps of the minimisation: .*; lower --minimise-force, or"),
                               (["--minimise", "1"], r"overlap after 1 steps of the minimisation: .*; raise --minimise, or")):
            with self.subTest(options=options):
                self.assertRegex(self.fails(2, *start, *options), words)


class Grid(Case):
    @support.long
    def test_free_flight_in_large_boxes(self):
        """Fixed-point positions move particles right, or the run is refused."""
        device, path = self.needs_opencl(), self.folder / "flight.xyz"
        for width, precision in [("5000", "single"), ("20000", "single"), ("1e6", "double"), ("1e6", "single"),
                                 ("1e6", "mixed")]:
            command = ["gas", "--particles", "100", "--epsilon", "0", "--width", width, "--height", width, "--steps", "1000",
                       "--frames", "1000", "--xyz", path, "--device", device, "--precision", precision]
            if width == "1e6" and precision != "double":
                self.assertIn("take --precision double", self.fails(2, *command))
                continue
            path.unlink(missing_ok=True)
            self.succeeds(*command)
            (_, first), (_, last) = xyz_frames(path)
            for before, after in zip(first, last, strict=True):
                for axis in (1, 2):
                    moved = float(after[axis]) - float(before[axis]) - 5 * float(before[axis + 3])
                    moved -= float(width) * round(moved / float(width))
                    self.assertLess(abs(moved), 3e-3)


class Presets(Case):
    def test_unknown(self):
        self.assertIn("did you mean 'condensation'", self.fails(2, "gas", "--preset", "condensatoin"))

    def test_a_preset_with_a_schedule(self):
        """Few steps of the piston, whose schedule is a text; another schedule takes its place."""
        run = ["gas", "--preset", "piston", "--device", "host", "--particles", "60", "--equilibration", "0", "--thermo", "1",
               "--frames", "40", "--png", self.folder / "p", "--png-size", "60", "--plot-samples", self.folder / "p.svg", "--json"]
        document = json.loads(self.succeeds(*run, "--steps", "40"))
        self.assertIn("2000 piston-speed -0.4 over 2000;", document["params"]["schedule"])
        self.assertEqual(document["rows"][0]["series"]["piston"][-1], 80)
        moved = json.loads(self.succeeds(*run, "--steps", "40", "--schedule", "20 piston-speed -1;"))["rows"][0]["series"]["piston"]
        self.assertAlmostEqual(moved[-1], 80 - 20 * 0.005)
        self.assertIn("--schedule: line 1: 'pistonspeed' cannot change",
                      self.fails(1, *run, "--steps", "40", "--schedule", "20 pistonspeed -1;"))

    def test_condensation_has_a_control_run(self):
        document = json.loads(self.succeeds(
            "gas", "--preset", "condensation", "--device", "host", "--particles", "60", "--steps", "20", "--frames", "10",
            "--thermo", "10", "--png", self.folder / "c", "--plot-temperature", self.folder / "t.svg", "--json"))
        self.assertEqual([row.get("label") for row in document["rows"]], [None, "control"])
        self.assertEqual(document["params"]["attraction"], 1e-4)
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertIn("--repulsion", self.fails(2, "gas", "--device", "host", "--potential", "log-repulsion", "--boundary-x",
                                                "walls", "--boundary-y", "walls", "--control"))
        self.assertEqual(names, [f"c-{step:09}.png" for step in (0, 10, 20)] +
                         [f"c-control-{step:09}.png" for step in (0, 10, 20)] + ["t-control.svg", "t.svg"])

    def test_control_run_has_a_checkpoint_of_its_own(self):
        state, lines = self.folder / "run.state", self.folder / "run.csv"
        run = ["gas", "--device", "host", "--particles", "60", "--potential", "real", "--boundary-x", "walls", "--boundary-y",
               "walls", "--thermo", "5", "--thermo-file", lines, "--control", "--json"]
        whole = json.loads(self.succeeds(*run, "--steps", "20"))["rows"]
        files = [path.read_text() for path in (lines, self.folder / "run-control.csv")]
        self.succeeds(*run, "--steps", "10", "--checkpoint", state)
        resumed = json.loads(self.succeeds(*run, "--steps", "20", "--resume", state))["rows"]
        self.assertEqual([row["result"]["value"] for row in resumed], [row["result"]["value"] for row in whole])
        self.assertEqual([path.read_text() for path in (lines, self.folder / "run-control.csv")], files)
        # A run that ended before its control run began has no checkpoint of that.
        (self.folder / "run-control.state").unlink()
        done = shoal(*run, "--steps", "20", "--resume", state)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("run-control.state: the run 'control' begins at its first step", done.stderr)
        self.assertEqual([row["result"]["value"] for row in json.loads(done.stdout)["rows"]],
                         [row["result"]["value"] for row in whole])


if __name__ == "__main__":
    support.main()
