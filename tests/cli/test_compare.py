#!/usr/bin/env python3
"""shoal compare: sizes, the baseline, the page and the result file."""

import json
import re
from html.parser import HTMLParser

import support
from support import SMALL_SET, Case

SHORT = ["compare", "--device", "host", "--samples", "1", "--roofs", "no"]


class Page(HTMLParser):
    """Collects tags and checks that they nest."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        self.text += data


class Compare(Case):
    def document(self, *args):
        return json.loads(self.succeeds(*args, "--json"))

    def test_sizes(self):
        steps = ["--set", "pso.iterations=1,gas.steps=1"]
        sizes = [self.document(*SHORT, *size, *steps) for size in ([], ["--size", "small"], ["--size", "MEDIUM"])]
        self.assertEqual([document["size"] for document in sizes], ["small", "small", "medium"])
        self.assertEqual(sizes[0]["params"], sizes[1]["params"])
        self.assertEqual(set(sizes[0]["params"]), {"pso", "gas"})
        for workload, params in sizes[0]["params"].items():
            self.assertNotEqual(params, sizes[2]["params"][workload], workload)

    def test_one_workload(self):
        document = self.document(*SHORT, "gas", "--set", "gas.particles=64,gas.steps=20")
        self.assertEqual([row["workload"] for row in document["rows"]], ["gas"])
        self.assertEqual(list(document["params"]), ["gas"])

    def test_a_configuration_file_wins_over_the_size(self):
        path = self.folder / "run.ini"
        path.write_text("[pso]\nparticles = 16\niterations = 5\n[compare]\nsize = medium\n")
        document = self.document(*SHORT, "pso", "--config", path, "--set", "pso.iterations=7")
        self.assertEqual(document["size"], "medium")
        self.assertEqual(document["params"]["pso"]["particles"], 16)
        self.assertEqual(document["params"]["pso"]["iterations"], 7)

    def test_baseline(self):
        device = self.needs_opencl()
        run = ["compare", "pso", "--device", f"{device},host", "--samples", "1", "--set", SMALL_SET.split(",gas")[0]]
        for args, baseline in (([], "host"), (["--baseline", device.upper()], device)):
            document = self.document(*run, *args)
            self.assertEqual(document["baseline"], baseline)
            rows = {row["device"]: row for row in document["rows"]}
            for row in rows.values():
                self.assertAlmostEqual(row["speed"] * row["device_s"] / rows[baseline]["device_s"], 1)
            self.assertIn(f"x {baseline}", self.succeeds(*run, *args))
        self.assertEqual(self.document(*run[:3], device, *run[4:])["baseline"], device)
        message = self.fails(2, *run, "--baseline", "hosst")
        self.assertIn(f"--baseline: 'hosst' is not one of {device}, host; did you mean 'host'?", message)

    def test_it_states_that_trajectories_part(self):
        device = self.needs_opencl()
        words = "Trajectories part by rounding: the check of a row decides, not equal digits."
        run = ["compare", "--samples", "1", "--set", SMALL_SET, "--device"]
        self.assertIn(f"\n{words}\n", self.succeeds(*run, f"{device},host"))
        self.assertNotIn(words, self.succeeds(*run, "host"))

    def test_result_file(self):
        path = self.folder / "results.json"
        self.succeeds(*SHORT, "--out", path, "--set", SMALL_SET)
        document = json.loads(path.read_text())
        self.assertEqual(document["schema"], 1)
        row = document["rows"][0]
        self.assertEqual((row["device"], row["check"], row["unit"]), ("host", "pass", "evaluations/s"))
        self.assertEqual(row["case"], "pso.compare.dim=4,particles=32,iterations=20")


class OfThePage(Case):
    def page(self, *args, name="page.html"):
        path = self.folder / name
        self.succeeds("compare", "--html", path, "--samples", "1", "--set", SMALL_SET, *args)
        page = Page()
        page.source = path.read_text()
        page.feed(page.source)
        page.close()
        self.assertEqual(page.open, [])
        return page

    def test_content(self):
        page = self.page("--roofs", "no")
        self.assertNotIn("Roofs were measured", page.text)
        # Two charts for each workload.
        self.assertEqual(sum(tag == "svg" for tag, _ in page.tags), 2 * 2)
        self.assertFalse([tag for tag, _ in page.tags if tag in ("script", "link", "img", "iframe")])
        self.assertFalse(re.findall(r"(?:src|href|url)\s*[=(]", page.source), "nothing is loaded from elsewhere")
        self.assertIn("prefers-color-scheme:dark", page.source)
        for device in json.loads(self.succeeds("devices", "--json"))["devices"]:
            self.assertIn(device["id"], page.text)
            self.assertIn(device["driver"], page.text)
        other = self.folder / "other"
        other.write_text("")
        self.assertEqual((self.folder / "page.html").stat().st_mode, other.stat().st_mode)

    def test_what_it_is_given_is_escaped(self):
        page = self.page("--device", "host", "--roofs", "no", name="a<u>&'\".html")
        self.assertNotIn("u", [tag for tag, _ in page.tags])


if __name__ == "__main__":
    support.main()
