"""Symbols of object files, as nm lists them."""
import subprocess


def symbols(files):
    """(place, name, type) of each symbol: place is the object, of a library LIBRARY[OBJECT]; type is nm's letter."""
    for first in range(0, len(files), 200):  # 200 files at a time, which fit a command line
        listed = subprocess.run(["nm", "-A", "-P", *files[first:first + 200]], capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            place, _, rest = line.partition(": ")
            words = rest.split()
            if len(words) > 1:
                yield place, words[0], words[1]
