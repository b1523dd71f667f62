#!/usr/bin/env python3
"""The notebooks of examples/notebooks run, one cell after another, and hold small outputs."""
import contextlib
import io
import json
import unittest
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"


class Notebooks(unittest.TestCase):
    def test_cells(self):
        books = sorted(FOLDER.glob("*.ipynb"))
        self.assertEqual([book.stem for book in books], ["classify", "design", "fit", "liquid", "tour"])
        for path in books:
            with self.subTest(notebook=path.stem):
                self.assertLess(path.stat().st_size, 10000)
                names = {}
                for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    shown = io.StringIO()
                    with contextlib.redirect_stdout(shown):
                        exec(compile("".join(cell["source"]), str(path), "exec"), names)
                    lines = [line for output in cell["outputs"] for line in output["text"]]
                    self.assertEqual(len(shown.getvalue().splitlines()), len(lines))


if __name__ == "__main__":
    unittest.main()
