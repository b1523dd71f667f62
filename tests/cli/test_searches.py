#!/usr/bin/env python3
"""pso and ga: what is found before a search, and how one is limited."""

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


if __name__ == "__main__":
    support.main()
