#!/usr/bin/env python3
"""shoal.Gas against NumPy."""
import os
import tempfile
import unittest

import numpy as np
import shoal
from support import INTERRUPTED, Case, opencl_device

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
            with self.assertRaisesRegex(ValueError, "steps is a number from 0 on, not -1"):
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


class Averages(Case):
    def test_samples_and_histograms(self):
        with shoal.Gas("host", thermo=10, rdf_bins=25, rdf_range=2.5, speed_bins=20, **SMALL) as gas:
            gas.step(200)
            series = gas.series
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
    def test_arrays(self):
        fine = np.array([[1.0, 1.0], [3.0, 3.0]])
        with self.assertRaisesRegex(TypeError, "needs box"):
            shoal.Gas("host", positions=fine)
        with self.assertRaisesRegex(TypeError, "with positions only"):
            shoal.Gas("host", box=10)
        with self.assertRaisesRegex(ValueError, "^positions have the shape"):
            shoal.Gas("host", positions=[1, 2, 3], box=10)
        with self.assertRaisesRegex(ValueError, "^velocities have the shape .* the same as positions"):
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
            for observed in (gas.rdf, gas.speeds, gas.profile, gas.msd):
                with self.assertRaisesRegex(ValueError, "^the gas was made without (rdf_bins|speed_bins|profile_axis|msd)$"):
                    observed()

    def test_interruption(self):
        # Also while samples are taken.
        for options in ("", ", thermo=1"):
            self.is_interrupted(INTERRUPTED.format(
                call=f'shoal.Gas("host", particles=100, dim=2{options}).step(10**9)'))


if __name__ == "__main__":
    unittest.main()
