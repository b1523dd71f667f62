"""One gas with neighbour lists over several devices: each moves the particles of a slab, and the bits are those of one device."""

import support
from split_case import GasCase, devices

# Seven blocks of 128 particles.
GAS = ["gas", "--method", "list", "--particles", 870, "--steps", 24, "--thermo", 7]
WALLS = ["--boundary-x", "walls", "--boundary-y", "walls"]
SUMS = ["--rdf-bins", 20, "--rdf-range", 2, "--speed-bins", 10, "--profile-bins", 12, "--profile-axis", "x", "--msd"]
# The lists of a droplet overflow at first, on some devices only; those of a cold start are too old before their rebuild.
DROPLET = [*GAS, "--density", 0.08, "--start", "droplet", "--thermostat", "rescale", "--equilibration", 9, *SUMS]
QUICK = {
    "a droplet in a periodic box": DROPLET,
    # Cuts move, and with them particles that have crossed the border.
    "a hot droplet across the border of the box": ["gas", "--method", "list", "--particles", 1500, "--density", 0.08, "--start", "droplet",
                                                   "--droplet-place", 0.97, "--temperature", 1.5, "--thermostat", "langevin", "--steps", 30],
    "walls and noise in double precision": [*GAS, *WALLS, "--wall-left", "thermal", "--field-y", -0.1, "--thermostat", "langevin",
                                            "--precision", "double"],
    "a cold start, slabs thinner than the range": [*GAS, "--temperature", 0.02, "--dt", 0.01, "--steps", 60, "--width", 110, "--height", 20],
}
FULL = {
    "three dimensions": [*GAS, "--dim", 3, "--density", 0.6, *SUMS],
    "three dimensions in double precision": [*GAS, "--dim", 3, "--density", 0.5, "--precision", "double"],
    "mixed precision": [*GAS, "--precision", "mixed", "--thermostat", "langevin", "--temperature-end", 2],
    "open boundaries": [*GAS, "--boundary-x", "open", "--boundary-y", "open"],
    "soft walls": [*GAS, *WALLS, "--wall-method", "w5", "--thermostat", "rescale"],
    "a minimised start": [*GAS, "--start", "random", "--minimise", 20],
    "Euler": [*GAS, "--integrator", "euler"],
    "rebuilt in each step": [*GAS, "--skin", 0.05, "--temperature", 5],
    "many rebuilds": [*GAS, "--steps", 400, "--width", 10, "--height", 200],
    "chosen by the rule of one device": ["gas", "--particles", 1500, "--steps", 20],
}


class SplitLists(GasCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    @support.in_full
    def test_bits_of_every_kind_of_gas(self):
        self.compare_kinds(support.of_turn(FULL))

    @support.long
    def test_limited_speeds(self):
        self.need_theses()
        self.compare([*GAS, "--limiter", "l1", "--thermostat", "langevin"])

    def test_a_list_becomes_invalid_before_its_rebuild(self):
        result = self.run_on("whole", QUICK["a cold start, slabs thinner than the range"], "--split", "--device", devices(3))[1]
        self.assertGreater(result["fields"]["rebuilds_by_violation"], 0)

    def test_a_layer_between_both_ends_of_what_a_share_sorts(self):
        """A share sorts cells at both ends of a periodic box. Between them lies a layer of one cell, or none, or several."""
        narrow = ["gas", "--method", "list", "--particles", 256, "--steps", 80, "--temperature", 0.7, "--cutoff", 3.5, "--skin", 0.5,
                  "--width", 7.5]
        for height in (45, 49):
            with self.subTest(height=height):
                self.compare([*narrow, "--height", height], [(2,)])

    def test_one_device_has_all_shares(self):
        """A part that meets itself alone, in more than a hundred steps."""
        self.compare([*GAS, "--steps", 120], [(2, "--shares", "1:0")])

    def test_parts_of_one_device_copy_from_each_other(self):
        self.compare_parts(DROPLET)

    @support.by_turn
    def test_resumed_on_another_number_of_devices(self):
        self.compare_resumed(DROPLET, "--steps", 17, 40)

    def test_parts_are_shown(self):
        unit = "block"
        parts = [("opencl:0", unit, 0, 3), ("opencl:1", unit, 3, 2), ("opencl:2", unit, 5, 2)]
        self.check_table([*GAS, "--split", "--device", devices(3)], parts, "blocks of 128 particles")

    def test_a_particle_that_explodes_is_named_as_on_one_device(self):
        wild = [*GAS, "--dt", 0.7, "--temperature", 3, "--start", "random"]
        whole = self.fails(6, *wild, "--device", devices(1), env=self.env)
        self.assertIn("exploded at step", whole)
        split = self.fails(6, *wild, "--split", "--device", devices(3), env=self.env)
        self.assertEqual(split.replace("opencl:0 + opencl:1 + opencl:2", "opencl:0"), whole)

    def test_what_is_refused(self):
        line = self.fails(2, *GAS, "--particles", 300, "--split", "--device", devices(4), env=self.env)
        self.assertIn("blocks of 128 particles are divided among devices, and there are 3 for 4 devices: give --particles 385 or more", line)


if __name__ == "__main__":
    support.main()
