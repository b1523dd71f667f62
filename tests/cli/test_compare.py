#!/usr/bin/env python3
"""shoal compare: sizes, the baseline, the page and the result file."""

import html
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import support
from support import SMALL_SET, Case, environment

SHORT = ["compare", "--device", "host", "--samples", "1", "--roofs", "no"]


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = (400, 800, 1400)
# Looks at each frame and writes what does not fit. Text that an SVG shrinks counts as it is shown.
LOOK = """
function shown(e) { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0 ? r : null; }
function name(e) { return e.tagName + "." + (e.getAttribute("class") || "") + " " + e.textContent.trim().slice(0, 40); }
function look(frame, width) {
  const view = frame.contentWindow, page = frame.contentDocument, faults = [];
  if (view.innerWidth !== width) faults.push("the frame is " + view.innerWidth);
  if (page.documentElement.scrollWidth > width) faults.push("the page is " + page.documentElement.scrollWidth);
  for (const e of page.body.querySelectorAll("*")) {
    const r = shown(e), style = view.getComputedStyle(e);
    if (!r) continue;
    if (r.left < -0.5 || r.right > width + 0.5) faults.push("outside: " + name(e));
    if (e.clientWidth && style.overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1)
      faults.push("cut: " + name(e));
    const scale = e.getScreenCTM && e.tagName === "text" ? e.getScreenCTM().a : 1;
    if (!e.children.length && e.textContent.trim() && parseFloat(style.fontSize) * scale < 11)
      faults.push("small: " + name(e));
  }
  for (const axis of page.querySelectorAll(".axis")) {
    let end = -1;
    for (const r of [...axis.children].map(shown).filter(r => r)) {
      if (r.left < end) faults.push("labels overlap: " + name(axis));
      end = r.right;
    }
  }
  return faults;
}
onload = () => {
  const faults = [];
  for (const frame of document.querySelectorAll("iframe"))
    faults.push([frame.clientWidth, look(frame, frame.clientWidth)]);
  const pre = document.createElement("pre");
  pre.textContent = JSON.stringify(faults);
  document.body.replaceChildren(pre);
};
"""


class Page(HTMLParser):
    """Collects tags and checks that they nest."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "wbr", "link", "img"):
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
        lengths = re.findall(r"([\w-]+)\.(iterations|steps|epochs)=", SMALL_SET)
        steps = ["--set", ",".join(f"{workload}.{option}=1" for workload, option in lengths)]
        sizes = [self.document(*SHORT, *size, *steps) for size in ([], ["--size", "small"], ["--size", "MEDIUM"])]
        self.assertEqual([document["size"] for document in sizes], ["small", "small", "medium"])
        self.assertEqual(sizes[0]["params"], sizes[1]["params"])
        self.assertEqual({workload for workload, _ in lengths}, set(sizes[0]["params"]), "SMALL_SET shortens every workload")
        for workload, params in sizes[0]["params"].items():
            self.assertNotEqual(params, sizes[2]["params"][workload], workload)

    def test_several_sizes(self):
        page = self.folder / "page.html"
        steps = "pso.dim=3,pso.iterations=3,pso.particles=16,gas.steps=2"
        document = self.document(*SHORT, "pso", "gas", "--sizes", "small,medium", "--set", steps, "--html", page)
        self.assertEqual(document["size"], "small,medium")
        self.assertEqual([(row["workload"], row["size"]) for row in document["rows"]],
                         [(workload, size) for workload in ("pso", "gas") for size in ("small", "medium")])
        self.assertEqual(sorted(document["params"]), ["gas.medium", "gas.small", "pso.medium", "pso.small"])
        text = page.read_text()
        self.assertIn("gas: speed over problem size", text)
        self.assertIn("<h3>gas, medium</h3>", text)
        self.assertIn("--sizes: 'big' is not one of small, medium, large", self.fails(2, *SHORT, "--sizes", "small,big"))

    def test_one_workload(self):
        document = self.document(*SHORT, "gas", "--set", "gas.particles=64,gas.steps=20")
        self.assertEqual([row["workload"] for row in document["rows"]], ["gas"])
        self.assertEqual(list(document["params"]), ["gas"])

    def test_energy(self):
        """Most machines of tests have no counter that may be read: then the reason stands in place of the figure."""
        run = [*SHORT, "pso", "--set", "pso.particles=16,pso.iterations=5", "--energy", "--out", self.folder / "out.json"]
        energy = self.document(*run)["rows"][0]["energy"]
        names = [figure["name"] for figure in json.loads((self.folder / "out.json").read_text())["rows"][0]["figures"]]
        if energy["reason"]:
            self.assertRegex(energy["reason"], "the energy of this processor is not known|energy_uj")
            self.assertEqual([energy[key] for key in ("power_w", "rest_power_w", "work_per_joule", "runs")], [None] * 3 + [0])
            self.assertNotIn("mean power", names)
            self.assertRegex(self.succeeds(*run), r"power of host t\d+: -, ")
        else:
            self.assertGreaterEqual(energy["window_s"], 5)
            self.assertIn("a joule", names)

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
        words = "Rounding makes trajectories diverge: trust the check of a row, not equal digits."
        run = ["compare", "pso", "gas", "--samples", "1", "--roofs", "no", "--set", "pso.dim=4,pso.iterations=20,gas.particles=64,gas.steps=20", "--device"]
        self.assertIn(f"\n{words}\n", self.succeeds(*run, f"{device},host"))
        self.assertNotIn(words, self.succeeds(*run, "host"))

    def test_it_fits_80_columns(self):
        text = self.succeeds(*SHORT, "--set", SMALL_SET)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertRegex(text, r"\n\nhost: \S.*\nload (\d+\.\d\d in the minute|not known)[^\n]*\n([^\n]+\n)?\Z")
        self.assertIn("\ntimes of one run; ", text)

    def test_result_file(self):
        path = self.folder / "results.json"
        self.succeeds(*SHORT, "--out", path, "--set", SMALL_SET)
        document = json.loads(path.read_text())
        self.assertEqual(document["schema"], 1)
        row = document["rows"][0]
        self.assertEqual((row["device"], row["check"], row["unit"]), ("host", "pass", "evaluations/s"))
        self.assertEqual(row["case"], "pso.compare.dim=4,particles=32,update=inertia,topology=global,iterations=20")


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

    def failed_page(self, *args):
        """With rows of devices that cannot run."""
        self.needs_opencl()
        path = self.folder / "failed.html"
        done = support.shoal("compare", "--html", path, "--samples", "1", "--set", SMALL_SET, *args)
        self.assertEqual(done.returncode, 1, done.stderr)
        page = Page()
        page.source = path.read_text()
        return page

    def report_of_committed_files(self):
        """Of several machines, with other programs, speed over size, and rows without a figure."""
        path, results = self.folder / "report.html", Path(__file__).resolve().parents[2] / "bench" / "results"
        self.succeeds("report", *sorted(results.glob("compute/*.json")), *sorted(results.glob("pso/cpu2-pso-*.json")),
                      *sorted(results.glob("mlp/h200-mlp-*.json")), "--html", path)
        return path.read_text(encoding="utf-8")

    def test_content(self):
        page = self.page("--roofs", "no")
        self.assertIn("on every device; times are those of one run. ", page.source)
        self.assertNotIn("Roofs were measured", page.text)
        # A chart of all workloads, and one for each workload, each with its axis.
        figures = sum(tag == "figure" for tag, _ in page.tags)
        self.assertGreaterEqual(figures, 6 + 1)
        self.assertEqual(len(re.findall('class="axis', page.source)), figures)
        self.assertIn("Rounding makes trajectories diverge", page.text)
        self.assertFalse([tag for tag, _ in page.tags if tag in ("script", "link", "img", "iframe")])
        self.assertFalse(re.findall(r"(?:src|url)\s*[=(]|href=\"[^#]", page.source), "nothing is loaded from elsewhere")
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


    def test_machine(self):
        path = self.folder / "machine.json"
        page = self.page("--roofs", "no", "--device", "host", "--out", path)
        machine = json.loads(path.read_text())["machine"]
        self.assertEqual(machine["kernel"], " ".join((os.uname().sysname, os.uname().release, os.uname().machine)))
        self.assertEqual(machine["name"], os.uname().nodename.split(".")[0])
        self.assertEqual(machine["threads"], os.cpu_count())
        for key in ("name", "processor", "kernel"):
            self.assertIn(machine[key], page.text)
        self.assertIn("%.2f in the minute before the start" % machine["load"], page.text)
        self.assertIn(json.loads(path.read_text())["date"], page.text)

    def test_spread_and_share_of_the_roof_are_on_the_bars(self):
        path = self.folder / "results.json"
        page = self.page("--roofs", "yes", "--samples", "3", "--device", "host", "--out", path)
        rows = json.loads(path.read_text())["rows"]
        self.assertEqual(page.source.count('<b class="range"'), len(rows))
        shares = [row for row in rows if row["share"]]
        self.assertTrue(all(row["bound"] and row["share"] > 0 for row in shares))
        words = {"copy_bytes": "memory bandwidth", "fp32_flops": "fp32 arithmetic rate", "fp64_flops": "fp64 arithmetic rate",
                 "sfu_ops": "rate of reciprocal square roots", "launch": "launch rate"}
        for row in shares:  # none where the machine was busy
            self.assertIn(f" % of the {words[row['bound']]}", page.text)

    def test_colours_have_contrast(self):
        def light(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        def contrast(one, other):
            low, high = sorted((light(one), light(other)))
            return (high + 0.05) / (low + 0.05)

        schemes = re.findall(r":root\{([^}]*)\}", self.page("--roofs", "no", "--device", "host").source)
        self.assertEqual(len(schemes), 3)  # light, dark, printed
        for scheme in schemes:
            colours = {}
            for name, colour in re.findall(r"--(\w+):(#\w+)", scheme):
                colours[name] = colour if len(colour) == 7 else "#" + "".join(2 * c for c in colour[1:])
            for text in ("text", "faint"):
                self.assertGreaterEqual(contrast(colours[text], colours["back"]), 4.5, text)
            for bar in ("c0", "c1", "c2", "c3", "c4", "c5"):
                self.assertGreaterEqual(contrast(colours[bar], colours["track"]), 3, bar)

    @support.long
    def test_it_fits_in_a_browser(self):
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if not browser:
            self.skipTest("no Chromium: install the package chromium")
        # With rows that failed, and a long command line.
        long_path = self.folder / ("long-" * 30 + ".json")
        pages = [self.page("--samples", "3").source,
                 self.failed_page("--variant", "cu", "--out", long_path).source, self.report_of_committed_files()]
        frames = "".join(f'<iframe style="border:0;width:{width}px;height:600px" srcdoc="{html.escape(page)}"></iframe>'
                         for page in pages for width in WIDTHS)
        wrapper = self.folder / "frames.html"
        wrapper.write_text(f"<!doctype html><body><script>{LOOK}</script>{frames}")
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}",
             "--window-size=1600,900", "--dump-dom", wrapper.as_uri()],
            env=environment(HOME=str(self.folder)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        faults = json.loads(html.unescape(re.search("<pre>(.*)</pre>", done.stdout, re.S).group(1)))
        self.assertEqual([width for width, _ in faults], list(WIDTHS) * 3)
        for width, found in faults:
            with self.subTest(width=width):
                self.assertEqual(found, [])


class Divided(Case):
    """A row more: one run over all devices of a kind."""

    TWO = environment(POCL_DEVICES="pthread pthread")
    SET = "pso.runs=3,pso.iterations=20,pso.particles=16,tsp.iterations=2,tsp.generate=uniform:60:1"
    WORKS = ["compare", "pso", "tsp", "--samples", 1, "--roofs", "no", "--set", SET]
    DEVICES = ["--device", "opencl:0,opencl:1"]

    def setUp(self):
        super().setUp()
        if len(support.opencl_devices(self.TWO)) < 2:
            self.skipTest("PoCL does not show two devices")

    def test_figures(self):
        page = self.folder / "page.html"
        document = json.loads(self.succeeds(*self.WORKS[:-1], self.SET + ",gas.steps=2,gas.particles=256", "gas", *self.DEVICES,
                                            "--json", "--html", page, env=self.TWO))
        rows = [row for row in document["rows"] if row["workload"] == "pso"]
        self.assertEqual([row["device"] for row in rows], ["opencl:0", "opencl:1", "opencl:0 + opencl:1"])
        rates = [row["timed_work"] / row["wall_s"] for row in rows]
        self.assertAlmostEqual(rows[2]["gain"] / (rates[2] / max(rates[:2])), 1)
        self.assertAlmostEqual(rows[2]["of_sum"] / (rates[2] / sum(rates[:2])), 1)
        self.assertEqual([(part["device"], part["unit"], part["count"]) for part in rows[2]["parts"]],
                         [("opencl:0", "run", 2), ("opencl:1", "run", 1)])
        self.assertEqual(rows[2]["result"]["value"], rows[0]["result"]["value"])
        self.assertNotIn("gain", rows[0])
        # What cannot be divided says why, and fails nothing.
        self.assertEqual(len(document["rows"]), 8)
        refused = {work["workload"]: work["reason"] for work in document["not_divided"]}
        self.assertIn("give --colonies 2 or more", refused["tsp"])
        text = page.read_text()
        self.assertIn("<strong>opencl:0 + opencl:1 cl</strong>", text)
        self.assertIn("<p>divided over opencl:0 + opencl:1 (2 + 1 runs): ", text)
        self.assertIn("<p>not divided: colonies are divided", text)

    def test_text(self):
        text = self.succeeds(*self.WORKS, *self.DEVICES, env=self.TWO)
        row = r"\nopencl:0 \+ opencl:1 +\d.*\n\ndivided over opencl:0 \+ opencl:1 \(2 \+ 1 runs\): [0-9.]+\s+times\s+the\s+rate\s+of\s+opencl:[01],"
        self.assertRegex(text, row)
        self.assertIn("\nnot divided: colonies are divided among devices", text)

    def test_which_devices(self):
        work = ["compare", "pso", "--samples", 1, "--roofs", "no", "--set", "pso.runs=3,pso.iterations=5,pso.particles=16"]

        def devices(*more):
            document = json.loads(self.succeeds(*work, *more, "--json", env=self.TWO))
            return [row["device"] for row in document["rows"]]
        self.assertEqual(devices("--device", "host,opencl:0"), ["host", "opencl:0"])
        self.assertEqual(devices("--device", "host,opencl:0,opencl:1", "--split", "no"), ["host", "opencl:0", "opencl:1"])
        self.assertEqual(devices("--device", "host,opencl:0,opencl:1", "--split", "yes")[3:], ["opencl:0 + opencl:1"])
        # A device and its parts are of one kind, but only the parts can share a run.
        self.assertEqual(devices("--device", "opencl:0,opencl:0/2")[3:], ["opencl:0/2:0 + opencl:0/2:1"])
        power = json.loads(self.succeeds(*work, "--device", "opencl:0/2", "--split", "yes", "--energy", "--json"))["rows"][2]["energy"]
        self.assertTrue("the energy of this processor is not known" in power["reason"] or "energy_uj" in power["reason"]
                        if power["reason"] else power["work_per_joule"] > 0)
        line = self.fails(2, *work, "--device", "host,opencl:0", "--split", "yes", env=self.TWO)
        self.assertIn("--split yes needs two devices or more that share a run", line)

    def test_result_files_have_no_divided_run(self):
        out = self.folder / "out.json"
        self.succeeds(*self.WORKS, *self.DEVICES, "--out", out, env=self.TWO)
        self.assertEqual([row["device"] for row in json.loads(out.read_text())["rows"]], ["opencl:0", "opencl:1"] * 2)


if __name__ == "__main__":
    support.main()
