#!/usr/bin/env python3
"""shoal.Gas against NumPy."""
import concurrent.futures
import os
import tempfile
import threading
import warnings

import numpy as np
import shoal
from support import INTERRUPTED, Case, in_full, main, opencl_device

# The force of Lennard-Jones, in the kernel dialect.
TEXT = """static inline real user_force(real d)
{
    const real s = R(1.0) / (d * d * d);
    return R(24.0) * s * (R(2.0) * s - R(1.0)) / d;
}

static inline real user_energy(real d)
{
    const real s = R(1.0) / (d * d * d);
    return R(4.0) * s * (s - R(1.0));
}
"""
SMALL = {"particles": 100, "density": 0.4, "temperature": 1.2, "seed": 3}


def pair_energy(positions, box, cutoff=2.5):
    """Lennard-Jones with the force shifted to 0 at the cutoff, over nearest images."""
    def energy(r):
        return 4 * (r ** -12 - r ** -6)
    slope = -48 * cutoff ** -13 + 24 * cutoff ** -7
    between = positions[:, None] - positions[None]
    between -= box * np.rint(between / box)
    distance = np.sqrt((between ** 2).sum(-1))[np.triu_indices(len(positions), 1)]
    distance = distance[distance < cutoff]
    return (energy(distance) - energy(cutoff) - (distance - cutoff) * slope).sum()


class Motion(Case):
    def test_trajectory(self):
        options = {"particles": 25, "dim": 2, "seed": 4}
        gas, same = shoal.Gas("host", **options), shoal.Gas("host", **options)
        positions, velocities = gas.trajectory(3, 2, velocities=True)
        self.assertEqual((positions.shape, velocities.shape, gas.steps), ((3, 25, 2), (3, 25, 2), 6))
        same.step(6)
        np.testing.assert_array_equal(positions[-1], same.positions)
        np.testing.assert_array_equal(velocities[-1], same.velocities)
        self.assertEqual(same.trajectory(0).shape, (0, 25, 2))
        self.assertEqual(repr(gas), "<shoal.Gas 25 particles in 2 dimensions, step 6>")

    def test_observables_are_those_of_the_arrays(self):
        for dim in (2, 3):
            with shoal.Gas("host", dim=dim, **SMALL) as gas:
                gas.step(50)
                seen, positions, velocities = gas.observables(), gas.positions, gas.velocities
                self.assertEqual((positions.shape, velocities.shape, gas.box.shape), ((100, dim), (100, dim), (dim,)))
                self.assertTrue(((positions >= 0) & (positions < gas.box)).all())
                np.testing.assert_allclose(seen.kinetic, 0.5 * (velocities ** 2).sum(), rtol=1e-12)
                np.testing.assert_allclose(seen.potential, pair_energy(positions, gas.box), rtol=1e-10)
                np.testing.assert_allclose(seen.momentum, velocities.sum(0), atol=1e-10)
                self.assertEqual((seen.step, gas.steps, seen.particles), (50, 50, 100))
                self.assertAlmostEqual(seen.total, seen.kinetic + seen.potential, 9)

    def test_free_particles_move_in_straight_lines(self):
        positions = np.array([[1.0, 2.0], [9.0, 9.0], [5.0, 0.5]])
        velocities = np.array([[0.5, 0.0], [2.0, 1.0], [0.0, -3.0]])
        with shoal.Gas("host", positions=positions, velocities=velocities, box=10, dt=0.01, sigma=0.1) as gas:
            gas.step(200)
            np.testing.assert_allclose(gas.positions + gas.images * gas.box, positions + 2 * velocities, atol=1e-9)
            np.testing.assert_array_equal(gas.images, [[0, 0], [1, 1], [0, -1]])

    def test_arrays_are_copies(self):
        with shoal.Gas("host", **SMALL) as gas:
            before = gas.positions
            kept = before.copy()
            gas.step(10)
            np.testing.assert_array_equal(before, kept)
            gas.positions[:] = 0
            self.assertGreater(np.abs(gas.positions).max(), 0)

    def test_steps_may_be_divided(self):
        with shoal.Gas("host", **SMALL) as one, shoal.Gas("host", **SMALL) as many:
            one.step(40)
            for _ in range(40):
                many.step()
            np.testing.assert_array_equal(one.positions, many.positions)
            with self.assertRaisesRegex(ValueError, "steps is -1, allowed are 0 to "):
                one.step(-1)

    def test_a_start_from_files_of_other_programs(self):
        """Momenta over masses of ASE, which writes flat boxes, and the last whole frame of a dump that was cut."""
        with tempfile.TemporaryDirectory() as folder:
            ase, dump = os.path.join(folder, "ase.xyz"), os.path.join(folder, "lammps.dump")
            with open(ase, "w", encoding="ascii") as file:
                file.write('2\nLattice="8.0 0.0 0.0 0.0 9.0 0.0 0.0 0.0 0.0" Properties=species:S:1:pos:R:3:masses:R:1:momenta:R:3 '
                           'pbc="T T F"\nAr 1.0 1.0 0.0 4.0 0.5 1.0 0.0\nAr 3.0 1.0 0.0 4.0 -2.0 0.5 0.0\n')
            frame = ("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n-0.5 0.5\n"
                     "ITEM: ATOMS id type x y vx vy\n2 1 3 1 0.5 -1\n1 1 1 1 2 0.25\n")
            with open(dump, "w", encoding="ascii") as file:
                file.write(frame + frame.replace("2 1 3 1", "2 1 4 1")[:-3])
            with shoal.Gas("host", start_file=ase, mass=4) as gas:
                np.testing.assert_allclose(gas.velocities, [[0.125, 0.25], [-0.5, 0.125]], rtol=1e-14)
                np.testing.assert_array_equal(gas.box, [8, 9])
            with shoal.Gas("host", start_file=dump) as gas:
                np.testing.assert_array_equal(gas.positions, [[1, 1], [3, 1]])
                np.testing.assert_allclose(gas.velocities, [[2, 0.25], [0.5, -1]], rtol=1e-14)

    def test_a_start_from_arrays_goes_on(self):
        with shoal.Gas("host", **SMALL) as gas:
            gas.step(20)
            with shoal.Gas("host", positions=gas.positions, velocities=gas.velocities, box=gas.box) as other:
                np.testing.assert_array_equal(other.positions, gas.positions)
                gas.step(10)
                other.step(10)
                np.testing.assert_allclose(other.positions, gas.positions, atol=1e-9)

    def test_a_checkpoint_goes_on_with_the_same_bits(self):
        path = self.folder / "gas.ck"
        with shoal.Gas("host", **SMALL) as gas, shoal.Gas("host", **SMALL) as other:
            gas.step(20)
            gas.save(path)
            gas.step(10)
            other.load(path)
            self.assertEqual(other.steps, 20)
            other.step(10)
            np.testing.assert_array_equal(other.velocities, gas.velocities)

    def test_a_device_is_like_the_host(self):
        with shoal.Gas(opencl_device(), precision="double", **SMALL) as gas, shoal.Gas("host", **SMALL) as host:
            gas.step(20)
            host.step(20)
            np.testing.assert_allclose(gas.positions, host.positions, atol=1e-9)
            np.testing.assert_allclose(gas.observables().total, host.observables().total, rtol=1e-9)
            self.assertEqual(gas.timing().method[:4], "list")


class Changes(Case):
    """Options and particles that change between steps."""

    def test_options(self):
        for device in ("host", opencl_device()):
            gas = shoal.Gas(device, thermo=5, precision="double", **SMALL)
            gas.step(10)
            before = gas.observables()
            gas.change(thermostat="langevin", temperature=3, friction=20, field_x=0.5)
            self.assertEqual((gas.steps, gas.observables().time), (10, before.time))
            gas.step(60)
            np.testing.assert_array_equal(gas.series["step"], np.arange(0, 71, 5))
            self.assertGreater(gas.observables().temperature, 2)
            gas.change(thermostat="nve")
            for wrong, kind, words in (
                    ({"density": 1}, ValueError, "^density cannot change between steps"),
                    ({"steps": 9}, ValueError, "^steps cannot change"), ({"frictoin": 1}, TypeError, "is it friction"),
                    ({"friction": 2}, shoal.Error, "^friction needs thermostat= langevin")):
                with self.assertRaisesRegex(kind, words):
                    gas.change(**wrong)
            self.assertEqual(gas.steps, 70)

    def test_within_the_equilibration(self):
        for device in ("host", opencl_device()):
            gas = shoal.Gas(device, equilibration=4, **SMALL)
            gas.step(3)
            positions, words = gas.positions, "^a stage cannot end within its equilibration: make all its steps"
            self.refuses("^temperature", gas.change, temperature=-1)  # before the state of the gas is looked at
            self.refuses(words, gas.change, temperature=1)
            self.refuses(words, setattr, gas, "velocities", np.zeros_like(positions))
            np.testing.assert_array_equal(gas.positions, positions)
            gas.step(1)
            gas.change(temperature=1)
            gas.velocities = np.zeros_like(positions)
            self.assertEqual(gas.steps, 0)

    @in_full
    def test_particles(self):
        for device in ("host", opencl_device()):
            gas = shoal.Gas(device, precision="double", **SMALL)
            gas.step(4)
            positions = gas.positions
            gas.positions = positions + [2 * gas.box[0], 0]  # into the box
            np.testing.assert_allclose(gas.positions, positions, atol=1e-12)
            gas.velocities = np.zeros_like(positions)
            self.assertEqual(gas.steps, 4)
            self.assertLess(gas.observables().kinetic, 1e-30)  # devices keep velocities of half a step before
            self.refuses("particles 1 and 2 start in the same place", setattr, gas, "positions", np.zeros_like(positions))
            with self.assertRaisesRegex(ValueError, "^velocities have the shape"):
                gas.velocities = positions[:5]
            np.testing.assert_allclose(gas.positions, positions, atol=1e-12)
            gas.step(2)
            self.assertEqual(gas.steps, 6)

    def test_callback(self):
        gas, seen = shoal.Gas("host", **SMALL), []

        def cool(gas):
            seen.append(gas.steps)
            gas.velocities = gas.velocities / 2
            return len(seen) == 3
        gas.step(100, callback=cool, every=4)
        self.assertEqual((seen, gas.steps), ([4, 8, 12], 12))
        gas.step(5, callback=cool, every=4)
        self.assertEqual((seen[-1], gas.steps), (16, 17))
        with self.assertRaisesRegex(ValueError, "^every is 0, allowed are 1 to "):
            gas.step(5, callback=cool, every=0)

    def test_a_limit_of_steps_counts_all_parts(self):
        gas = shoal.Gas("host", steps=5, **SMALL)
        gas.step(3)
        gas.change(temperature=1)
        gas.step(2)
        self.refuses("complete", gas.step, 1)


class Forces(Case):
    @in_full
    def test_a_formula_and_a_text(self):
        options = {"cutoff": 2.5, **SMALL}
        for device in ("host", opencl_device()):
            found = []
            for force in ({}, {"pair_force": "4*(r^-12 - 1/r^6)"}, {"pair_force": TEXT}):
                with shoal.Gas(device, precision="double", **force, **options) as gas:
                    gas.step(20)
                    gas.change(temperature=1)
                    gas.step(2)
                    found.append(gas.positions)
            for other in found[1:]:
                np.testing.assert_allclose(other, found[0], atol=1e-9)

    def test_slopes(self):
        # The library compares force and energy before a run.
        for formula in ("exp(-2*(r-1))^2 - 2*exp(-2*(r-1))", "sqrt(r)*log(r)/(1+r) - cos(3*r)/r^1.5", "tanh(+r)*sin(r)-(-r)^0"):
            shoal.Gas("host", pair_force=formula, cutoff=2.2, **SMALL).close()

    def test_mistakes(self):
        for formula, words in (("r+", "is no formula"), ("q*r", "has q; a formula has r, numbers"), ("sinh(r)", r"has sinh\(\)"),
                               ("r^r", "exponent is no number"), ("r if r else 1", "is no formula"), ("1e999*r", "is no formula"), (f"{10 ** 400}*r", "is no formula"),
                               ("-" * 2000 + "r", "is (no formula|too long)"), ("(" * 300 + "r", "is no formula"), ("r" + "*r" * 4000, "is (no formula|too long)")):
            self.refuses(words, shoal.Gas, "host", pair_force=formula, cutoff=2.5, **SMALL)


class Threads(Case):
    @in_full
    def test_two_side_by_side(self):
        """Two threads with a gas each, and two with a net each, get what they get alone."""
        x = np.random.default_rng(1).normal(size=(60, 2))

        def liquid(seed):
            with shoal.Gas(opencl_device(), **{**SMALL, "seed": seed}) as gas:
                gas.step(60)
                return gas.positions

        def net(seed):
            return shoal.MLPClassifier(8, max_iter=20, tol=0, random_state=seed).fit(x, x[:, 0] > 0).predict_proba(x)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for work in (liquid, net):
                alone = [work(seed) for seed in (1, 2)]
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    for one, other in zip(alone, pool.map(work, (1, 2))):
                        np.testing.assert_array_equal(one, other)

    def test_other_threads_run_during_steps(self):
        gas, counted, ends = shoal.Gas("host", **SMALL), [0], threading.Event()

        def count():
            while not ends.is_set():
                counted[0] += 1
        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        while counted[0] - before < 1000:  # would never end if the steps kept the thread from running
            gas.step(50)
        ends.set()
        thread.join()


class Averages(Case):
    def test_averages_are_those_of_a_whole_run(self):
        options = {"particles": 100, "density": 0.5, "steps": 60, "thermo": 5, "species": "A=60,B=40:mass=2", "rdf_bins": 20, "speed_bins": 10,
                   "profile_axis": "x", "profile_all": True, "msd": True, "vacf": True, "structure_bins": 10, "cluster_distance": 1.5,
                   "hexatic_range": 1.5, "g6_bins": 10, "g6_range": 6}
        whole = shoal.solve("gas", "host", **options)
        with shoal.Gas("host", **options) as gas:
            gas.step(60)
            for name in ("vacf", "structure", "clusters", "g6"):
                found = getattr(gas, name)()
                self.assertEqual((list(found), found.samples), (list(whole[name]), whole[name].samples))
                for column in found:
                    np.testing.assert_array_equal(found[column], whole[name][column])
            self.assertEqual(list(whole.rdf), ["samples", "r", "g", "g_A_A", "g_A_B", "g_B_B"])
            np.testing.assert_array_equal(gas.rdf().g_A_B, whole.rdf.g_A_B)
            np.testing.assert_array_equal(gas.profile().flow_x, whole.profile.flow_x)
            np.testing.assert_array_equal(gas.profile().density, whole.profile.density)
            np.testing.assert_array_equal(gas.msd().along[:, 1], whole.msd.msd_y)
            self.assertEqual((whole.msd.msd[-1], whole.msd.samples), (whole.fields.msd, 13))
            np.testing.assert_array_equal(gas.speeds().theory, whole.speeds.maxwell)

    def test_samples_and_histograms(self):
        with shoal.Gas("host", thermo=10, rdf_bins=25, rdf_range=2.5, speed_bins=20, **SMALL) as gas:
            gas.step(200)
            series = gas.series
            self.assertIs(series.step, series["step"])
            np.testing.assert_array_equal(series["step"], np.arange(0, 201, 10))
            self.assertEqual(series["temperature"][-1], gas.observables().temperature)
            rdf, speeds = gas.rdf(), gas.speeds()
            self.assertEqual((rdf.value.shape, rdf.width, rdf.theory), ((25,), 0.1, None))
            np.testing.assert_allclose(rdf.centre[:2], [0.05, 0.15])
            self.assertEqual(rdf.value[:8].max(), 0)  # no pair is closer than 0.8
            self.assertGreater(rdf.value.max(), 1.3)
            # Densities: the speeds beyond the last bin are few.
            self.assertTrue(0.95 < speeds.value.sum() * speeds.width <= 1 + 1e-12)
            result = gas.result()
            self.assertTrue(result.success)
            self.assertEqual((result.value_name, result.particles), ("energy per particle", 100))
            np.testing.assert_allclose(result.temperature, series["temperature"][1:].mean(), rtol=0.05)


    def test_displacements_and_the_profile(self):
        with shoal.Gas("host", thermo=10, msd=True, profile_axis="x", profile_bins=10, **SMALL) as gas:
            start = gas.positions
            gas.step(100)
            msd, profile = gas.msd(), gas.profile()
            moved = gas.positions + gas.images * gas.box - start
            np.testing.assert_allclose(msd.total[-1], (moved ** 2).sum(1).mean(), rtol=1e-9)
            np.testing.assert_allclose(msd.along[-1], (moved ** 2).mean(0), rtol=1e-9)
            np.testing.assert_allclose(msd.time[-1], gas.observables().time)
            self.assertGreater(msd.diffusion, 0)
            np.testing.assert_allclose(profile.value.mean(), 0.4, rtol=1e-9)


class Mistakes(Case):
    def test_results_are_short_and_speak_of_arguments(self):
        result = shoal.solve("gas", "host", particles=64, steps=20, thermo=5)
        self.assertLess(len(repr(result).splitlines()), 32)
        self.assertRegex(result.message, "equilibration=N leaves")
        self.assertNotIn("--", result.message)

    def test_positions_give_the_particles(self):
        rows = np.array([[1.0, 1.0], [3.0, 3.0]])
        for name, value in (("particles", 4), ("dim", 3), ("width", 5.0), ("height", 5.0), ("depth", 5.0)):
            with self.assertRaisesRegex(TypeError, f"^Gas\\(\\) takes no {name} with positions"):
                shoal.Gas("host", positions=rows, box=10, **{name: value})
        self.assertEqual(shoal.Gas("host", positions=rows, box=10, particles=None).positions.shape, (2, 2))

    def test_steps_are_counts(self):
        gas = shoal.Gas("host", particles=16, dim=2)
        for wrong in (float("nan"), float("inf"), 1.5, "3", None, True):
            with self.assertRaisesRegex(TypeError, "^steps is a whole number, not "):
                gas.step(wrong)
        for wrong in ({"frames": -1}, {"frames": 1, "every": -1}, {"frames": 2**70}):
            with self.assertRaisesRegex(ValueError, "^(frames|every) is .*, allowed are 0 to "):
                gas.trajectory(**wrong)
        gas.step(2)
        self.assertEqual(gas.steps, 2)

    def test_texts_of_pair_forces_are_named_by_the_argument(self):
        text = "static inline real user_force(real d)\n{ retrn 0; }\nstatic inline real user_energy(real d){return 0;}\n"
        with self.assertRaisesRegex(shoal.Error, "^pair_force does not compile: pair_force:2: ") as caught:
            shoal.Gas("host", pair_force=text, cutoff=2)
        self.assertNotIn("/", str(caught.exception))
        self.refuses("^pair_force has no cutoff: ", shoal.Gas, "host", pair_force="r^-6")

    def test_arrays(self):
        fine = np.array([[1.0, 1.0], [3.0, 3.0]])
        with self.assertRaisesRegex(TypeError, "needs box"):
            shoal.Gas("host", positions=fine)
        with self.assertRaisesRegex(TypeError, "with positions only"):
            shoal.Gas("host", box=10)
        with self.assertRaisesRegex(ValueError, r"^positions has the shape \(3,\): it is an array of numbers of the shape \(n, 2\) or \(n, 3\)$"):
            shoal.Gas("host", positions=[1, 2, 3], box=10)
        with self.assertRaisesRegex(ValueError, r"^velocities have the shape \(2, 2\), not \(1, 2\)$"):
            shoal.Gas("host", positions=fine, velocities=fine[:1], box=10)
        with self.assertRaisesRegex(ValueError, "^positions are finite numbers"):
            shoal.Gas("host", positions=[[1, float("nan")], [2, 2]], box=10)
        with self.assertRaisesRegex(ValueError, "^box has lengths above 0"):
            shoal.Gas("host", positions=fine, box=[5, 0])

    def test_after_the_end(self):
        gas = shoal.Gas("host", steps=5, **SMALL)
        gas.step(5)
        self.refuses("complete", gas.step, 1)
        gas.close()
        gas.close()
        for use in (gas.step, gas.observables, lambda: gas.positions):
            with self.assertRaisesRegex(ValueError, "^this object is closed$"):
                use()

    def test_files_and_histograms_that_there_are_not(self):
        with shoal.Gas("host", **SMALL) as gas:
            self.refuses("nonexistent", gas.load, "/nonexistent", status="file error")
            self.refuses("/nonexistent", gas.save, "/nonexistent/a", status="file error")
            for name, option in (("rdf", "rdf_bins"), ("speeds", "speed_bins"), ("profile", "profile_axis"), ("msd", "msd"), ("vacf", "vacf"),
                                 ("structure", "structure_bins"), ("clusters", "cluster_distance"), ("g6", "g6_bins")):
                with self.assertRaisesRegex(ValueError, f"^the gas was made without {option}$"):
                    getattr(gas, name)()

    def test_interruption(self):
        # Also while samples are taken.
        for options in ("", ", thermo=1"):
            self.is_interrupted(INTERRUPTED.format(
                call=f'shoal.Gas("host", particles=100, dim=2{options}).step(10**9)'))


if __name__ == "__main__":
    main()
