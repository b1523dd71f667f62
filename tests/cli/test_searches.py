#!/usr/bin/env python3
"""pso and ga: what is found before a search, and how one is limited."""

import json
import signal
import subprocess

import support
from support import Case

GENES = """#define SHAPE OPAQUE
#define VARIABLES "x1-x2 real -5 5"
static inline real objective_value(GENOME, uint dim)
{
    return GENE(0) * GENE(0)
        + GENE(2);
}
"""
ROWS = """#define SHAPE DATA_ROWS
static inline real objective_residual(const real *x, const real *row)
{
    return row[1] - x[0] * row[0] - x[2];
}
"""


SLOW = """#define SHAPE OPAQUE
static inline real objective_value(const real *x, uint dim)
{
    real sum = R(0.0);
    uint i;
    for (i = 0; i < 10000000u; i++)
        sum = sum * R(0.999999) + x[0] * R(1e-7);
    return sum * sum;
}
"""


class Search(Case):
    def devices(self):
        return ["host", *(device["id"] for device in support.opencl_devices()[:1])]


class Bounds(Search):
    """Indices of a text that is out of bounds would read what is not the point's."""

    def test_genes(self):
        text = self.file("my.clh", GENES)
        for device in self.devices():
            self.assertIn("my.clh:6: there is no GENE(2): the variables have GENE(0) to GENE(1)",
                          self.fails(1, "ga", "--objective", text, "--device", device, "--iterations", 3))
        self.file("my.clh", GENES.replace("GENE(2)", "GENE(1)"))
        for device in self.devices():
            self.succeeds("ga", "--objective", text, "--device", device, "--population", 16, "--iterations", 3)

    def test_rows(self):
        text, data = self.file("my.clh", ROWS), self.file("my.csv", "1,2\n2,4\n3,6\n")
        search = ["pso", "--objective", text, "--data", data, "--lower", -5, "--upper", 5, "--iterations", 3]
        for device in self.devices():
            self.assertIn("my.clh:4: there is no x[2]: the last one is x[1]",
                          self.fails(1, *search, "--dim", 2, "--device", device))
            self.succeeds(*search, "--dim", 3, "--device", device)


class Cuts(Search):
    """Steps of the host that would take hours end at once: each of these cases ends at all."""

    TABU = ["ga", "--device", "host", "--function", "nk", "--dim", 400, "--local-search", "tabu", "--local-steps", 1048576,
            "--json"]

    def row(self, text):
        return json.loads(text)["rows"][0]["result"]

    def test_a_local_search(self):
        done = support.shoal(*self.TABU, "--time", 0.5)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the time limit came before the end of the first step on host, which was dropped", done.stderr)
        result = self.row(done.stdout)
        self.assertEqual((result["steps"], result["fields"]["end"]), (0, "time"))

    def test_a_tour(self):
        points = self.file("points.csv", "".join(f"{(i * 7919) % 10007},{(i * 104729) % 10009}\n" for i in range(4000)))
        done = support.shoal("ga", "--device", "host", "--function", "tour", "--data", points, "--local-search", "best",
                             "--moves", "3-opt", "--population", 1000, "--json", "--time", 0.5)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row(done.stdout)["fields"]["end"], "time")

    def test_a_signal(self):
        process = subprocess.Popen([support.SHOAL, *map(str, self.TABU), "--iterations", "5", "--progress", "yes"],
                                   env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        support.wait_for_steps(process)
        process.send_signal(signal.SIGTERM)
        text, _ = process.communicate(timeout=250)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(json.loads(text)["rows"][0]["status"], "stopped")

    def test_first_points(self):
        text = self.file("slow.clh", SLOW)
        state = self.folder / "state"
        search = ["pso", "--device", "host", "--objective", text, "--lower", -1, "--upper", 1, "--dim", 2, "--particles", 100000,
                  "--time", 0.5, "--json"]
        done = support.shoal(*search)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the time limit came before the first step on host", done.stderr)
        result = self.row(done.stdout)
        self.assertLess(result["work"], 100000)
        done = support.shoal(*search, "--checkpoint", state)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no checkpoint is written: the search was stopped before all of its first points had values", done.stderr)
        self.assertFalse(state.exists())


if __name__ == "__main__":
    support.main()
