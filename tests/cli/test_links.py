#!/usr/bin/env python3
"""Copies between devices: shoal devices --links."""

import json

from support import Case, environment, main


class Links(Case):
    def listed(self, selector):
        """The links, by their ends."""
        document = json.loads(self.succeeds("devices", "--links", "--device", selector, "--json"))
        links = {(link["from"], link["to"]): link for link in document["links"]}
        self.assertEqual(len(links), len(document["links"]))
        for link in links.values():
            self.assertIsNone(link["error"])
            self.assertGreater(link["copy_bytes"], 0)
            # A machine that is busy has no figure.
            for figure in (link["bytes_per_s"], link["latency_us"]):
                self.assertTrue(figure is None or figure > 0, link)
        return links

    def test_the_host_and_a_device(self):
        device = self.needs_opencl()
        text = self.succeeds("devices", "--links", "--device", f"{device},host")
        self.assertRegex(text, r"(?m)^from +to +path +rate +8 bytes")
        self.assertRegex(text, rf"(?m)^host +{device} +host  ")
        self.assertRegex(text, rf"(?m)^{device} +host +host  ")
        self.assertIn(f"\n{device} is the only device beside the host.\n", text)

    def test_parts_of_a_device_have_one_memory(self):
        device = self.needs_opencl()
        if json.loads(self.succeeds("devices", "--device", device, "--json"))["devices"][0]["units"] < 2:
            self.skipTest(f"{device} has one compute unit")
        first, second = f"{device}/2:0", f"{device}/2:1"
        paths = {ends: link["path"] for ends, link in self.listed(f"{device}/2").items()}
        self.assertEqual(paths, {(first, second): "same memory", (second, first): "same memory", ("host", first): "host",
                                 (first, "host"): "host", ("host", second): "host", (second, "host"): "host"})

    def test_two_devices_of_one_driver(self):
        two = environment(POCL_DEVICES="pthread pthread")
        devices = [device["id"] for device in json.loads(self.succeeds("devices", "--json", env=two))["devices"] if device["type"] == "cpu"]
        if len(devices) < 2:
            self.skipTest("the OpenCL driver does not show two devices")
        text = self.succeeds("devices", "--links", "--device", ",".join(devices[:2]), env=two)
        for first, second in (devices[:2], devices[1::-1]):
            self.assertRegex(text, rf"(?m)^{first} +{second} +host  ")
        self.assertNotIn("only device", text)

    def test_the_host_alone(self):
        self.assertIn("Links: the host is the only device.", self.succeeds("devices", "--links", "--device", "host"))
        self.assertEqual(self.listed("host"), {})


if __name__ == "__main__":
    main()
