#!/usr/bin/env python3
"""One run over two hosts: two network namespaces with a cable between them, each with a host name and shared memory of
its own. Only root can make them."""

import os
import shutil
import subprocess
import time

import support
from ranks_case import RanksCase, launcher

NAMES = [f"shoal-{os.getpid()}-{end}" for end in "ab"]
CABLE = [f"shoal{os.getpid() % 100000}{end}" for end in "ab"]
ADDRESSES = ["10.213.77.1", "10.213.77.2"]
# Open MPI starts its helper on the other host by this program, called with the host and the command.
AGENT = """#!/bin/sh
shift
exec ip netns exec {} unshare --uts --mount sh -c 'hostname second && mount -t tmpfs none /dev/shm && exec sh -c "$1"' sh "$*"
"""


def system(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Hosts(RanksCase):
    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("only root can make network namespaces")
        for program in ("ip", "unshare", "mount"):
            if not shutil.which(program):
                self.skipTest(f"there is no program {program}")
        if "Open MPI" not in system("mpirun", "--version").stdout:
            self.skipTest("the launcher is not that of Open MPI")
        self.addCleanup(self.remove)
        self.make()
        self.agent = self.file("agent", AGENT.format(NAMES[1]))
        self.agent.chmod(0o755)

    def make(self):
        steps = [["ip", "netns", "add", name] for name in NAMES]
        steps.append(["ip", "link", "add", CABLE[0], "netns", NAMES[0], "type", "veth", "peer", "name", CABLE[1], "netns", NAMES[1]])
        for name, end, address in zip(NAMES, CABLE, ADDRESSES):
            steps += [["ip", "-n", name, "addr", "add", f"{address}/24", "dev", end], ["ip", "-n", name, "link", "set", "lo", "up"],
                      ["ip", "-n", name, "link", "set", end, "up"]]
        steps.append(["ip", "netns", "exec", NAMES[1], "unshare", "--uts", "--mount", "mount", "-t", "tmpfs", "none", "/dev/shm"])
        for step in steps:
            done = system(*step)
            if done.returncode:
                self.skipTest(f"{' '.join(step)}: {done.stdout.strip()}")

    def remove(self):
        for name in NAMES:
            for number in system("ip", "netns", "pids", name).stdout.split():
                try:
                    os.kill(int(number), 9)
                except (OSError, ValueError):
                    pass
            system("ip", "netns", "del", name)

    def words(self, *args):
        names = ("POCL_DEVICES", "POCL_CACHE_DIR", "OCL_ICD_VENDORS", "LD_LIBRARY_PATH", "POCL_EXTRA_BUILD_FLAGS", "POCL_UNOPTIMISED", "OMP_WAIT_POLICY")
        given = [word for name in names if name in self.env for word in ("-x", name)]
        start = launcher(2, *given, "-mca", "plm_rsh_agent", str(self.agent), "-mca", "btl", "tcp,self", "-mca", "pml", "ob1",
                         "--host", ",".join(ADDRESSES))
        return ["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "sh", "-c", 'hostname first && exec "$@"', "sh", *start,
                support.SHOAL, *map(str, args)]

    def test_two_hosts(self):
        command = ["pso", "--swarms", 5, "--exchange", 2, "--particles", 16, "--dim", 5, "--iterations", 40]
        path = self.folder / "hosts.ckp"
        found = self.results(2, self.launch(*self.words(*command, "--checkpoint", path, "--json")), path)
        self.assertEqual(found, self.run_on("whole", command, "--device", "opencl:0"))
        wrong = self.file("wrong.cl", support.TEXT.replace("return", "retrun"))
        self.assertIn("wrong.cl", self.line(self.launch(*self.words(*command, "--objective", wrong)), 4))
        self.assertRegex(self.line(self.launch(*self.words(*command, "--device", "opencl:3")), 3), r"\Ashoal: rank 0 on first: no device")

    def test_a_link_that_goes_down(self):
        path = self.folder / "state.ckp"
        process = subprocess.Popen(
            self.words("pso", "--runs", 4, "--particles", 64, "--dim", 20, "--iterations", 10**9, "--checkpoint", path,
                       "--checkpoint-every", 0.1, "--hang-limit", 10),
            env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not path.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        self.assertEqual(system("ip", "-n", NAMES[1], "link", "set", CABLE[1], "down").returncode, 0)
        # The launcher itself waits for the other host for minutes.
        line = next((line for line in process.stderr if line.startswith("shoal: ")), "")
        self.assertIn("rank 1 on second has not answered for 8 s: it was stopped or killed, or the link to its host is down", line)
        self.goes_on(path)


if __name__ == "__main__":
    support.main()
