#!/usr/bin/env python3
"""The blocks of docs/python.md run, one after another, and print something."""
import contextlib
import io
import os
import re
from pathlib import Path

from support import Case, main

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


class Page(Case):
    def test_blocks(self):
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        text = PAGE.read_text(encoding="utf-8")
        names, out = {}, io.StringIO()
        blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
        self.assertGreater(len(blocks), 4)
        with contextlib.redirect_stdout(out):
            for block in blocks:
                # Messages have the lines of the page.
                lines = "\n" * text.count("\n", 0, block.start(1))
                exec(compile(lines + block[1], str(PAGE), "exec"), names)
        self.assertRegex(out.getvalue(), r"(?m)^\[1\.0*\d* 1\.|\[0\.99")
        self.assertNotIn("nan", out.getvalue())


if __name__ == "__main__":
    main()
