"""One line on stderr that shows how far a run is, in terminals and notebooks."""
import sys
import time

from ._arguments import flag

_SECONDS = 0.2


class Progress:
    def __init__(self, is_on):
        self.is_on = flag("progress", is_on)
        self._next = 0
        self._width = 0

    def show(self, line):
        """Shows the line in place of the last one, if that has been there for a moment."""
        if self.is_on and time.monotonic() >= self._next:
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._next, self._width = time.monotonic() + _SECONDS, len(line)

    def close(self):
        if self._width:
            print(file=sys.stderr, flush=True)
            self._width = 0
