#!/usr/bin/env python3
"""shoal gas: colours of pictures, films by ffmpeg and its stand-in, and pictures in a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

import support
from support import Case, environment, shoal
from test_gas import HOST, pixels_of

FILM = [*HOST, "--steps", "40", "--frames", "10", "--png-size", "60"]
# Takes pictures as ffmpeg does, and notes its size and their number.
STAND_IN = """#!{python}
import os, sys
size = [int(part) for part in sys.argv[sys.argv.index("-s") + 1].split("x")]
path, wanted = sys.argv[-1].removeprefix("file:"), {pictures}
data = sys.stdin.buffer
count, length = 0, 3 * size[0] * size[1]
while count < wanted and len(data.read(length)) == length:
    count += 1
    open(path + ".begun", "w").close()
with open(path, "w") as file:
    print(*size, count, file=file)
if count == wanted:
    print("first line\\nthe film tore", file=sys.stderr)
    sys.exit(9)
"""


class Pictures(Case):
    def test_colours(self):
        """Each colouring gives other pixels; the pictures are too small for labels, which differ anyway."""
        seen = set()
        for colour, *more in (["speed"], ["species", "--species", "A=0.5,B=0.5"], ["hexatic", "--hexatic-range", "1.6"],
                              ["density"]):
            path = self.folder / colour
            self.succeeds(*HOST, *more, "--steps", "4", "--frames", "4", "--png", path, "--png-size", "120", "--png-colour", colour)
            seen.add(pixels_of(self.folder / f"{colour}-000000004.png")[2])
        self.assertEqual(len(seen), 4)

    def test_device_draws_as_the_host(self):
        """At step 0 both have the same particles, but for their rounding."""
        device = self.needs_opencl()
        for name in ("host", device):
            self.succeeds(*HOST[:1], "--device", name, "--particles", "100", "--steps", "0", "--frames", "1", "--precision", "double",
                          "--png", self.folder / name.split(":")[0], "--png-size", "120")
        host, other = (pixels_of(self.folder / f"{name}-000000000.png") for name in ("host", device.split(":")[0]))
        self.assertEqual(host[:2], other[:2])
        differ = sum(a != b for a, b in zip(host[2], other[2]))
        self.assertLess(differ, len(host[2]) / 50)

    def test_mistakes(self):
        path = self.folder / "p"
        for args, message in (["--png-colour", "species"], "give --species"), (["--png-colour", "hexatic"], "needs --hexatic-range"), \
                (["--png-colour", "red"], "--png-colour"):
            self.assertIn(message, self.fails(2, *HOST, "--png", path, *args))
        self.assertIn("--png-colour needs --png or --video", self.fails(2, *HOST, "--png-colour", "density"))


def stand_in(folder, pictures=1000):
    """$PATH with a stand-in for ffmpeg that fails behind some pictures."""
    program = folder / "bin" / "ffmpeg"
    program.parent.mkdir(exist_ok=True)
    program.write_text(STAND_IN.format(python=sys.executable, pictures=pictures))
    program.chmod(0o755)
    return {"PATH": f"{program.parent}:{os.environ['PATH']}"}


class Film(Case):
    def path(self, pictures=1000):
        return environment(**stand_in(self.folder, pictures))

    def test_pictures_go_to_ffmpeg(self):
        film = self.folder / "run.mp4"
        done = shoal(*FILM, "--video", film, env=self.path())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(film.read_text(), "60 60 5\n")

    def test_a_stopped_run_has_its_pictures(self):
        """Ctrl-C of a terminal reaches all processes of its group, but not ffmpeg."""
        film = self.folder / "run.mkv"
        run = subprocess.Popen([support.SHOAL, *map(str, [*HOST, "--steps", "4000000000", "--frames", "1000", "--png-size", "60",
                                                          "--video", film])],
                               env=self.path(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)
        end = time.monotonic() + 120
        while not (self.folder / "run.mkv.begun").exists() and time.monotonic() < end:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)
        self.assertRegex(film.read_text(), r"\A60 60 [1-9]\d*\n\Z")

    def test_ffmpeg_that_dies(self):
        """One line; the run goes on to its end and its checkpoint."""
        state = self.folder / "state"
        done = shoal(*HOST, "--steps", "400", "--frames", "10", "--png-size", "400", "--video", self.folder / "run.mp4",
                     "--checkpoint", state, env=self.path(3))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ashoal: [^\n]*run\.mp4: ffmpeg has failed: the film tore; the run goes on without the film\n\Z")
        self.assertTrue(state.exists())

    def test_mistakes(self):
        env = self.path()
        for name, message in ("run.avi", "films are written as .mp4 or .mkv"), ("none/run.mp4", "none"):
            done = shoal(*FILM, "--video", self.folder / name, env=env)
            self.assertIn(message, done.stderr)
            self.assertNotEqual(done.returncode, 0)
        done = shoal(*FILM, "--video", self.folder / "run.mp4", env=environment(PATH=str(self.folder)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ashoal: --video: no program ffmpeg in \$PATH[^\n]*\n\Z")
        state = self.folder / "state"
        self.succeeds(*HOST, "--steps", "10", "--checkpoint", state)
        film = self.folder / "run.mp4"
        resumed = "gas", "--resume", state, "--steps", "20", "--frames", "10", "--video", film
        self.assertEqual(shoal(*resumed, env=env).returncode, 0)
        self.assertTrue(film.exists())
        done = shoal(*resumed, env=env)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a resumed run cannot continue a film: give another name", done.stderr)

    def test_a_film_of_ffmpeg(self):
        """ffprobe counts its pictures."""
        if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
            self.skipTest("no ffmpeg and ffprobe: apt-get install ffmpeg")

        def pictures(film):
            probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,width", "-of",
                                    "json", film], capture_output=True, check=True)
            stream = json.loads(probe.stdout)["streams"][0]
            return stream["width"], int(stream["nb_read_frames"])

        for name in ("run.mp4", "run.mkv"):
            self.succeeds(*FILM, "--video", self.folder / name)
            self.assertEqual(pictures(self.folder / name), (60, 5))


class Terminal(Case):
    def run_in_terminal(self, *args, keys=b"q", **more):
        """What a terminal of 80 x 24 gets, and the exit code. The keys follow the third picture."""
        pid, fd = pty.fork()
        if pid == 0:
            os.execve(support.SHOAL, [support.SHOAL, *map(str, args)], environment(COLORTERM="truecolor", TERM="xterm", **more))
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        out, end = b"", time.monotonic() + 120
        while time.monotonic() < end:
            if select.select([fd], [], [], 1)[0]:
                try:
                    got = os.read(fd, 65536)
                except OSError:
                    break
                out += got
                if keys and out.count(b"\033[1;1H") >= 3:
                    os.write(fd, keys)
                    keys = b""
        return out, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    LIVE = [*HOST, "--steps", "4000000000", "--live", "terminal"]

    def test_pictures(self):
        out, code = self.run_in_terminal(*self.LIVE)
        if b"libchafa cannot be loaded" in out:
            self.skipTest("no libchafa: apt-get install libchafa0")
        self.assertEqual(code, 130)
        begin, end = out.index(b"\033[?1049h"), out.rindex(b"\033[?1049l")
        self.assertLess(begin, end)
        view = out[begin:end]
        self.assertGreater(len(set(re.findall(rb"38;2;\d+;\d+;\d+", view))), 10)
        rows = {int(row) for row in re.findall(rb"\033\[(\d+);1H", view)}
        self.assertLessEqual(max(rows), 24)
        self.assertIn(b"\033[24;1H", view)
        self.assertRegex(out[end:], rb"stopped by its live view")

    def test_messages_follow_the_view(self):
        """A film that tears and a run that fails are told on the screen to which the terminal returns."""
        out, code = self.run_in_terminal(*HOST, "--boundary-x", "walls", "--piston", "x", "--piston-speed", "50", "--steps", "4000",
                                         "--frames", "1", "--png-size", "60", "--video", self.folder / "run.mp4", "--live",
                                         "terminal", keys=b"", **stand_in(self.folder, 3))
        if b"libchafa cannot be loaded" in out:
            self.skipTest("no libchafa: apt-get install libchafa0")
        self.assertEqual(code, 6)
        begin, end = out.index(b"\033[?1049h"), out.rindex(b"\033[?1049l")
        self.assertNotIn(b"shoal: ", out[begin:end])
        self.assertRegex(out[end:], rb"shoal: [^\n]*the film tore[^\n]*\n")
        self.assertRegex(out[end:], rb"shoal: [^\n]*the piston gets out of its range at step ")

    def test_no_library(self):
        out, code = self.run_in_terminal(*self.LIVE, keys=b"", SHOAL_CHAFA="/none/libchafa.so")
        self.assertEqual(code, 1)
        self.assertRegex(out, rb"shoal: --live terminal: libchafa cannot be loaded \([^\n]*\): install it [^\n]*\n")
        out, code = self.run_in_terminal(*self.LIVE, keys=b"", SHOAL_CHAFA="libm.so.6")
        self.assertEqual(code, 1)
        self.assertIn(b"it is no libchafa", out)

    def test_no_terminal(self):
        done = subprocess.run([support.SHOAL, *self.LIVE], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              start_new_session=True, env=environment())
        if "libchafa cannot be loaded" in done.stderr:
            self.skipTest("no libchafa: apt-get install libchafa0")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ashoal: --live terminal: there is no terminal [^\n]*\n\Z")


if __name__ == "__main__":
    support.main()
