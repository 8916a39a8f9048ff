"""Files in the Python module: tables against computed values and h5py, lists of the command, damage.

Needs PYTHONPATH with the package; GRUNDY_COMMAND, the command, for files that only it writes.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import grundy


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

    def test_an_ellipsis_stands_for_whole_axes(self):
        table, values = grundy.open_table(self.heap), grundy.values("0.16", to=5_000)
        plane, square = grundy.open_table(self.plane), grundy.values("wythoff", shape=(40, 60))
        for index in (..., (..., 3), (3, ...), (..., slice(2, 9)), (3, 4, ...), (), (..., 3, 4)):
            np.testing.assert_array_equal(plane[index], square[index])
        np.testing.assert_array_equal(table[...], values)
        for wrong in ((1, 2, 3), (..., ...), (1, 2, 3, ...)):
            with self.assertRaises(IndexError):
                plane[wrong]
        with self.assertRaisesRegex(TypeError, "numpy.asarray"):
            table[[1, 2]]

    def test_values_go_beyond_the_end(self):
        folder = pathlib.Path(self.folder.name)
        for game, count in (("kayles", 300), ("0.07", 200), ("all-but{1,2}", 50), ("nim", 40)):
            path = folder / "beyond.h5"
            grundy.compute(game, to=count, output=path, overwrite=True)
            table, far = grundy.open_table(path), grundy.values(game, to=4 * count)
            self.assertTrue(table.period.certified, game)
            for begin, end in ((0, 4 * count), (5, 9), (count - 3, count + 2), (count + 1, count + 2),
                               (2 * count + 7, 3 * count), (count, count), (7, 7), (3 * count, 3 * count)):
                found = table.values(begin, end)
                np.testing.assert_array_equal(found, far[begin:end])
                self.assertEqual(found.dtype, np.min_scalar_type(max([0, *far[begin:end].tolist()])))
            np.testing.assert_array_equal(table.values(), table[:])
            big = 2**50
            self.assertEqual(table.values(big, big + 99).tolist(), [table.value(n) for n in range(big, big + 99)])
            for begin, end in ((-1, 3), (5, 4), (0, 2**64 + 1)):
                with self.assertRaises(grundy.UsageError):
                    table.values(begin, end)
        self.assertEqual(table.values(2**64 - 2, 2**64).tolist(), [2**64 - 2, 2**64 - 1])
        heap = grundy.open_table(self.heap)
        np.testing.assert_array_equal(heap.values(4_990, 5_001), heap[4_990:])
        with self.assertRaisesRegex(grundy.UsageError, "no certified period"):
            heap.values(4_990, 5_002)
        with self.assertRaisesRegex(grundy.UsageError, "one heap"):
            grundy.open_table(self.plane).values(0, 3)

    def test_indices_and_slices_go_beyond_the_end_where_it_is_proved(self):
        path = pathlib.Path(self.folder.name) / "goes-on.h5"
        for game, count in (("kayles", 300), ("nim", 250), ("0.0G", 400)):  # the last two with a saltus
            grundy.compute(game, to=count - 1, output=path, overwrite=True)
            table, far = grundy.open_table(path), grundy.values(game, to=4 * count)
            self.assertTrue(table.period.certified, game)
            end = len(table)
            for index in (slice(end - 3, end + 5), slice(2 * end, 3 * end, 7), slice(end, end), slice(end + 5, end),
                          slice(end + 9, end - 9, -2), slice(end + 5, None, -1), slice(-3, end + 4), slice(None, end + 4),
                          slice(end, end + 1), slice(end + 4, -5, -1)):
                start = index.start if index.start is None or index.start >= 0 else end + index.start
                stop = index.stop if index.stop is None or index.stop >= 0 else end + index.stop
                np.testing.assert_array_equal(table[index], far[slice(start, stop, index.step)], err_msg=f"{game} {index}")
            for index in (slice(None), slice(-5, None), slice(None, None, -1), slice(7, None), slice(None, -4)):
                np.testing.assert_array_equal(table[index], far[:end][index])
            self.assertEqual(len(table[end:]) + len(table[end + 7 :]), 0)
            self.assertEqual((table[end], table[2 * end], table[end,]), (far[end], far[2 * end], far[end]))
            self.assertEqual(table[10**15], table.value(10**15))
            self.assertEqual(table[10**15 : 10**15 + 3].tolist(), [table[10**15 + i] for i in range(3)])
            self.assertEqual(table[: end + 1].dtype, table.dtype if far[end] < 256 else np.uint64)
            # Iteration and what rests on it end with the table.
            self.assertEqual(list(table), far[:end].tolist())
            self.assertEqual(list(reversed(table)), far[:end][::-1].tolist())
            self.assertNotIn(far.max() + 1, table)
            np.testing.assert_array_equal(np.asarray(table), far[:end])
            with self.assertRaises(IndexError):
                table[-end - 1]
            with self.assertRaises(grundy.RangeError):
                table[2**64]
        rows = list(grundy.open_table(self.plane))
        np.testing.assert_array_equal(rows, grundy.values("wythoff", shape=(40, 60)))

    def test_what_is_not_known_is_one_error(self):
        self.assertTrue(issubclass(grundy.RangeError, (grundy.Error, ValueError)))
        self.assertTrue(issubclass(grundy.RangeError, grundy.UsageError) and issubclass(grundy.RangeError, IndexError))
        heap, plane, board = (grundy.open_table(path) for path in (self.heap, self.plane, self.board))
        for call, words in (
            (lambda: heap.value(10**9), "no certified period"),
            (lambda: heap.values(10**9, 10**9 + 3), "no certified period"),
            (lambda: heap[10**9], "no certified period"),
            (lambda: heap[-10**9], "outside of the table"),
            (lambda: plane[40], "outside of the table"),
            (lambda: plane[0, 60], "60 is outside of the table, which has 60 on axis 1"),
            (lambda: plane[5:9, -61], "-61 is outside of the table"),
            (lambda: plane[..., 10**9], "outside of the table"),
            (lambda: plane[0, 0, 0], "has 2 axes"),
            (lambda: plane.value(40, 0), r"\(40,0\) is not in the table"),
            (lambda: board.text(10**9), "there is no row"),
        ):
            with self.assertRaisesRegex(grundy.RangeError, words):
                call()
        self.assertEqual(len(heap[10**9 : 10**9 + 5]), 0)
        self.assertEqual(plane[0, 100:].shape, (0,))

    def test_a_position_is_a_tuple_or_an_argument_for_each_heap(self):
        plane, heap = grundy.open_table(self.plane), grundy.open_table(self.heap)
        game = grundy.Game("wythoff")
        for owner in (plane, game):
            self.assertEqual([owner.value((3, 4)), owner.value(3, 4), owner.value([3, 4])], [plane[3, 4]] * 3)
        self.assertEqual(heap.value(np.uint8(9)), heap.value((9,)))
        self.assertEqual(game.options(1, 2), game.options((1, 2)))
        self.assertEqual((game.outcome(1, 2), game.outcome((1, 2)), game.outcome(1, 3)), ("P", "P", "N"))
        for wrong in (lambda: plane.value((1, 2), 3), lambda: plane.value("12")):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaisesRegex(grundy.UsageError, "of this table has 2 heaps, not 3"):
            plane.value(1, 2, 3)
        with self.assertRaisesRegex(grundy.UsageError, "of this table has one heap, not 2"):
            heap.value(1, 2)
        with self.assertRaises(grundy.UsageError):
            grundy.Game("kayles").value(1, 2)

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
        with self.assertRaises(grundy.UsageError):
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

    def test_positions_of_a_game_that_is_not_in_the_catalogue(self):
        # From a number go to a smaller one prime to it: its value is the index of its least prime.
        own = grundy.open_table(pathlib.Path(__file__).parents[1] / "format" / "positions-1.1-own.h5")
        self.assertEqual(own.game, "coprime")
        self.assertEqual(own.keys.tolist(), list(range(1, 13)))
        self.assertEqual(own.values.tolist(), [0, 1, 2, 1, 3, 1, 4, 1, 2, 1, 5, 1])
        self.assertEqual(own.moves.tolist()[:4], [0, 1, 2, 2])
        self.assertEqual((own.text(8), own.value(own.text(8)), own.value("0xb")), ("0x0000000000000009", 2, 5))
        for text in ("7", "0xd", "nine"):
            with self.assertRaises(grundy.UsageError):
                own.value(text)
        with self.assertRaisesRegex(grundy.UsageError, r"own\.h5' .* 'coprime', which is not in the catalogue"):
            own.value("7")

    def test_keys_have_a_row_for_each_position(self):
        self.assertEqual(grundy.open_table(self.board).keys.shape, (len(grundy.values("cram:3x3")),))
        path = pathlib.Path(self.folder.name) / "wide.h5"
        grundy.compute("node-kayles:path:70", output=path)
        wide = grundy.open_table(path)
        self.assertEqual(wide.keys.shape, (len(wide), 2))
        self.assertFalse(wide.keys.flags.writeable)

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


if __name__ == "__main__":
    unittest.main()
