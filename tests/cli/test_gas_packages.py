#!/usr/bin/env python3
"""GSD files of shoal gas in the packages gsd and freud, and a file of gsd in shoal. Skipped without PyPI.

usage: test_gas_packages.py SHOAL FOLDER

FOLDER keeps a virtual environment with these packages between runs.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
RUN = ["gas", "--particles", "400", "--density", "0.8", "--steps", "40", "--frames", "10", "--thermo", "10", "--quiet", "--device", "host"]


def shoal(*words):
    done = subprocess.run([*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_by_gsd(command, folder):
    """The frames of a run with species, of a resumed run, and of a killed one, beside those of extended XYZ."""
    import gsd.hoomd
    import numpy
    path, xyz, state = (folder / name for name in ("run.gsd", "run.xyz", "state"))
    shoal(*command, *RUN, "--species", "Ar=0.75:mass=2,Kr=0.25:charge=-2", "--potential", "log", "--attraction", "-1", "--boundary-x", "walls",
          "--boundary-y", "walls", "--steps", "20", "--gsd", path, "--xyz", xyz, "--checkpoint", state)
    shoal(*command, "gas", "--resume", state, "--steps", "40", "--frames", "10", "--gsd", path, "--xyz", xyz, "--quiet")
    lines = xyz.read_text().splitlines()
    with gsd.hoomd.open(path) as found:
        assert len(found) == 5 and found.file.schema == "hoomd" and found.file.schema_version == (1, 4), len(found)
        for i, frame in enumerate(found):
            frame.validate()
            rows = [line.split() for line in lines[402 * i + 2:402 * (i + 1)]]
            numbers = numpy.array([row[1:] for row in rows], float)
            length = frame.configuration.box[:3].astype(float)
            assert (frame.configuration.step, frame.configuration.dimensions, frame.particles.N) == (10 * i, 2, 400)
            assert frame.particles.types == ["Ar", "Kr"] and length[2] == 0
            assert [row[0] for row in rows] == [frame.particles.types[kind] for kind in frame.particles.typeid]
            # Half a unit in the last place of the coordinates, which are up to half the box.
            assert numpy.abs(frame.particles.position + length / 2 - numbers[:, :3]).max() <= 1e-6 * length.max()
            assert numpy.allclose(frame.particles.velocity, numbers[:, 3:6], rtol=1e-6, atol=1e-8)
            assert (frame.particles.mass == numbers[:, 6]).all()
            assert (frame.particles.charge == numpy.array([1, -2])[frame.particles.typeid]).all()
            assert abs(frame.log["time"][0] - 0.05 * i) < 1e-12 and numpy.isfinite(frame.log["potential"][0])
    content = path.read_bytes()
    path.write_bytes(content + content[-1000:])
    with gsd.hoomd.open(path) as found:
        assert len(found) == 5


def read_by_shoal(command, folder):
    """A file of the package: types, masses, charges; a second frame that takes from the first what it lacks."""
    import gsd.hoomd
    import numpy
    path, again = folder / "made.gsd", folder / "again.gsd"
    frame = gsd.hoomd.Frame()
    side = numpy.arange(6) * 1.5 - 4
    frame.particles.N = 36
    frame.particles.types = ["A", "B"]
    frame.particles.typeid = numpy.arange(36) % 2
    frame.particles.mass = 1 + numpy.arange(36) % 2
    frame.particles.position = [[x, y, 0] for x in side for y in side]
    frame.particles.velocity = [[0.1, i / 36, 0] for i in range(36)]
    frame.configuration.box = [9, 10, 0, 0, 0, 0]
    later = gsd.hoomd.Frame()
    later.particles.N = 36
    later.particles.position = numpy.array(frame.particles.position) + [0.25, 0, 0]
    with gsd.hoomd.open(path, "w") as made:
        made.extend([frame, later])
    info = json.loads(shoal(*command[:1], "data", "gas", path, "--json"))
    assert (info["format"], info["frames"], info["box"], info["particles"]) == ("GSD", 2, [9, 10], 36), info
    shoal(*command, "gas", "--device", "host", "--start-file", path, "--species", "A,B", "--steps", "0", "--gsd", again, "--cutoff", "2", "--quiet")
    with gsd.hoomd.open(again) as found:
        first = found[0].particles
        assert (first.typeid == frame.particles.typeid).all() and (first.mass == frame.particles.mass).all()
        assert numpy.allclose(first.position, later.particles.position, atol=1e-6)
        assert numpy.allclose(first.velocity, frame.particles.velocity, atol=1e-7)


def observed_by_freud(command, folder):
    """g(r) over the same frames, up to a pair in a bin since positions are rounded, and the hexatic order."""
    import freud
    import gsd.hoomd
    import numpy
    path, series = folder / "run.gsd", folder / "g.json"
    shoal(*command, *RUN, "--equilibration", "20", "--hexatic-range", "3", "--rdf-bins", "50", "--rdf-file", series, "--gsd", path)
    rdf = json.loads(series.read_text())["rdf"]
    middles, bins = numpy.array(rdf["r"]), len(rdf["r"])
    width = middles[1] - middles[0]
    histogram, hexatic = freud.density.RDF(bins=bins, r_max=width * bins), freud.order.Hexatic(k=6)
    counts = numpy.zeros(bins)
    with gsd.hoomd.open(path) as found:
        for frame in found:
            box = freud.box.Box.from_box(frame.configuration.box)
            assert box.is2D
            system = box, frame.particles.position
            counts += histogram.compute(system, reset=True).bin_counts
            order = hexatic.compute(system, neighbors={"num_neighbors": 6}).particle_order
            assert abs(numpy.abs(order).mean() - frame.log["hexatic_local"][0]) < 1e-5
            assert abs(abs(order.mean()) - frame.log["hexatic_global"][0]) < 1e-5
        pairs = 400 * 399 / box.volume * 2 * numpy.pi * middles * width * len(found)
    differences = numpy.abs(numpy.array(rdf["g"]) * pairs - counts)
    # freud counts a pair twice.
    assert differences.max() < 2.5, differences


def main():
    command = [os.path.abspath(sys.argv[1])]
    if sys.argv[2] != "--inside":
        sys.path.insert(0, str(HERE.parents[1] / "python"))
        from test_wheel import install
        bin_folder = install(pathlib.Path(sys.argv[2]), "--no-compile", "gsd", "freud-analysis")
        os.execv(bin_folder / "python", [bin_folder / "python", HERE, command[0], "--inside"])
    with tempfile.TemporaryDirectory(prefix="shoal-gsd-") as name:
        for check in read_by_gsd, read_by_shoal, observed_by_freud:
            check(command, pathlib.Path(name))
    print("gsd and freud read the files of shoal gas")


if __name__ == "__main__":
    main()
