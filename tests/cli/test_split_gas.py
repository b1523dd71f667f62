"""One gas over several devices: each moves particles of its own, and the bits are those of one device."""

import support
from split_case import MOST, GasCase, devices

GAS = ["gas", "--method", "allpairs", "--particles", 203, "--steps", 20, "--thermo", 7]
WALLS = ["--boundary-x", "walls", "--boundary-y", "walls"]
SUMS = ["--rdf-bins", 20, "--rdf-range", 2, "--speed-bins", 10, "--profile-bins", 12, "--profile-axis", "x", "--msd"]
# Each thermostat, each kind of sample, each kernel of forces, and sums that are collected within steps.
QUICK = {
    "a rescaled gas in a periodic box": [*GAS, "--thermostat", "rescale", "--equilibration", 9, *SUMS],
    "walls and noise in double precision": [*GAS, *WALLS, "--wall-left", "thermal", "--field-y", -0.1, "--thermostat", "langevin",
                                            "--precision", "double"],
    "a minimised start": [*GAS, "--start", "random", "--minimise", 20, "--steps", 4],
}
MANY = [*GAS, *WALLS, "--particles", 2101, "--potential", "log", "--steps", 1]
FULL = {
    "three dimensions": [*GAS, "--dim", 3, "--density", 0.1, *SUMS],
    "mixed precision": [*GAS, "--precision", "mixed", "--thermostat", "langevin", "--temperature-end", 2],
    "open boundaries": [*GAS, "--potential", "log", "--boundary-x", "open", "--boundary-y", "open"],
    "soft walls": [*GAS, *WALLS, "--wall-method", "w5", "--thermostat", "rescale"],
    "a droplet": [*GAS, "--start", "droplet", "--cluster-distance", 1.5],
    "Euler": [*GAS, "--integrator", "euler"],
    "damping walls": [*GAS, *WALLS, "--potential", "real", "--wall-left", "damping"],
    "gravity": [*GAS, "--dim", 3, "--potential", "gravity", "--boundary-x", "open", "--boundary-y", "open", "--boundary-z", "open"],
}
THESIS = {
    "unrolled": [*GAS, *WALLS, "--potential", "log", "--kernel", "unrolled"],
    "semi-blocked": [*GAS, *WALLS, "--potential", "log", "--kernel", "semi-blocked"],
    "limited speeds": [*GAS, "--limiter", "l1", "--thermostat", "langevin"],
}


class SplitGas(GasCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    def test_bits_of_many_particles(self):
        self.compare(MANY, [(MOST,)])

    @support.in_full
    def test_bits_of_every_kind_of_gas(self):
        self.compare_kinds(support.of_turn(FULL))

    @support.in_full
    def test_kernels_of_the_thesis(self):
        self.need_theses()
        self.compare_kinds(support.of_turn(THESIS))

    def test_parts_of_one_device_copy_from_each_other(self):
        self.compare_parts(QUICK["a rescaled gas in a periodic box"])

    def test_resumed_on_another_number_of_devices(self):
        self.compare_resumed(QUICK["a rescaled gas in a periodic box"], "--steps", 18, 40)

    def test_files_of_frames_begin_and_end_a_run(self):
        frames = []
        for name, more in (("whole", ["--device", devices(1)]), ("split", ["--split", "--device", devices(3)])):
            path = self.folder / f"{name}.xyz"
            self.succeeds(*GAS, "--frames", 5, "--xyz", path, *more, env=self.env)
            frames.append(path.read_bytes())
        self.assertEqual(frames[0], frames[1])
        start = ["gas", "--method", "allpairs", "--start-file", self.folder / "whole.xyz", "--steps", 5]
        self.compare(start)
        again = [*start[:4], self.folder / "whole.ckp", "--steps", 5]
        self.assertEqual(self.run_on("split", again, "--split", "--device", devices(3)), self.run_on("again", again, "--device", devices(1)))

    def test_stages(self):
        stages = self.file("stages.ini", "[gas]\nmethod = allpairs\nparticles = 203\n[gas.hot]\nthermostat = langevin\nsteps = 9\n"
                           "[gas.cold]\nsteps = 9\nthermo = 3\n")
        self.compare(["gas", "--config", stages])
        own = ["--split", "--device", devices(2), "--on", "opencl:1:work-group=1"]
        self.assertEqual(self.run_on("own", ["gas", "--config", stages], *own), self.run_on("whole", ["gas", "--config", stages], "--device", devices(1)))

    def test_a_schedule(self):
        changes = self.file("changes", "0 temperature 2\n0 friction 1 over 15\n3 field-x 4 over 9\n13 field-x -4\n")
        self.compare([*GAS, *WALLS, "--thermostat", "langevin", "--equilibration", 5, "--schedule", changes], [(3,)])

    def test_parts_are_shown(self):
        command = [*GAS, "--split", "--device", devices(3)]
        self.check_table(command, [("opencl:0", "particle", 0, 68), ("opencl:1", "particle", 68, 68), ("opencl:2", "particle", 136, 67)], "particles")

    def test_a_particle_that_explodes_is_named_as_on_one_device(self):
        wild = [*GAS, "--dt", 0.7, "--temperature", 3, "--start", "random"]
        whole = self.fails(6, *wild, "--device", devices(1), env=self.env)
        self.assertIn("exploded at step", whole)
        split = self.fails(6, *wild, "--split", "--device", devices(3), env=self.env)
        self.assertEqual(split.replace("opencl:0 + opencl:1 + opencl:2", "opencl:0"), whole)

    def test_a_device_may_have_a_kernel_of_its_own(self):
        self.need_theses()
        log = [*GAS, *WALLS, "--potential", "log"]
        both = [*log, "--split", "--device", devices(2)]
        tiled = self.run_on("tiled", log, "--device", devices(1))
        unrolled = self.run_on("unrolled", log, "--kernel", "unrolled", "--device", devices(1))
        # Of a checkpoint the options of the run differ.
        self.assertEqual(self.run_on("all", both, "--on", "opencl:0:kernel=unrolled", "--on", "opencl:1:kernel=unrolled")[1], unrolled[1])
        self.assertEqual(self.run_on("one", log, "--split", "--device", devices(1), "--on", "opencl:0:kernel=unrolled")[1], unrolled[1])
        mixed = self.run_on("mixed", both, "--on", "opencl:1:kernel=unrolled,unroll=4")
        self.assertNotEqual(mixed[0], tiled[0])
        self.assertEqual(self.run_on("again", both, "--on", "opencl:1:kernel=unrolled,unroll=4"), mixed)
        for on, line in (
            ("opencl:1:dt=1", "--on: 'dt' cannot differ between devices; these options can: kernel, unroll, work-group"),
            ("opencl:2:kernel=rsqrt", "--on: opencl:2 is none of the devices of --device"),
            ("kernel=rsqrt", "--on 'kernel=rsqrt': give DEVICE:OPTION=VALUE, such as opencl:0:work-group=64"),
            ("opencl:1:kernel=fast", "--on opencl:1: 'fast' is not one of auto, tiled"),
            ("opencl:1:kernel=rsqrt,unroll", "--on opencl:1: 'unroll' has no value: give OPTION=VALUE"),
        ):
            with self.subTest(on):
                self.assertIn(line, self.fails(2, *both, "--on", on, env=self.env))
        lines = self.fails(2, *GAS, "--split", "--device", devices(2), "--on", "opencl:1:kernel=rsqrt", env=self.env)
        self.assertIn("--on opencl:1: --kernel rsqrt needs --potential log", lines)
        lines = self.fails(2, "pso", "--runs", 2, "--split", "--device", devices(2), "--on", "opencl:1:dim=3", env=self.env)
        self.assertIn("--on: no option of pso can differ between devices", lines)

    def test_what_is_refused(self):
        both = ["--split", "--device", devices(2)]
        open_box = ["--boundary-x", "open", "--boundary-y", "open", "--potential", "log"]
        for more, line in (
            (["gas", "--particles", 2, *open_box, "--split", "--device", devices(3)],
             "--split: particles are divided among devices, and there are 2 for 3 devices: give --particles 3 or more"),
            *((["gas", "--method", method, "--thermostat", "chain", *both],
               "--thermostat chain is for one device: take langevin or rescale for several devices") for method in ("allpairs", "list")),
            (["gas", "--thermostat", "langevin", "--pressure", 1, *both],
             "--pressure is for one device: leave it out for several devices, or take one device"),
        ):
            with self.subTest(more):
                self.assertIn(line, self.fails(2, *more, env=self.env))
        self.assertIn("cannot read start file", self.fails(1, *GAS, "--start-file", self.folder / "none.xyz", *both, env=self.env))


if __name__ == "__main__":
    support.main()
