#!/usr/bin/env python3
"""shoal gas --live: pictures and keys. A stand-in for SDL2 (fake_sdl.c) gives keys and takes pictures; where SDL2 and
Xvfb are installed, a window of a real display does."""

import ctypes
import ctypes.util
import json
import os
import re
import shutil
import subprocess
import time
import unittest
from pathlib import Path

import support
from support import Case, environment, shoal
from test_gas import pixels_of

GAS = ["gas", "--particles", "80", "--density", "0.5", "--seed", "3", "--thermostat", "langevin"]
HOST = [*GAS, "--device", "host"]
ENDLESS = [*HOST, "--steps", "4000000000"]
FAKE = os.environ["LIVE_SDL"]


class LiveCase(Case):
    def environment(self, keys, **more):
        return environment(**{"SHOAL_SDL": FAKE, "FAKE_SDL_KEYS": keys, "FAKE_SDL_OUT": str(self.folder / "pictures"),
                              "DISPLAY": ":0", **more})

    def live(self, keys, *args, code=0, **more):
        """The pictures of a view, (hash, title) each, and what the command prints."""
        (self.folder / "pictures").unlink(missing_ok=True)
        done = shoal(*args, "--live", "window", env=self.environment(keys, **more), cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = (self.folder / "pictures").read_text(encoding="utf-8").splitlines()
        return [line.split(" ", 3)[2:] for line in lines], done


class Replay(LiveCase):
    """Runs with keys, which their records repeat."""

    def repeats(self, keys, *args, lines, as_text=False):
        first, second, record = self.folder / "first.xyz", self.folder / "second.xyz", self.folder / "record"
        self.live(keys, *args, "--record", record, "--xyz", first)
        text = record.read_text(encoding="ascii")
        for line in lines:
            self.assertRegex(text, rf"(?m)^{line}$")
        self.succeeds(*args, "--schedule", text if as_text else record, "--xyz", second)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_host(self):
        self.repeats(" nUnnUUD ..c+s", *HOST, "--steps", "200", lines=[
            "0 temperature 4", "0 temperature 1", "3 temperature 1.1", "5 temperature 1.21", "5 temperature 1.331",
            "5 temperature 1.21"])

    def test_stages_and_equilibration(self):
        config = self.file("run.ini", "[gas.hot]\nsteps = 30\nequilibration = 20\n[gas.cold]\nsteps = 30\n")
        self.live(" UnDDn ", *HOST, "--config", config, "--record", self.folder / "record",
                  "--xyz", self.folder / "frames.xyz")
        self.assertIn("\n1 temperature 1.1\n1 temperature 1\n",
                      (self.folder / "record-hot").read_text(encoding="ascii"))
        self.assertTrue((self.folder / "record-cold").exists())

    def test_piston(self):
        piston = [*HOST, "--boundary-x", "walls", "--piston", "x", "--steps", "100"]
        self.repeats(" nRRnL ", *piston, "--piston-pressure", "2", lines=["3 piston-pressure 2.42"], as_text=True)
        self.repeats(" nLLLn ", *piston, "--piston-speed", "0.1", lines=["3 piston-speed -0.05"])
        self.repeats(" nRn ", *HOST, "--pressure", "1", "--steps", "100", lines=["3 pressure 1.1"])

    def test_device(self):
        self.needs_opencl()
        self.repeats(" nUnnUU nD ", *GAS, "--device", "opencl:0", "--steps", "200", lines=["3 temperature 1.1"])

    def test_a_resumed_run_keeps_the_changes(self):
        checkpoint, record = self.folder / "run.ckpt", self.folder / "record"
        _, done = self.live(" nUnUnX", *HOST, "--steps", "200", "--checkpoint", checkpoint, code=130)
        self.assertEqual(done.stderr, "shoal: stopped by its live view; the output holds the results so far\n")
        self.live("D ", *HOST, "--steps", "200", "--resume", checkpoint, "--record", record, "--xyz", "resumed.xyz",
                  "--frames", "200")
        text = record.read_text(encoding="ascii")
        self.assertRegex(text, r"\n3 temperature 1.1\n4 temperature 1.21\n\d+ temperature 1.1\n\Z")
        self.succeeds(*HOST, "--steps", "200", "--schedule", record, "--xyz", self.folder / "whole.xyz", "--frames", "200")
        self.assertIn((self.folder / "resumed.xyz").read_text(encoding="ascii"),
                      (self.folder / "whole.xyz").read_text(encoding="ascii"))


class View(LiveCase):
    def test_pause_zoom_and_save(self):
        pictures, done = self.live(" +-l+hs0q", *ENDLESS, code=130)
        self.assertEqual(done.stderr.count("\n"), 1)
        hashes = [picture[0] for picture in pictures]
        titles = [picture[1] for picture in pictures]
        self.assertRegex(titles[0], r"^shoal gas: step 1 of 4000000000, time 0.005, temperature 1, paused \| space run, ")
        self.assertEqual(hashes[0], hashes[2])
        self.assertEqual(len({*hashes[:2], *hashes[3:6]}), 5)
        self.assertIn("shoal-gas-000000001.png", titles[6])
        width, height, pixels = pixels_of(self.folder / "shoal-gas-000000001.png")
        self.assertEqual((width, height), (320, 240))
        self.assertGreater(len(set(pixels)), 10)

    def test_limits(self):
        pictures, _ = self.live(" " + 16 * "U" + "Rq", *ENDLESS, code=130)
        self.assertIn("temperature 4, paused | temperature is at its limit", pictures[-3][1])
        self.assertIn("the run has no pressure that keys change", pictures[-2][1])

    def test_a_closed_window_ends_the_run(self):
        for key in "X", "q", "\x1b":
            with self.subTest(key=key):
                pictures, done = self.live(f" n{key}", *ENDLESS, "--json", code=130)
                self.assertEqual(json.loads(done.stdout)["rows"][0]["result"]["steps"], 2)
                self.assertEqual(done.stderr, "shoal: stopped by its live view; the output holds the results so far\n")

    def test_a_window_that_fails(self):
        pictures, done = self.live(" nn", *HOST, "--steps", "40", FAKE_SDL_FAIL="show")
        self.assertEqual(len(pictures), 2)
        self.assertEqual(done.stderr, "shoal: --live window: a picture cannot be shown: No available video device; the run "
                                      "goes on without it\n")


class Refused(LiveCase):
    def refuse(self, code, words, *args, **changes):
        self.assertIn(words, self.fails(code, *args, env=self.environment("q", **changes)))

    def test_no_library_or_display(self):
        live = [*HOST, "--live", "window"]
        self.refuse(1, "--live window: SDL2 cannot be loaded (/nowhere/libSDL2.so: cannot open", *live,
                    SHOAL_SDL="/nowhere/libSDL2.so")
        self.refuse(1, "--live window: libm.so.6 has no SDL_SetHint: it is no SDL2", *live, SHOAL_SDL="libm.so.6")
        self.refuse(1, "--live window: the display cannot be opened (No available video device): run where $DISPLAY", *live,
                    FAKE_SDL_FAIL="init")
        self.refuse(1, "--live window: the display opens no window: No available", *live, FAKE_SDL_FAIL="window")

    def test_options(self):
        self.refuse(2, "--record needs --live", *HOST, "--record", self.folder / "record")
        self.refuse(2, "--live: 'widow' is not one of none, window", *HOST, "--live", "widow")
        self.refuse(2, "--record: keys change nothing in this run: give --thermostat", "gas", "--particles", "64", "--device",
                    "host", "--live", "window", "--record", self.folder / "record")
        self.refuse(1, "--record: ", *HOST, "--live", "window", "--record", "/nowhere/record")
        self.refuse(2, "--live", *HOST, "--live", "window", "--replicas", "2")
        self.refuse(2, "--live shows the run of one device: leave out --split", *HOST, "--live", "window", "--split")


class Display(ctypes.Structure):
    pass


class Image(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("width", "height", "xoffset", "format")] + [
        ("data", ctypes.c_void_p)] + [(name, ctypes.c_int) for name in ("order", "unit", "bits", "pad", "depth", "stride")]


class Screen:
    """A window on an X server, by libX11 and the extension XTEST."""

    def __init__(self, name):
        self.x11, self.test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = self.display = ctypes.POINTER(Display)
        self.x11.XGetImage.restype = ctypes.POINTER(Image)
        self.x11.XDefaultRootWindow.restype = self.x11.XStringToKeysym.restype = ctypes.c_ulong
        # A window may go between two calls: errors are no end of the test.
        self.handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, event: 0)
        self.x11.XSetErrorHandler(self.handler)
        self.display = self.x11.XOpenDisplay(name.encode())
        self.root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))

    def window(self):
        """The window of the view, or None."""
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        self.x11.XQueryTree(self.display, self.root, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children),
                            ctypes.byref(count))
        found = [ctypes.c_ulong(children[i]) for i in range(count.value)]
        return next((window for window in found if self.title(window).startswith("shoal gas")), None)

    def title(self, window):
        name = ctypes.c_char_p()
        if not self.x11.XFetchName(self.display, window, ctypes.byref(name)):
            return ""
        return (name.value or b"").decode()

    def pixels(self, window):
        image = self.x11.XGetImage(self.display, window, 0, 0, 600, 600, ctypes.c_ulong(0xffffffff), 2).contents
        return ctypes.string_at(image.data, image.stride * image.height)

    def press(self, window, key):
        self.x11.XSetInputFocus(self.display, window, 1, ctypes.c_ulong(0))
        code = self.x11.XKeysymToKeycode(self.display, ctypes.c_ulong(self.x11.XStringToKeysym(key.encode())))
        for is_down in 1, 0:
            self.test.XTestFakeKeyEvent(self.display, code, is_down, ctypes.c_ulong(0))
        self.x11.XSync(self.display, 0)


def missing():
    """What a test with a real display lacks, or None."""
    if not shutil.which("Xvfb"):
        return "there is no Xvfb (Debian: xvfb)"
    for library, package in ("SDL2-2.0", "libsdl2-2.0-0"), ("X11", "libx11-6"), ("Xtst", "libxtst6"):
        if not ctypes.util.find_library(library):
            return f"there is no {library} (Debian: {package})"
    return None


class RealDisplay(Case):
    def setUp(self):
        super().setUp()
        if missing():
            self.skipTest(missing())

    def wait(self, process, what):
        """Until what() has a value, as long as the run goes on."""
        for _ in range(3000):
            value = what()
            if value:
                return value
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return self.fail("nothing happened for a minute")

    def start(self, command, **more):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_keys_and_pixels(self):
        server = self.start(["Xvfb", "-displayfd", "1", "-screen", "0", "1000x1000x24", "-nolisten", "tcp"])
        name = ":" + server.stdout.readline().strip()
        record = self.folder / "record"
        run = self.start([support.SHOAL, *ENDLESS, "--live", "window", "--record", str(record)],
                         env=environment(DISPLAY=name, SDL_VIDEODRIVER="x11", XDG_RUNTIME_DIR=str(self.folder)),
                         cwd=self.folder)
        screen = Screen(name)
        window = self.wait(run, screen.window)
        self.wait(run, lambda: "step" in screen.title(window))
        screen.press(window, "space")
        self.wait(run, lambda: "paused" in screen.title(window))
        paused = screen.pixels(window)
        self.assertGreater(len(set(paused)), 3)
        screen.press(window, "equal")
        self.wait(run, lambda: screen.pixels(window) != paused)
        screen.press(window, "Up")
        self.wait(run, lambda: "temperature 1.1" in screen.title(window))
        screen.press(window, "q")
        _, message = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, message)
        self.assertRegex(record.read_text(encoding="ascii"), r"\n\d+ temperature 1.1\n\Z")

    def test_no_display(self):
        env = {key: value for key, value in environment().items()
               if key not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR")}
        for changes in {}, {"DISPLAY": ":4711"}, {"WAYLAND_DISPLAY": "/nowhere"}:
            with self.subTest(changes):
                message = self.fails(1, *HOST, "--live", "window", env=env | changes)
                self.assertIn("the display cannot be opened (" if changes else "there is no display: run where", message)
        self.succeeds(*HOST, "--steps", "20", "--live", "window", env=env | {"SDL_VIDEODRIVER": "dummy"})


if __name__ == "__main__":
    support.main()
