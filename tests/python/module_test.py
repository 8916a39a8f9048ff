"""The Python module: values against definitions written here and against golden data, errors, Ctrl-C,
games of one's own, and the examples in the docstrings. Files are in tables_test.py.

Needs PYTHONPATH with the package, and GRUNDY_GOLDEN_DIR.
"""

import copy
import csv
import doctest
import functools
import itertools
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
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

    def test_a_mixed_pattern(self):
        found = grundy.period("4.3646 pass 4", to=5000)
        self.assertEqual((found.status, found.period), ("none", None))
        mixed = found.mixed
        self.assertEqual((mixed.status, mixed.certified, mixed.period), ("certified", True, 24))
        self.assertEqual(mixed.saltus, [16 if n % 4 == 3 else 0 for n in range(24)])
        values = grundy.values("4.3646 pass 4", to=400)
        for n in range(mixed.preperiod, 400 - 24):
            self.assertEqual(int(values[n + 24]), int(values[n]) + mixed.saltus[n % 24])
        self.assertEqual(mixed.verified_to, 5001)
        self.assertIn("mixed=MixedPattern('certified'", repr(found))
        self.assertIsNone(grundy.period("0.77 pass 3", to=5000).mixed)

    def test_moves_that_leave_four_heaps(self):
        def options(n):
            left = n - 2
            return [heaps for heaps in itertools.combinations_with_replacement(range(1, left), 3)
                    if left - sum(heaps) >= heaps[-1]]

        values = []
        for n in range(60):
            reached = {values[a] ^ values[b] ^ values[c] ^ values[n - 2 - a - b - c] for a, b, c in options(n)}
            values.append(mex(reached))
        self.assertEqual(grundy.values("0.0G", to=59).tolist(), values)
        found = grundy.period("0.0G", to=3000)
        self.assertTrue(found.certified)
        self.assertEqual((found.preperiod, found.period, found.saltus), (1, 5, 1))
        game = grundy.Game("0.0G")
        self.assertEqual(game.describe(), "take 2 tokens from a heap and leave four heaps")
        for n in (0, 5, 6, 9, 30):
            want = {heaps + (n - 2 - sum(heaps),) for heaps in options(n)}
            self.assertEqual({tuple(sorted(option)) for option in game.options(n)}, want)
        self.assertEqual(game.value(10**12 + 1), 2 * 10**11)
        both = grundy.Sum("0.0G:12,30", "kayles:5")
        self.assertEqual(both.value, values[12] ^ values[30] ^ grundy.Game("kayles").value(5))
        self.assertEqual(both.outcome, "N")
        self.assertGreater(len(both.winning_moves()), 0)
        self.assertEqual(grundy.Sum("0.0G:12", f"*{values[12]}").outcome, "P")

    def test_types_are_the_smallest(self):
        self.assertEqual(grundy.values("kayles", to=10).dtype, np.uint8)
        self.assertEqual(grundy.values("nim", to=254).dtype, np.uint8)
        for game in ("nim", lambda n: range(n)):  # all ones mean: not written
            self.assertEqual([grundy.values(game, to=to).dtype for to in (254, 255)], [np.uint8, np.uint16])
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
        with self.assertRaisesRegex(grundy.UsageError, "grundy.genera"):  # a move splits the heap
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
        for threads in (-1, 1.5, "2"):
            with self.assertRaisesRegex(grundy.UsageError, "`threads` is an integer from 1 on"):
                grundy.values("kayles", to=9, threads=threads)
        for play in (grundy.values, grundy.compute):
            with self.assertRaisesRegex(grundy.UsageError, "grundy.genera"):
                play("kayles", to=9, misere=True)
        with self.assertRaisesRegex(grundy.UsageError, "kayles"):
            grundy.Game("kayls")
        with self.assertRaises(TypeError):
            grundy.values("kayles", to=1.5)

    def test_what_is_no_game_is_said_in_a_sentence(self):
        class Mine(grundy.GraphGame):
            start = 1

            def options(self, position):
                return ()

        class Unfinished(grundy.GraphGame):
            def options(self, position):
                return ()

        for call, words in (
            (lambda: grundy.values(None), "a game is a text"),
            (lambda: grundy.values(5, to=3), "a game is a text"),
            (lambda: grundy.Game(5), "a game is a text"),
            (lambda: grundy.period(lambda n: []), "games of your own have `values` and `outcomes`"),
            (lambda: grundy.genera(lambda n: [], to=3), "games of your own have"),
            (lambda: grundy.compute(lambda n: [], to=3), "games of your own have"),
            (lambda: grundy.compute(Mine()), "games of your own have"),
            (lambda: grundy.values(Mine), r"give Mine\(\)"),
            (lambda: grundy.values(Unfinished()), "Unfinished has no `start`"),
            (lambda: grundy.Sum(Mine()), "a component of a sum is a text"),
            (lambda: grundy.Sum(5), "a component of a sum is a text"),
            (lambda: grundy.nim(5), "an expression is a text"),
            (lambda: grundy.values("wythoff", shape=5), "`shape` has"),
            (lambda: grundy.values("kayles", to=3, engine=None), "`engine` is a text"),
            (lambda: grundy.values("wythoff", to=3, sorted="x"), "`sorted` is True or False"),
            (lambda: grundy.Game("nim", several=2), "`several` is True or False"),
        ):
            with self.assertRaisesRegex(TypeError, words) as caught:
                call()
            self.assertNotIn("\n", str(caught.exception))

    def test_games_of_ones_own_refuse_what_means_nothing(self):
        class Mine(grundy.GraphGame):
            start = 1

            def options(self, position):
                return ()

        for play in (grundy.values, grundy.outcomes):
            for name, given in (("threads", 2), ("memory", 10**9), ("shape", (2, 2)), ("sorted", True)):
                for game in (Mine(), lambda n: []):
                    with self.assertRaisesRegex(grundy.UsageError, f"`{name}` means nothing"):
                        play(game, **{name: given})
        for name in ("engine", "kernel"):
            with self.assertRaisesRegex(grundy.UsageError, f"`{name}` means nothing"):
                grundy.values(lambda n: [], to=4, **{name: "dense"})
        for name in ("auto", ""):
            self.assertEqual(list(grundy.values(lambda n: [], to=4, engine=name, kernel=name)), [0] * 5)
            self.assertEqual(list(grundy.values("nim", to=4, engine=name, kernel=name)), list(range(5)))
        with self.assertRaisesRegex(grundy.UsageError, "`to` means nothing"):
            grundy.values(Mine(), to=3)
        with self.assertRaisesRegex(grundy.UsageError, "`misere` means nothing"):
            grundy.values(lambda n: [], to=3, misere=True)


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

    def test_an_array_that_does_not_fit_is_refused_at_once(self):
        begin = time.monotonic()
        for call in (
            lambda: grundy.values("kayles", to=10**12, memory=10**9),  # from the period
            lambda: grundy.values("kayles", to=10**14),
            lambda: grundy.values("grundys-game", to=20_000_000, memory=50_000_000),
            lambda: grundy.values("wythoff", shape=(6000, 6000), memory=40_000_000),
            lambda: grundy.outcomes("S{squares}", to=10**11, memory=10**9),
            lambda: grundy.outcomes("kayles", to=10**11, memory=10**9),
            lambda: grundy.outcomes("wythoff", shape=(10**5, 10**5), memory=10**9),
        ):
            with self.assertRaisesRegex(grundy.FailureError, "of memory, and .* available") as caught:
                call()
            self.assertNotIn("--", str(caught.exception))
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(len(grundy.values("kayles", to=10**6, memory=10**8)), 10**6 + 1)
        self.assertEqual(grundy.compute("kayles", to=10**9, memory=10**8, stats_only=True).statistics.count, 10**9 + 1)

    def test_control_c_stops_values_of_positions(self):
        program = """
import grundy, os, signal, sys, threading, time
def clock():  # of all threads: other work on the machine does not count
    return time.process_time() / os.cpu_count()
def interrupt():
    global asked
    time.sleep(0.4)
    asked = clock()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    eval(sys.argv[1])
except KeyboardInterrupt:
    sys.exit(75 if clock() - asked < 1.5 else "it took %s s of each core" % (clock() - asked))
sys.exit("it had ended")
"""
        for call in (
            "grundy.Game('0.007').value(16_000_000)",
            "grundy.Game('moore(4,2)').value((150, 150, 150, 150))",
            "grundy.Game('cram:7x7').value()",
            "grundy.Sum('*1', '0.007:16000000')",
            "grundy.Sum('moore(4,2):150,150,150,150')",
            "grundy.Sum('cram:7x7')",
        ):
            with self.subTest(call=call):
                run = subprocess.run([sys.executable, "-c", program, call], capture_output=True, text=True, timeout=60)
                self.assertEqual((run.returncode, run.stderr), (75, ""))

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
            with self.assertRaisesRegex(grundy.UsageError, r"allow it to be replaced \(overwrite=True\)"):
                grundy.compute("kayles", to=50_000, output=path)
            board = path.with_name("board.h5")
            grundy.compute("cram:2x2", output=board)
            with self.assertRaisesRegex(grundy.UsageError, r"\(overwrite=True\)"):
                grundy.compute("cram:2x2", output=board)
            grundy.compute("kayles", to=60_000, output=path, overwrite=True)
            self.assertEqual(len(grundy.open_table(path)), 60_001)

    def test_reports_say_what_they_hold(self):
        self.assertEqual(repr(grundy.compute("kayles", to=10)), "Report(Period('none'), Statistics(count=11, maximum=4))")
        self.assertEqual(repr(grundy.compute("wythoff", shape=(3, 4))), "Report(Statistics(count=12, maximum=5))")
        self.assertEqual(repr(grundy.compute("cram:2x3")), "Report(positions=4, root_value=1)")

    def test_periods_are_copied_and_pickled(self):
        by_sparse_space = grundy.compute("0.156", to=6500, engine="sparse").period
        self.assertIn("rare", by_sparse_space.theorem)
        for found in (grundy.period("kayles"), grundy.period("0.6", to=100), by_sparse_space,
                      grundy.period("4.3646 pass 4", to=5000)):
            for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
                self.assertEqual(again, found)
                self.assertEqual((repr(again), again.theorem, again.mixed), (repr(found), found.theorem, found.mixed))

    def test_statistics_without_a_table(self):
        report = grundy.compute("0.6", to=2**17, stats_only=True)
        values = grundy.values("0.6", to=2**17)
        self.assertEqual(report.statistics.maximum, values.max())
        np.testing.assert_array_equal(report.statistics.value_counts, np.bincount(values))
        self.assertEqual(report.statistics.records[0], (0, 0))


class GameTest(unittest.TestCase):
    def test_kinds(self):
        self.assertEqual([grundy.Game(text).kind for text in ("kayles", "Wythoff", "cram:2x2")],
                         ["heap", "lattice", "graph"])
        self.assertEqual(grundy.Game("nim", several=True).kind, "lattice")
        self.assertEqual(repr(grundy.Game("Kayles")), "Game('0.77')")
        self.assertIn("heap", grundy.Game("kayles").describe())

    def test_games_are_compared_copied_and_pickled(self):
        kayles = grundy.Game("kayles")
        self.assertEqual({kayles, grundy.Game("0.77")}, {grundy.Game("Kayles")})
        self.assertNotEqual(kayles, grundy.Game("0.137"))
        self.assertNotEqual(grundy.Game("nim"), grundy.Game("nim", several=True))
        self.assertNotEqual(kayles, "0.77")
        games = [kayles, grundy.Game("nim", several=True), grundy.Game("wythoff"), grundy.Game("cram:2x3")]
        with tempfile.TemporaryDirectory() as folder:
            rules = pathlib.Path(folder) / "mine.toml"
            rules.write_text('title = "Mine"\nreference = "nowhere"\nheaps = 2\nmoves = ["sym (1,0)*"]\n')
            games.append(grundy.Game(str(rules)))
        for game in games:  # the rules file is gone
            for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
                self.assertEqual(again, game)
                self.assertEqual([again.title, again.reference, again.describe(), again.kind],
                                 [game.title, game.reference, game.describe(), game.kind])
        self.assertEqual(games[-1].title, "Mine")
        total = grundy.Sum("kayles:5,7", "wythoff:3,5", "*1")
        for again in (pickle.loads(pickle.dumps(total)), copy.deepcopy(total)):
            self.assertEqual((again.components, again.value), (total.components, total.value))

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

    def test_a_pass_of_a_heap_is_a_move_but_no_option(self):
        game = grundy.Game("0.77 pass 3")
        self.assertEqual(game.options(3), [(1,), (1, 1), (2,)])
        self.assertEqual(game.value(3), 4)  # the moves reach 0, 1 and 2, the pass 3
        self.assertEqual(grundy.Sum("kayles:3", "0.77 pass 3:3").winning_moves(),
                         ["pass in the 0.77 pass 3 heap of 3"])

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

    def test_values_of_both_plays_of_a_start(self):
        report = grundy.compute("cram:3x4", misere=True)
        self.assertEqual((report.root_value, report.misere_root_value), (1, 0))
        self.assertIsNone(grundy.compute("cram:3x4").misere_root_value)
        of_heaps = grundy.compute("kayles", to=5)
        self.assertEqual((of_heaps.root_value, of_heaps.positions), (None, None))

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
        for call in (lambda: grundy.nim_mul([1, 2, 3], [3, 4]), lambda: grundy.nim_power([1, 2, 3], [3, 4]),
                     lambda: grundy.nim_sum(5, [1, 2, 3], [3, 4])):
            with self.assertRaisesRegex(grundy.UsageError, r"shapes .*\(3,\) and \(2,\) do not fit together"):
                call()
        self.assertEqual(grundy.mex([]), 0)
        self.assertEqual(grundy.mex(np.arange(4)), 4)
        for wrong in ([-1, 0], [0.5, 1], "01", [2**64], ["0"], [None]):
            with self.assertRaisesRegex(grundy.UsageError, "a nimber is an integer from 0 to 2"):
                grundy.mex(wrong)


def load_tests(loader, tests, pattern):
    """The examples in the docstrings are tests too."""
    for module in (grundy, _compute, _games, _nimbers, _own, _tables):
        tests.addTests(doctest.DocTestSuite(
            module, extraglobs={**vars(grundy), "np": np, "math": math, "__name__": module.__name__}))
    return tests


if __name__ == "__main__":
    unittest.main()
