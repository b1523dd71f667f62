#!/usr/bin/env python3
"""Tables of measured figures: what results.py writes, and what it refuses.

usage: test_tables.py RESULTS.PY
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop(1)


def row(case, device, variant, value, **other):
    return dict({"case": case, "device": device, "variant": variant, "precision": "fp32", "value": value,
                 "unit": "bytes/s", "better": "higher", "samples": 9, "min": value, "max": value, "spread": 0.012,
                 "bound": None, "roof": None, "share": None, "check": "pass", "error": 0, "device_s": 1, "wall_s": 1,
                 "build_s": 0, "first_launch_s": 0}, **other)


ROOFS = {"fp32_flops": 5.65e13, "fp64_flops": None, "sfu_ops": 3.4e12, "copy_bytes": 4.25e12, "launch_us": 4.83}
RUN = {"schema": 1, "commit": "abc", "date": "2026-11-21T04:05:06Z", "command": "shoal bench", "devices": [
    {"id": "cuda:0", "name": "Card", "driver": "1", "roofs": ROOFS}], "rows": [
        row("lib.sum.f32", "cuda:0", "cl", 3.2e12, bound="copy_bytes", roof=4.25e12, share=0.753),
        row("lib.sum.f32", "host", "t1", 1e10), row("lib.sum.f32", "host", "t16", 1.6e11),
        row("core.launch.args8", "cuda:0", "cl", 5.5e-6, unit="s", better="lower"),
        row("core.launch.args8-ratio", "cuda:0", "cl", 1.07, unit="ratio", better="lower"),
        row("lib.scan.u32", "cuda:0", "cl", None, check="fail")]}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("run.json", json.dumps(RUN))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name="page.md"):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def tool(self, *arguments):
        return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True, check=False)

    def page(self, options=""):
        self.write("page.md", f"before\n<!-- results: run.json{options} -->\nold\n<!-- /results -->\nafter\n")
        return self.tool(self.path("page.md"))

    def refused(self, result, message):
        self.assertEqual(result.returncode, 1)
        self.assertIn(message, result.stderr)
        self.assertEqual(len(result.stderr.strip().split("\n")), 1)

    def test_rows(self):
        self.assertEqual(self.page().returncode, 0)
        text = self.read()
        self.assertTrue(text.startswith("before\n<!-- results: run.json -->\n\n| case |"))
        self.assertTrue(text.endswith("\n<!-- /results -->\nafter\n"))
        self.assertIn("| `lib.sum.f32` | cuda:0 | cl | 3.200 Tbytes/s | 75 % copy_bytes | 20x | 1 % | 9 |", text)
        self.assertIn("| `core.launch.args8` | cuda:0 | cl | 5.500 us |", text)
        self.assertIn("| 1.07x |", text)
        self.assertIn("Commit abc, 2026-11-21: `shoal bench`", text)
        self.assertNotIn("old", text)

    def test_published(self):
        run = dict(RUN, rows=RUN["rows"] + [
            row("thesis-pso.table3.shfl", "cuda:0", "cl", 8e-6, unit="s", better="lower", published=177e-6,
                published_on="GTX660Ti"),
            row("thesis-pso.rate", "cuda:0", "cl", 6e6, published=3e6, published_on="K20")])
        self.write("run.json", json.dumps(run))
        self.page()
        text = self.read()
        self.assertIn("| spread | samples | published | on | gain |", text)
        self.assertIn("| 177.0 us | GTX660Ti | 22.1x |", text)
        self.assertIn("| 3.000 Mbytes/s | K20 | 2x |", text)
        self.assertIn("| 1 % | 9 | - | - | - |", text)
        self.page(" cases=lib.*")
        self.assertNotIn("published", self.read())

    def beside(self, *options):
        """A page with a table=published of each of the options, from rows with figures of a source."""
        figures = [{"name": "over 1 thread", "value": 36.0, "unit": "ratio"}, {"name": "test part", "value": 0.8, "unit": ""},
                   {"name": "published, E6600 t1", "value": 12.0, "unit": "ratio"}]
        run = dict(RUN, devices=RUN["devices"] + [{"id": "host", "name": "CPU", "roofs": None}], rows=RUN["rows"] + [
            row("thesis-a.time.1", "cuda:0", "cl", 4e-6, unit="s", better="lower", published=8e-6, published_on="K20"),
            row("thesis-a.time.1", "cuda:0", "cu", 2e-6, unit="s", better="lower", published=8e-6, published_on="K20"),
            row("thesis-a.time.1", "host", "t1", 1e-3, unit="s", better="lower", published=8e-6, published_on="K20"),
            row("thesis-a.ratio.1", "cuda:0", "cl", 1e-3, unit="s", better="lower", figures=figures)])
        self.write("run.json", json.dumps(run))
        marks = "".join(f"<!-- results: run.json table=published {option} -->\n" for option in options)
        self.write("page.md", f"{marks}<!-- /results -->\n")
        return self.tool(self.path("page.md"))

    def test_beside_published(self):
        ratios = "figure=over_1_thread against=published,_E6600_t1 on=GTX_480_over_E6600"
        self.assertEqual(self.beside("devices=cuda:0", "variants=t1", ratios, "figure=test_part against=test_part on=x").returncode, 0)
        self.assertIn("\n\n| case | published | on | shoal | on | gain |\n|---|---:|---|---:|---|---:|\n"
                      "| `thesis-a.time.1` | 8.000 us | K20 | 2.000 us | Card, cuda:0 cu, fp32 | 4x |\n"
                      "| `thesis-a.time.1` | 8.000 us | K20 | 1.000 ms | CPU, host t1, fp32 | 0.008x |\n"
                      "| `thesis-a.ratio.1` | 12.00x | GTX 480 over E6600 | 36.00x | Card, cuda:0 cl, fp32 | 3x |\n"
                      "| `thesis-a.ratio.1` | 0.8 | x | 0.8 | Card, cuda:0 cl, fp32 | - |\n\n"
                      "Commit abc, 2026-11-21: `shoal bench`\n\n<!-- /results -->", self.read())
        self.refused(self.beside("cases=lib.*"), "nothing that matches")
        self.refused(self.beside("figure=over_1_thread"), "figure=, against= and on= are given together")
        self.refused(self.beside("figure=none against=none on=x"), "nothing that matches")
        self.refused(self.beside("devices=cuda:0", "table=peers"), "page.md:2: a table of its own")

    def test_figures(self):
        tours = {"unit": "s", "better": "lower"}
        figures = [[{"name": name, "value": value, "unit": unit} for name, value, unit in own] for own in (
            [("seeds", 5, ""), ("a.tsp", 0.00034, ""), ("b.tsp", 0.2, "")],
            [("a.tsp", 0, ""), ("time of a", 1.5, "s")])]
        run = dict(RUN, rows=[row("tsp.cpu.six", "host", "t2", 60, figures=figures[0], **tours), RUN["rows"][0]])
        peer = dict(RUN, command="run.py", devices=[{"id": "host", "name": "CPU", "roofs": None}], rows=[
            row("peer.it.tsp.cpu.six", "host", "t1", 60, figures=figures[1], **tours)])
        self.write("run.json", json.dumps(run))
        self.write("peer.json", json.dumps(peer))
        mark = "<!-- results: {} table=figures figures=*.tsp,time_of_* as=percent -->\n"
        self.write("page.md", f"{mark.format('run.json')}{mark.format('peer.json')}<!-- /results -->\n")
        self.assertEqual(self.tool(self.path("page.md")).returncode, 0)
        self.assertIn("\n\n| case | device | a | b | time of a |\n|---|---|---:|---:|---:|\n"
                      "| `tsp.cpu.six` | host t2 | 0.034 % | 20.000 % | - |\n"
                      "| `it.tsp.cpu.six` | host t1 | 0.000 % | - | 1.500 s |\n\n"
                      "Commit abc, 2026-11-21: `shoal bench`\n\nCommit abc, 2026-11-21: `run.py`\n\n<!-- /results -->", self.read())
        mark = "<!-- results: run.json table=peers cases=tsp.* peers=peer.json figure={} as=percent -->\n<!-- /results -->\n"
        self.write("page.md", mark.format("b.tsp"))
        self.refused(self.tool(self.path("page.md")), "peer.json has no figure in no unit")
        figures[1][0]["value"] = 0.00068
        self.write("peer.json", json.dumps(peer))
        self.write("page.md", mark.format("a.tsp"))
        self.assertEqual(self.tool(self.path("page.md")).returncode, 0)
        self.assertIn("| `tsp.cpu.six` | 0.034 %, host t2, fp32 | `it.tsp.cpu.six` | 0.068 %, host t1, fp32 | 2x | CPU |", self.read())
        self.page(" table=figures figures=seeds")
        self.assertIn("| `tsp.cpu.six` | host t2 | 5 |", self.read())
        self.refused(self.page(" table=figures figures=none"), "nothing that matches")
        self.refused(self.page(" table=figures as=parts"), "as=parts: percent or nothing")

    def test_failed_row_has_no_line(self):
        self.page()
        self.assertNotIn("scan", self.read())

    def test_choice(self):
        self.page(" cases=lib.* devices=host")
        text = self.read()
        self.assertNotIn("launch", text)
        self.assertNotIn("cuda:0", text)
        self.assertIn("| t16 |", text)

    def test_devices(self):
        self.page(" table=devices cases=lib.*")
        text = self.read()
        self.assertIn("| case | cuda:0 cl | host t1 | host t16 |", text)
        self.assertIn("| `lib.sum.f32` | 3.200 Tbytes/s | 10.00 Gbytes/s | 160.0 Gbytes/s |", text)

    def test_roofs(self):
        self.page(" table=roofs")
        self.assertIn("| cuda:0 | Card | 56.50 Tflop/s | - | 3.400 Top/s | 4.250 TB/s | 4.830 us |", self.read())

    def peers(self, *options):
        other = dict(RUN, devices=RUN["devices"] + [{"id": "host", "name": "CPU", "roofs": None}], rows=[
            row("peer.a-1.sum", "cuda:0", "a", 4e12), row("peer.b-2.sum", "cuda:0", "b", 1.6e12, precision="fp64"),
            row("peer.b-2.launch", "host", "t2", 2.2e-5, unit="s", better="lower")])
        self.write("peers.json", json.dumps(other))
        marks = "".join(f"<!-- results: run.json table=peers {option} -->\n" for option in options)
        self.write("page.md", f"before\n{marks}<!-- /results -->\nafter\n")
        return self.tool(self.path("page.md"))

    def test_peers(self):
        self.assertEqual(self.peers("cases=lib.sum.* peers=peers.json",
                                    "cases=core.launch.args8 peers=peers.json").returncode, 0)
        text = self.read()
        self.assertIn("| case | shoal | peer | its figure | gain | machine |", text)
        self.assertIn("| `lib.sum.f32` | 3.200 Tbytes/s, cuda:0 cl, fp32 | `a-1.sum` | 4.000 Tbytes/s, cuda:0 a, fp32 "
                      "| 0.8x | Card |\n| `core.launch.args8` | 5.500 us, cuda:0 cl, fp32 | `b-2.launch` | 22.00 us, "
                      "host t2, fp32 | 4x | CPU |\n\n<!-- /results -->\nafter\n", text)
        self.assertEqual(self.tool("--check", self.path("page.md")).returncode, 0)
        self.assertEqual(self.peers("cases=lib.sum.* peers=peers.json rivals=peer.b-*").returncode, 0)
        self.assertIn("| `b-2.sum` | 1.600 Tbytes/s, cuda:0 b, fp64 | 2x |", self.read())

    def test_worst(self):
        self.peers("cases=lib.sum.* peers=peers.json", "cases=core.launch.args8 peers=peers.json",
                   "cases=lib.sum.* peers=peers.json rivals=peer.b-*")
        self.write("front.md", "<!-- results: page.md table=worst -->\n<!-- /results -->\n")
        self.assertEqual(self.tool(self.path("front.md")).returncode, 0)
        text = self.read("front.md")
        self.assertIn("| case | shoal | peer | its figure | gain | machine |", text)
        self.assertEqual(text.count("| `lib.sum.f32` |"), 1)
        self.assertIn("| `a-1.sum` | 4.000 Tbytes/s, cuda:0 a, fp32 | 0.8x | Card |\n| `core.launch.args8` |", text)
        self.write("front.md", "<!-- results: gone.md table=worst -->\n<!-- /results -->\n")
        self.refused(self.tool(self.path("front.md")), "gone.md: No such file")
        self.page()
        self.write("front.md", "<!-- results: page.md table=worst -->\n<!-- /results -->\n")
        self.refused(self.tool(self.path("front.md")), "page.md has no line of table=peers")

    def test_peers_refused(self):
        self.refused(self.peers("cases=lib.sum.*"), "page.md:2: table=peers needs peers=FILE")
        self.refused(self.peers("cases=* peers=peers.json"), "the rows of one case")
        self.refused(self.peers("cases=none peers=peers.json"), "the rows of one case")
        self.refused(self.peers("cases=core.launch.args8-ratio peers=peers.json"), "no figure in ratio")
        self.refused(self.peers("cases=lib.sum.* peers=gone.json"), "gone.json: No such file")
        self.refused(self.peers("cases=lib.sum.* peers=peers.json rivals=c-*"), "no figure in bytes/s")
        self.write("page.md", "<!-- results: run.json -->\n<!-- results: run.json -->\n<!-- /results -->\n")
        self.refused(self.tool(self.path("page.md")), "page.md:1: a table of its own")

    def test_again_changes_nothing(self):
        self.page()
        first = self.read()
        self.assertEqual(self.tool("--check", self.path("page.md")).returncode, 0)
        self.assertEqual(self.tool(self.path("page.md")).returncode, 0)
        self.assertEqual(self.read(), first)

    def test_check_finds_a_typed_figure(self):
        self.page()
        typed = self.read().replace("3.200 T", "3.900 T")
        self.write("page.md", typed)
        result = self.tool("--check", self.path("page.md"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("-| `lib.sum.f32` | cuda:0 | cl | 3.900 T", result.stdout)
        self.assertIn("+| `lib.sum.f32` | cuda:0 | cl | 3.200 T", result.stdout)
        self.assertEqual(self.read(), typed)

    def test_refusals(self):
        self.refused(self.page(" shape=round"), "unknown key 'shape'")
        self.refused(self.page(" table=round"), "table=round")
        self.refused(self.page(" cases=none.*"), "nothing that matches")
        self.write("run.json", '{"schema": 2}')
        self.refused(self.page(), "schema 1")
        self.write("run.json", "{")
        self.refused(self.page(), "not JSON")
        os.remove(self.path("run.json"))
        self.refused(self.page(), "run.json: No such file")
        self.write("page.md", "<!-- results: run.json -->\n")
        self.refused(self.tool(self.path("page.md")), "page.md:1: no <!-- /results -->")
        self.write("page.md", "<!-- /results -->\n")
        self.refused(self.tool(self.path("page.md")), "page.md:1: <!-- /results --> without its beginning")

    def test_nothing_left_behind(self):
        self.page()
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["page.md", "run.json"])


unittest.main(verbosity=0)
