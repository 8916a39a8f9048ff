"""The Python module: values against definitions written here and against golden data, tables against
h5py, errors, Ctrl-C, games of one's own, and the examples in the docstrings.

Needs PYTHONPATH with the package, and GRUNDY_GOLDEN_DIR; GRUNDY_COMMAND, the command, for files that only it writes.
"""

import csv
import doctest
import functools
import itertools
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest

import numpy as np

import grundy
from grundy import _compute, _games, _nimbers, _own, _tables

GOLDEN = pathlib.Path(os.environ["GRUNDY_GOLDEN_DIR"])


def mex(values):
    return next(n for n in itertools.count() if n not in values)


class ValuesTest(unittest.TestCase):
    def test_octal_games_by_the_definition(self):
        for code in ("77", "07", "137", "6", "16"):
            digits = [int(d) for d in code]
            values = [0]
            for n in range(1, 200):
                reached = set()
                for take, digit in enumerate(digits, 1):
                    left = n - take
                    if left == 0 and digit & 1:
                        reached.add(0)
                    if left > 0 and digit & 2:
                        reached.add(values[left])
                    if digit & 4:
                        reached.update(values[a] ^ values[left - a] for a in range(1, left))
                values.append(mex(reached))
            with self.subTest(code=code):
                np.testing.assert_array_equal(grundy.values("0." + code, to=199), values)

    def test_published_periods(self):
        with open(GOLDEN / "octal_periods.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#"))]
        tried = 0
        for row in rows:
            if not (row["period"].isdigit() and row["preperiod"].isdigit()) or int(row["preperiod"]) + int(row["period"]) > 2000:
                continue
            found = grundy.period(row["code"].replace(";", ","), to=20_000)
            with self.subTest(game=row["code"]):
                self.assertTrue(found.certified)
                self.assertEqual((found.period, found.preperiod), (int(row["period"]), int(row["preperiod"])))
            tried += 1
        self.assertGreater(tried, 20)

    def test_types_are_the_smallest(self):
        self.assertEqual(grundy.values("kayles", to=10).dtype, np.uint8)
        self.assertEqual(grundy.values("nim", to=254).dtype, np.uint8)
        self.assertEqual(grundy.values("nim", to=255).dtype, np.uint16)  # all ones mean: not written
        wide = grundy.values("nim", to=70_000)
        self.assertEqual(wide.dtype, np.uint32)
        np.testing.assert_array_equal(wide, np.arange(70_001))

    def test_arrays_own_no_copy_and_outlive_the_call(self):
        values = grundy.values("kayles", to=10**6)
        self.assertFalse(values.flags.owndata)
        kept = values[-5:]
        del values
        self.assertEqual(kept.tolist(), [grundy.Game("kayles").value(n) for n in range(10**6 - 4, 10**6 + 1)])

    def test_two_heaps_by_the_definition(self):
        values = {}
        for x, y in itertools.product(range(20), range(15)):
            reached = {values[a, y] for a in range(x)} | {values[x, b] for b in range(y)}
            reached |= {values[x - k, y - k] for k in range(1, min(x, y) + 1)}
            values[x, y] = mex(reached)
        found = grundy.values("wythoff", shape=(20, 15))
        self.assertEqual({p: int(found[p]) for p in values}, values)
        zero = grundy.outcomes("wythoff", shape=(20, 15))
        self.assertEqual(zero.dtype, bool)
        np.testing.assert_array_equal(zero, found == 0)

    def test_sorted_tables_and_passes_have_axes_of_their_own(self):
        square = grundy.values("wythoff", to=29)
        ranks = grundy.values("wythoff", to=29, sorted=True)
        self.assertEqual(square.shape, (30, 30))
        self.assertEqual(ranks.tolist(), [int(square[x, y]) for y in range(30) for x in range(y + 1)])
        self.assertEqual(grundy.values("nim-with-a-pass(2)", shape=(4, 5)).shape, (4, 5, 2))

    def test_positions_of_a_board(self):
        values = grundy.values("cram:2x3")
        game = grundy.Game("cram:2x3")
        self.assertEqual(values[game.start], game.value())
        for position, value in values.items():
            self.assertEqual(value, mex({game.value(option) for option in game.options(position)}))
        self.assertEqual({p for p, zero in grundy.outcomes("cram:2x3").items() if zero},
                         {p for p, value in values.items() if value == 0})

    def test_outcomes_of_one_heap(self):
        for game in ("S{squares}", "0.0333", "S{3,7,8}", "S{primes}", "kayles", "mark"):
            zero = grundy.outcomes(game, to=500)
            self.assertEqual(zero.dtype, bool)
            np.testing.assert_array_equal(zero, grundy.values(game, to=500) == 0)
        np.testing.assert_array_equal(grundy.outcomes("euclid", shape=(9, 9)), grundy.values("euclid", shape=(9, 9)) == 0)
        for game in ("S{squares}", "0.0333", "S{3,7,8}", "S{primes}", "nim", "AllBut{1,4}", "mark"):
            lost = [n for n, heap in enumerate(grundy.genera(game, to=200)) if heap.outcome == "P"]
            self.assertEqual(np.flatnonzero(grundy.outcomes(game, to=200, misere=True)).tolist(), lost)
        with self.assertRaises(grundy.UsageError):  # a move splits the heap
            grundy.outcomes("kayles", to=20, misere=True)
        with self.assertRaises(grundy.UsageError):
            grundy.values("S{squares}", to=20, misere=True)

    def test_arguments_that_mean_nothing_are_refused(self):
        for call in (
            lambda: grundy.values("kayles"),
            lambda: grundy.values("kayles", to=-1),
            lambda: grundy.values("kayles", to=2**64),
            lambda: grundy.values("kayles", shape=(3, 3)),
            lambda: grundy.values("kayles", to=9, sorted=True),
            lambda: grundy.values("wythoff", shape=(3,)),
            lambda: grundy.values("wythoff", shape=(3, 0)),
            lambda: grundy.values("wythoff", shape=(3, 3), to=2),
            lambda: grundy.values("cram:2x2", to=3),
            lambda: grundy.values("kayls", to=3),
            lambda: grundy.values("kayles", to=9, engine="fast"),
            lambda: grundy.values("kayles", to=9, threads=0),
            lambda: grundy.period("wythoff"),
            lambda: grundy.compute("kayles", to=9, misere=True),
            lambda: grundy.values("kayles", to="a lot"),
        ):
            with self.assertRaises(grundy.UsageError) as caught:
                call()
            self.assertIsInstance(caught.exception, ValueError)
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaisesRegex(grundy.UsageError, "kayles"):
            grundy.Game("kayls")
        with self.assertRaises(TypeError):
            grundy.values("kayles", to=1.5)


class ComputationTest(unittest.TestCase):
    def test_progress_is_heard_and_its_error_reaches_the_caller(self):
        heard = []
        grundy.values("0.167", to=3_000_000, progress=lambda *news: heard.append(news))
        self.assertGreaterEqual(len(heard), 1)
        self.assertEqual(heard[-1][:2], (3_000_001, 3_000_001))
        self.assertTrue(all(0 <= share <= 1 for _, _, share in heard))

        class Enough(Exception):
            pass

        def stop(*_):
            raise Enough

        begin = time.monotonic()
        with self.assertRaises(Enough):
            grundy.values("grundys-game", to=10**9, progress=stop)
        self.assertLess(time.monotonic() - begin, 20)

    def test_other_threads_of_python_go_on(self):
        stop, counted = threading.Event(), []

        def count():
            while not stop.is_set():
                counted.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        begin = time.monotonic()
        grundy.values("grundys-game", to=1_000_000)
        end = time.monotonic()
        stop.set()
        thread.join()
        self.assertGreater(sum(begin < at < end for at in counted), (end - begin) * 50)

    def test_control_c_stops_a_run_and_the_same_call_goes_on(self):
        program = """
import grundy, sys
try:
    grundy.compute("grundys-game", to=30_000_000, output=sys.argv[1], checkpoint_seconds=0.2,
                   progress=lambda done, *_: print(done, flush=True))
except KeyboardInterrupt:
    sys.exit(75)
"""
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/game.h5"
            with subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE, text=True) as run:
                while int(run.stdout.readline()) < 300_000:
                    pass
                run.send_signal(signal.SIGINT)
                run.stdout.read()
                self.assertEqual(run.wait(60), 75)
            self.assertTrue(pathlib.Path(path + ".run").is_dir())
            with self.assertRaisesRegex(grundy.UsageError, "run"):  # it was begun for another last heap
                grundy.compute("grundys-game", to=1_000, output=path)

    def test_a_file_is_what_the_command_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kayles.h5"
            report = grundy.compute("kayles", to=50_000, output=path)
            self.assertEqual((report.period.preperiod, report.period.period), (71, 12))
            self.assertGreater(report.file_bytes, 0)
            table = grundy.open_table(path)
            self.assertEqual(table.digest, report.statistics.digest)
            np.testing.assert_array_equal(table[:], grundy.values("kayles", to=50_000))
            with self.assertRaises(grundy.UsageError):
                grundy.compute("kayles", to=50_000, output=path)
            grundy.compute("kayles", to=60_000, output=path, overwrite=True)
            self.assertEqual(len(grundy.open_table(path)), 60_001)

    def test_statistics_without_a_table(self):
        report = grundy.compute("0.6", to=2**17, stats_only=True)
        values = grundy.values("0.6", to=2**17)
        self.assertEqual(report.statistics.maximum, values.max())
        np.testing.assert_array_equal(report.statistics.value_counts, np.bincount(values))
        self.assertEqual(report.statistics.records[0], (0, 0))


class TableTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        cls.heap, cls.plane, cls.ranks, cls.board = (path / name for name in ("h.h5", "p.h5", "s.h5", "b.h5"))
        grundy.compute("0.16", to=5_000, output=cls.heap)
        grundy.compute("wythoff", shape=(40, 60), output=cls.plane)
        grundy.compute("wythoff", to=39, sorted=True, output=cls.ranks)
        grundy.compute("cram:3x3", output=cls.board)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_slices_are_those_of_numpy(self):
        table, values = grundy.open_table(self.heap), grundy.values("0.16", to=5_000)
        self.assertEqual((table.shape, table.dtype, table.ndim, table.size), ((5_001,), values.dtype, 1, 5_001))
        for index in (slice(None), slice(3, 9), slice(-7, None), slice(None, None, -3), slice(10, 2, -4),
                      slice(90, 90), slice(4990, 6000, 2)):
            np.testing.assert_array_equal(table[index], values[index])
        self.assertEqual((table[0], table[77], table[-1]), (values[0], values[77], values[-1]))
        for wrong in (5_001, -5_002):
            with self.assertRaises(IndexError):
                table[wrong]
        np.testing.assert_array_equal(np.concatenate([block for _, block in table.chunks(step=999)]), values)
        plane, square = grundy.open_table(self.plane), grundy.values("wythoff", shape=(40, 60))
        for index in ((3, 5), (slice(2, 30, 7), 5), (-1, slice(None)), slice(5, 9), (slice(None), slice(9, 2, -3)), 7):
            np.testing.assert_array_equal(plane[index], square[index])
        np.testing.assert_array_equal(np.asarray(plane), square)

    def test_values_of_single_positions(self):
        heap = grundy.open_table(self.heap)
        self.assertFalse(heap.period.certified)
        for wrong in (5_001, -1, 2**64):
            with self.assertRaises(IndexError):
                heap.value(wrong)
        plane, ranks = grundy.open_table(self.plane), grundy.open_table(self.ranks)
        self.assertEqual(ranks.value(30, 20), plane.value(20, 30))
        self.assertEqual(ranks.shape, (820,))
        with self.assertRaises(IndexError):
            plane.value(40, 0)
        with self.assertRaises(TypeError):
            plane.value(3)

    def test_positions(self):
        board = grundy.open_table(self.board)
        values = grundy.values("cram:3x3")
        self.assertEqual(len(board), len(values))
        self.assertEqual({board.text(i): int(v) for i, v in enumerate(board.values)}, values)
        game = grundy.Game("cram:3x3")
        for option in game.options(game.start):
            self.assertEqual(board.value(option), game.value(option))
        self.assertEqual(board.root_value, game.value())
        with self.assertRaises(ValueError):
            board.values[0] = 1
        with self.assertRaises(IndexError):
            board.text(len(board))

    def test_h5py_reads_the_same(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        with h5py.File(self.plane) as file:
            np.testing.assert_array_equal(file["grundy"][:], grundy.open_table(self.plane)[:])

    def test_files_without_values(self):
        command = os.environ.get("GRUNDY_COMMAND")
        if not command:
            self.skipTest("GRUNDY_COMMAND names no command")
        def made(name, *words):
            path = f"{self.folder.name}/{name}.h5"
            subprocess.run([command, *words, "-o", path], check=True, capture_output=True)
            return grundy.open_table(path)
        genera = made("genera", "compute", "kayles", "--to", "20", "--misere")
        self.assertEqual(genera.kind, "genera")
        names = genera.attributes["genus_texts"].split()
        self.assertEqual([names[i] for i in genera["genus"]], [str(heap) for heap in grundy.genera("kayles", to=20)])
        self.assertEqual(genera["misere"].tolist(), [heap.misere[0] for heap in grundy.genera("kayles", to=20)])
        heaps = made("heaps", "compute", "S{squares}", "--to", "300", "--outcomes", "--misere")
        self.assertEqual((heaps.kind, heaps.attributes["play_convention"]), ("outcomes", "misere"))
        np.testing.assert_array_equal(
            heaps["positions"], np.flatnonzero(grundy.outcomes("S{squares}", to=300, misere=True)))
        self.assertEqual(heaps.attributes["p_positions"], len(heaps["positions"]))
        plane = made("plane", "compute", "wythoff", "--shape", "30x30", "--outcomes")
        np.testing.assert_array_equal(plane["positions"], np.argwhere(grundy.outcomes("wythoff", shape=(30, 30))))
        np.testing.assert_array_equal(plane.rows("positions", 2, 4), plane["positions"][2:4])
        self.assertEqual(plane.rows("positions", 5, 5).shape, (0, 2))
        board = made("board", "compute", "cram:2x3", "--outcomes")
        self.assertEqual((board.kind, len(board["key"])), ("p-positions", board.attributes["listed_positions"]))
        sets = made("sets", "census", "S{max<=6,size=2}")
        self.assertEqual((sets.kind, sets["moves"].shape, sets["moves"].dtype), ("census", (15, 2), np.uint16))
        rules = made("rules", "census", "2: V{max<=2,size=1}", "--shape", "8x8")
        self.assertEqual((rules.kind, len(rules["p_positions"])), ("rule-census", rules.attributes["rules"]))
        family = made("family", "atlas", "0.7", "0.77", "--to", "300")
        np.testing.assert_array_equal(family["class/0.77/grundy"][:20], grundy.values("kayles", to=19))
        self.assertEqual(family.attributes["class/0.77@period"], 12)
        self.assertEqual(family.provenance["program"], "grundy")
        with self.assertRaises(KeyError):
            family["nothing"]
        content = bytearray(pathlib.Path(self.folder.name, "sets.h5").read_bytes())
        content[-20] ^= 1
        damaged = pathlib.Path(self.folder.name, "damaged-list.h5")
        damaged.write_bytes(content)
        with self.assertRaises(grundy.CorruptError):
            grundy.open_table(damaged)

    def test_damaged_and_foreign_files(self):
        damaged = pathlib.Path(self.folder.name) / "damaged.h5"
        content = bytearray(self.heap.read_bytes())
        content[len(content) // 2] ^= 1
        damaged.write_bytes(content)
        with self.assertRaises(grundy.CorruptError) as caught:
            grundy.open_table(damaged)[:]
        self.assertIsInstance(caught.exception, OSError)
        damaged.write_text("no table")
        with self.assertRaises(grundy.CorruptError):
            grundy.open_table(damaged)
        with self.assertRaises(grundy.UsageError):
            grundy.open_table(self.folder.name + "/nothing.h5")


class GameTest(unittest.TestCase):
    def test_kinds(self):
        self.assertEqual([grundy.Game(text).kind for text in ("kayles", "Wythoff", "cram:2x2")],
                         ["heap", "lattice", "graph"])
        self.assertEqual(grundy.Game("nim", several=True).kind, "lattice")
        self.assertEqual(repr(grundy.Game("Kayles")), "Game('0.77')")
        self.assertIn("heap", grundy.Game("kayles").describe())

    def test_options_give_the_value(self):
        for text, positions in (("4.0", range(2, 40)), ("S{1,3,4}", range(30))):
            game, values = grundy.Game(text), grundy.values(text, to=60)
            for n in positions:
                reached = {functools.reduce(lambda a, b: a ^ b, (int(values[h]) for h in left), 0)
                           for left in game.options(n)}
                self.assertEqual(mex(reached), values[n])
        game, values = grundy.Game("euclid"), grundy.values("euclid", to=12)
        for x, y in itertools.product(range(13), repeat=2):
            self.assertEqual(mex({int(values[q]) for q in game.options((x, y))}), values[x, y])

    def test_positions_that_are_none(self):
        for call in (
            lambda: grundy.Game("kayles").value(-1),
            lambda: grundy.Game("kayles").value((1, 2)),
            lambda: grundy.Game("kayles").value(),
            lambda: grundy.Game("kayles").start,
            lambda: grundy.Game("wythoff").value(3),
            lambda: grundy.Game("wythoff").value((1, 2, 3)),
            lambda: grundy.Game("wythoff").options((1, -2)),
            lambda: grundy.Game("cram:2x2").options("no board"),
            lambda: grundy.Sum("kayles:x"),
        ):
            with self.assertRaises(grundy.UsageError):
                call()

    def test_a_winning_move_leaves_a_p_position(self):
        total = grundy.Sum("kayles:5,7", "wythoff:3,5", "*1")
        self.assertEqual(total.outcome, "N")
        kayles, wythoff = grundy.Game("kayles"), grundy.Game("wythoff")
        expected = set()
        for heap, left in ((heap, left) for heap in (5, 7) for left in kayles.options(heap)):
            if functools.reduce(lambda g, h: g ^ kayles.value(h), left, total.value) == kayles.value(heap):
                expected.add(f"from the Kayles heap of {heap} take {heap - sum(left)}, "
                             f"leaving {' + '.join(map(str, left))}")
        self.assertFalse(any(wythoff.value(q) == total.value for q in wythoff.options((3, 5))))
        self.assertEqual(set(total.winning_moves()), expected)
        self.assertEqual(grundy.Sum("kayles:5", "kayles:5").winning_moves(), [])


class OwnGameTest(unittest.TestCase):
    def test_a_graph_game_by_the_definition(self):
        class Divisors(grundy.GraphGame):
            """Subtract a proper divisor, or a divisor of the second number from it."""

            start = (24, 18)

            def options(self, position):
                x, y = position
                yield from ((x - d, y) for d in range(1, x) if x % d == 0)
                yield from ((x, y - d) for d in range(1, y) if y % d == 0)

        game = Divisors()

        @functools.cache
        def value(position):
            return mex({value(option) for option in game.options(position)})

        @functools.cache
        def misere(position):
            reached = {misere(option) for option in game.options(position)}
            return mex(reached) if reached else 1

        values = grundy.values(game)
        self.assertEqual(next(iter(values)), game.start)
        self.assertGreater(len(values), 300)
        for position, found in values.items():
            self.assertEqual(found, value(position))
        for position, found in grundy.values(game, misere=True).items():
            self.assertEqual(found, misere(position))
        self.assertEqual(grundy.outcomes(game)[game.start], value(game.start) == 0)

    def test_a_game_without_moves(self):
        class End(grundy.GraphGame):
            start = "end"

            def options(self, position):
                return ()

        self.assertEqual(grundy.values(End()), {"end": 0})

    def test_play_without_end_is_refused(self):
        class Cycle(grundy.GraphGame):
            start = 0

            def options(self, position):
                return [(position + 1) % 5]

        with self.assertRaisesRegex(grundy.UsageError, "play may never end: [0-4] is reached from itself"):
            grundy.values(Cycle())

    def test_a_heap_rule_as_a_function(self):
        def grundys(n):
            return [(a, n - a) for a in range(1, n) if 2 * a < n]

        np.testing.assert_array_equal(grundy.values(grundys, to=300), grundy.values("grundys-game", to=300))
        self.assertEqual(grundy.values(lambda n: range(n), to=300).dtype, np.uint16)
        np.testing.assert_array_equal(grundy.outcomes(lambda n: [n - 1] if n else [], to=5),
                                      [True, False] * 3)
        with self.assertRaisesRegex(grundy.UsageError, "leaves a heap of 4"):
            grundy.values(lambda n: [4], to=4)

    def test_errors_of_a_rule_reach_the_caller(self):
        with self.assertRaises(ZeroDivisionError):
            grundy.values(lambda n: [1 // (4 - n)] if n > 1 else [], to=10)


class NimberTest(unittest.TestCase):
    def test_the_field(self):
        random = np.random.default_rng(20)
        a, b, c = random.integers(0, 2**64, (3, 1000), dtype=np.uint64)
        np.testing.assert_array_equal(grundy.nim_mul(a, grundy.nim_sum(b, c)),
                                      grundy.nim_sum(grundy.nim_mul(a, b), grundy.nim_mul(a, c)))
        np.testing.assert_array_equal(grundy.nim_mul(grundy.nim_inverse(a), a), np.ones(1000))
        small = np.arange(16)
        by_mex = np.zeros((16, 16), int)
        for x, y in itertools.product(small, small):
            by_mex[x, y] = mex({by_mex[i, y] ^ by_mex[x, j] ^ by_mex[i, j] for i in range(x) for j in range(y)})
        np.testing.assert_array_equal(grundy.nim_mul(small[:, None], small[None, :]), by_mex)
        self.assertEqual(grundy.nim("5 + 3"), grundy.nim_sum(5, 3))
        self.assertEqual(grundy.nim_sum(), 0)

    def test_what_is_no_nimber(self):
        for wrong in (-1, 2**64, 1.5, [1, -1], "x"):
            with self.assertRaises(grundy.UsageError):
                grundy.nim_sum(wrong, 1)
        with self.assertRaises(grundy.UsageError):
            grundy.nim_inverse(0)
        with self.assertRaises(grundy.UsageError):
            grundy.nim("5 +")
        self.assertEqual(grundy.mex([]), 0)


def load_tests(loader, tests, pattern):
    """The examples in the docstrings are tests too."""
    for module in (grundy, _compute, _games, _nimbers, _own, _tables):
        tests.addTests(doctest.DocTestSuite(
            module, extraglobs={**vars(grundy), "np": np, "math": math, "__name__": module.__name__}))
    return tests


if __name__ == "__main__":
    unittest.main()
