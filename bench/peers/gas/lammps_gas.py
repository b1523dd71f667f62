#!/usr/bin/env python3
"""The gas of gas.cpu.lj2d-262144-rho0.4 in LAMMPS, a rank for each core.

usage: bench/peers/run.py lammps        or: lammps_gas.py [--version] [--ranks N] [--steps N] [--samples N]

Lennard-Jones cut at 2.5, its default settings for neighbours and Newton's third law: 5000 steps of rescaling to T = 1 and
500 without, then samples of `steps` steps with energies and pressure every 100, timed by LAMMPS itself. LAMMPS'
default looks for particles that have moved too far from the tenth step of a list on, which is late here: the builds that it
calls dangerous are counted on stderr.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

SIDE, DENSITY, CUTOFF, DT = 512, 0.4, 2.5, 0.005
EQUILIBRATION, FIRST = 5000, 500

TEXT = """
units lj
dimension 2
atom_style atomic
newton on
lattice sq {density}
region box block 0 {side} 0 {side} -0.5 0.5
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.0 12345 dist gaussian
pair_style lj/cut {cutoff}
pair_coeff 1 1 1.0 1.0 {cutoff}
timestep {dt}
fix plane all enforce2d
fix motion all nve
fix heat all temp/rescale 10 1.0 1.0 0.01 1.0
thermo 100
thermo_style custom step temp ke pe press
run {equilibration}
unfix heat
run {first}
"""


def run_lammps(options):
    text = TEXT.format(side=SIDE, density=DENSITY, cutoff=CUTOFF, dt=DT, equilibration=EQUILIBRATION, first=FIRST)
    text += f"run {options.steps}\n" * options.samples
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    if os.geteuid() == 0:
        environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gas.in")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(["mpirun", "-np", str(options.ranks), "lmp", "-in", path, "-log", "none"], check=False,
                              capture_output=True, text=True, env=environment, cwd=folder)
    if done.returncode:
        sys.exit(f"lammps: exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--version", action="store_true")
    options = parser.parse_args()
    if options.version:
        usage = subprocess.run(["lmp", "-h"], check=True, capture_output=True, text=True).stdout
        print(re.search(r"Simulator - (.*)", usage).group(1))
        return
    output = run_lammps(options)
    seconds = [float(word) for word in re.findall(r"Loop time of (\S+)", output)][2:]
    lines = [[float(word) for word in line.split()] for line in output.splitlines()
             if re.fullmatch(r"(\s+[-+.\deE]+){5}\s*", line)]
    if len(seconds) != options.samples or not lines:
        sys.exit("lammps: its output is not what this program knows")
    begin = EQUILIBRATION + FIRST
    timed = [line for line in lines if line[0] >= begin]
    temperature = sum(line[1] for line in timed) / len(timed)
    energies = [line[2] + line[3] for line in timed]
    drift = abs(energies[-1] - energies[0])
    passed = abs(temperature - 1) <= 0.02 and drift <= 1e-2
    dangerous = sum(int(word) for word in re.findall(r"Dangerous builds = (\d+)", output))
    print(f"lammps: T = {temperature:.4g}, energy changed by {drift:.2g}, {dangerous} dangerous builds", file=sys.stderr)
    work = SIDE * SIDE * options.steps
    print(json.dumps({"case": "peer.lammps.gas.lj2d-262144-rho0.4", "device": "host", "variant": f"t{options.ranks}",
                      "precision": "fp64", "unit": "particle-steps/s", "better": "higher",
                      "check": "pass" if passed else "fail", "error": 0, "wall_s": sum(seconds),
                      "samples": [work / one for one in seconds]}))


if __name__ == "__main__":
    main()
