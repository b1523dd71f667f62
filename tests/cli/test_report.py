#!/usr/bin/env python3
"""shoal report: pages, tables and regressions from result files."""

import csv
import json
import re
from pathlib import Path

import support
from support import Case
from test_compare import Page

RESULTS = Path(__file__).resolve().parents[2] / "bench" / "results"
HOST = {"id": "host", "name": "AMD EPYC", "driver": "gcc", "roofs": None}
CARD = {"id": "cuda:0", "name": "NVIDIA H200", "driver": "580",
        "roofs": {"fp32_flops": 6e13, "fp64_flops": 3e13, "sfu_ops": 4e12, "copy_bytes": 4e12, "launch_us": 3.0}}


def row(case, device, value, **more):
    return {"case": case, "device": device, "variant": "cl", "precision": "fp32", "value": value, "unit": "pairs/s",
            "better": "higher", "samples": 5, "min": value and 0.9 * value, "max": value and 1.1 * value, "spread": 0.01,
            "bound": None, "roof": None, "share": None, "check": "pass", "error": 0.0, "device_s": 1.0, "wall_s": 1.0,
            "build_s": 0.0, "first_launch_s": 0.1, **more}


def run(rows, devices=(HOST, CARD), name="box", date="2026-11-27T10:00:00Z", **more):
    return {"schema": 1, "commit": "abc", "date": date, "command": "shoal bench", "devices": list(devices), "rows": rows,
            "machine": {"name": name, "processor": "AMD EPYC", "kernel": "Linux", "threads": 2, "load": 0.1}, **more}


class OfFiles(Case):
    def written(self, name, document):
        path = self.folder / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def report(self, *args, code=0):
        """Page, rows of the table, lines of errors, and what was printed."""
        page, table = self.folder / "page.html", self.folder / "table.csv"
        done = support.shoal("report", *args, "--html", page, "--csv", table)
        self.assertEqual(done.returncode, code, done.stderr)
        parsed = Page()
        parsed.source = page.read_text(encoding="utf-8")
        parsed.feed(parsed.source)
        parsed.close()
        self.assertEqual(parsed.open, [])
        self.assertFalse([tag for tag, _ in parsed.tags if tag in ("script", "link", "img", "iframe")])
        with open(table, encoding="utf-8", newline="") as file:
            return parsed, list(csv.DictReader(file)), done.stderr.splitlines(), done.stdout


class Pages(OfFiles):
    def test_every_committed_file_is_read(self):
        paths = sorted(RESULTS.rglob("*.json"))
        documents = {path: json.loads(path.read_text(encoding="utf-8")) for path in paths}
        with_rows = [path for path in paths if "rows" in documents[path] and "kind" not in documents[path]]
        self.assertGreater(len(with_rows), 50)
        page, table, lines, _ = self.report(*with_rows)
        self.assertTrue(all("has the name of another one" in line for line in lines), lines)
        self.assertEqual(sorted(line["case"] for line in table),
                         sorted(row["case"] for path in with_rows
                                for row in documents[path]["rows"] + documents[path].get("skipped", [])))
        for words in ("copy_bytes", "fp32_flops", "sfu_ops"):
            self.assertNotIn(words, page.text)
        self.assertIn("97 % of the memory bandwidth", page.text)
        self.assertIn("pso.global.rastrigin30-N: speed over problem size", page.text)

    def test_files_of_quality_are_tables(self):
        """They say how good the results of programs are."""
        paths = [path for path in sorted(RESULTS.rglob("*.json")) if "cells" in json.loads(path.read_text(encoding="utf-8"))]
        self.assertGreater(len(paths), 30)
        rates = self.written("rates.json", run([row("tsp.a.b", "host", 2e6)]))
        page, table, lines, text = self.report(rates, *paths)
        self.assertEqual((lines, len(table)), ([], 1))
        self.assertEqual(sum(tag == "h3" for tag, _ in page.tags), 1 + len(paths))
        for words in ("quality-tsp", "259800", "SciPy", "Quality of results"):
            self.assertIn(words, page.text)
        # Each figure has a column of its own, or is named once where all rows have the same one.
        titles = re.findall("<th [^>]*>(.*?)</th>", page.source.replace("<wbr>", ""))
        for path in paths:
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                for key in cell:
                    self.assertTrue(key in titles or f"{key}: " in page.text, (path, key))
        for words in ("success_rate", "median", "worst", "seconds"):
            self.assertIn(words, titles)
        self.assertNotIn("further columns", page.text)
        self.assertIn("no rates; --html shows the files", self.succeeds("report", paths[0]))
        self.assertIn("--relative-to host: the files have no devices", self.fails(2, "report", paths[0], "--relative-to", "host"))

    def test_columns_of_quality(self):
        """A later row has more keys than the first one, and there are more of them than the page shows."""
        path = self.written("wide.json", {"kind": "wide", "cells": [{"a": 1, "same": "yes"},
                                                                   {"a": 2, "same": "yes", **{f"k{i}": 7 * i for i in range(40)}}]})
        page = self.report(path)[0]
        self.assertIn("In all rows: same: yes", page.text)
        self.assertIn("10 further columns of the file are not shown.", page.text)
        self.assertIn("k29", page.text)
        self.assertNotIn("k30", page.text)
        single = self.written("single.json", {"kind": "single", "cells": [{"a": 1, "b": 2}]})
        self.assertNotIn("In all rows", self.report(single)[0].text)

    def test_devices_beside_each_other(self):
        one = self.written("one.json", run([row("gas.list.a-64", "host", 2e6, variant="t2"),
                                            row("gas.list.a-64", "cuda:0", 8e6, share=0.29, bound="copy_bytes", roof=2.7e7),
                                            row("gas.list.a-4096", "host", 2e6, variant="t2"), row("gas.list.a-4096", "cuda:0", 2e8),
                                            row("peer.lammps-1.2.a-4096", "host", 1e6, variant="t1", precision="fp64")]))
        page, table, lines, text = self.report(one)
        self.assertEqual(lines, [])
        # The geometric mean of 4 and 100.
        self.assertIn("20.0x over 2 cases", page.text)
        self.assertRegex(text, r"\ngas +cuda:0 +cl +20\.0x")
        self.assertIn("relative to host, AMD EPYC", page.text)
        self.assertIn("29 % of the memory bandwidth", page.text)
        self.assertIn("gas.list.a-N: speed over problem size", page.text)
        self.assertIn("lammps-1.2, host t1", page.text)
        self.assertIn("shoal on the same device: 2.00x", page.text)
        self.assertEqual([line["speed"] for line in table], ["1", "4", "1", "100", ""])
        self.assertEqual(table[1]["share"], "0.29")
        self.assertIn("x cuda:0", self.report(one, "--relative-to", "cuda:0")[0].text)
        self.assertIn("--relative-to: 'cuda:1' is not one of host, cuda:0", self.fails(2, "report", one, "--relative-to", "cuda:1"))

    def test_devices_without_a_case_in_common(self):
        """The text then lists the rows, the newest ones."""
        rows = [row("gas.list.a", "cuda:0", 8e6, share=0.29, bound="copy_bytes", roof=2.7e7),
                row("pso.global.a", "host", 2e6), row("gas.list.b", "cuda:0", 1e6, check="fail")]
        one = self.written("one.json", run(rows))
        old = self.written("old.json", run([row("gas.list.a", "cuda:0", 7e6)], date="2026-11-26T10:00:00Z"))
        text = self.report(one, old)[3]
        self.assertRegex(text, r"\ngas\.list\.a +cuda:0 +cl +8\.000 Mpairs/s +29 % +memory bandwidth *\n")
        self.assertRegex(text, r"\npso\.global\.a +host +cl +2\.000 Mpairs/s +- +- *\n")
        self.assertNotIn("7.000", text)
        self.assertNotIn("gas.list.b", text)
        self.assertIn("1 without a figure", text)
        self.assertIn("8.000 Mpairs/s", self.report(one, "--relative-to", "cuda:0")[3])

    def test_workloads_without_a_case_in_common(self):
        rows = [row("gas.list.a", "cuda:0", 8e6), row("gas.list.a", "host", 2e6), row("pso.global.a", "host", 3e6)]
        text = self.report(self.written("one.json", run(rows)))[3]
        self.assertRegex(text, r"\ngas +cuda:0 +cl +4\.00x")
        self.assertRegex(text, r"\npso\.global\.a +host +cl +3\.000 Mpairs/s")
        self.assertNotRegex(text, r"\npso +host")

    def test_a_failed_check_is_shown_and_in_no_mean(self):
        """Even where a file of another program has a figure."""
        path = self.written("failed.json", run(
            [row("gas.list.a", "host", 2e6), row("gas.list.a", "cuda:0", 4e6), row("gas.list.b", "host", 2e6),
             row("gas.list.b", "cuda:0", 9e9, check="fail")],
            skipped=[{"case": "gas.list.c", "device": "cuda:0",
                      "error": {"status": "unsupported", "message": "no fp64 here", "call": None, "native": 0}}]))
        page, table, lines, text = self.report(path)
        self.assertEqual(lines, [])
        self.assertRegex(text, r"\ngas +cuda:0 +2\.00x|\ngas +cuda:0 +cl +2\.00x")
        self.assertNotIn("9.000 Gpairs/s", page.text)
        self.assertIn("the check of the result failed", page.text)
        self.assertIn("no fp64 here", page.text)
        failed = next(line for line in table if line["check"] == "fail")
        self.assertEqual((failed["value"], failed["reason"]), ("", "the check of the result failed"))
        last = {key: value for key, value in table[-1].items() if value and key not in ("date", "commit", "processor")}
        self.assertEqual(last, {"case": "gas.list.c", "machine": "box", "device": "cuda:0", "device_name": "NVIDIA H200",
                                "check": "none", "reason": "no fp64 here"})
        self.assertEqual([(one["case"], one["machine"], one["device"], one["reason"])
                          for one in json.loads(self.succeeds("report", path, "--json"))["failures"]],
                         [("gas.list.b", "box", "cuda:0", "the check of the result failed"),
                          ("gas.list.c", "box", "cuda:0", "no fp64 here")])

    def test_machines_and_dates(self):
        other = dict(HOST, name="Intel Xeon")
        paths = [self.written("a.json", run([row("pso.a.b", "host", 2e6)])),
                 self.written("b.json", run([row("pso.a.b", "host", 4e6)], date="2026-11-28T10:00:00Z")),
                 self.written("c.json", run([row("pso.a.b", "host", 8e6)], devices=[other])),
                 self.written("old-bench-2026.json", {key: value for key, value in run([row("pso.a.b", "host", 1e6)]).items()
                                                      if key != "machine"})]
        page, table, lines, text = self.report(*paths)
        self.assertEqual(len(lines), 1)
        self.assertIn(f"{paths[2]}: its machine has the name of another one, 'box', but other devices: it is shown as 'box (2)'", lines[0])
        self.assertEqual([line["machine"] for line in table], ["box", "box", "box (2)", "old"])
        self.assertIn("AMD EPYC, 2026-11-28", page.text)
        # The newest run of a device counts.
        self.assertRegex(text, r"\npso +host of box \(2\) +2\.00x|\npso +host of box \(2\) +cl +2\.00x")

    def test_what_files_contain_is_escaped(self):
        name = "<script>alert(1)</script>"
        path = self.written("a<b>.json", run([row(f"gas.{name}.b", "host", 1.0, reason=name)], devices=[dict(HOST, name=name)]))
        page = self.report(path)[0]
        self.assertNotIn("<script", page.source)
        self.assertIn(name, page.text)

    def test_json(self):
        path = self.written("one.json", run([row("gas.list.a", "host", 2e6), row("gas.list.a", "cuda:0", 8e6)]))
        document = json.loads(self.succeeds("report", path, "--json"))
        self.assertEqual([(mean["device"], mean["speed"], mean["relative_to"]) for mean in document["means"]],
                         [("host", 1, "host"), ("cuda:0", 4, "host")])

    def test_a_single_figure_without_a_check(self):
        """The page says no more than the file does, and each of its links has a target."""
        path = self.written("one.json", run([row("gas.list.a", "host", 2e6, check="none")], devices=[HOST],
                                            machine={"name": "box", "processor": "AMD EPYC"}))
        page = self.report(path)[0]
        self.assertIn("not checked", page.text)
        self.assertNotIn("every figure passed", page.text)
        self.assertNotIn("EPYC threads", page.text)
        names = {value for _, attributes in page.tags for key, value in attributes.items() if key == "id"}
        links = [value[1:] for tag, attributes in page.tags for key, value in attributes.items() if (tag, key) == ("a", "href")]
        self.assertGreater(len(links), 1)
        self.assertEqual([link for link in links if link not in names], [])

    def test_roofs_of_devices(self):
        """Of shoal devices --measure --json, of today and of before."""
        listing = {"schema": 1, "shoal": "0.1.0", "command": "devices", "backends": [], "devices": [dict(CARD, type="gpu")]}
        now = dict(listing, date="2026-11-28T10:00:00Z", machine=run([])["machine"])
        page, table, lines, _ = self.report(self.written("box-devices.json", listing), self.written("now.json", now))
        self.assertEqual((lines, table), ([], []))
        self.assertEqual(page.text.count("4.000 TB/s"), 1)
        self.assertIn("box", page.text)


class Baselines(OfFiles):
    def test_slower_rows(self):
        before = self.written("before.json", run([row("gas.a.b", "cuda:0", 1e9), row("gas.a.c", "cuda:0", 1e9, spread=0.1),
                                                  row("gas.a.d", "cuda:0", 1e9), row("gas.a.e", "host", 1e9)]))
        now = self.written("now.json", run([row("gas.a.b", "cuda:0", 0.8e9), row("gas.a.c", "cuda:0", 0.8e9),
                                            row("gas.a.d", "cuda:0", None, check="fail"), row("gas.a.e", "host", 0.5e9)],
                                           devices=[dict(HOST, name="another"), CARD]))
        page, _, lines, text = self.report(now, "--baseline", before, code=7)
        self.assertEqual(lines, [])
        # gas.a.c is within three times its spread, gas.a.e was measured on another processor.
        self.assertIn("2 of 3 figures on the same devices are slower", page.text)
        self.assertRegex(text, r"gas\.a\.b .*20\.0 %.* 6\.0 %")
        self.assertRegex(text, r"gas\.a\.d .*no figure")
        self.assertIn("None of 4 rows is worse than before.", self.report(before, "--baseline", before)[3])


    def test_the_newest_run_is_judged(self):
        base = self.written("base.json", run([row("gas.a.b", "host", 1e9)], date="2026-11-01T10:00:00Z"))
        old = self.written("old.json", run([row("gas.a.b", "host", 0.5e9)], date="2026-11-02T10:00:00Z"))
        new = self.written("new.json", run([row("gas.a.b", "host", 1e9)], date="2026-11-03T10:00:00Z"))
        self.assertIn("None of 1 rows is worse", self.report(old, new, "--baseline", base)[3])
        self.report(old, "--baseline", base, code=7)

    def test_a_case_that_is_left_out_now(self):
        """It has no figure, unless a run that is as new has one."""
        before = self.written("before.json", run([row("gas.a.b", "host", 1e9), row("gas.a.c", "host", 1e9)]))
        skipped = [{"case": "gas.a.c", "device": "host",
                    "error": {"status": "failed", "message": "broken", "call": None, "native": 0}}]
        now = self.written("now.json", run([row("gas.a.b", "host", 1e9)], skipped=skipped))
        page, _, _, text = self.report(now, "--baseline", before, code=7)
        self.assertIn("1 of 2 figures on the same devices are slower", page.text)
        self.assertRegex(text, r"gas\.a\.c .*no figure")
        document = json.loads(support.shoal("report", now, "--baseline", before, "--json").stdout)
        self.assertEqual([(one["case"], one["now"]) for one in document["regressions"]], [("gas.a.c", None)])
        other = self.written("other.json", run([row("gas.a.c", "host", 1e9)]))
        self.assertIn("None of 2 rows is worse", self.report(now, other, "--baseline", before)[3])

    def test_nothing_to_compare(self):
        """One line and exit code 1; the rest is shown."""
        now = self.written("now.json", run([row("gas.a.b", "host", 1e9)]))
        quality = self.written("quality.json", {"kind": "quality", "cells": [{"a": 1}]})
        nothing = "has no row that can be compared: same case, device, device name, variant and unit"
        for name, document, words in (
            ("processor.json", run([row("gas.a.b", "host", 1e9)], devices=[dict(HOST, name="another")]), nothing),
            ("case.json", run([row("gas.a.c", "host", 1e9)]), nothing),
            ("failed.json", run([row("gas.a.b", "host", None, check="fail")]), nothing),
            ("quality.json", None, "is a file of quality, without rates to compare"),
        ):
            with self.subTest(name):
                path = self.written(name, document) if document else quality
                page, table, lines, text = self.report(now, "--baseline", path, code=1)
                self.assertEqual(lines, [f"shoal: --baseline: {path} {words}"])
                self.assertEqual(len(table), 1)
                for words in ("became slower", "Quality of results"):
                    self.assertNotIn(words, page.text)
                self.assertIsNone(json.loads(support.shoal("report", now, "--baseline", path, "--json").stdout)["regressions"])

    def test_busy_machines(self):
        idle = self.written("idle.json", run([row("gas.a.b", "host", 1e9)]))
        busy = self.written("busy.json", run([row("gas.a.b", "host", 0.5e9)],
                                             machine={"name": "box", "processor": "AMD EPYC", "threads": 2, "load": 1.5}))
        for now, before in ((busy, idle), (idle, busy)):
            self.assertEqual(self.report(now, "--baseline", before, code=1)[2],
                             [f"shoal: --baseline: busy, no verdict: load 1.50 of 2 threads before the run of {busy}; "
                              "repeat it on an idle machine, or judge all the same by --baseline-busy"])
        self.report(busy, "--baseline", idle, "--baseline-busy", code=7)
        self.report(idle, "--baseline", busy, "--baseline-busy")


class Mistakes(OfFiles):
    """One line each, and the page of the rest."""

    def test_files(self):
        good = self.written("good.json", run([row("gas.list.a", "host", 2e6)]))
        whole = good.read_text()
        for name, text, words in (
            ("cut.json", whole[:200], "not a result file: its text is no JSON object"),
            ("text.json", "hello", "not a result file: its text is no JSON object"),
            ("other.json", '{"name": "package", "version": "1"}', "not a result file of schema 1"),
            ("newer.json", whole.replace('"schema": 1', '"schema": 2'), "schema 2"),
            ("run.json", '{"schema": 1, "shoal": "1.0", "command": "gas", "rows": []}', '"commit" is missing'),
            ("row.json", whole.replace('"unit": "pairs/s"', '"unit": 3'), 'rows[0]: "unit" is missing or not a text'),
            ("huge.json", whole.replace('"value": 2000000.0', '"value": 1e999'), None),
            ("device.json", whole.replace('"name": "AMD EPYC"', '"name": ""'), "devices[0]: the device 'host' has no name"),
        ):
            with self.subTest(name):
                path = self.written(name, text)
                page, table, lines, _ = self.report(good, path, code=1 if words else 0)
                self.assertEqual(len(lines), 1 if words else 0, lines)
                if words:
                    self.assertTrue(lines[0].startswith(f"shoal: {path}: "), lines[0])
                    self.assertIn(words, lines[0])
                self.assertIn("gas.list.a", page.text)
                self.assertIn("2.000 Mpairs/s", page.text)
        self.assertRegex(self.fails(1, "report", self.folder / "none.json"), r"\Ashoal: \S+none.json: cannot be read: No such file")

    def test_no_page_over_another_file(self):
        good = self.written("good.json", run([row("gas.list.a", "host", 2e6)]))
        self.assertIn("is the file that is read", self.fails(2, "report", good, "--html", good))
        self.assertIn("no FILE", self.fails(2, "report"))
        other = self.written("notes.txt", "notes\n")
        self.assertIn("--csv: ", self.fails(1, "report", good, "--csv", other))
        self.assertEqual(other.read_text(), "notes\n")


if __name__ == "__main__":
    support.main()
