#!/usr/bin/env python3
"""shoal tsp: the switches, configuration file, lines and history of the thesis."""

import re
import xml.etree.ElementTree

import support
from support import Case

HOST = ["tsp", "--device", "host"]
CITIES = "".join(f"{37 * i % 101},{53 * i % 97}\n" for i in range(110))
CONFIG = """# as in its table 7.3
source = {source}
nMacroAcoCycles = 2   # cycles
nMicroAcoCycles=3
nLocalSearchCycles = 50
nOverlappingSteps = 1
alpha = 1.0
beta = 2.0

"""


class Thesis(Case):
    def setUp(self):
        super().setUp()
        self.source = self.file("cities.csv", CITIES)

    def path(self, name):
        return str(self.folder / name)

    def length(self, *args):
        lines = self.succeeds(*HOST, "--thesis-output", *args).splitlines()
        self.assertTrue(all(line.startswith(("! ", "> ")) for line in lines), lines)
        marked = [float(line[2:]) for line in lines if line.startswith("!")]
        self.assertEqual(len(marked), 3)
        self.assertTrue(marked[0] > 0 and marked[1] > 0)
        return marked[2]

    def test_switches_are_other_names(self):
        ours = self.length("--data", self.source, "--macro-cycles", "2", "--micro-cycles", "3", "--passes", "50",
                           "--overlaps", "1")
        self.assertEqual(self.length("--src", self.source, "--mac", "2", "--mic", "3", "--lsc", "50", "--os", "1"), ours)
        config = self.file("thesis.cfg", CONFIG.format(source=self.source))
        self.assertEqual(self.length("--cfg", config), ours)
        other = self.length("--data", self.source, "--macro-cycles", "2", "--micro-cycles", "1", "--passes", "0",
                            "--overlaps", "1")
        self.assertNotEqual(other, ours)
        self.assertEqual(self.length("--cfg", config, "--mic", "1", "--passes", "0"), other)

    def refuses(self, code, message, *args):
        self.assertIn(message, self.fails(code, *args))

    def test_quiet_leaves_three_lines(self):
        text = self.succeeds(*HOST, "--src", self.source, "--mac", "1", "--os", "1", "--thesis-output", "--quiet")
        self.assertRegex(text, r"\A! \d+\.\d+\n! \d+\.\d+\n! [\d.]+\n\Z")

    def test_the_pieces_have_a_device_of_their_own(self):
        device = self.needs_opencl()
        self.succeeds(*HOST, "--generate", "uniform:60:1", "--algorithm", "thesis", "--micro-device", device)

    def test_tour_and_history(self):
        tour, history = self.path("best.tour"), self.path("history.xml")
        length = self.length("--src", self.source, "--mic", "2", "--dst", tour)
        checked = self.succeeds("tsp", "--data", self.source, "--check", tour)
        self.assertEqual(float(re.search(r"length +([\d.]+)", checked).group(1)), length)
        self.assertEqual(self.length("--src", self.source, "--mic", "2", "--dst", history, "--ext", "1"), length)
        root = xml.etree.ElementTree.parse(history).getroot()
        self.assertEqual([root.tag] + [child.tag for child in root], ["solution", "history", "result"])
        tours = root.findall("history/tour")
        kinds = [one.get("type") for one in tours]
        # 110 cities are two pieces: three macro cycles, twice two cycles of two pieces and the joint tour.
        self.assertEqual(kinds, ["macro"] * 3 + (["micro"] * 4 + ["joint"]) * 2)
        self.assertEqual([one.get("cycle") for one in tours], ["0", "1", "2"] + ["0", "1", "0", "1", "0"] +
                         ["0", "1", "0", "1", "1"])
        self.assertEqual([one.get("cluster") for one in tours], [None] * 3 + ["0", "0", "1", "1", None] * 2)
        cities = {str(i + 1) for i in range(110)}
        for one in tours + root.findall("result/tour"):
            stops = one.findall("stop")
            self.assertEqual([stop.get("rank") for stop in stops], [str(i) for i in range(len(stops))])
            self.assertEqual(len({stop.text for stop in stops}), len(stops))
            if one.get("type") != "micro":
                self.assertEqual({stop.text for stop in stops}, cities)

    def test_faults(self):
        for text, message in (("rho = 1\n", "unknown name 'rho'"), ("alpha\n", "not a line NAME = VALUE"),
                              ("alpha = 1\nalpha = 2\n", "'alpha' is set twice"),
                              ("nMacroAcoCycles = x\n", "bad.cfg:1: nMacroAcoCycles: 'x'")):
            self.refuses(2, message, *HOST, "--cfg", self.file("bad.cfg", text))
        self.refuses(1, "cannot be read", *HOST, "--cfg", self.path("absent.cfg"))
        self.refuses(2, "neither 0 nor 1", *HOST, "--src", self.source, "--ext", "2", "--dst", self.path("x.xml"))
        self.refuses(2, "give --dst", *HOST, "--src", self.source, "--ext", "1")
        self.refuses(3, "cuda:99", "tsp", "--src", self.source, "--dev", "99")


if __name__ == "__main__":
    support.main()
