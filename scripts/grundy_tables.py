"""Reads the files that `grundy` writes: tables of heaps, of lattices and of positions, and atlases.

Needs h5py (Debian: python3-h5py) and nothing else. Values are read in slices, so a table of 10^9
values costs the memory of what is asked for.

    from grundy_tables import open_atlas, open_positions, open_table

    with open_table("kayles.h5") as kayles:
        print(kayles.title, kayles.size, kayles.period)
        print(kayles[70:74])          # a NumPy array: the values of heaps 70 to 73
        print(kayles.value(10**18))   # by the certified period
    with open_positions("cram.h5") as cram:
        print(cram.game, cram.size, cram.root_value)
        print(cram.values[:10], cram.keys[:10])
    with open_atlas("octal.h5") as family:
        officers = family["0.6"]
        print(officers.members, officers.period, officers[0:10])

The formats are specified in src/table/README.md and src/atlas/README.md. Digests are checked by
`grundy verify`, not here; a table in parts is opened only if all of its parts are there.
"""

import csv
import dataclasses
import io
import json
import operator
import os

import h5py

__all__ = ["Period", "Table", "Positions", "AtlasClass", "Atlas", "open_table", "open_positions", "open_atlas"]


@dataclasses.dataclass(frozen=True)
class Period:
    """G(n + period) = G(n) + saltus for all n >= preperiod; proved if `certified`."""

    status: str
    preperiod: int
    period: int
    saltus: int
    theorem: str

    @property
    def certified(self):
        return self.status == "certified"


def _period(attributes):
    if "status" not in attributes or attributes["status"] == "none":
        return None
    return Period(
        str(attributes["status"]),
        int(attributes["preperiod"]),
        int(attributes["period"]),
        int(attributes["saltus"]),
        str(attributes["theorem"]),
    )


class Values:
    """A sequence of Grundy values in a file; entry n of a heap game is that of n tokens."""

    def __init__(self, dataset, period):
        self.dataset = dataset  #: the h5py data set, for whatever is not covered here
        self.period = period  #: a Period, or None

    @property
    def size(self):
        """How many values there are."""
        return self.dataset.size

    @property
    def shape(self):
        return self.dataset.shape

    def __len__(self):
        return self.dataset.shape[0]

    def __getitem__(self, index):
        """A NumPy array for a slice, a number for an index."""
        return self.dataset[index]

    def value(self, n):
        """G(n) of a heap game, beyond the end of the table by its certified period.

        Raises IndexError for a heap that has no value, and TypeError of a table of several heaps.
        """
        if self.dataset.ndim != 1:
            raise TypeError("a table of several heaps has no heap of n tokens; use table[x, y]")
        n = operator.index(n)
        if n < 0:
            raise IndexError(f"there is no heap of {n} tokens")
        if n < len(self):
            return int(self.dataset[n])
        period = self.period
        if period is None or not period.certified:
            raise IndexError(f"heap {n} is beyond the table, and no period is certified")
        times, rest = divmod(n - period.preperiod, period.period)
        return int(self.dataset[period.preperiod + rest]) + times * period.saltus

    def chunks(self, begin=0, end=None, step=1 << 22):
        """Yields (first heap, array) over heaps begin .. end-1, some millions at a time."""
        end = len(self) if end is None else end
        for at in range(begin, end, step):
            yield at, self.dataset[at : min(at + step, end)]


class _File:
    """An open file, which a `with` statement closes."""

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# What a file is, in the words of src/table/file_kind.cpp.
_KINDS = {
    "grundy-table": "a table of one heap or of several",
    "grundy-positions": "a table of positions",
    "grundy-atlas": "a family of games",
    "grundy-statistics": "a file of statistics without values",
    "grundy-census": "a census of subtraction sets",
    "grundy-outcomes": "a file of outcomes without values",
    "grundy-p-positions": "a list of P-positions of a game",
    "grundy-rule-census": "a census of rules of several heaps",
    "grundy-genera": "a table of misère play",
    "grundy-part": "a part of a table",
}
# The newest formats that are read.
_NEWEST = {"grundy-table": 3, "grundy-positions": 1, "grundy-atlas": 2}


def _open(path, wanted):
    """The open file at `path`, which must be of the format `wanted`."""
    file = h5py.File(path, "r")
    try:
        found = file.attrs.get("format")
        if found not in _KINDS:
            raise ValueError("it is no file of grundy")
        if found == "grundy-part":
            raise ValueError(f"it is {_KINDS[found]}; open the table, which lies beside the directory of its parts")
        if found != wanted:
            raise ValueError(f"it is {_KINDS[found]}, not {_KINDS[wanted]}")
        if not 1 <= file.attrs["format_major"] <= _NEWEST[found]:
            raise ValueError(f"it has format {file.attrs['format_major']}, not 1 to {_NEWEST[found]}")
    except BaseException:
        file.close()
        raise
    return file


def _check_parts(file):
    """Raises ValueError unless all parts of a table in parts are there and those that belong to it.

    HDF5 itself reads the fill value where a part is missing.
    """
    if "parts" not in file:
        return
    directory = os.path.join(os.path.dirname(os.path.realpath(file.filename)), file["parts"].attrs["directory"])
    for number, seal in enumerate(file["parts/tail_xxh3"]):
        path = os.path.join(directory, f"part-{number:04}.h5")
        try:
            with h5py.File(path, "r") as part:
                belongs = part.attrs.get("format") == "grundy-part" and part["integrity"].attrs["tail_xxh3"] == seal
        except (OSError, KeyError) as error:
            raise ValueError(f"its part '{path}' is missing or damaged: {error}") from error
        if not belongs:
            raise ValueError(f"'{path}' is not the part that belongs to it")


def _provenance(file):
    return json.loads(file["provenance/run_json"][()])


class Table(_File, Values):
    """A table of heaps, or of several heaps that interact, written by `grundy compute`."""

    def __init__(self, path):
        self.file = _open(path, "grundy-table")
        try:
            _check_parts(self.file)
            attributes = self.file.attrs
            group = self.file.get("period")
            super().__init__(self.file["grundy"], None if group is None else _period(group.attrs))
            self.game = str(attributes["game"])
            self.title = str(attributes["title"])
            self.rule = str(attributes["rule"])
            self.description = str(attributes["description"])
            self.digest = str(attributes["table_xxh3_128"])
            self.engine = str(attributes["engine"])
            self.max_value = int(self.dataset.attrs["max_value"])
            self.argmax = int(self.dataset.attrs["argmax"])
        except BaseException:
            self.file.close()
            raise

    @property
    def is_lattice(self):
        """Whether the table is of several heaps."""
        return "lattice" in self.file

    @property
    def value_counts(self):
        """How often each value occurs, from 0 on."""
        return self.file["stats/value_counts"][:]

    @property
    def records(self):
        """Rows (entry, value) of each new maximum, and whether that is all of them."""
        stats = self.file["stats"]
        return stats["records"][:], bool(stats.attrs["records_complete"])

    @property
    def provenance(self):
        """How the table was made: a dict."""
        return _provenance(self.file)


class Positions(_File):
    """A table of positions, written by `grundy compute` for a game on positions.

    Row i is a position: `keys[i]`, its value `values[i]`, and so on. All columns are h5py data sets;
    `column[:]` is a NumPy array. Keys are packed by the game; `grundy query` reads and writes them
    as text.
    """

    def __init__(self, path):
        self.file = _open(path, "grundy-positions")
        try:
            attributes = self.file.attrs
            self.game = str(attributes["game"])
            self.title = str(attributes["title"])
            self.description = str(attributes["description"])
            self.reduction = str(attributes["reduction"])
            self.digest = str(attributes["table_xxh3_128"])
            self.max_value = int(attributes["max_value"])
            self.root_value = int(attributes["root_value"])
            self.keys = self.file["key"]
            self.values = self.file["grundy"]
            self.is_p_position = self.file["is_p_position"]
            self.options = self.file["options"]  #: how many moves there are
            self.layers = self.file["layer"]
            self.start = self.file["start"]  #: rows whose sum is the start position
            self.misere = self.file.get("misere")  #: misère values, or None
        except BaseException:
            self.file.close()
            raise

    @property
    def size(self):
        """How many positions there are."""
        return self.values.size

    def __len__(self):
        return self.size

    @property
    def provenance(self):
        """How the table was made: a dict."""
        return _provenance(self.file)


class AtlasClass(Values):
    """A class of an atlas: the values of the game that stands for it."""

    def __init__(self, code, group):
        super().__init__(group["grundy"], _period(group.attrs))
        attributes = group.attrs
        self.code = code
        self.members = str(attributes["members"]).split(" ")
        self.status = str(attributes["status"])
        self.digest = str(attributes["xxh3_128"])
        self.max_value = int(attributes["max_value"])
        self.argmax = int(attributes["argmax"])
        self.mask = int(attributes["mask"]) if "mask" in attributes else None
        self.rare = int(attributes["rare"]) if "rare" in attributes else None
        self.last_rare = int(attributes["last_rare"]) if "last_rare" in attributes else None
        self.value_counts = group["value_counts"][:]


class Atlas(_File):
    """A file written by `grundy atlas`: a mapping from codes to classes."""

    def __init__(self, path):
        self.file = _open(path, "grundy-atlas")
        attributes = self.file.attrs
        self.games = int(attributes["games"])
        self.last_heap = int(attributes["last_heap"])

    def __len__(self):
        return int(self.file.attrs["classes"])

    def __iter__(self):
        """Codes in the order of the summary."""
        return (row["game"] for row in self.summary)

    def __getitem__(self, code):
        return AtlasClass(code, self.file["class"][code])

    def _rows(self, name):
        return list(csv.DictReader(io.StringIO(self.file[name][()].decode())))

    @property
    def summary(self):
        """One dict of texts for each class; an empty text where nothing is known."""
        return self._rows("summary_csv")

    @property
    def members(self):
        """One dict for each game: its class, shift, and why it is there."""
        return self._rows("members_csv")


def open_table(path):
    """The table of heaps at `path`; a context manager. Raises OSError or ValueError if it is none, or lacks a part."""
    return Table(path)


def open_positions(path):
    """The table of positions at `path`; a context manager. Raises as open_table()."""
    return Positions(path)


def open_atlas(path):
    """The atlas at `path`; a context manager. Raises OSError or ValueError if it is none."""
    return Atlas(path)
