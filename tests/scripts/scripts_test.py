"""Runs every script on small real files and looks at what it drew.

Usage: scripts_test.py GRUNDY SCRIPTS_DIRECTORY
"""

import contextlib
import csv
import io
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile
import types
import unittest

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.image
import matplotlib.pyplot
import numpy as np

GRUNDY, SCRIPTS = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(SCRIPTS))
import grundy_tables  # noqa: E402
from grundy_tables import open_atlas, open_positions, open_table  # noqa: E402

# What a refusal says of a file.
WHAT = {
    "atlas.h5": "it is a family of games, not a table of one heap or of several",
    "cram.h5": "it is a table of positions, not a table of one heap or of several",
    "stats.h5": "it is a file of statistics without values, not a table of one heap or of several",
    "p-cram.h5": "it is a list of P-positions of a game, not a table of one heap or of several",
    "p-wythoff.h5": "it is a file of outcomes without values, not a table of one heap or of several",
    "sets.h5": "it is a census of subtraction sets, not a family of games",
}


def grundy(*words):
    subprocess.run([GRUNDY, *map(str, words), "-q"], check=True, stdout=subprocess.DEVNULL)


def script(name, *words):
    """Runs a script in this process, which has imported what takes scripts a second to import."""
    out, err, code, argv = io.StringIO(), io.StringIO(), 0, sys.argv
    sys.argv = [name, *map(str, words)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(str(SCRIPTS / name), run_name="__main__")
    except SystemExit as leaving:
        code = leaving.code
        if isinstance(code, str):  # what Python itself does with a message
            err.write(code + "\n")
            code = 1
    finally:
        sys.argv = argv
        matplotlib.pyplot.close("all")
    return types.SimpleNamespace(returncode=code or 0, stdout=out.getvalue(), stderr=err.getvalue())


class ScriptTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        grundy("compute", "kayles", "--to", 20000, "-o", cls.path / "kayles.h5")
        grundy("compute", ".6", "--to", 60000, "-o", cls.path / "officers.h5")
        grundy("compute", "wythoff", "--shape", "40x40", "-o", cls.path / "wythoff.h5")
        grundy("compute", "AllBut{2}", "--to", 5000, "-o", cls.path / "allbut.h5")
        grundy("compute", "cram:3x4", "-o", cls.path / "cram.h5", "--adjacency")
        grundy("compute", "S{squares}", "--to", 30000, "--outcomes", "-o", cls.path / "p-squares.h5")
        grundy("compute", "S{2,5,7}", "--to", 500, "--outcomes", "--misere", "-o", cls.path / "p-set.h5")
        grundy("compute", "wythoff", "--shape", "150x90", "--outcomes", "-o", cls.path / "p-wythoff.h5")
        grundy("compute", "chomp(3)", "--shape", "20x20x20", "--sorted", "--outcomes",
               "-o", cls.path / "p-chomp.h5")
        grundy("compute", "cram:4x4", "--outcomes", "-o", cls.path / "p-cram.h5")
        grundy("compute", "0.0E", "--to", 100000, "-o", cls.path / "constant.h5")
        grundy("compute", ".6", "--to", 5000, "--stats-only", "-o", cls.path / "stats.h5")
        grundy("census", "S{max<=8,size=3}", "-o", cls.path / "sets.h5")
        grundy("atlas", "0.dd", "4.dd", "-o", cls.path / "atlas.h5")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check_picture(self, path):
        """Not blank: many colours, and ink in every quarter."""
        if path.suffix == ".svg":
            text = path.read_text(encoding="utf-8")
            self.assertIn("<svg", text)
            self.assertGreater(text.count("<path") + text.count("<use"), 20)
            return
        image = matplotlib.image.imread(path)[..., :3]
        self.assertGreater(min(image.shape[:2]), 400)
        colours = (image * 255).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
        self.assertGreater(len(np.unique(colours)), 20)
        middle = [side // 2 for side in image.shape[:2]]
        for rows in (slice(0, middle[0]), slice(middle[0], None)):
            for columns in (slice(0, middle[1]), slice(middle[1], None)):
                self.assertGreater((image[rows, columns] < 0.9).any(axis=-1).sum(), 100)

    def draw(self, name, table, *words, suffix=".png"):
        picture = self.path / f"{pathlib.Path(table).stem}-{len(list(self.path.iterdir()))}{suffix}"
        run = script(name, self.path / table, "-o", picture, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, f"{picture}\n")
        self.check_picture(picture)

    def test_tables_of_heaps_are_drawn_in_every_way(self):
        for kind in ("values", "histogram", "maximum", "gaps"):
            with self.subTest(kind=kind):
                self.draw("plot_table.py", "officers.h5", "--kind", kind)
        self.draw("plot_table.py", "kayles.h5", "--kind", "period")
        self.draw("plot_table.py", "allbut.h5", "--kind", "period")
        self.draw("plot_table.py", "kayles.h5", suffix=".svg")

    def test_scripts_run_as_programs(self):
        for name, table in (("plot_table.py", "kayles.h5"), ("plot_census.py", "atlas.h5")):
            picture = self.path / f"program-{table}.png"
            subprocess.run([sys.executable, SCRIPTS / name, self.path / table, "-o", picture],
                           check=True, stdout=subprocess.DEVNULL)
            self.check_picture(picture)

    def test_census_is_drawn(self):
        self.draw("plot_census.py", "atlas.h5", suffix=".svg")

    def test_lists_of_p_positions_are_drawn(self):
        for name in ("squares", "set", "wythoff", "chomp", "cram"):
            with self.subTest(name=name):
                self.draw("plot_p_positions.py", f"p-{name}.h5")
        self.draw("plot_p_positions.py", "p-chomp.h5", "--at", 3, "--to", 15)
        self.draw("plot_p_positions.py", "p-squares.h5", "--to", 999, "--width", 5, suffix=".svg")

    def test_what_is_drawn_of_lists_is_what_they_say(self):
        import plot_p_positions as plot

        class Options:
            to, at, width = None, [], None

        def drawn(name, draw, **options):
            import matplotlib.pyplot

            chosen = Options()
            vars(chosen).update(options)
            figure = matplotlib.pyplot.figure()
            figure.scale = 1
            with h5py.File(self.path / name) as file:
                draw(file, chosen, figure)
            return figure.axes

        # Misère P-positions of S{2,5,7} recur after 22 heaps.
        counted, raster = drawn("p-set.h5", plot.draw_heaps)
        cells = raster.images[0].get_array()
        self.assertEqual(cells.shape[1], 22)
        with h5py.File(self.path / "p-set.h5") as file:
            listed = file["positions"][()]
        self.assertEqual(list(np.flatnonzero(cells.compressed())), list(listed))
        self.assertEqual(counted.lines[0].get_ydata()[-1], len(listed))
        # Of a shape, points are the list; of a sorted one, both orders of it.
        plane, counts = drawn("p-wythoff.h5", plot.draw_shape)
        with h5py.File(self.path / "p-wythoff.h5") as file:
            listed = {tuple(map(int, row)) for row in file["positions"][()]}
        self.assertEqual({tuple(map(int, p)) for p in plane.collections[0].get_offsets()}, listed)
        self.assertEqual(sum(counts.lines[0].get_ydata()), sum(max(p) < 90 for p in listed))
        plane, _ = drawn("p-chomp.h5", plot.draw_shape, at=[3])
        with h5py.File(self.path / "p-chomp.h5") as file:
            rows = [sorted(map(int, row)) for row in file["positions"][()]]
        expected = {(a, b) for a in range(20) for b in range(20) if sorted((a, b, 3)) in rows}
        self.assertEqual({tuple(map(int, p)) for p in plane.collections[0].get_offsets()}, expected)

    def test_conjectures_of_chomp_are_tested(self):
        """By what is in print: 3 x n has one winning first move, A147983 begins with 120, A395126."""
        three, four = self.path / "chomp3.h5", self.path / "chomp4.h5"
        grundy("compute", "chomp(3)", "--shape", "601x601x601", "--sorted", "--outcomes", "-o", three)
        grundy("compute", "chomp(4)", "--shape", "151x151x151x151", "--sorted", "--outcomes", "-o", four)
        text = script("chomp_ratios.py", three).stdout
        self.assertIn("600 of 600; second row", text)
        self.assertRegex(text, "than 1 +120: 2\n")
        self.assertRegex(text, r"a third of the list +1 of 1\n")
        text = script("chomp_ratios.py", four, "--from", 20).stdout
        with h5py.File(four) as file:
            self.assertIn(f"0 exceptions among {len(file['positions']) - 1}\n", text)
        self.assertRegex(text, r"when all rows grow by 112 +\d+\.\d+ %, rank \d+ of shifts 96")
        record = SCRIPTS.parent / "tests/golden/records/chomp-4-2000/counts.csv"
        text = script("chomp_ratios.py", record, "--from", 501).stdout
        self.assertRegex(text, r"LOW to, HIGH from +0\.0916, 0\.1146\n")
        self.assertRegex(text, r"56.1 % of the lengths are HIGH +56\.1 %\n")
        # A list in which three rows have two fourth rows is seen.
        with h5py.File(four, "r+") as file:
            row = len(file["positions"]) - 1
            file["positions"][row] = file["positions"][row - 1] + [1, 0, 0, 0]
        self.assertIn("1 exceptions among", script("chomp_ratios.py", four, "--from", 20).stdout)

    def test_pictures_for_print_are_pages_wide(self):
        for name, table in (("plot_table.py", "kayles.h5"), ("plot_lattice.py", "wythoff.h5"),
                            ("plot_census.py", "atlas.h5"), ("plot_p_positions.py", "p-chomp.h5")):
            run = script(name, self.path / table, "--style", "print")
            self.assertEqual(run.returncode, 0, run.stderr)
            pdf = (self.path / table).with_suffix(".pdf")
            self.assertEqual(run.stdout, f"{pdf}\n")
            self.assertTrue(pdf.read_bytes().startswith(b"%PDF"))
        picture = self.path / "print.png"
        script("plot_table.py", self.path / "kayles.h5", "--style", "print", "-o", picture)
        self.check_picture(picture)
        self.assertEqual(matplotlib.image.imread(picture).shape[1], round(7.2 * 300))

    def drawn_table(self, table, kind, begin=0, last=None):
        """The figure that plot_table.py draws of some heaps, and the mask of their sparse space."""
        import grundy_pictures
        import plot_table
        figure = grundy_pictures.new_figure("screen", 13, 5)
        with open_table(self.path / table) as file:
            span = plot_table.Span(file, types.SimpleNamespace(begin=begin, last=last))
            plot_table.KINDS[kind](figure, span)
            return figure, plot_table.SparseSplit(span).mask

    def test_every_rare_heap_is_drawn_and_counted(self):
        figure, mask = self.drawn_table("officers.h5", "gaps")
        with open_table(self.path / "officers.h5") as officers:
            rare = [n for n in range(1, 60001) if bin(int(officers[n]) & mask).count("1") % 2 == 0]
        counted, gaps = figure.axes[:2]
        self.assertEqual(gaps.lines[0].get_xdata().tolist(), rare)
        self.assertEqual(gaps.lines[0].get_ydata().tolist(), np.diff([0, *rare]).tolist())
        self.assertEqual(counted.lines[0].get_ydata()[-1], len(rare))
        self.assertEqual(counted.lines[0].get_xdata()[1], rare[0])

    def test_the_sparse_space_is_that_of_what_is_drawn(self):
        # Values grow: those of heaps 0 to 199 are below 100, and so is the mask that tells them apart.
        figure, mask = self.drawn_table("constant.h5", "histogram")
        self.assertLess(mask, 128)
        self.assertTrue(all(len(kind.get_offsets()) > 20 for kind in figure.axes[0].collections))
        # Values of this game have the parity of the heap or the other one, wherever the span begins.
        for begin in (1, 2):
            figure, mask = self.drawn_table("allbut.h5", "histogram", begin, begin + 399)
            common, rare = (len(kind.get_offsets()) for kind in figure.axes[0].collections)
            self.assertEqual((mask, common > 100, rare), (1, True, 0))

    def test_short_axes_have_a_tick_on_either_side_of_all_points(self):
        import grundy_pictures
        axes = grundy_pictures.new_figure("screen", 13, 5).subplots()
        for numbers in ((1, 1), (1, 2, 3), (1, 4), (2, 2), (31, 48), (9, 95), (100, 2000)):
            axes.clear()
            axes.scatter(range(len(numbers)), numbers)
            axes.set(yscale="log")
            grundy_pictures.write_short_axes_out(axes.yaxis)
            (low, high), ticks = axes.get_ylim(), axes.get_yticks()
            self.assertTrue(max(0.7, min(numbers) / 4) <= low < min(numbers), (numbers, low))
            self.assertTrue(max(numbers) < high <= 2.5 * max(numbers), (numbers, high))
            self.assertTrue(any(low * 0.999 <= tick <= min(numbers) for tick in ticks), (numbers, ticks))
            self.assertTrue(any(max(numbers) <= tick <= high * 1.001 for tick in ticks), (numbers, ticks))
        axes = axes.figure.add_subplot()
        axes.set(yscale="log")
        grundy_pictures.write_short_axes_out(axes.yaxis)
        self.assertEqual(axes.get_ylim(), (0.7, 2))
        figure, _ = self.drawn_table("constant.h5", "histogram")
        self.assertIn("3", [label.get_text() for label in figure.axes[0].get_yticklabels()])

    def test_long_legends_stay_on_the_page(self):
        import grundy_pictures
        figure = grundy_pictures.new_figure("print", 13, 5)
        axes = figure.subplots()
        for kind in ("common", "rare"):
            axes.plot([1], [1], label=f"{kind}: an even number of bits in common with 0xdff, swapped for even heaps")
        grundy_pictures.put_legend_above(axes)
        figure.canvas.draw()
        box = axes.get_legend().get_window_extent()
        self.assertTrue(0 <= box.x0 < box.x1 <= figure.bbox.x1, box)

    def test_exceptions_are_seen_and_do_not_hide_the_period(self):
        for table in ("constant.h5", "kayles.h5"):
            figure, _ = self.drawn_table(table, "period")
            axes = figure.axes[0]
            points, rings = axes.lines[0], axes.collections[0]
            self.assertEqual(rings.get_facecolors().size, 0)
            self.assertLess(rings.get_zorder(), 0)  # below points, and below the density of a long period
            self.assertGreater(np.sqrt(rings.get_sizes()[0]) - rings.get_linewidths()[0], points.get_markersize())

    def test_values_on_an_axis_are_whole_numbers(self):
        for kind, numbers in (("period", [0, 1]), ("values", [0])):
            figure, _ = self.drawn_table("constant.h5", kind, 0, 2)
            axes = figure.axes[0]
            self.assertEqual(set(axes.lines[0].get_ydata()), {0})
            low, high = axes.get_ylim()
            self.assertEqual([tick for tick in axes.get_yticks() if low <= tick <= high], numbers)

    def test_exceptions_and_period_have_a_legend(self):
        for table in ("kayles.h5", "allbut.h5"):
            figure, _ = self.drawn_table(table, "period")
            with open_table(self.path / table) as file:
                period = file.period
                first = [int(file[n]) for n in range(period.preperiod)]
                wrong = sum(first[n] != int(file[n + k * period.period]) - k * period.saltus
                            for n in range(period.preperiod)
                            for k in [-((n - period.preperiod) // period.period)])
            labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
            self.assertIn("the period", labels[0])
            if period.preperiod > 0:
                self.assertEqual(labels[1], f"exceptions before it: {wrong}")

    def test_what_cannot_be_drawn_is_one_sentence(self):
        for name, table, words in (
            ("plot_table.py", "officers.h5", ("--kind", "period")),
            ("plot_table.py", "wythoff.h5", ()),
            ("plot_table.py", "atlas.h5", ()),
            ("plot_table.py", "none.h5", ()),
            ("plot_table.py", "kayles.h5", ("--to", "20001")),
            ("plot_table.py", "cram.h5", ()),
            ("plot_table.py", "stats.h5", ()),
            ("plot_table.py", "p-cram.h5", ()),
            ("plot_lattice.py", "p-wythoff.h5", ()),
            ("plot_census.py", "sets.h5", ()),
            ("plot_lattice.py", "cram.h5", ()),
            ("plot_lattice.py", "kayles.h5", ()),
            ("plot_p_positions.py", "kayles.h5", ()),
            ("plot_p_positions.py", "p-chomp.h5", ("--at", "20")),
            ("plot_census.py", "kayles.h5", ()),
            ("chomp_ratios.py", "kayles.h5", ()),
            ("chomp_ratios.py", "none.h5", ()),
            ("chomp_ratios.py", "none.csv", ()),
        ):
            run = script(name, self.path / table, *words)
            self.assertEqual(run.returncode, 1, (name, table))
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertIn(table, run.stderr)
            self.assertIn(WHAT.get(table, ""), run.stderr)

    def test_kinds_of_files_are_named_as_the_program_names_them(self):
        text = (SCRIPTS.parent / "src/table/file_kind.cpp").read_text(encoding="utf-8")
        kinds = dict(re.findall(r'\{"(grundy-[\w-]+)", \d+, \d+, "\w+", "([^"]+)"\}', text))
        self.assertIn("grundy-table", kinds)
        self.assertEqual(grundy_tables._KINDS, kinds)

    def test_tables_are_read(self):
        with open_table(self.path / "kayles.h5") as kayles:
            self.assertEqual((kayles.size, kayles.max_value, kayles.argmax), (20001, 8, 27))
            self.assertEqual(kayles[70:74].tolist(), [6, 7, 4, 1])
            self.assertEqual((kayles.period.preperiod, kayles.period.period), (71, 12))
            self.assertEqual(kayles.value(10**18), kayles.value(10**18 % 12 + 120))
            self.assertEqual(int(kayles.value_counts.sum()), 20001)
            read = np.concatenate([values for _, values in kayles.chunks(step=777)])
            self.assertTrue((read == kayles[:]).all())
            self.assertEqual(kayles.provenance["program"], "grundy")
            with self.assertRaises(IndexError):
                kayles.value(-1)
            with self.assertRaises(TypeError):
                kayles.value(2.5)
            records, complete = kayles.records
            self.assertTrue(complete)
            self.assertEqual(records[-1].tolist(), [27, 8])
        with open_table(self.path / "officers.h5") as officers:
            self.assertIsNone(officers.period)
            with self.assertRaises(IndexError):
                officers.value(10**9)
        with open_table(self.path / "allbut.h5") as allbut:
            self.assertGreater(allbut.period.saltus, 0)
            for n in (4000, 4999, 5000):
                self.assertEqual(allbut.value(n + 3 * allbut.period.period),
                                 allbut.value(n) + 3 * allbut.period.saltus)
        with open_table(self.path / "wythoff.h5") as wythoff:
            self.assertTrue(wythoff.is_lattice)
            self.assertEqual((wythoff.shape, int(wythoff[3, 5])), ((40, 40), 0))
            with self.assertRaises(TypeError):
                wythoff.value(3)
        with self.assertRaisesRegex(ValueError, "a family of games, not a table of one heap"):
            open_table(self.path / "atlas.h5")

    def test_tables_of_positions_are_read(self):
        with self.assertRaisesRegex(ValueError, "a table of positions, not a table of one heap"):
            open_table(self.path / "cram.h5")
        with self.assertRaisesRegex(ValueError, "a table of one heap or of several, not a table of positions"):
            open_positions(self.path / "kayles.h5")
        with open_positions(self.path / "cram.h5") as cram:
            self.assertEqual(cram.game, "cram:3x4")
            self.assertEqual(cram.size, len(cram.keys))
            self.assertEqual(cram.max_value, int(cram.values[:].max()))
            self.assertTrue(((cram.values[:] == 0) == (cram.is_p_position[:] == 1)).all())
            self.assertTrue((np.diff(cram.layers[:].astype(int)) >= 0).all())
            nimber = np.bitwise_xor.reduce(cram.values[:][cram.start[:]])
            self.assertEqual(cram.root_value, int(nimber))
            self.assertEqual(cram.provenance["program"], "grundy")

    def test_atlases_are_read(self):
        with open_atlas(self.path / "atlas.h5") as atlas:
            self.assertEqual(atlas.games, 127)
            self.assertEqual(len(list(atlas)), len(atlas))
            self.assertEqual(len(atlas.members), 127)
            self.assertEqual(atlas["0.77"].period.period, 12)
            self.assertIsNone(atlas["0.6"].period)
            with open_table(self.path / "officers.h5") as officers:
                self.assertTrue((atlas["0.6"][:] == officers[:2501]).all())
        with self.assertRaises(ValueError):
            open_atlas(self.path / "kayles.h5")

    def test_summaries_of_atlases_are_counted_and_checked(self):
        summary, record = self.path / "summary.csv", self.path / "record"
        grundy("atlas", "0.ddd", "--to", 700, "--summary", summary)
        self.assertEqual(script("atlas_record.py", summary, record, "--least", 100).returncode, 0)
        with open(record / "counts.csv", encoding="utf-8") as file:
            counted = list(csv.DictReader(file))
        self.assertEqual(sum(int(row["games"]) for row in counted), 511)
        self.assertEqual({row["behaviour"] for row in counted}, {"periodic", "candidate", "open"})
        with open(record / "periods.csv", encoding="utf-8") as file:
            periods = {row["game"]: (row["preperiod"], row["period"]) for row in csv.DictReader(file)}
        self.assertEqual(periods["0.116"], ("139", "96"))
        self.assertNotIn("0.77", periods)  # the period of Kayles is 12 from heap 71 on
        right = script("atlas_record.py", summary, "--check", "--samples", 30, "--grundy", GRUNDY)
        self.assertEqual(right.returncode, 0, right.stdout)
        self.assertIn("30 of", right.stdout)
        summary.write_text(summary.read_text(encoding="utf-8").replace(",12,", ",24,"), encoding="utf-8")
        wrong = script("atlas_record.py", summary, "--check", "--samples", 10**6, "--grundy", GRUNDY)
        self.assertEqual(wrong.returncode, 3, wrong.stdout)
        self.assertIn("0.77: period 12, not 24", wrong.stdout)

    def test_notebook_runs(self):
        try:
            import grundy as _
        except ImportError as missing:
            self.skipTest(str(missing))
        run = script("notebook.py", GRUNDY, self.path)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("127 games in", run.stdout)
        self.check_picture(self.path / "dawson.png")

    def test_xarray_and_pandas_open_tables(self):
        try:
            import pandas
            import xarray
        except ImportError as missing:
            self.skipTest(str(missing))
        data = xarray.open_dataset(self.path / "kayles.h5", engine="h5netcdf")
        self.assertEqual(data["grundy"].dims, ("heap_size",))
        self.assertEqual(int(data["grundy"].max()), 8)
        self.assertTrue(np.issubdtype(data["grundy"].dtype, np.unsignedinteger))
        data = xarray.open_dataset(self.path / "cram.h5", engine="h5netcdf")
        for name in ("grundy", "options", "layer", "is_p_position", "key"):
            self.assertEqual(data[name].dims[0], "position", name)
        self.assertEqual(data["start"].dims, ("start_component",))
        data = xarray.open_dataset(self.path / "cram.h5", engine="h5netcdf", group="adjacency")
        self.assertEqual({name: column.dims[0] for name, column in data.items()},
                         {"position_end": "position", "option_end": "option", "targets": "target"})
        with h5py.File(self.path / "kayles.h5") as file:
            series = pandas.Series(file["grundy"][0:1000], name="G")
        self.assertEqual(series.value_counts().sort_index().index.max(), 8)
        self.assertEqual(series[series == 0].index.tolist(), [0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
