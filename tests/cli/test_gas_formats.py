#!/usr/bin/env python3
"""shoal gas: GSD files and LAMMPS data files, written and read again."""

import csv
import gzip
import json
import resource
import struct

import support
from support import Case, shoal
from test_gas import HOST, dump_frames

SHORT = [*HOST, "--steps", "40", "--frames", "10"]
TYPES = {1: "B", 2: "H", 3: "I", 4: "Q", 5: "b", 6: "h", 7: "i", 8: "q", 9: "f", 10: "d"}
SPECIES = ["--species", "Ar=0.75:mass=2,Kr=0.25:charge=-2", "--potential", "log", "--attraction", "-1", "--boundary-x", "open",
           "--boundary-y", "walls"]


def gsd_frames(path):
    """The chunks of each frame of a GSD file by their names, as lists of numbers; those of frame 0 hold for all."""
    data = path.read_bytes()
    magic, index, entries, names, blocks, schema_version, layer, _, schema = struct.unpack("<5Q2I64s64s", data[:176])
    assert (magic, schema_version >> 16, layer, schema.rstrip(b"\0")) == (0x65DF65DF65DF65DF, 1, 2 << 16, b"hoomd")
    known = data[names:names + 64 * blocks].split(b"\0\0")[0].decode().split("\0")
    frames, before = [], (0, -1)
    for at in range(index, index + 32 * entries, 32):
        frame, rows, place, columns, name, kind, flags = struct.unpack("<QQqIHBB", data[at:at + 32])
        if not place:
            assert not any(data[at:index + 32 * entries]), "entries behind the end of the index"
            break
        assert (frame, name) > before and flags == 0
        before = frame, name
        if frame == len(frames):
            frames.append(dict(frames[0]) if frames else {})
        values = struct.unpack_from(f"<{rows * columns}{TYPES[kind]}", data, place)
        frames[frame][known[name]] = list(values)
    return frames


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def steps_of(frames):
    return [frame["configuration/step"][0] for frame in frames]


class Gsd(Case):
    def test_frames(self):
        """As in a dump, about the middle of the box, and with the samples of the table."""
        path, dump, table = (self.folder / name for name in ("run.gsd", "run.dump", "run.csv"))
        self.succeeds(*SHORT, "--gsd", path, "--dump", dump, "--thermo-file", table, "--thermo", "5")
        frames, lines = gsd_frames(path), {line["step"]: line for line in csv.DictReader(table.read_text().splitlines())}
        self.assertEqual(steps_of(frames), [0, 10, 20, 30, 40])
        for frame, (step, bounds, _, rows) in zip(frames, dump_frames(dump), strict=True):
            lengths = [float(line.split()[1]) for line in bounds[1:3]]
            self.assertEqual(frame["configuration/box"], [*map(single, lengths), 0, 0, 0, 0])
            self.assertEqual((frame["configuration/dimensions"], frame["particles/N"]), ([2], [100]))
            self.assertEqual((frame["particles/mass"], set(frame["particles/typeid"])), ([1] * 100, {0}))
            self.assertEqual(bytes(frame["particles/types"]).rstrip(b"\0"), b"A")
            for i, row in enumerate(rows):
                place = [float(row[2 + k]) - lengths[k] / 2 for k in range(2)]
                for k in range(2):
                    self.assertAlmostEqual(frame["particles/position"][3 * i + k], place[k], 5)
                self.assertEqual(frame["particles/position"][3 * i + 2], 0)
                self.assertEqual(frame["particles/image"][3 * i:3 * i + 3], [int(x) for x in row[8:11]])
                for k in range(3):
                    self.assertAlmostEqual(frame["particles/velocity"][3 * i + k], float(row[5 + k]), 6)
            for name, value in lines[str(step)].items():
                if name not in ("step", "volume") and value:
                    self.assertEqual(frame[f"log/{name}"], [float(value)], name)

    def test_samples_of_frames(self):
        """By default each frame has a sample; a frame without one has NaN."""
        path = self.folder / "run.gsd"
        self.succeeds(*HOST, "--steps", "39", "--frames", "13", "--gsd", path)
        self.assertTrue(all(frame["log/time"] == [0.005 * frame["configuration/step"][0]] for frame in gsd_frames(path)))
        self.succeeds(*HOST, "--steps", "30", "--frames", "15", "--thermo", "10", "--gsd", path)
        times = [frame["log/time"][0] for frame in gsd_frames(path)]
        self.assertEqual((times[0], times[1] != times[1]), (0, True))
        self.assertAlmostEqual(times[2], 0.15)

    def test_a_long_index(self):
        path = self.folder / "run.gsd"
        self.succeeds(*HOST, "--particles", "16", "--steps", "60", "--frames", "1", "--gsd", path)
        self.assertEqual(steps_of(gsd_frames(path)), list(range(61)))

    def test_species(self):
        path, first = self.folder / "run.gsd", self.folder / "first.gsd"
        self.succeeds(*SHORT, *SPECIES, "--gsd", path)
        frame = gsd_frames(path)[-1]
        self.assertEqual(bytes(frame["particles/types"]).replace(b"\0", b""), b"ArKr")
        kinds = frame["particles/typeid"]
        self.assertEqual((kinds.count(0), kinds.count(1)), (75, 25))
        self.assertEqual(frame["particles/mass"], [(2, 1)[kind] for kind in kinds])
        self.assertEqual(frame["particles/charge"], [(1, -2)[kind] for kind in kinds])
        # Species, masses and charges come from the file, of any format.
        run = ["gas", "--device", "host", "--species", "Kr,Ar", *SPECIES[2:], "--steps", "0"]
        xyz, dump, last = (self.folder / name for name in ("run.xyz", "run.dump", "end.data"))
        self.succeeds(*SHORT, *SPECIES, "--xyz", xyz, "--dump", dump, "--data-file", last)
        for start in path, xyz, dump, last:
            species = ["--species", "Ar,Kr"] if start is last else []
            self.succeeds(*run, *species, "--start-file", start, "--gsd", first)
            found, order = gsd_frames(first)[0], (0, 1) if start is last else (1, 0)
            self.assertEqual(found["particles/typeid"], [order[kind] for kind in kinds])
            self.assertEqual(found["particles/mass"], frame["particles/mass"])
            self.assertEqual(found["particles/charge"], frame["particles/charge"])
        # Of a checkpoint too; a resumed run has the charges that its start file had.
        state, resumed = self.folder / "state", self.folder / "resumed.gsd"
        self.succeeds(*run[:-1], "20", "--start-file", path, "--frames", "20", "--gsd", resumed, "--checkpoint", state)
        self.succeeds("gas", "--resume", state, "--steps", "40", "--frames", "20", "--gsd", resumed)
        self.assertEqual(steps_of(gsd_frames(resumed)), [0, 20, 40])
        self.succeeds(*run, "--start-file", state, "--gsd", first)
        self.assertEqual(gsd_frames(first)[0]["particles/charge"], frame["particles/charge"])
        # A law without charges has no use for them; a given charge is that of the species.
        done = shoal("gas", "--device", "host", "--start-file", path, "--species", "Kr,Ar", "--potential", "wca",
                     "--sigma", "0.1", "--steps", "0", "--gsd", first)
        self.assertIn("its particles differ in charge: --potential wca has no charges", done.stderr)
        self.assertNotIn("particles/charge", gsd_frames(first)[0])
        self.succeeds(*run, "--species", "Kr:charge=3,Ar", "--start-file", path, "--gsd", first)
        self.assertEqual(set(gsd_frames(first)[0]["particles/charge"]), {1, 3})
        mixed = xyz.read_text().splitlines()
        mixed[2] = mixed[2].rpartition(" ")[0] + " 7"
        self.assertIn("the charges of species ", self.fails(2, *run, "--start-file", self.file("mixed.xyz", "\n".join(mixed[:102]) + "\n")))
        self.assertIn("is of species Kr, which --species does not name",
                      self.fails(2, "gas", "--device", "host", "--start-file", path, "--species", "Ar,Xe"))

    def test_start(self):
        """From the last frame, in each kind of box."""
        path, first = self.folder / "run.gsd", self.folder / "first.gsd"
        for more in ([], ["--boundary-x", "walls", "--boundary-y", "open"], ["--dim", "3"]):
            self.succeeds(*SHORT, *more, "--gsd", path)
            done = shoal("gas", "--device", "host", *more, "--start-file", path, "--steps", "0", "--gsd", first)
            self.assertEqual((done.returncode, done.stderr),
                             (0, f"shoal: warning: {path} holds 5 frames: the run starts from the last\n"))
            last, (frame,) = gsd_frames(path)[-1], gsd_frames(first)
            for name in "configuration/box", "particles/velocity", "particles/image":
                self.assertEqual(frame[name], last[name])
            for x, y in zip(frame["particles/position"], last["particles/position"], strict=True):
                self.assertAlmostEqual(x, y, 5)

    def test_resumed(self):
        """A continued file has the frames of an uninterrupted run, whatever a killed run left in it."""
        whole, path, state = self.folder / "whole.gsd", self.folder / "run.gsd", self.folder / "state"
        self.succeeds(*SHORT, "--thermo", "5", "--gsd", whole)
        self.succeeds(*SHORT, "--steps", "20", "--thermo", "5", "--gsd", path, "--checkpoint", state)
        kept = path.read_bytes()
        resume = ["gas", "--resume", state, "--steps", "40", "--frames", "10", "--gsd", path]
        self.succeeds(*SHORT, "--thermo", "5", "--gsd", path)
        later = path.read_bytes()
        # Frames beyond the checkpoint; a part of a frame that the index does not name; no file; one without a frame.
        for content in (kept, later, kept + later[-1000:], later[:-1], b"", kept[:200], kept[:3000]):
            path.write_bytes(content)
            self.succeeds(*resume)
            frames = gsd_frames(path)
            self.assertEqual(steps_of(frames), [0, 10, 20, 30, 40] if len(content) > 10000 else [30, 40])
            if len(content) > 10000:
                for frame, wanted in zip(frames, gsd_frames(whole), strict=True):
                    self.assertEqual({name: values for name, values in frame.items() if values != wanted[name]}, {})
        # The last step before the checkpoint has a sample, which an uninterrupted run does not take.
        self.succeeds(*SHORT, "--thermo", "8", "--gsd", whole)
        self.succeeds(*SHORT, "--steps", "20", "--thermo", "8", "--gsd", path, "--checkpoint", state)
        self.succeeds(*resume)
        self.assertEqual(repr(gsd_frames(path)), repr(gsd_frames(whole)))  # as text, in which NaN equals NaN
        # A killed run with a frame that is not whole can be read.
        path.write_bytes(kept + later[-1000:])
        self.assertEqual(json.loads(self.succeeds("data", "gas", path, "--json"))["frames"], 3)
        path.write_bytes(later[:-1])
        found = json.loads(shoal("data", "gas", path, "--json").stdout)
        self.assertEqual((found["frames"], found["frame"], found["cut"]), (5, 4, True))
        # Another run.
        self.succeeds(*SHORT, "--particles", "64", "--gsd", path)
        content = path.read_bytes()
        self.assertIn("run.gsd: holds 64 particles, this run has 100; move the file away", self.fails(1, *resume))
        self.assertEqual(path.read_bytes(), content)

    def test_stages(self):
        path = self.folder / "run.gsd"
        config = self.file("run.ini", f"[gas]\nparticles = 64\ndensity = 0.4\nframes = 10\nthermo = 10\ngsd = {path}\n"
                                      "[gas.a]\nsteps = 20\nthermostat = langevin\n[gas.b]\nsteps = 30\n")
        self.succeeds("gas", "--device", "host", "--config", config)
        frames = gsd_frames(path)
        self.assertEqual(steps_of(frames), [0, 10, 20, 30, 40, 50])
        self.assertTrue(all(frame["log/conserved"][0] == frame["log/conserved"][0] for frame in frames))

    def test_a_full_disk(self):
        """The run goes on without the file, which ends with its last whole frame."""
        path = self.folder / "run.gsd"
        done = shoal(*HOST, "--steps", "40", "--frames", "5", "--gsd", path,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (25000, 25000)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ashoal: .*run\.gsd: cannot be written: .*the last whole frame; the run goes on without it\n\Z")
        frames = gsd_frames(path)
        self.assertEqual(steps_of(frames), list(range(0, 5 * len(frames), 5)))
        self.assertGreater(len(frames), 1)

    def test_refused(self):
        other = self.file("other.gsd", "notes of mine\n")
        for code, path, words in ((2, self.folder / "run.gsd.gz", "GSD files are not packed: leave .gz out"),
                                  (2, "-", "is no regular file, which a GSD file must be"),
                                  (2, "/dev/null", "is no regular file, which a GSD file must be"),
                                  (2, self.folder / "run.xyz", "names no format; use .gsd\n"),
                                  (1, other, "is no GSD file, so the file is not replaced")):
            with self.subTest(path=path):
                self.assertIn(words, self.fails(code, *SHORT, "--gsd", path))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["other.gsd"])
        self.assertEqual(other.read_text(), "notes of mine\n")


class Data(Case):
    def test_end_of_a_run(self):
        """Read again with all digits: a run from the file begins with the bits of the end."""
        path, again = self.folder / "end.data", self.folder / "again.data.gz"
        for more in ([], ["--dim", "3"], SPECIES):
            self.succeeds(*HOST, *more, "--data-file", path)
            kinds = ["--species", "Ar,Kr:charge=-2", *SPECIES[2:]] if more is SPECIES else more
            self.succeeds("gas", "--device", "host", *kinds, "--start-file", path, "--steps", "0", "--data-file", again)
            lines, found = path.read_text().split("\n"), gzip.decompress(again.read_bytes()).decode().split("\n")
            self.assertEqual(lines[0], f"LAMMPS data file of shoal {support.version()}, step 40, units lj")
            self.assertEqual([line.split(" #")[0] for line in lines[1:]], [line.split(" #")[0] for line in found[1:]])
        self.assertIn("1 2 # Ar\n2 1 # Kr\n\nAtoms # charge\n", path.read_text())
        self.succeeds(*HOST, "--data-file", path)
        self.assertIn("\n-0.5 0.5 zlo zhi\n\nMasses\n\n1 1\n\nAtoms # atomic\n", path.read_text())

    def test_refused(self):
        for path, words in ((self.folder / "end.xyz", "names no format; use .data"), (self.folder / "none" / "end.data", "none")):
            with self.subTest(path=path):
                self.assertIn(words, self.fails(2 if path.suffix == ".xyz" else 1, *HOST, "--data-file", path))
        for text, words in (("t\n\n2 atoms\n0 8 xlo xhi\n0 8 ylo yhi\n\nAtoms\n\n1 1 1 1 0\n", "the file ends after 1 of 2 particles"),
                            ("t\n\n0 atoms\n", "the file has no particles: 0 atoms"),
                            ("t\n\n1 atoms\n0 8 xlo xhi\n0 8 ylo yhi\n\nAtoms # bond\n\n1 1 1 1 1 0\n", "atom_style 'bond' are not read")):
            with self.subTest(words=words):
                self.assertIn(words, self.fails(1, "gas", "--device", "host", "--start-file", self.file("bad.data", text)))


if __name__ == "__main__":
    support.main()
