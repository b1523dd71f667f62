#!/usr/bin/env python3
"""One run over several processes that mpirun starts: the bits are those of one device, one process prints and writes."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import support
from ranks_case import RanksCase, launcher

SWARM = ["pso", "--runs", 7, "--particles", 16, "--dim", 5, "--trace", 10, "--iterations", 40]
SWARMS = ["pso", "--swarms", 7, "--exchange", 5, "--particles", 16, "--dim", 5, "--iterations", 40]
NETS = ["mlp", "--generate", "teacher:300", "--hidden", "8", "--nets", 7, "--schedule", "constant"]
CASES = {
    "runs": (3, SWARM),
    "swarms": (2, SWARMS),
    "nets": (3, [*NETS, "--epochs", 5]),
    "cells": (2, ["tsp", "--generate", "uniform:500:1", "--algorithm", "lk", "--cell", 40, "--replicas", 2, "--iterations", 4]),
}
FULL = {
    "one rank each": (7, SWARM),
    "ends": (3, [*SWARMS, "--function", "sphere", "--iterations", 400, "--target", 0.001]),
    "islands": (3, ["ga", "--islands", 7, "--exchange", 3, "--population", 16, "--dim", 5, "--iterations", 40]),
    "runs of ga": (2, ["ga", "--runs", 7, "--population", 16, "--function", "onemax", "--dim", 32, "--iterations", 60]),
    "folds": (2, ["mlp", "--generate", "teacher:201", "--hidden", "8", "--folds", 7, "--epochs", 5]),
    "colonies": (3, ["tsp", "--generate", "clustered:300:2", "--ants", 64, "--colonies", 7, "--exchange", 3, "--iterations", 10]),
    "polish": (2, [*SWARM, "--polish", 200]),
    "few colonies": (3, ["tsp", "--generate", "uniform:60:1", "--colonies", 4, "--exchange", 3, "--iterations", 20]),
    "all pairs": (3, ["gas", "--particles", 1500, "--steps", 20, "--method", "allpairs"]),
    "shards": (2, ["mlp", "--generate", "teacher:300", "--hidden", "8", "--shards", 4, "--epochs", 3, "--batch", 64]),
}


class Ranks(RanksCase):
    def compare_ranks(self, cases):
        for name, (count, command) in cases.items():
            with self.subTest(name):
                found, whole = self.run_ranks(count, "ranks", command), self.run_on("whole", command, "--device", "opencl:0")
                for _, result in (found, whole):
                    for share in ("force_share", "observe_share"): # of the time
                        result["fields"].pop(share, None)
                self.assertEqual(found, whole)

    def test_bits_are_those_of_one_device(self):
        self.compare_ranks(CASES)

    @support.in_full
    def test_bits_of_every_kind_of_run(self):
        self.compare_ranks(support.of_turn(FULL))

    def test_resumed_on_another_number_of_ranks(self):
        whole = self.run_on("whole", [*SWARMS, "--iterations", 60], "--device", "opencl:0")
        self.run_ranks(3, "half", [*SWARMS, "--iterations", 25])
        more = ["pso", "--resume", self.folder / "half.ckp", "--iterations", 60]
        self.assertEqual(self.run_ranks(2, "two", more, "--shares", "2:5"), whole)
        self.assertEqual(self.run_on("one", more, "--device", "opencl:0"), whole)
        self.run_on("half", [*SWARMS, "--iterations", 25], "--device", "opencl:0")
        self.assertEqual(self.run_ranks(2, "back", more), whole)

    def test_parts_are_shown(self):
        done = self.ranks(2, *SWARM)
        self.assertRegex(done.stdout, r"\nopencl:0 +4 +0 to 3 .*\nrank1:opencl:0 +3 +4 to 6 ")
        self.assertEqual(done.stdout.count("check: best value"), 1)

    def test_a_single_core_for_rank_0(self):
        cores = os.sched_getaffinity(0)
        if len(cores) < 2 or not shutil.which("taskset"):
            self.skipTest("needs two cores and taskset")
        done = self.launch(*launcher(2), "taskset", "-c", str(min(cores)), support.SHOAL, *map(str, SWARM), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rank 0 may use 1 of the", done.stderr)
        self.assertIn("mpirun --bind-to none", done.stderr)
        self.assertNotIn("of the", self.ranks(2, *SWARM, "--json").stderr)

    def test_devices_of_each_rank(self):
        self.env["POCL_DEVICES"] = "pthread pthread pthread"
        words = [support.SHOAL, *map(str, SWARM), "--json"]
        for devices, ids in ((["--device", "cpu"], ["opencl:0", "opencl:2", "rank1:opencl:1"]),
                             (["--device=opencl:2"], ["opencl:2", "rank1:opencl:2"]),
                             (["-dcpu"], ["opencl:0", "opencl:2", "rank1:opencl:1"]),
                             (["--device", "opencl:0/2"], ["opencl:0/2:0", "rank1:opencl:0/2:1"])):
            with self.subTest(devices):
                done = self.ranks(2, *SWARM, "--json", *devices)
                self.assertEqual([p["device"] for p in json.loads(done.stdout)["rows"][0]["parts"]], ids)
        done = self.launch(*launcher(1), *words, "-d", "opencl:1", ":", "-n", "1", *words, "--dev", "opencl:0")
        self.assertEqual([p["device"] for p in json.loads(done.stdout)["rows"][0]["parts"]], ["opencl:1", "rank1:opencl:0"])

    def test_what_is_refused(self):
        for code, line, words in (
            (2, "shoal: a run of several ranks: colonies are divided among devices, and there is 1 for 2 devices", ["tsp", "--ants", 9]),
            (2, "there are 2 for 3 devices: give --nets or --folds or --shards 3 or more, or take fewer devices",
             ["mlp", "--nets", 2, "--generate", "teacher:300"]),
            (2, "shoal: unknown option --bogus; try 'shoal pso --help'", ["pso", "--bogus"]),
            (2, "3 shares for 2 devices", [*SWARM, "--shares", "1:2:3"]),
            (2, "the host takes no part in a divided run: name other devices", [*SWARM, "--device", "host"]),
            (3, 'shoal: rank 0 on ', [*SWARM, "--device", "opencl:7"]),
        ):
            with self.subTest(words):
                self.assertIn(line, self.line(self.ranks(3 if "for 3" in line else 2, *words), code))

    def test_ranks_with_other_options(self):
        words = [support.SHOAL, "pso", "--iterations", "5", "--runs"]
        done = self.launch(*launcher(1), *words, "4", ":", "-n", "1", *words, "5")
        self.assertRegex(self.line(done, 2), r"rank 1 on \S+ was started with other options than rank 0 on \S+: '5' in place of '4'")

    def test_inputs_and_locale_are_those_of_rank_0(self):
        # Rank 0 alone reads and writes numbers, and files that other hosts may lack.
        texts = self.folder / "texts"
        texts.mkdir()
        (texts / "my.clh").write_text(support.TEXT)
        words = [support.SHOAL, *map(str, SWARM), "--objective", "my.clh", "--lower", "-1.5", "--upper", "1.5", "--json"]
        done = self.launch(*launcher(1), "sh", "-c", f'cd {texts} && exec "$@"', "sh", *words, ":", "-n", "1", "env",
                           "LC_ALL=de_DE.UTF-8", *words)
        self.assertEqual((done.returncode, self.told(done)), (0, []), done.stderr)
        whole = self.succeeds(*words[1:], "--device", "opencl:0", env=self.env, cwd=texts)
        self.assertEqual(*(json.loads(text)["rows"][0]["result"] for text in (done.stdout, whole)))

    def test_a_failure_is_told_once(self):
        text = self.file("wrong.cl", support.TEXT.replace("return", "retrun"))
        self.assertIn("wrong.cl", self.line(self.ranks(2, *SWARM, "--objective", text), 4))

    def test_other_commands(self):
        # They have the devices of all ranks.
        done = self.ranks(2, "devices", "--json", "--device", "cpu")
        self.assertEqual((done.returncode, self.told(done)), (0, []), done.stderr)
        own, other = json.loads(done.stdout)["devices"]
        self.assertEqual((own["id"], own["host"], own["rank"]), ("opencl:0", None, 0))
        self.assertEqual((other["id"], other["host"], other["rank"]), ("rank1:opencl:0", os.uname().nodename, 1))
        self.assertIn(f"on {os.uname().nodename}", self.ranks(2, "devices", "--device", "cpu").stdout)
        done = self.ranks(2, "--version")
        self.assertEqual((done.stdout.count("\n"), self.told(done)), (1, []), done.stderr)
        done = self.ranks(2, "data", "gas")
        self.assertEqual(self.line(done, 2).count("shoal: "), 1)

    def test_links_between_other_ranks(self):
        others = {"rank1:opencl:0", "rank2:opencl:0"}
        # Ranks that wait take the cores from those that copy: each link takes long.
        devices = ",".join(sorted(others)) if support.takes_share() else "cpu"
        done = self.ranks(3, "devices", "--links", "--json", "--device", devices)
        self.assertEqual((done.returncode, self.told(done)), (0, []), done.stderr)
        paths = {(link["from"], link["to"]): link["path"] for link in json.loads(done.stdout)["links"]}
        self.assertIn(tuple(sorted(others)), paths)
        for ends, path in paths.items():
            self.assertEqual(path, "ranks" if set(ends) == others else "host", ends)

    def test_processes_without_mpi(self):
        # srun --mpi=none, and a step of one process.
        step = {**self.env, "SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"}
        for more, note in (({}, "shoal: each of the 4 processes of this srun makes a run of its own: srun --mpi=pmix makes one\n"),
                           ({"SLURM_PROCID": "1"}, ""), ({"SLURM_STEP_NUM_TASKS": "1", "PMIX_RANK": "0"}, "")):
            done = support.shoal(*SWARM, "--device", "opencl:0", env={**step, **more})
            self.assertEqual((done.returncode, done.stderr), (0, note))

    def test_the_mpi_of_another_launcher(self):
        # MPICH's mpirun tells its processes by PMI_SIZE; Open MPI takes each of them for the only one.
        for rank in "01":
            done = support.shoal(*SWARM, env={**self.env, "PMI_SIZE": "2", "PMI_RANK": rank})
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual("the launcher has started 2 processes, but the MPI of libshoal-mpi.so sees one" in done.stderr, rank == "0")

    def test_without_the_plug_in(self):
        # A library that is moved finds no plug-in beside it; rank 0 alone says so.
        if "ASAN_OPTIONS" in os.environ:
            self.skipTest("the sanitizer looks for libraries in the place of the library, and beside the program")
        env = {**self.env, "OMPI_COMM_WORLD_SIZE": "2", "LD_LIBRARY_PATH": str(self.folder)}
        library = next(Path(support.SHOAL).parent.parent.glob("libshoal.so.0.1"))
        shutil.copy(library, self.folder / library.name)
        for rank in "01":
            done = support.shoal(*SWARM, env={**env, "OMPI_COMM_WORLD_RANK": rank})
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual("several ranks need the plug-in libshoal-mpi.so" in done.stderr, rank == "0", done.stderr)


class Failures(RanksCase):
    """Runs without an end, whose ranks are stopped and killed."""

    def started(self, *more, ranks=2, kind="--runs"):
        """The launcher, rank 1 and the checkpoint, once this was written."""
        checkpoint = self.folder / "state.ckp"
        endless = ["pso", kind, 4, "--particles", 64, "--dim", 20, "--iterations", 10**9, "--checkpoint", checkpoint,
                   "--checkpoint-every", 0.1, *more]
        process = subprocess.Popen([*launcher(ranks), support.SHOAL, *map(str, endless)], env=self.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not checkpoint.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process, self.find_rank(process.pid), checkpoint

    def find_rank(self, parent):
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            if b"OMPI_COMM_WORLD_RANK=1\0" in Path(f"/proc/{child}/environ").read_bytes() + b"\0":
                return int(child)
        self.skipTest("the launcher starts ranks by other programs")

    def test_a_stop(self):
        process, _, checkpoint = self.started()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.goes_on(checkpoint)

    def test_a_full_disk_at_rank_0(self):
        # The run goes on, and its last state is written elsewhere.
        disk = self.folder / "disk"
        disk.mkdir()
        mount = f'mount -t tmpfs -o size=64k none {disk} && cd {self.folder} && exec "$@"'
        alone = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
        if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True).returncode:
            self.skipTest("a file system of its own cannot be mounted here")
        run = [support.SHOAL, "pso", "--runs", 4, "--particles", 512, "--dim", 20, "--iterations", 50, "--checkpoint", disk / "state",
               "--checkpoint-every", 0.01]
        done = self.launch(*launcher(1), *alone, *run, ":", "-n", 1, *run)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("pass", done.stdout)
        *earlier, last = self.told(done)
        full = f"cannot write checkpoint {disk / 'state'}: No space left on device; "
        self.assertEqual(last, f"shoal: opencl:0 + rank1:opencl:0: {full}it was written to state.rescued")
        self.assertIn(earlier, ([], [f"shoal: warning: {full}the run goes on"]))
        self.goes_on(self.folder / "state.rescued")

    def test_a_killed_rank(self):
        # The launcher tells rank 0 to end, and kills it a second later; here it has more time. The second time, rank 2 waits
        # for rows of the killed rank.
        self.env["OMPI_MCA_odls_base_sigkill_timeout"] = "6"
        for more in ({}, {"ranks": 3, "kind": "--swarms"}):
            process, rank, checkpoint = self.started(*(["--exchange", 1] if more else []), **more)
            os.kill(rank, signal.SIGKILL)
            _, text = process.communicate(timeout=60)
            self.assertNotEqual(process.returncode, 0)
            self.assertEqual(text.count("shoal: "), 1, text)
            self.assertRegex(text, r"(?m)^shoal: .*rank1:opencl:0 .* is lost: "
                                   r"rank 1 on \S+ has not answered for 0\.3 s: it was stopped or killed")
            self.goes_on(checkpoint)
            checkpoint.unlink()

    def test_a_stopped_rank(self):
        # The second time, two other ranks wait for its rows, and say that they live.
        for more in ({}, {"ranks": 3, "kind": "--swarms"}):
            process, rank, checkpoint = self.started("--hang-limit", 5, *(["--exchange", 1] if more else []), **more)
            os.kill(rank, signal.SIGSTOP)
            _, text = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 1, text)
            self.assertRegex(text, r"(?m)^shoal: .*rank1:opencl:0 .* is lost: "
                                   r"rank 1 on \S+ has not answered for 4 s")
            self.assertEqual(text.count("has not answered"), 1, text)
            self.goes_on(checkpoint)
            checkpoint.unlink()


if __name__ == "__main__":
    support.main()
