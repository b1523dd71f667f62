#!/usr/bin/env python3
"""Text in columns: whether the first line has names, what columns hold, what is missing, left out or refused; each kind of
file through shoal data info, and some through the commands that compute with them."""

import json

import support
from support import Case, shoal

# 26 rows of high and 14 of low, by the sign of the sum.
ROWS = [((i * 7 % 23 - 11) / 4, (i * 5 % 19 - 9) / 4) for i in range(40)]
CLASSES = "".join(f"{a},{b},{'high' if a + b > -1 else 'low'}\n" for a, b in ROWS)

# Text, options, names of columns, rows, what a note says.
FIRST_LINES = {
    "a word over numbers": ("t,y\n1,2\n3,4\n", (), ["t", "y"], 2, None),
    "a word over numbers and missing values": ("t,y\nNA,x\n3,z\n", (), ["t", "y"], 2, None),
    "a last row that decides": ("t,y\n" + "1,2\n" * 300 + "3,x\n", ("--columns", "y category"), ["t", "y"], 301, None),
    "a word over classes": ("2019,2020,class\n" + CLASSES, ("--target", 3), ["2019", "2020", "class"], 40, "with '2019' and 'class', is taken for names of columns, since column 3 has that word nowhere else; --header no"),
    "a row that looks like it": ("71,State,-2\n1,a,2\n2,b,3\n3,a,4\n4,b,5\n", ("--target", 2), ["71", "State", "-2"], 4, "with '71' and 'State'"),
    "percents that name columns": ("x,5 %,95 %\n1,2,3\n", (), ["x", "5 %", "95 %"], 1, None),
    "a word over percents": ("x,y\n5 %,a\n6 %,b\n", (), ["x", "y"], 2, "column 1 (x) has numbers such as '5 %', which is read as 5"),
    "percents alone": ("5 %,a\n6 %,b\n7 %,a\n", ("--target", 2), ["1", "2"], 3, "column 1 has numbers such as '5 %'"),
    "others than all below": ("from,to\nParis,Rome\nOslo,Bonn\n", (), ["from", "to"], 2, None),
    "one that is below, too": ("a,b\nc,a\nd,e\n", (), ["1", "2"], 3, "column 1 has 'a' nowhere else"),
    "two that are the same": ("a,a\nc,d\n", (), ["1", "2"], 2, "--header yes"),
    "0 .. k - 1 of pandas": ("0,1,2\n1.5,2,3\n4,5,6\n", (), ["0", "1", "2"], 2, "0 to 2, is taken for names of columns; --header no"),
    "1 .. k": ("1,2,3\n1.5,2,3\n4,5,6\n", (), ["1", "2", "3"], 2, "1 to 3, is taken for names"),
    "0 .. k - 1 over words": ("0,1,2\n1,2,a\n4,5,b\n", (), ["0", "1", "2"], 2, "0 to 2, is taken for names"),
    "0 .. k - 1 over whole numbers": ("0,1,2\n3,4,5\n", (), [None, None, None], 2, None),
    "0, 1 alone": ("0,1\n1.5,2\n", (), [None, None], 2, "0 and 1, is taken for a row; if these are names of columns, give --header yes"),
    "0, 1 behind an empty entry": (",0,1\n0,1.5,2\n1,4.5,7\n", (), ["0", "1"], 2, "numbers the rows: it is left out"),
    "a word that is nowhere else": ("1,adam\n2,eve\n", (), ["1", "2"], 2, "column 2 has 'adam' nowhere else; if it has names of columns, give --header yes"),
    "a class that repeats": ("1,a\n2,b\n3,a\n", (), ["1", "2"], 3, None),
    "numbers": ("1,2\n3,4\n", (), [None, None], 2, None),
    "yes": ("2019,2020\n1,2\n", ("--header", "yes"), ["2019", "2020"], 1, None),
    "no": ("0,1,2\n1.5,2,3\n", ("--header", "no"), [None, None, None], 2, None),
    "numpy.savetxt": ("# made by hand\n# t y\n0 1\n1 2\n", (), ["t", "y"], 2, None),
    "numpy.savetxt with commas": ("# t,y\n0,1\n1,2\n", (), ["t", "y"], 2, None),
    "a remark of other length": ("# t,y,z\n0,1\n1,2\n", (), [None, None], 2, None),
    "a remark behind the names": ("# a,b\nt,y\n0,1\n", (), ["t", "y"], 1, None),
    "yes, where a remark has them": ("# t,y\n0,1\n1,2\n", ("--header", "yes"), ["t", "y"], 2, None),
    "Excel": ("sep=;\nt;y\n1,5;2\n", (), ["t", "y"], 1, None),
    "empty names and NA": ("t,,NA\n1,2,3\n", (), ["t", "2", "3"], 1, None),
    "a number that is a name, too": ("x,,2\na,2,5\nb,2,6\na,3,4\nb,1,2\n", (), ["x", "column 2", "2"], 4, "with '2' and 'x', is taken for names"),
    "R without the first name": ('"x" "y"\n"1" 0.5 a\n"2" 1.5 b\n', (), ["1", "x", "y"], 2, "numbers the rows"),
    "blanks and quotes": ('"wind speed" y\n1 2\n', (), ["wind speed", "y"], 1, None),
}

# Text, options, exit code, the message.
REFUSED = {
    "equal names": ("v,v,class\n" + CLASSES, ("--target", 3), 1, "columns 1 and 2 have the same name, 'v': rename one"),
    "equal names of a table": ("v,w,v\n1,2,3\n", (), 1, "columns 1 and 3 have the same name, 'v'"),
    "a separator of Excel that is none": ("sep=|\na|b\n", (), 1, "line 1 says that '|' separates columns"),
    "a target that the first line has": ("1,class\n2,b\n3,b\n", ("--target", "class"), 2, "no column 'class'; its 2 columns are numbered from 1; its first line has this name: give --header yes"),
    "a column that the first line has": ("1,class\n2,b\n3,b\n", ("--columns", "class category"), 2, "its first line has this name: give --header yes"),
    "a word as the first value": ("unknown,1,a\n5,2,b\n6,3,a\n7,4,b\n", ("--target", 3), 1, "row 1 (line 1), column 1: 'unknown' is a word among numbers; --header yes takes"),
    "a word later": ("x,y\n5,a\n6,b\nlots,a\n7,b\n", ("--target", "y"), 1, "row 3 (line 4), column 1 (x): 'lots' is a word among numbers; --missing-values names"),
    "a number among words": ("x,y\na,1\nb,2\n38,3\nb,4\n", ("--target", "y"), 1, "row 3 (line 4), column 1 (x): '38' is a number among words; --columns 'x category'"),
    "a word in a table": ("t,y\n1,2\n3,lots\n", (), 1, "row 2 (line 3), column 2 (y): 'lots' is not a number"),
    "a missing value in a table": ("t,y\n1,2\n3,None\n", ("--columns", "1-2"), 1, "'None' is missing: fill it in, or have such rows left out by --missing drop"),
    "decimal commas in quotes": ('x,y\n"1,5",a\n"2,5",b\n', (), 1, "column 1 (x): '1,5' has a decimal comma, and commas separate the columns"),
    "decimal commas in quotes of a table": ('x,y\n"1,5",2\n', ("--columns", "1-2"), 1, "has a decimal comma, and commas separate"),
    "thousands or decimals": ('x,y\n"1,234",a\n"999",b\n', (), 1, "column 1 (x): '1,234' may have its comma between thousands or for decimals"),
    "thousands and decimal commas": ('x,y\n"1,234",a\n"0,5",b\n', (), 1, "column 1 (x): '1,234' has a decimal comma, and commas separate"),
    "points and commas for decimals": ("x;y\n1,234.5;2\n2,3;1\n", (), 1, "column 1 (x): '1,234.5' and other numbers of its column have different decimal marks"),
    "different marks between thousands": ('x,y\n"1,234.5",a\n1 234.5,b\n', (), 1, "have different marks between thousands"),
    "points between thousands": ("x,y\n1.234.567,a\n1.5,b\n", (), 1, "'1.234.567' has points between thousands, and other numbers of its column have decimal points"),
    "percent and none": ("x,y\n12 %,a\n13,b\n", (), 1, "'12 %' and other numbers of its column: some have a sign of percent or currency, some have none"),
    "two currencies": ("x,y\n$5,a\n\u20ac6,b\n", (), 1, "'$5' and other numbers of its column have different signs"),
    "a word among thousands": ('x,y\n1,a\n"1,234.5",b\nlots,b\n', ("--header", "yes"), 1, "'lots' is a word among numbers"),
    "a target of many words": ("x,y\n" + "".join(f"{i},w{i}\n" for i in range(30)), ("--target", "y"), 1, "the target 'y' has 30 different words in 30 rows: --columns 'y category'"),
    "words to regress": ("x,y\n1,a\n2,b\n", ("--target", "y", "--columns", "y day"), 1, "column 2 (y): 'a' is no date such as 2024-01-31"),
    "a date that is none": ("x,y\n1,2023-02-29\n", ("--columns", "y day"), 1, "'2023-02-29' is no date"),
    "a list that is none": ("x,y\n1,2\n", ("--missing-values", "'a"), 2, "missing-values: a quote (') is not closed"),
}


class FirstLines(Case):
    def info(self, text, *args, name="a.csv"):
        done = shoal("data", "info", self.file(name, text), "--json", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_names(self):
        for label, (text, args, names, rows, note) in FIRST_LINES.items():
            with self.subTest(label):
                info, messages = self.info(text, *args)
                found = info["names"] if "names" in info else [column["name"] for column in info["column_list"]]
                self.assertEqual((found, info["rows"]), (names, rows))
                if note is None:
                    self.assertEqual((info["notes"], messages), (None, ""))
                else:
                    self.assertIn(note, info["notes"])
                    self.assertIn(note, messages)

    def test_refused(self):
        for label, (text, args, code, message) in REFUSED.items():
            with self.subTest(label):
                self.assertIn(message, self.fails(code, "data", "info", self.file("a.csv", text), *args))

    def column(self, text, number, *args):
        info, messages = self.info(text, *args)
        return info["column_list"][number - 1], messages

    def test_missing_values(self):
        words = ["", "?", "NA", "N/A", "n/a", "nan", "NaN", "null", "NULL", "None", "<NA>", "#N/A", '""', '"?"']
        text = "y,x\n" + "".join(f"a,{word}\nb,1\n" for word in words)
        column, _ = self.column(text, 2, "--target", "y")
        self.assertEqual((column["kind"], column["missing"]), ("number", len(words)))
        # Quotes make a word of NA, the country.
        column, _ = self.column('x,y\n"NA",1.5\nDE,2\n"NA",3\nNA,4\n', 1, "--target", "y")
        self.assertEqual(([c["name"] for c in column["classes"]], column["missing"]), (["DE", "NA"], 1))
        column, _ = self.column("x,y\n-999,a\n1,b\n-999.0,a\nNA,b\n", 1, "--target", "y", "--missing-values", "-999,NA")
        self.assertEqual((column["missing"], column["least"]), (3, 1))
        info, _ = self.info("x,y\n-999,1\n2,3\n", "--missing", "drop", "--missing-values", "-999")
        self.assertEqual((info["rows"], info["dropped"], info["least"]), (1, 1, [2, 3]))

    def test_amounts(self):
        """Thousands in groups, percent and currency: numbers where the whole column is, and words among words."""
        for label, text, least, greatest in (
            ("commas and points", 'x,y\n999,a\n"1,234.5",b\n"2,000",a\n', 999, 2000),
            ("points and commas", "x;y\n999;a\n1.234,5;b\n2.000;a\n", 999, 2000),
            ("blanks", "x,y\n999,a\n1 234 567,b\n", 999, 1234567),
            ("percent", "x,y\n12 %,a\n,b\n-3%,b\n", -3, 12),
            ("currency", "x,y\n$5.00,a\n-$6,b\n", -6, 5),
        ):
            with self.subTest(label):
                column, messages = self.column(text, 1, "--target", "y")
                self.assertEqual((column["kind"], column["least"], column["greatest"]), ("number", least, greatest))
                self.assertIn("column 1 (x) has numbers such as '", messages)
                self.assertIn("--columns 'x category' takes its words", messages)
                column, messages = self.column(text, 1, "--target", "y", "--columns", "x category")
                self.assertEqual((column["kind"] == "number", messages), (False, ""))
        for words in ("12 %,a\ncontrol,b\n", "192.168.100.200,a\n10.0.0.1,b\n", "1_100,a\n1_101b,b\n"):
            column, messages = self.column("x,y\n" + words, 1)
            self.assertEqual((column["kind"], messages), ("binary", ""))

    def test_an_index_is_left_out(self):
        for first in (0, 1):
            text = ",a,class\n" + "".join(f"{i + first},{i % 7},{'xy'[i % 2]}\n" for i in range(30))
            column, messages = self.column(text, 1, "--target", "class")
            self.assertEqual((column["kind"], column["left_out"], column["width"]), ("ignored", "index", 0))
            self.assertIn("--columns '1 number' takes it", messages)
            column, messages = self.column(text, 1, "--target", "class", "--columns", "1 number")
            self.assertEqual((column["kind"], column["left_out"], messages), ("number", None, ""))
        # One that has a name, or misses a number, is none.
        for text in ("id,a\n0,x\n1,y\n", ",a\n0,x\n2,y\n", "0,x\n1,y\n"):
            self.assertIsNone(self.column(text, 1)[0]["left_out"])
        info, messages = self.info(",x,y\n0,1,3\n1,2,5\n2,3,7\n")
        self.assertEqual((info["names"], info["leaves_index"], info["minimiser"][0] > 2), (["x", "y"], True, True))
        info, _ = self.info(",x,y\n0,1,3\n1,2,5\n2,3,7\n", "--columns", "1, y")
        self.assertEqual((info["names"], info["leaves_index"]), (["1", "y"], False))

    def test_words_that_differ_in_most_rows_are_left_out(self):
        text = "date,x,class\n" + "".join(f"2024-{1 + i // 28:02d}-{1 + i % 28:02d},{i % 5},{'ab'[i % 2]}\n" for i in range(60))
        column, messages = self.column(text, 1, "--target", "class")
        self.assertEqual((column["kind"], column["left_out"], column["missing"]), ("ignored", "words", 0))
        self.assertIn("column 'date' has 60 different words in 60 rows: it is left out; --columns 'date category' takes it, 'date day'", messages)
        column, messages = self.column(text, 1, "--target", "class", "--columns", "date category")
        self.assertEqual((len(column["classes"]), messages), (60, ""))
        column, messages = self.column(text, 1, "--target", "class", "--columns", "date day")
        # 2024-01-01 is day 19723 since 1970.
        self.assertEqual((column["kind"], column["least"], column["greatest"], messages), ("number", 19723, 19723 + 31 + 29 + 3, ""))
        column, _ = self.column("t,y\n1970-01-02T12:00:00Z,1\n1969-12-31 06:00,2\n", 1, "--columns", "t day")
        self.assertEqual((column["least"], column["greatest"]), (-0.75, 1.5))
        # 20 words, or half of the rows, are few.
        self.assertIsNone(self.column("x,y\n" + "".join(f"w{i},1.5\n" for i in range(20)), 1)[0]["left_out"])
        self.assertIsNone(self.column("x,y\n" + "".join(f"w{i // 2},1.5\n" for i in range(60)), 1)[0]["left_out"])

    def test_targets_of_whole_numbers(self):
        def text(values):
            return "x,y\n" + "".join(f"{i * 0.5},{value}\n" for i, value in enumerate(values))

        for label, values, kind, note in (
            ("digits", [i % 10 for i in range(60)], "category", "has the whole numbers 0 to 9, which are taken for classes; --task regress"),
            ("wine", [1 + i % 3 for i in range(30)], "category", "has the whole numbers 1 to 3, which are taken for classes"),
            ("bits", [i % 2 for i in range(30)], "binary", None),
            ("one of few rows", [0] * 10 + [1] * 10 + [2] * 4, "number", "has whole numbers, 0 to 2, which are taken for numbers; --task classify"),
            ("one that lacks", [0, 1, 3] * 10, "number", "taken for numbers"),
            ("from 2", [2, 3] * 10, "number", "taken for numbers"),
            ("21", [i % 21 for i in range(21 * 6)], "number", "taken for numbers"),
            ("fractions", [0.5, 1, 2] * 10, "number", None),
            ("large", [1e200, 2e200, 3e200] * 10, "number", "has whole numbers, 1e+200 to 3e+200, which are taken for numbers"),
        ):
            with self.subTest(label):
                column, messages = self.column(text(values), 2, "--target", "y")
                self.assertEqual(column["kind"], kind)
                self.assertEqual(messages == "", note is None, messages)
                self.assertIn(note or "", messages)

        rows = "k,a,x\n" + "".join(f"{i % 3},{i * 0.5},{i}\n" for i in range(30))
        _, messages = self.info(rows, "--target", "k,a")
        self.assertIn("the target 'k' has the whole numbers 0 to 2, which are taken for numbers beside other targets; as the only target they are classes", messages)
        self.assertEqual(self.info(rows, "--target", "a,x")[1], "")

    def test_what_each_command_makes_of_a_file(self):
        def uses(name, text):
            info, _ = self.info(text, name=name)
            self.assertEqual([use["takes"] for use in info["uses"]], [use["why_not"] is None for use in info["uses"]])
            return {use["command"]: use for use in info["uses"]}

        found = uses("a.csv", "x,y\n1,2\n3,4.5\n5,6\n")
        self.assertEqual([command for command, use in found.items() if use["takes"]], ["mlp --data", "pso --data", "tsp --data"])
        self.assertEqual(found["mlp --data"]["as"], "data set of 3 rows, 2 columns: 2 number")
        self.assertEqual(found["pso --data"]["as"], "table of 3 rows, 2 columns with names")
        self.assertEqual(found["tsp --data"]["as"], "3 cities, 2 coordinates each")
        found = uses("b.csv", "a,b\n1,x\n2,y\n3,x\n4,\n")
        self.assertEqual(found["mlp --data"]["as"], "data set of 4 rows, 2 columns: 1 number, 1 binary; 1 value missing")
        self.assertEqual(found["pso --data"]["why_not"], "row 1 (line 2), column 2 (b): 'x' is not a number")
        # A table that misses a value is a data set.
        info, _ = self.info("x,y\n1,2\n3,nan\n", name="n.csv")
        self.assertEqual((info["missing"], [use["takes"] for use in info["uses"][:2]]), (1, [True, False]))
        self.assertIn("'nan' is missing", info["uses"][1]["why_not"])
        tsp = uses("c.tsp", "NAME: c\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 0\nEOF\n")
        self.assertEqual([command for command, use in tsp.items() if use["takes"]], ["tsp --data"])
        tour = json.loads(self.succeeds("data", "info", self.file("c.tour", "NAME: c\nTYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION\n1\n3\n2\n-1\nEOF\n"), "--json"))
        self.assertEqual([(use["command"], use["as"]) for use in tour["uses"] if use["takes"]], [("tsp --tour", "tour of 3 cities")])
        gas = uses("d.xyz", '2\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3 pbc="T T T"\nAr 0 0 0\nAr 2 2 2\n')
        self.assertTrue(gas["gas --start-file"]["takes"])
        self.succeeds("mlp", "--data", self.file("e.csv", "x,y\n" + "".join(f"{i},{'ab'[i > 9]}\n" for i in range(20))), "--target", "y",
                      "-d", "host", "--epochs", 2, "--model", self.folder / "m.safetensors")
        nothing = self.file("f.bin", "abc\n")
        done = shoal("data", "info", nothing)
        self.assertEqual(done.returncode, 1)
        for command, why in (("mlp --data", "has no rows"), ("pso --data", "name a file .npy or .csv"), ("gas --start-file", "number of particles"), ("--resume", "not a checkpoint")):
            self.assertRegex(done.stdout, rf"{command} +no +.*{why}")
        self.assertIn("shoal: " + str(nothing) + ": ", done.stderr)
        done = shoal("data", "info", nothing, "--json")
        self.assertEqual((done.returncode, [use["takes"] for use in json.loads(done.stdout)["uses"]].count(True)), (1, 0))
        net, _ = json.loads(self.succeeds("data", "info", self.folder / "m.safetensors", "--json")), None
        self.assertEqual([use["command"] for use in net["uses"] if use["takes"]], ["mlp --load"])
        self.assertRegex(self.succeeds("data", "info", self.folder / "m.safetensors"), r"mlp --load +yes +net of 1 column, 1 input, 2 layers, 2 outputs of classes")


class Commands(Case):
    """The same rules where something is computed."""

    def result(self, *args):
        done = shoal(*args, "-d", "host", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["rows"][0]["result"], done.stderr

    def test_notes_are_in_the_json(self):
        """What stderr says of a file is in the document, too: of each workload."""
        table = self.file("t.csv", "0,1,2\n1.5,2,3\n4,5.5,6\n7,8,9.5\n")
        years = self.file("years.csv", "2019,2020,class\n" + CLASSES)
        points = self.file("p.csv", "".join(f"{i},{i * i % 7},{i % 5}\n" for i in range(1, 9)))
        gas = self.file("g.xyz", '2\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:masses:R:1\nAr 0 0 0 2\nAr 2 2 0 2\n')
        for words in (("pso", "--data", table, "--lower", -9, "--upper", 9, "--iterations", 3), ("ga", "--data", table, "--lower", -9, "--upper", 9, "--iterations", 3),
                      ("mlp", "--data", years, "--target", 3, "--epochs", 2), ("tsp", "--data", points, "--iterations", 3), ("gas", "--start-file", gas, "--steps", 2)):
            with self.subTest(words[0]):
                done = shoal(*words, "-d", "host", "--json")
                notes = json.loads(done.stdout)["rows"][0]["notes"]
                self.assertEqual("".join(f"shoal: warning: {line}\n" for line in notes.split("\n")), done.stderr)
        row = json.loads(self.succeeds("pso", "--dim", 2, "--iterations", 2, "-d", "host", "--json"))["rows"][0]
        self.assertIsNone(row["notes"])

    def test_a_net(self):
        path = self.file("years.csv", "2019,2020,class\n" + CLASSES)
        result, messages = self.result("mlp", "--data", path, "--target", 3, "--epochs", 3)
        self.assertEqual(result["value_name"], "accuracy")
        self.assertIn("with '2019' and 'class', is taken for names of columns", messages)
        digits = self.file("digits.csv", "a,b,digit\n" + "".join(f"{i % 7},{i % 11},{i % 5}\n" for i in range(100)))
        result, messages = self.result("mlp", "--data", digits, "--target", "digit", "--epochs", 2)
        self.assertEqual(result["value_name"], "accuracy")
        self.assertIn("taken for classes; --task regress", messages)
        result, messages = self.result("mlp", "--data", digits, "--target", "digit", "--epochs", 2, "--task", "regress")
        self.assertEqual((result["value_name"], messages), ("r2", ""))
        result, messages = self.result("mlp", "--data", digits, "--target", "b", "--epochs", 2, "--task", "classify")
        self.assertEqual((result["value_name"], messages), ("accuracy", ""))
        self.assertIn("'class' of", self.fails(2, "mlp", "--data", path, "--target", "class, 2019", "-d", "host"))
        self.assertIn("has words, which are classes and no numbers to regress",
                      self.fails(2, "mlp", "--data", path, "--target", "class", "--task", "regress", "-d", "host"))

    def test_a_net_and_files_for_it(self):
        """A file to predict keeps the columns that the net knows, however few its rows are."""
        rows = [(f"c{i % 30}", i % 4, "ab"[i % 2]) for i in range(120)]
        head = "city,x,class\n"
        path = self.file("a.csv", head + "".join(f"{c},{x},{k}\n" for c, x, k in rows))
        model = self.folder / "m.safetensors"
        self.succeeds("mlp", "--data", path, "--target", "class", "-d", "host", "--epochs", 2, "--model", model)
        few = self.file("few.csv", head + "".join(f"{c},{x},{k}\n" for c, x, k in rows[:25]))
        done = json.loads(self.succeeds("mlp", "--load", model, "--predict", few, "--json"))
        self.assertEqual(len(done["predictions"]) if "predictions" in done else 25, 25)
        # The first line of a file to predict is read by the same rules, and what may be meant otherwise is said.
        path = self.file("n.csv", "1,2,class\n" + CLASSES)
        self.succeeds("mlp", "--data", path, "--target", "class", "-d", "host", "--epochs", 2, "--model", model)
        path = self.file("p.csv", "1,2\n0.5,0.25\n-0.5,1\n")
        done = shoal("mlp", "--load", model, "--predict", path, "--out", "-")
        self.assertIn("its first line, 1 and 2, is taken for a row", done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 4)
        done = shoal("mlp", "--load", model, "--predict", path, "--header", "yes", "--out", "-")
        self.assertEqual((done.stderr, len(done.stdout.splitlines())), ("", 3))
        path = self.file("q.csv", "1,2\n0.5,0.25\n-999,1\n")
        self.assertIn("row 2, column 1 ('1') has no value",
                      self.fails(1, "mlp", "--load", model, "--predict", path, "--header", "yes", "--missing-values", "-999"))
        # Dates are those of the model in files of words, too.
        dated = self.file("d.csv", "date,class\n" + "".join(f"2024-01-{1 + i % 31:02d},{'ab'[i % 31 > 15]}\n" for i in range(93)))
        self.succeeds("mlp", "--data", dated, "--columns", "date day", "--target", "class", "-d", "host", "--epochs", 200, "--model", model)
        few = self.file("days.csv", "date\n2024-01-02\n2024-01-30\n")
        lines = self.succeeds("mlp", "--load", model, "--predict", few, "--out", "-").splitlines()
        self.assertEqual([line.split(",")[1] for line in lines[1:3]], ["a", "b"])
        self.assertIn("'late' is no date", self.fails(1, "mlp", "--load", model, "--predict", self.file("e.csv", "date\nsoon\nlate\n")))
        group = self.file("g.csv", "patient,x,class\n" + "".join(f"p{i // 2 if i < 4 else i},{i % 4},{'ab'[i % 2]}\n" for i in range(60)))
        self.succeeds("mlp", "--data", group, "--target", "class", "--group", "patient", "-d", "host", "--epochs", 2)

    def test_what_belongs_to_text_alone(self):
        path = self.folder / "a.npy"
        self.succeeds("data", "least-squares", "--rows", 20, "--out", path)
        for option in (["--header", "yes"], ["--missing-values", "-999"]):
            name = option[0][2:].replace("-", "_")
            self.assertIn(f"{name}: it belongs to CSV, and", self.fails(2, "pso", "--data", path, *option, "-d", "host"))
            self.assertIn(f"{name}: it belongs to CSV, and", self.fails(2, "mlp", "--data", path, "--target", 1, *option, "-d", "host"))
        cities = self.file("c.tsp", "NAME: c\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 0\nEOF\n")
        self.assertIn("header: it belongs to CSV, and", self.fails(2, "tsp", "--data", cities, "--header", "yes", "-d", "host"))

    def test_a_fit(self):
        for label, text, column in (("names", "t,y\n0,1\n1,2\n2,3\n3,5\n", "t"), ("a remark", "# t,y\n0,1\n1,2\n2,3\n3,5\n", "t"),
                                    ("an index", ",t,y\n0,0,1\n1,1,2\n2,2,3\n3,3,5\n", "t"), ("Excel", "sep=;\nt;y\n0;1\n1;2\n2;3\n3;5\n", "t")):
            with self.subTest(label):
                done = json.loads(self.succeeds("pso", "--data", self.file("a.csv", text), "--model", f"p*{column}+q", "--fit", "p=-9:9,q=-9:9",
                                                "--target", "y", "-d", "host", "--json"))
                fit = done["rows"][0]["fit"] if "fit" in done["rows"][0] else done["rows"][0]["result"]["fit"]
                self.assertAlmostEqual(fit["parameters"][0]["value"], 1.3, places=6)
                self.assertAlmostEqual(fit["parameters"][1]["value"], 0.8, places=6)
        path = self.file("b.csv", "0,1,2\n1.5,2,3\n4,5.5,6\n7,8,9.5\n")
        self.assertIn("its first line, 0 to 2, is taken for names", shoal("pso", "--data", path, "-d", "host", "--lower", -9, "--upper", 9).stderr)
        path = self.file("c.csv", "t,y\n1,2\nx,3\n4,5\n")
        self.assertIn("row 2 (line 3), column 1 (t): 'x' is not a number",
                      self.fails(1, "pso", "--data", path, "--model", "a*t", "--fit", "a=0:1", "--target", "y", "-d", "host"))
        path = self.file("d.csv", "t,y\n1,a\nx,3\n4,5\n")
        self.assertIn("its first line has 'y': give --header yes",
                      self.fails(2, "pso", "--data", path, "--model", "a*t", "--fit", "a=0:1", "--target", "y", "-d", "host"))

    def test_amounts(self):
        points = self.file("points.csv", 'x,y\n"1,000.5",0\n"1,003.5",4\n"1,000.5",4\n')
        result, messages = self.result("tsp", "--data", points, "--iterations", 5)
        self.assertAlmostEqual(result["value"], 12)
        self.assertIn("column 1 (x) has numbers such as '1,000.5', which is read as 1000.5", messages)
        self.assertIn("x: '1,000' may have its comma", self.fails(1, "tsp", "--data", self.file("points.csv", 'x,y\n"1,000",0\n3,4\n0,4\n')))
        rows = "".join(f'"{1000 + i:,}.5",{"ab"[i % 2]}\n' for i in range(40))
        net = self.folder / "net.safetensors"
        self.succeeds("mlp", "--data", self.file("train.csv", "x,y\n" + rows), "--target", "y", "--epochs", 2, "-d", "host", "--model", net)
        plain = self.file("plain.csv", "x\n1000.5\n1001.5\n")
        grouped = self.file("grouped.csv", 'x\n"1,000.5"\n"1,001.5"\n')
        for name in ("plain", "grouped"):
            self.succeeds("mlp", "--load", net, "--predict", {"plain": plain, "grouped": grouped}[name], "-d", "host", "--out", self.folder / f"{name}.out.csv")
        self.assertEqual((self.folder / "plain.out.csv").read_text(), (self.folder / "grouped.out.csv").read_text())

    def test_points_and_instances_of_a_search(self):
        path = self.file("a.csv", "0,1,2\n1.5,2,3\n4,5.5,6\n")
        self.assertIn("its first line may be a point, or numbers of columns",
                      self.fails(1, "ga", "--function", "tour", "--data", path, "-d", "host"))
        self.assertIn("tour reads a format of its own: leave out --missing-values",
                      self.fails(2, "ga", "--function", "tour", "--data", path, "--missing-values", "x", "-d", "host"))
        start = self.file("start.csv", "0,1,2\n0.5,0.25,0.125\n")
        done = shoal("pso", "--function", "sphere", "--start", start, "--iterations", 3, "-d", "host")
        self.assertEqual(done.returncode, 0)
        self.assertIn("start.csv: its first line, 0 to 2, is taken for names of columns", done.stderr)

    def test_cities(self):
        square = "0,0\n0,10\n10,10\n10,0.5\n"
        for label, text, args in (("names", "x,y\n" + square, ()), ("no names", square, ()), ("a remark", "# x,y\n" + square, ()),
                                  ("Excel", "sep=,\nx,y\n" + square, ()), ("numbers for names", ",0,1\n0,0,0\n1,0,10\n2,10,10\n3,10,0.5\n", ())):
            with self.subTest(label):
                result, _ = self.result("tsp", "--data", self.file("a.csv", text), "--iterations", 20, *args)
                self.assertAlmostEqual(result["value"], 39.5125, places=3)
        matrix = self.file("m.csv", "0,1,2.5\n1,0,3\n2.5,3,0\n")
        self.assertAlmostEqual(self.result("tsp", "--data", matrix, "--iterations", 5)[0]["value"], 6.5)
        self.assertIn("the same name, 'x'", self.fails(1, "tsp", "--data", self.file("b.csv", "x,x,y\n1,2,3\n4,5,6\n"), "-d", "host"))


if __name__ == "__main__":
    support.main()
