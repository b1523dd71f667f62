#!/usr/bin/env python3
"""shoal gas: files of other programs that it starts from, and what these read of its own."""

import gzip
import json
import math
import re

import support
from support import Case, shoal
from test_gas import HOST, dump_frames, xyz_frames, xyz_frames_of


# As ASE 3.29 writes atoms with a flat cell, velocities and masses: `write("a.xyz", atoms)`.
ASE = """4
Lattice="8.0 0.0 0.0 0.0 8.0 0.0 0.0 0.0 0.0" Properties=species:S:1:pos:R:3:masses:R:1:momenta:R:3 pbc="T T F"
Ar       1.00000000       1.00000000       0.00000000       2.00000000       0.20000000       0.40000000       0.00000000
Ar       3.00000000       1.00000000       0.00000000       2.00000000       0.60000000       0.80000000       0.00000000
Ar       1.00000000       3.00000000       0.00000000       2.00000000      -0.20000000       0.06666666       0.00000000
Ar       3.00000000       3.00000000       0.00000000       2.00000000       0.00000000       0.00000000       0.00000000
"""
# As LAMMPS of July 2025 writes `dump custom id type mass %s vx vy vz` with units and time.
LAMMPS = """ITEM: UNITS
lj
ITEM: TIME
0.25
ITEM: TIMESTEP
50
ITEM: NUMBER OF ATOMS
3
ITEM: BOX BOUNDS pp pp pp
0.0000000000000000e+00 8.0000000000000000e+00
0.0000000000000000e+00 1.0000000000000000e+01
-5.0000000000000000e-01 5.0000000000000000e-01
ITEM: ATOMS id type mass {} vx vy vz
"""
ATOMS = [("1", "-0.37273315", "0.558458021"), ("2", "1.09224215", "-1.3213686"), ("3", "0.500511186", "-0.890914796")]
# The same places: in the box with crossings, as fractions of it, unwrapped.
PLACES = {"x y z ix iy iz": ["2 5 0 1 0 0", "4 7.5 0 0 -2 0", "6 2.5 0 0 0 0"],
          "xs ys zs ix iy iz": ["0.25 0.5 0.5 1 0 0", "0.5 0.75 0.5 0 -2 0", "0.75 0.25 0.5 0 0 0"],
          "xu yu zu": ["10 5 0", "4 -12.5 0", "6 2.5 0"],
          "xsu ysu zsu": ["1.25 0.5 0.5", "0.5 -1.25 0.5", "0.75 0.25 0.5"]}


class Start(Case):
    def first_frame(self, path, *more, warnings=""):
        """The particles at step 0 of a run from that file, as a dump and as extended XYZ."""
        dump, xyz = self.folder / "start.dump", self.folder / "start.xyz"
        done = shoal("gas", "--device", "host", "--start-file", path, "--steps", "0", "--cutoff", "2", "--dump", dump,
                     "--xyz", xyz, *more)
        self.assertEqual((done.returncode, done.stderr), (0, warnings))
        return dump_frames(dump)[0], xyz_frames(xyz)[0]

    def test_momenta_of_ase(self):
        dump, _ = self.first_frame(self.file("ase.xyz", ASE), "--mass", "2")
        self.assertEqual([row[5:7] for row in dump[3]],
                         [["0.1", "0.2"], ["0.3", "0.4"], ["-0.1", "0.03333333"], ["0", "0"]])
        # Of another mass the velocities are those of ASE all the same.
        path = self.file("ase.xyz", ASE)
        heavy, _ = self.first_frame(path, warnings=f"shoal: warning: {path}: the masses in it are not used: they are 2, the "
                                                   "run has --mass 1\n")
        self.assertEqual(heavy[3], dump[3])

    def test_ase_sees_velocities(self):
        """What ASE makes of a file: momenta over masses."""
        path = self.folder / "run.xyz"
        for mass in "1", "39.948":
            self.succeeds(*HOST, "--mass", mass, "--frames", "20", "--xyz", path)
            for comment, rows in xyz_frames(path):
                self.assertIn("Properties=species:S:1:pos:R:3:velo:R:3:masses:R:1:momenta:R:3 ", comment)
                for row in rows:
                    seen = [f"{float(momentum) / float(row[7]):.9g}" for momentum in row[8:11]]
                    self.assertEqual((float(row[7]), seen), (float(mass), row[4:7]))

    def test_momenta_that_ase_changed(self):
        path = self.folder / "run.xyz"
        self.succeeds(*HOST, "--mass", "2", "--frames", "40", "--xyz", path)
        (comment, rows) = xyz_frames(path)[0]
        changed = [" ".join([*row[:8], *(str(2 * float(momentum)) for momentum in row[8:])]) for row in rows]
        path = self.file("changed.xyz", f"100\n{comment}\n" + "\n".join(changed) + "\n")
        (_, seen) = self.first_frame(path, "--mass", "2", warnings=f"shoal: warning: {path}: its velocities are not its "
                                                                   "momenta over its masses: the momenta are taken\n")
        for row, was in zip(seen[1], rows, strict=True):
            self.assertEqual(row[4:7], [f"{2 * float(v):.9g}" for v in was[4:7]])

    def test_dumps_of_lammps(self):
        frames = []
        for columns, places in PLACES.items():
            rows = [f"{number} 1 1 {place} {vx} {vy} 0" for (number, vx, vy), place in zip(ATOMS, places)]
            # In any order.
            path = self.file("lammps.dump", LAMMPS.format(columns) + "\n".join(rows[::-1]) + " \n")
            dump, _ = self.first_frame(path)
            self.assertEqual([tuple(row[i] for i in (0, 5, 6)) for row in dump[3]], ATOMS)
            frames.append(dump)
        for dump in frames[1:]:
            self.assertEqual(dump, frames[0])
        self.assertEqual([row[2:4] + row[8:10] for row in frames[0][3]],
                         [["2", "5", "1", "0"], ["4", "7.5", "0", "-2"], ["6", "2.5", "0", "0"]])

    def test_temperature_of_the_run_is_shown(self):
        """Not that of an option that has no effect on given velocities."""
        path = self.file("ase.xyz", ASE)
        run = ["gas", "--device", "host", "--start-file", path, "--mass", "2", "--steps", "40", "--cutoff", "2"]
        chart, speeds = self.folder / "t.svg", self.folder / "s.json"
        head = self.succeeds(*run, "--plot-temperature", chart, "--speeds-file", speeds).split("check:")[0]
        self.assertIn("density 0.0625, temperature 0.1037 at the start;", " ".join(head.split()))
        self.assertNotIn("temperature=", head)
        title = re.search("<title>(.*)</title>", chart.read_text())[1]
        self.assertIn(", temperature 0.1037 at the start, host;", title)
        self.assertNotIn("temperature=", title)
        # The bins of speeds are for that temperature, too: five thermal speeds.
        middles = json.loads(speeds.read_text())["speeds"]["speed"]
        self.assertAlmostEqual(middles[-1], 5 * math.sqrt(0.1037037 / 2) * (1 - 0.5 / 200), 5)
        for more, shown in ((["--thermostat", "langevin", "--temperature", "0.3"], "temperature=0.3"),
                            (["--equilibration", "5"], "temperature=1")):
            head = self.succeeds(*run, *more).split("check:")[0]
            self.assertIn(shown, head)
            self.assertNotIn("at the start", head)
        self.assertIn("temperature=1", self.succeeds(*HOST).split("check:")[0])

    def test_pictures_colour_by_their_speeds(self):
        hot = self.file("hot.xyz", '2\nLattice="8 0 0 0 8 0 0 0 0" Properties=species:S:1:pos:R:3:velo:R:3\n'
                                   "Ar 1 2 0 100 0 0\nAr 5 6 0 0 100 0\n")
        cold = self.file("cold.xyz", hot.read_text().replace("100", "1e-3"))
        pictures = []
        for path in hot, cold:
            self.succeeds("gas", "--device", "host", "--start-file", path, "--steps", "0", "--png", self.folder / "p",
                          "--png-size", "60")
            pictures.append((self.folder / "p-000000000.png").read_bytes())
        # A third of three times the speed that both have.
        self.assertEqual(*pictures)

    def test_what_is_not_used(self):
        box = 'Lattice="8 0 0 0 8 0 0 0 0"'
        whole = f"2\n{box}\nAr 1 2 0\nAr 5 6 0\n"
        for text, words in ((whole.replace("Ar 5", "Kr 5"), "differ in species: that is not used"),
                            (whole + whole, "holds 2 frames: the run starts from the last"),
                            (whole + whole[:-8], "last frame is cut short: the run starts from the whole one before it, number 1"),
                            (whole[:-1], "its last line has no end"),
                            (whole.replace("Ar 1 2 0", "Ar 1 2 0 3 3 3"), "columns behind the position are not used")):
            with self.subTest(words=words):
                path = self.file("start.xyz", text)
                done = shoal("gas", "--device", "host", "--start-file", path, "--steps", "1")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, rf"\Ashoal: warning: {path}[^\n]*{words}[^\n]*\n\Z")
                # One line for all devices, none with --quiet.
                self.assertEqual(shoal("gas", "--device", "host,host", "--start-file", path, "--steps", "1").stderr, done.stderr)
                self.assertEqual(shoal("gas", "--device", "host", "--start-file", path, "--steps", "1", "--quiet").stderr, "")

    def test_data_gas_shows_what_a_run_starts_from(self):
        path = self.file("ase.xyz", ASE + ASE[:-20])
        found = json.loads(shoal("data", "gas", path, "--json").stdout)
        self.assertEqual({key: found[key] for key in ("format", "particles", "dim", "frames", "frame", "cut", "velocities", "box",
                                                      "ranges")},
                         {"format": "extended XYZ", "particles": 4, "dim": 2, "frames": 2, "frame": 1, "cut": True,
                          "velocities": True, "box": [8, 8], "ranges": [[1, 3], [1, 3]]})
        self.assertAlmostEqual(found["mean_square_speed"], 0.3111111 / 4, 6)
        self.assertIn("ase.xyz: its last frame is cut short", found["notes"])
        self.assertIn("the masses in it are not used: they are 2, the run has --mass 1", found["notes"])
        uses, = [use for use in json.loads(shoal("data", "info", path, "--json").stdout)["uses"]
                 if use["command"] == "gas --start-file"]
        self.assertIn("4 particles in 2 dimensions to start from, frame 1 of 2, box 8 x 8, with velocities", json.dumps(uses))
        self.assertIn("its last frame is cut short", json.dumps(uses))
        done = shoal("data", "gas", path, "--mass", "2")
        self.assertRegex(done.stdout, r"particles +4, in 2 dimensions\nframes +2, the last cut\nread +frame 1\nbox +8 8\n")
        self.assertRegex(done.stderr, r"\Ashoal: [^\n]*its last frame is cut short[^\n]*\n\Z")
        state = self.folder / "state"
        self.succeeds(*HOST, "--checkpoint", state)
        self.assertRegex(self.succeeds("data", "gas", state), r"format +checkpoint\nparticles +100, in 2 dimensions\n")
        self.assertIn("none.xyz", self.fails(1, "data", "gas", self.folder / "none.xyz"))
        self.assertIn("no file; give the name of one", self.fails(2, "data", "gas"))

    def test_refused(self):
        box = 'Lattice="8 0 0 0 8 0 0 0 0"'
        for code, text, words in (
            (1, f'2\n{box}\nAr 1 nan 0\nAr 5 6 0\n', "line 3: y is 'nan', which is not finite"),
            (1, f'3\n{box}\nAr 1 2 0\nAr 5 6 0\n', "line 4: the file ends after 2 of 3 particles"),
            (1, f'1\n{box}\nAr 1 2 0\nAr 5 6 0\n', "line 4: 'Ar' should be the number of particles of a frame"),
            (1, f'2\n{box} Properties=pos:R:3:id:I:1\n1 2 0 7\n5 6 0 7\n', "two particles of a frame have the id 7"),
            (1, '1\nLattice="8 1 0 0 8 0 0 0 1"\nAr 1 2 0\n', "Lattice is oblique (triclinic)"),
            (2, "1\n\nAr 1 2 0\n", "has no box: give --width and --height"),
            (2, '1\nLattice="8 0 0 0 0 0 0 0 0"\nAr 1 2 0\n', "its box has no length along y: give --height"),
            (2, f'2\n{box}\nAr 1 2 0\nAr 5 6 1\n', "take --dim 3"),
        ):
            with self.subTest(words=words):
                self.assertIn(words, self.fails(code, "gas", "--device", "host", "--start-file", self.file("bad.xyz", text)))
        walls = ["--boundary-x", "walls", "--start-file", self.file("out.xyz", f"1\n{box}\nAr -1 2 0\n")]
        self.assertIn("outside the box from 0 to 8", self.fails(2, "gas", "--device", "host", *walls))


class Packed(Case):
    """Files whose names end in .gz."""
    FILES = {"--xyz": "run.xyz", "--dump": "run.dump", "--thermo-file": "run.csv", "--rdf-file": "g.csv", "--msd-file": "m.json"}

    def run_with(self, folder, ending, *args):
        folder.mkdir(exist_ok=True)
        self.succeeds(*args, "--frames", "10", "--thermo", "5",
                      *(word for option, name in self.FILES.items() for word in (option, folder / (name + ending))))

    def contents(self, folder):
        return {name: gzip.decompress((folder / f"{name}.gz").read_bytes()).decode() for name in self.FILES.values()}

    def test_packed_files_hold_the_same(self):
        plain, packed = self.folder / "plain", self.folder / "packed"
        self.run_with(plain, "", *HOST)
        self.run_with(packed, ".gz", *HOST)
        found = self.contents(packed)
        for name in self.FILES.values():
            self.assertEqual(found[name], (plain / name).read_text())
        self.assertLess((packed / "run.xyz.gz").stat().st_size, (plain / "run.xyz").stat().st_size / 1.8)
        first = self.folder / "first.dump"
        for name in "run.xyz.gz", "run.dump.gz":
            done = shoal("gas", "--device", "host", "--start-file", packed / name, "--steps", "0", "--dump", first)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1), done.stderr)
            self.assertEqual([row[5:8] for row in dump_frames(first)[0][3]],
                             [row[5:8] for row in dump_frames(plain / "run.dump")[-1][3]])

    def test_a_resumed_run_continues_them(self):
        whole, parts, state = self.folder / "whole", self.folder / "parts", self.folder / "state"
        self.run_with(whole, ".gz", *HOST)
        self.run_with(parts, ".gz", *HOST, "--steps", "20", "--checkpoint", state)
        kept = {name: (parts / f"{name}.gz").read_bytes() for name in self.FILES.values()}
        # Of a writer that was killed: beyond the checkpoint, and without an end.
        self.run_with(parts, ".gz", *HOST, "--steps", "33")
        for cut in 0, 3, 9, 40, 200:
            for name in "run.xyz", "run.dump", "run.csv":
                path = parts / f"{name}.gz"
                path.write_bytes((whole / f"{name}.gz").read_bytes()[:-cut or None])
            self.run_with(parts, ".gz", "gas", "--resume", state, "--steps", "40")
            self.assertEqual(self.contents(parts), self.contents(whole), cut)
        # One that ended before the checkpoint, with nothing that could be unpacked.
        for name in "run.xyz", "run.dump", "run.csv":
            (parts / f"{name}.gz").write_bytes(kept[name][:12])
        self.run_with(parts, ".gz", "gas", "--resume", state, "--steps", "40")
        self.assertEqual([re.search(r" Step=(\d+)", comment)[1] for comment, _ in xyz_frames_of(self.contents(parts)["run.xyz"])],
                         ["30", "40"])

    def test_frames_of_a_killed_writer(self):
        path, first = self.folder / "run.xyz.gz", self.folder / "first.xyz"
        self.succeeds(*HOST, "--frames", "10", "--xyz", path)
        frames = xyz_frames_of(gzip.decompress(path.read_bytes()).decode())
        path.write_bytes(path.read_bytes()[:-2000])
        done = shoal("gas", "--device", "host", "--start-file", path, "--steps", "0", "--xyz", first)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("its last frame is cut short: the run starts from the whole one before it, number 4", done.stderr)
        self.assertEqual([row[4:7] for row in xyz_frames(first)[0][1]], [row[4:7] for row in frames[3][1]])

    def test_a_file_of_something_else_is_left_alone(self):
        path = self.folder / "notes.xyz.gz"
        for content in b"notes of mine\nin no format\n", gzip.compress(b"notes of mine\nin no format\n"):
            path.write_bytes(content)
            self.assertIn("line 1 does not belong to a file of this format, so the file is not replaced", self.fails(1, *HOST, "--xyz", path))
            self.assertEqual(path.read_bytes(), content)

    def test_each_device_has_a_file_of_its_own(self):
        device = self.needs_opencl()
        self.succeeds(*HOST, "--device", f"host,{device}", "--xyz", self.folder / "run.xyz.gz", "--rdf-file", self.folder / "a.bg.csv.gz")
        tag = device.replace(":", "-")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["a.bg-host.csv.gz", f"a.bg-{tag}.csv.gz", "run-host.xyz.gz", f"run-{tag}.xyz.gz"])

    def test_endings(self):
        for option, wrong in (("--xyz", "run.pdb"), ("--xyz", "run.xyz.bz2"), ("--dump", "run.h5"), ("--dump", "run.pdb.gz"),
                              ("--thermo-file", "run.xlsx"), ("--rdf-file", "g.txt"), ("--rdf-file", "g.gz")):
            with self.subTest(option=option, wrong=wrong):
                self.assertRegex(self.fails(2, *HOST, option, self.folder / wrong),
                                 rf"{option}: the ending of '[^']*/{wrong}' names no format; use \.\w+.*, with \.gz behind it")
        self.assertEqual(list(self.folder.iterdir()), [])
        for option, name in ("--xyz", "run"), ("--xyz", "run.2"), ("--dump", "run-0.25"), ("--dump", ".frames"), ("--dump", "a.lammpstrj"):
            self.succeeds(*HOST, option, self.folder / name)
        self.succeeds(*HOST, "--xyz", "/dev/null")


if __name__ == "__main__":
    support.main()
