#!/usr/bin/env python3
"""shoal tsp and shoal data tsp: problems and tours of other programs, what is said of them, the files of a tour."""

import json
import math
import os
import re
import struct
from pathlib import Path

import support
from support import Case, shoal

HOST = ["tsp", "--device", "host", "--iterations", "20"]
FIVE = "1 0 0\n2 30 0\n3 30 40\n4 0 40\n5 15 60\n"
SQUARE = "DIMENSION: 4\nEDGE_WEIGHT_TYPE: {}\nNODE_COORD_SECTION\n1 0 0\n2 0 {side}\n3 {side} {side}\n4 {side} 0\nEOF\n"


def notes(done):
    """The lines on stderr, each of the command."""
    lines = done.stderr.splitlines()
    assert all(line.startswith("shoal: ") for line in lines), done.stderr
    return [line.removeprefix("shoal: ").removeprefix("warning: ") for line in lines]


class Tours(Case):
    def path(self, name):
        return str(self.folder / name)

    def result(self, *args):
        """The first result of a run, and what is said on stderr."""
        done = shoal(*HOST, "--json", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["rows"][0], notes(done)


class Tsplib(Tours):
    def test_the_first_word_of_a_value_counts_in_any_case(self):
        path = self.file("five.tsp", "Type: TSP (M.~Hofmeister)\ndimension: 5 cities\nEDGE_WEIGHT_TYPE: euc_2d\n"
                         f"NODE_COORD_SECTION\n{FIVE}eof\n")
        result, said = self.result("--data", path)
        self.assertEqual((result["result"]["value"], said), (160, []))

    def test_unknown_keys_are_left_out_with_a_line(self):
        path = self.file("route.tsp", "DIMENSION: 5\nCAPACITY: 9\nEDGE_WEIGHT_TYPE: EUC_2D\n"
                         f"NODE_COORD_SECTION\n{FIVE}DEMAND_SECTION\n1 3\n2 4\nEOF\n")
        wanted = [f"{path}: line {line}: {key} is no key of a TSP, ATSP or TOUR of TSPLIB: left out"
                  for line, key in ((2, "CAPACITY"), (10, "DEMAND_SECTION"))]
        result, said = self.result("--data", path)
        self.assertEqual((result["result"]["value"], result["notes"], said), (160, "\n".join(wanted), wanted))
        shown = shoal("data", "tsp", path, "--json")
        self.assertEqual((json.loads(shown.stdout)["notes"], notes(shown)), ("\n".join(wanted), wanted))

    def test_several_tours_in_a_file(self):
        data = self.file("five.tsp", f"DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{FIVE}")
        one = self.file("one.tour", "TYPE: TOUR\nDIMENSION: 5\nTOUR_SECTION\n1\n2\n3\n5\n4\n-1\n-1\nEOF\n")
        two = self.file("two.tour", "TYPE: TOUR\nTOUR_SECTION\n1 2 3 5 4 -1\n1 2 3 4 5 -1\n-1\nEOF\n")
        for tour, count in ((one, 1), (two, 2)):
            done = shoal("tsp", "--data", data, "--check", tour, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            checked = json.loads(done.stdout)
            self.assertEqual((checked["length"], checked["tours"]), (160, count))
            self.assertEqual(notes(done), [f"{two} holds 2 tours: the first is measured"] * (count - 1))
            _, said = self.result("--data", data, "--tour", tour, "--iterations", 1)
            self.assertEqual(said, [f"{two} holds 2 tours: the first is taken"] * (count - 1))

    def test_fractional_weights(self):
        path = self.file("half.tsp", "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
                         "EDGE_WEIGHT_SECTION\n0.5 2 0.25\n0.5 2\n0.125\nEOF\n")
        result, said = self.result("--data", path)
        self.assertEqual(result["result"]["value"], 1.375)
        self.assertEqual(said, [f"{path}: weights are not whole, as TSPLIB has them: they are kept to 1e-08"])

    def test_distances_that_round_to_nothing(self):
        for metric in ("EUC_2D", "MAN_2D", "MAX_2D", "CEIL_2D", "ATT", "GEO"):
            small = self.file("small.tsp", SQUARE.format(metric, side=0.3))
            _, said = self.result("--data", small)
            self.assertEqual(len(said), metric != "GEO", (metric, said))
            if said:
                self.assertRegex(said[0], f"^small: {metric} rounds to whole numbers, and most distances are 0 or 1: ")
        small = self.file("small.tsp", SQUARE.format("EUC_2D", side=0.3))
        result, said = self.result("--data", small, "--metric", "euclid")
        self.assertEqual((round(result["result"]["value"], 9), said), (1.2, []))

    def test_geom_is_of_degrees_in_metres(self):
        path = self.file("isles.tsp", "DIMENSION: 4\nEDGE_WEIGHT_TYPE: GEOM\nNODE_COORD_SECTION\n1 46.05 14.5\n"
                         "2 48.2 16.37\n3 45.81 15.98\n4 -17.95 -149.06\nEOF\n")
        result, said = self.result("--data", path)
        self.assertEqual((result["result"]["value"], said), (33368421, []))
        shown = json.loads(self.succeeds("data", "tsp", path, "--json"))
        self.assertEqual((shown["metric"], shown["unit"], shown["unit_name"]), ("geom", 1, "m"))
        csv = self.file("isles.csv", "lat,lon\n46.05,14.5\n48.2,16.37\n45.81,15.98\n-17.95,-149.06\n")
        self.assertEqual(self.result("--data", csv, "--metric", "geom")[0]["result"]["value"], 33368421)

    def test_what_is_refused_by_name(self):
        for metric in ("XRAY1", "XRAY2"):
            path = self.file("x.tsp", SQUARE.format(metric, side=3))
            self.assertIn(f"line 2: EDGE_WEIGHT_TYPE is '{metric}': EUC_2D, ", self.fails(1, *HOST, "--data", path))


class Files(Tours):
    def setUp(self):
        super().setUp()
        self.five = self.file("five.tsp", f"DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{FIVE}")

    def test_tours_of_all_formats_are_read(self):
        self.file("hand.sol", "5\n0 1 2 4\n3\n")
        paths = [self.path("hand.sol")]
        for ending in ("tour", "txt", "csv", "json"):
            paths.append(self.path(f"out.{ending}"))
            self.result("--data", self.five, "--out", paths[-1])
        for path in paths:
            checked = json.loads(self.succeeds("tsp", "--data", self.five, "--check", path, "--json"))
            self.assertEqual(checked["length"], 160, path)
            result, said = self.result("--data", self.five, "--tour", path, "--iterations", 1)
            self.assertEqual((result["result"]["value"], said), (160, []), path)
        self.file("other.sol", "6\n0 1 2 4\n3 5\n")
        self.assertIn("other.sol: line 1: the solution has 6 cities, five has 5: it is of another problem",
                      self.fails(1, *HOST, "--data", self.five, "--tour", self.path("other.sol")))
        self.file("hand.sol", "5\n0 1 2 4\n5\n")
        self.assertIn("hand.sol: line 3: the number of a city is 5: 0 to 4 are possible in a solution of Concorde",
                      self.fails(1, *HOST, "--data", self.five, "--tour", self.path("hand.sol")))

    def test_legs_are_those_that_arrive(self):
        self.result("--data", self.five, "--start", "2", "--out", self.path("t.csv"))
        rows = [line.split(",") for line in (self.folder / "t.csv").read_text().splitlines()]
        self.assertEqual(rows[0], ["place", "id", "leg", "cumulated"])
        self.assertEqual((rows[1][1:], rows[6][0], rows[6][1], rows[6][3]), (["2", "0", "0"], "6", "2", "160"))
        self.assertEqual(sum(float(row[2]) for row in rows[1:]), 160)
        self.result("--data", self.five, "--path", "--out", self.path("p.csv"))
        self.assertEqual(len((self.folder / "p.csv").read_text().splitlines()), 6)

    def test_lines_are_cut_at_180_degrees(self):
        data = self.file("line.csv", "name,lng,lat\nA,179.5,-17.2\nB,-179.5,-17.3\nC,178.1,-16.0\nD,-178.9,-18\n")
        self.result("--data", data, "--out", self.path("line.geojson"))
        line = json.loads((self.folder / "line.geojson").read_text())["features"][0]["geometry"]
        self.assertEqual(line["type"], "MultiLineString")
        for part in line["coordinates"]:
            self.assertGreater(len(part), 1)
            for a, b in zip(part, part[1:]):
                self.assertLess(abs(a[0] - b[0]), 180)
        ends = [end for part in line["coordinates"] for end in (part[0], part[-1])][1:-1]
        self.assertEqual({abs(end[0]) for end in ends}, {180})
        self.assertTrue(all(a[0] == -b[0] and a[1] == b[1] for a, b in zip(ends[::2], ends[1::2])))


    def circles(self, name, *args):
        """The circles of a picture: class, place across and down, radius."""
        self.result(*args, "--out", self.path(name))
        text = (self.folder / name).read_text()
        found = re.findall(r'<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/>', text)
        return text, [(colour, float(x), float(y), float(r)) for colour, x, y, r in found]

    def test_a_picture_shows_cities_start_and_fixed_edges(self):
        data = self.file("fixed.tsp", f"DIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{FIVE}"
                         "FIXED_EDGES_SECTION\n1 3\n-1\n")
        text, circles = self.circles("t.svg", "--data", data, "--start", 4)
        self.assertEqual([colour for colour, *_ in circles], ["fill1"] * 5 + ["fill3"])
        self.assertEqual(circles[5][1:3], circles[3][1:3])
        self.assertIn(">begins in 4<", text)
        self.assertIn(">fixed edges<", text)
        self.assertIn('<path class="curve line4"', text)
        # As long across as up.
        self.assertAlmostEqual((circles[1][1] - circles[0][1]) / 30, (circles[0][2] - circles[3][2]) / 40, delta=0.02)
        self.result("--data", data, "--out", self.path("t.png"))
        self.assertTrue((self.folder / "t.png").read_bytes().startswith(b"\x89PNG"))

    def test_degrees_have_the_right_aspect_and_go_on_at_180(self):
        data = self.file("north.csv", "lat,lon\n58,10\n58,14\n62,14\n62,10\n")
        _, circles = self.circles("t.svg", "--data", data)
        self.assertAlmostEqual((circles[1][1] - circles[0][1]) / (circles[0][2] - circles[3][2]), 0.5, delta=0.002)
        data = self.file("line.csv", "lat,lon\n0,179\n0,-179\n2,-179\n2,179\n")
        text, circles = self.circles("t.svg", "--data", data)
        self.assertAlmostEqual(circles[1][1] - circles[0][1], circles[0][2] - circles[3][2], delta=0.3)
        self.assertEqual(text.split('d="')[1].split('"')[0].count("M"), 1)
        # Degrees at the axis are those of the earth.
        degrees = [float(word) for word in re.findall(r'text-anchor="middle">([-0-9.]+)<', text)]
        self.assertLessEqual(max(map(abs, degrees)), 180)
        self.assertLess(min(degrees), 0)
        # All around: a line leaves at one border and comes in at the other.
        data = self.file("globe.csv", "lat,lon\n" + "".join(f"0,{lon}\n" for lon in range(-170, 180, 20)))
        text, _ = self.circles("t.svg", "--data", data)
        self.assertEqual(text.split('d="')[1].split('"')[0].count("M"), 2)

    def test_whole_numbers_of_numpy(self):
        names = "{'descr': '<i8', 'fortran_order': False, 'shape': (4, 4), }"
        header = names + " " * (117 - len(names)) + "\n"
        numbers = [0, 10, 15, 20, 10, 0, 35, 25, 15, 35, 0, 30, 20, 25, 30, 0]
        path = self.folder / "m.npy"
        path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<16q", *numbers))
        self.assertEqual(self.result("--data", path)[0]["result"]["value"], 80)


class Tables(Tours):
    def test_names_of_a_matrix_are_ids(self):
        path = self.file("named.csv", ",Aber,Bex,Cove,Dale\nAber,,10,15,20\nBex,10,,35,25\nCove,15,35,,30\nDale,20,25,30,\n")
        result, said = self.result("--data", path, "--start", "Bex", "--out", self.path("t.txt"))
        self.assertEqual((result["result"]["value"], said), (80, []))
        ids = (self.folder / "t.txt").read_text().split()
        self.assertEqual((ids[0], sorted(ids)), ("Bex", ["Aber", "Bex", "Cove", "Dale"]))
        path = self.file("named.csv", ",A,B,C\nA,0,1,2\nX,1,0,3\nC,2,3,0\n")
        self.assertIn("line 3: row 2 of the matrix is of 'X', its column 2 of 'B': both have the same cities",
                      self.fails(1, *HOST, "--data", path))

    def test_a_first_column_that_counts_is_of_ids(self):
        path = self.file("ids.txt", "1 565 575\n2 25 185\n3 345 750\n4 945 685\n5 845 655\n")
        result, said = self.result("--data", path)
        self.assertEqual(said, [f"{path}: the first column is 1, 2, 3 ...: ids of the cities, not x"])
        self.assertAlmostEqual(result["result"]["value"], 2314.5527, places=3)
        self.assertEqual(result["notes"], said[0])
        shown = json.loads(self.succeeds("data", "tsp", path, "--json"))
        self.assertEqual((len(shown["ranges"]), shown["notes"]), (2, said[0]))


class Anytime(Tours):
    def lines(self, *args):
        """Without the last key, the seconds."""
        path = self.folder / "log.jsonl"
        path.unlink(missing_ok=True)
        self.result("--generate", "uniform:300:2", "--algorithm", "faco", "--iterations", "40", *args, "--anytime", path)
        lines = path.read_text().splitlines()
        self.assertTrue(all(list(json.loads(line)) == ["steps", "tours", "length", "gap", "seconds"] for line in lines))
        return [line.split(',"seconds":')[0] for line in lines]

    def test_each_better_tour_has_a_line_at_its_step(self):
        lines = self.lines()
        self.assertGreater(len(lines), 2)
        lengths = [json.loads(line + "}")["length"] for line in lines]
        self.assertEqual(lengths, sorted(set(lengths), reverse=True))
        for more in ([], ["--trace", "3"], ["--device", self.needs_opencl()]):
            self.assertEqual(self.lines(*more), lines)
        # In two parts: what the first wrote, the second goes on with.
        state, path = self.path("s.state"), self.path("two.jsonl")
        self.result("--generate", "uniform:300:2", "--algorithm", "faco", "--iterations", 7, "--checkpoint", state, "--anytime", path)
        self.result("--generate", "uniform:300:2", "--algorithm", "faco", "--iterations", 40, "--resume", state, "--anytime", path)
        both = (self.folder / "two.jsonl").read_text().splitlines()
        self.assertEqual([line.split(',"seconds":')[0] for line in both], lines)

    def test_lengths_are_in_the_unit_of_the_input(self):
        data = self.file("half.csv", "".join(f"{x / 2},{x * x % 7 / 4}\n" for x in range(12)))
        result, _ = self.result("--data", data, "--anytime", self.path("log.jsonl"))
        last = json.loads((self.folder / "log.jsonl").read_text().splitlines()[-1])
        self.assertAlmostEqual(last["length"], result["result"]["value"], places=9)


class Ends(Tours):
    def test_a_first_city_alone_begins_a_closed_tour(self):
        closed, _ = self.result("--generate", "uniform:12:1")
        begun, _ = self.result("--generate", "uniform:12:1", "--start", 3, "--out", self.path("t.txt"))
        self.assertEqual(begun["result"]["value"], closed["result"]["value"])
        self.assertEqual((self.folder / "t.txt").read_text().split()[0], "3")
        for more in (["--path"], ["--end", 7]):
            path, _ = self.result("--generate", "uniform:12:1", "--start", 3, *more, "--out", self.path("t.txt"))
            ids = (self.folder / "t.txt").read_text().split()
            self.assertTrue(path["result"]["title"].endswith(", path"))
            self.assertEqual((ids[0], len(ids)), ("3", 12))
            self.assertLess(path["result"]["value"], closed["result"]["value"])
        self.assertIn("--start and --end are both 3: leave out --end for a closed tour from there",
                      self.fails(2, *HOST, "--generate", "uniform:12:1", "--start", 3, "--end", 3))

    def test_a_checkpoint_of_before_goes_on_as_a_path(self):
        """There --start alone meant a path."""
        state = Path(os.environ["SHOAL_TEST_VECTORS"]) / "tsp-start-path.state"
        for given in ([], ["--start", 3], ["--start", 3, "--path"]):
            done = json.loads(self.succeeds("tsp", "--device", "host", "--resume", state, "--iterations", 8, "--json", *given))
            self.assertEqual((done["params"]["path"], done["params"]["start"]), (True, "3"))
            self.assertEqual(done["rows"][0]["result"]["value"], 2693939)
        state = self.path("new.state")
        self.result("--generate", "uniform:12:1", "--start", 3, "--checkpoint", state)
        done = json.loads(self.succeeds("tsp", "--device", "host", "--resume", state, "--iterations", 30, "--json"))
        self.assertFalse(done["params"]["path"])


class Pieces(Tours):
    def test_what_is_refused(self):
        for options, line in (
                (["--pieces", 4, "--ants", 10], "--ants are shared equally by --pieces: 10 is not a multiple of 4"),
                (["--pieces", 8], "a piece has 8 cities or more: lower --pieces to 7, the most for 60 cities"),
                (["--pieces", 4, "--algorithm", "as"], "--pieces needs --algorithm faco")):
            self.assertIn(line, self.fails(2, *HOST, "--generate", "uniform:60:1", *options))

    def test_one_piece_is_the_merge_of_all_ants(self):
        command = ["--generate", "uniform:300:1"]
        one, merged = (self.result(*command, *more)[0] for more in (["--pieces", 1, "--ants", 128], ["--merge"]))
        self.assertEqual(one["tour"], merged["tour"])


class Lists(Tours):
    """Which cities candidate lists hold: --lists."""

    def lists(self, *args):
        result, _ = self.result(*args)
        return result["result"]["fields"]["lists"]

    def test_the_default_follows_from_the_cities(self):
        """Of two groups, and of one."""
        self.need_theses()
        def cities(name, *columns):
            for groups in (1, 2):
                path = self.file(f"{name}-{groups}.csv", ",".join(columns) + "\n" + "".join(
                    ",".join(str(40 * (i % groups) + i * prime % 19) for prime in (3, 5, 7)[:len(columns)]) + "\n" for i in range(60)))
                yield "nearest" if groups == 1 else "quadrant", ["--data", path]
        matrix = self.file("matrix.csv", "0,1,2,3\n1,0,3,2\n2,3,0,1\n3,2,1,0\n")
        few = self.file("few.csv", "x,y\n0,0\n0,1\n1,1\n1,0\n")
        ants = ["--algorithm", "faco"]  # of so few cities a shortest tour is computed otherwise, without lists
        plane = ["--generate", "clustered:1000:1"]
        for wanted, args in (*cities("plane", "x", "y"), *cities("space", "x", "y", "z"), *cities("earth", "lat", "lon"),
                             ("quadrant", plane), ("quadrant", [*plane, "--path"]), ("nearest", ["--generate", "uniform:1000:1"]),
                             ("nearest", ["--data", matrix, *ants]), ("nearest", ["--data", few, *ants]),
                             ("quadrant", ["--data", few, "--lists", "quadrant", *ants]),
                             ("nearest", [*plane, "--lists", "nearest"]), ("nearest", [*plane, "--algorithm", "thesis"]),
                             ("nearest", [*plane, "--algorithm", "mmas", "--ants", 5]),
                             ("quadrant", [*plane, "--lists", "quadrant", "--algorithm", "mmas", "--ants", 5])):
            with self.subTest(args):
                self.assertEqual(self.lists(*args, "--iterations", 2), wanted)

    def test_a_line_says_so_where_they_are_not_the_nearest(self):
        for lists in ("quadrant", "nearest"):
            shown = self.succeeds(*HOST, "--generate", "clustered:200:1", "--lists", lists)
            self.assertEqual(re.findall(r"^lists: +(.*)$", shown, re.M), ["quadrant"] * (lists == "quadrant"))

    def test_clusters_are_joined(self):
        lengths = {lists: self.result("--generate", "C3k.0", "--algorithm", "faco",
                                      "--lists", lists)[0]["result"]["value"]
                   for lists in ("nearest", "quadrant", "auto")}
        self.assertLess(lengths["quadrant"], lengths["nearest"])
        self.assertEqual(lengths["auto"], lengths["quadrant"])

    def test_what_has_no_quadrants(self):
        self.need_theses()
        matrix = self.file("matrix.csv", "0,1,2,3\n1,0,3,2\n2,3,0,1\n3,2,1,0\n")
        self.assertIn("is a matrix, whose cities have no coordinates: leave it out",
                      self.fails(2, *HOST, "--data", matrix, "--lists", "quadrant"))
        self.assertIn("algorithm thesis looks at all cities, by lists of the nearest ones",
                      self.fails(2, *HOST, "--generate", "uniform:99:1", "--lists", "quadrant", "--algorithm", "thesis"))

    def nearest(self, points, count):
        """The nearest cities of each, from 0 on; of equal distance the lower number first."""
        def distance(a, b):
            return math.floor(math.dist(points[a], points[b]) + 0.5)
        return [sorted((b for b in range(len(points)) if b != a), key=lambda b: (distance(a, b), b))[:count]
                for a in range(len(points))]

    def test_lists_of_a_file(self):
        points = [(37 * i % 101, 53 * i % 89) for i in range(60)]
        lists = self.nearest(points, 16)
        data = self.file("p.csv", "id,x,y\n" + "".join(f'"c {i}, {i}",{x},{y}\n' for i, (x, y) in enumerate(points)))
        run = ["--data", data, "--metric", "euc_2d"]
        wanted, _ = self.result(*run, "--lists", "nearest")
        lkh = "60\n" + "".join(f"{i + 1} 0 16 " + " ".join(f"{j + 1} 0" for j in reversed(one)) + "\n"
                               for i, one in enumerate(lists)) + "-1\nEOF\n"
        rows = "# names\n" + "".join(",".join(f'"c {j}, {j}"' for j in (i, *one)) + ",\n" for i, one in enumerate(lists))
        for name, text in (("lkh.txt", lkh), ("rows.csv", rows)):
            path = self.file(name, text)
            for args in (["--list-file", path], ["--lists", "file", "--list-file", path]):
                got, said = self.result(*run, *args)
                self.assertEqual((got["tour"], got["result"]["fields"]["lists"], said), (wanted["tour"], "file", []))
        for separator in (" ", ",", ";", "\t"):
            few = self.file("few.txt", "".join(f"{i + 1}{separator}{(i + 1) % 60 + 1}\n" for i in range(60)))
            self.assertEqual(self.lists("--generate", "uniform:60:1", "--list-file", few, "--candidates", 4), "file")

    def test_files_that_hold_no_lists(self):
        self.need_theses()
        square = self.file("s.csv", "x,y\n0,0\n0,1\n1,1\n1,0\n")
        for text, said in (("", "holds no candidate list"), ("# nothing\n", "holds no candidate list"),
                           ("1 2\n2 1\n3 4\n", "city '4' has no list"), ("1 2\n1 3\n", "line 2: city '1' has a list already"),
                           ("1 2\n2 2\n", "line 2: city '2' is a candidate of itself"), ("1 5\n", "line 1: '5' is no city of s"),
                           ("5\n1 0 1 2 0\n", "line 1: the lists are of 5 cities, s has 4"),
                           ("4\n1 0 2 2 0\n", "line 2: the number of a candidate is missing"),
                           ("4\n1 0 1 2\n", "line 2: the alpha value of candidate 2 is missing"),
                           ("4\n1 0 1 9 0\n", "line 2: the number of a candidate is 9: 1 to 4 are possible"),
                           ("4\n1 0 200 2 0\n", "line 2: the number of candidates is 200: 0 to 128 are possible"),
                           ("4\nx 0 1 2 0\n", "line 2: 'x' should be the number of a city")):
            with self.subTest(text):
                self.assertIn(said, self.fails(1, *HOST, "--data", square, "--list-file", self.file("lists.txt", text)))
        lists = self.file("lists.txt", "1 2\n2 1\n3 4\n4 3\n")
        self.assertIn("--lists file: name the file by --list-file", self.fails(2, *HOST, "--data", square, "--lists", "file"))
        self.assertIn("--list-file belongs to --lists file: leave out one of the two",
                      self.fails(2, *HOST, "--data", square, "--lists", "nearest", "--list-file", lists))
        self.assertIn("--list-file: not with --macro-scan all", self.fails(2, *HOST, "--data", square, "--algorithm", "thesis",
                                                                         "--macro-scan", "all", "--list-file", lists))
        self.fails(1, *HOST, "--data", square, "--list-file", self.path("none.txt"))

    def test_a_resumed_run_looks_at_the_same_lists(self):
        run, state = ["--generate", "clustered:1000:1", "--ants", 16], self.path("c.state")
        whole, _ = self.result(*run, "--iterations", 12)
        self.result(*run, "--iterations", 6, "--checkpoint", state)
        rest, _ = self.result("--resume", state, "--iterations", 12)
        self.assertEqual((rest["tour"], rest["result"]["fields"]["lists"]), (whole["tour"], "quadrant"))

    def test_a_checkpoint_of_before_goes_on_with_its_lists(self):
        """There all lists were of the nearest cities."""
        state = Path(os.environ["SHOAL_TEST_VECTORS"]) / "tsp-nearest-lists.state"
        run = ["--generate", "clustered:200:5", "--ants", 16, "--iterations", 40]
        whole, _ = self.result(*run, "--lists", "nearest")
        done = json.loads(self.succeeds("tsp", "--device", "host", "--resume", state, "--iterations", 40, "--json"))
        self.assertEqual(done["params"]["lists"], "nearest")
        self.assertEqual((done["rows"][0]["tour"], done["rows"][0]["result"]["fields"]["lists"]), (whole["tour"], "nearest"))
        self.assertIn("was made with --lists nearest, not quadrant", self.fails(2, "tsp", "--device", "host", "--resume",
                                                                                state, "--iterations", 40, "--lists", "quadrant"))


if __name__ == "__main__":
    support.main()
