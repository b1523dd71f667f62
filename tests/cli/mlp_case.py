"""What the tests of `shoal mlp` share: tables, and runs on the host."""

import csv
import json
import struct

from support import Case

HOST = ["mlp", "--device", "host"]
# Two inputs tell three classes apart.
TABLE = "x,y,kind\n" + "".join(f"{i % 7 + 10 * (i % 3)},{i % 5},{('red', 'green', 'blue')[i % 3]}\n" for i in range(120))
NUMBERS = "a,b,sum,twice\n" + "".join(f"{i % 7},{i % 5},{i % 7 + i % 5},{2 * (i % 7)}\n" for i in range(120))
COLOURS = ["blue", "green", "red"]
IMAGES = struct.pack(">IIII", 0x803, 12, 2, 2) + bytes((40 * (i % 2) + i) % 256 for i in range(48))
LABELS = struct.pack(">II", 0x801, 12) + bytes(i % 2 for i in range(12))


class Mlp(Case):
    def setUp(self):
        super().setUp()
        self.table = self.file("table.csv", TABLE)

    def run_of(self, *args, data=None, target="kind"):
        return [*HOST, "--data", data or self.table, "--target", target, *args]

    def document(self, *args, **more):
        return json.loads(self.succeeds(*self.run_of("--json", *args, **more)))["rows"][0]

    def rows(self, path):
        with open(path, newline="") as file:
            return list(csv.reader(file))

    def bytes(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path
