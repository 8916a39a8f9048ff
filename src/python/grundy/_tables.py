"""Files that `compute` or the command `grundy` wrote.

Every chunk is compared with its digest when it is read: a damaged file raises CorruptError and never
gives a wrong value. What a file does not say raises RangeError, which is a UsageError and an IndexError.
"""

from __future__ import annotations

import json
import math
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Period, RangeError, Statistics
from ._games import joined

if TYPE_CHECKING:
    from types import EllipsisType

__all__ = ["Listing", "Positions", "Table", "open_table"]


class Table:
    """A table of one heap or of several heaps that interact. Values are read as they are asked for.

    `table[n]`, `table[a:b]`, `table[x, y]`, `table[x0:x1, y]`, `table[..., y]`: integers, slices and an
    ellipsis, as in NumPy; the first axis bounds what is read. `numpy.asarray(table)` reads everything. A
    sorted table of several heaps has one axis, of ranks; `value(x, y)` looks positions up.

    A table of one heap goes on beyond its end where a period is proved (`period.certified`), and gives what
    follows from it: `table[10**18]`, `table[10**9 : 10**9 + 5]`, `value`, `values`. A bound of a slice that is
    left out or negative means the table itself, as iteration and `len` do. Where no period is proved,
    slices end with the table, as in NumPy, and an index beyond it raises RangeError.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self._table = _core.Table(os.fspath(path))
        #: One axis for each heap; one more where a position has two values, without and with a pass.
        self.shape: tuple[int, ...] = self._table.shape
        #: The type of all arrays that are read.
        self.dtype = np.dtype(f"u{self._table.width}")

    def __repr__(self) -> str:
        return f"Table({self.title}, shape={self.shape})"

    @property
    def title(self) -> str:
        """The name of the game, or its notation."""
        return self._table.title

    @property
    def rule(self) -> str:
        """The canonical notation of the game."""
        return self._table.rule

    @property
    def description(self) -> str:
        """The moves in words."""
        return self._table.description

    @property
    def engine(self) -> str:
        """What computed the values."""
        return self._table.engine

    @property
    def digest(self) -> str | None:
        """The digest of all values, in hexadecimal digits."""
        return self.statistics.digest

    @property
    def period(self) -> Period:
        """What is known of the period of a game of one heap."""
        return self._table.period

    @property
    def statistics(self) -> Statistics:
        """Counts of the values."""
        return self._table.statistics

    @property
    def provenance(self) -> dict[str, Any]:
        """How the table was made."""
        found: dict[str, Any] = json.loads(self._table.provenance)
        return found

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: np.dtype[Any] | None = None) -> NDArray[Any]:
        return np.asarray(self[:], dtype or self.dtype)

    def __iter__(self) -> Iterator[Any]:
        rows = max(1, (1 << 20) // math.prod(self.shape[1:]))
        for _, block in self.chunks(step=rows):
            yield from block.tolist() if self.ndim == 1 else block

    def __getitem__(self, index: int | slice | EllipsisType | tuple[Any, ...]) -> Any:  # as of an array
        first, *rest = self._without_ellipsis(index if isinstance(index, tuple) else (index,))
        if isinstance(first, slice):
            wanted = self._range(first)
        elif not hasattr(first, "__index__"):
            raise TypeError("a table takes integers, slices and an ellipsis; numpy.asarray(table) takes other indices")
        else:
            at = self._inside(operator.index(first), 0)
            at += len(self) if at < 0 else 0
            wanted = range(at, at + 1)
        for axis, part in enumerate(rest, start=1):
            if hasattr(part, "__index__"):
                self._inside(operator.index(part), axis)
        begin, end = (min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1]) + 1) if wanted else (0, 0)
        if end > len(self):
            block = self._heaps(begin, end)
        else:
            row = math.prod(self.shape[1:])
            block = self._table.read(begin * row, end * row).reshape((end - begin, *self.shape[1:]))
        found = block[(slice(None, None, wanted.step) if isinstance(first, slice) else 0, *rest)]
        return int(found) if np.ndim(found) == 0 else found

    def _inside(self, at: int, axis: int) -> int:
        """The index. Raises RangeError if the axis has none such; a table of one heap may go on beyond its end."""
        count = self.shape[axis]
        if at < -count or (at >= count and self._table.heaps != 1):
            raise RangeError(f"index {at} is outside of the table, which has {count} on axis {axis}")
        return at

    def _range(self, index: slice) -> range:
        """The entries of a slice of the first axis."""
        count = len(self)
        start, stop, step = index.indices(count)
        if self._table.heaps == 1 and self.period.certified:
            given = [None if bound is None else operator.index(bound) for bound in (index.start, index.stop)]
            start = start if given[0] is None else max(start, given[0])
            stop = stop if given[1] is None else max(stop, given[1])
        return range(start, stop, step)

    def _without_ellipsis(self, index: tuple[Any, ...]) -> tuple[Any, ...]:
        """The index, with slices in the place of an ellipsis or of axes that it leaves out."""
        at = [i for i, part in enumerate(index) if part is Ellipsis]
        missing = self.ndim - (len(index) - len(at))
        if missing < 0 or len(at) > 1:
            raise RangeError(f"the table has {self.ndim} axes, and an index has one ellipsis at most")
        place = at[0] if at else len(index)
        return index[:place] + (slice(None),) * missing + index[place + len(at) :]

    def values(self, begin: int = 0, end: int | None = None) -> NDArray[Any]:
        """The values of heaps begin .. end-1 of a game of one heap, in the smallest type that holds them.

        They come from the file and, beyond its end, from the proved period, also with a saltus. By
        default `end` is the end of the file. Raises RangeError if heaps beyond it are asked for and no
        period is proved, or if a value exceeds 2^64-1; UsageError if there are no such heaps.
        """
        begin, end = operator.index(begin), operator.index(len(self) if end is None else end)
        if self._table.heaps != 1:
            raise _core.UsageError("`values` is for tables of one heap; index a table of several heaps")
        if not 0 <= begin <= end <= 2**64:
            raise _core.UsageError(f"there are no heaps from {begin} to {end - 1}")
        found = self._heaps(begin, end)
        return found.astype(np.min_scalar_type(found.max(initial=0)), copy=False)

    def _heaps(self, begin: int, end: int) -> NDArray[Any]:
        """The values of heaps begin .. end-1, in the type of the file or, where it is too narrow, in uint64."""
        count = len(self)
        found = self._table.read(min(begin, count), min(end, count))
        if end > max(begin, count):
            later = self._beyond(max(begin, count), end)
            fits = later.dtype == found.dtype or int(later.max()) <= np.iinfo(found.dtype).max
            found = np.concatenate((found, later.astype(found.dtype, copy=False) if fits else later))
        return found

    def _beyond(self, begin: int, end: int) -> NDArray[Any]:
        """The values of heaps that follow from the period. They are more than none."""
        self._known(end - 1)
        found_period = self.period
        start, length = found_period.preperiod, found_period.period
        assert start is not None and length is not None  # else the value was refused
        saltus = found_period.saltus or 0
        offset = (begin - start) % length
        count = end - begin
        first = start + offset
        later = self._table.read(first, min(first + count, start + length))
        early = self._table.read(start, start + min(offset, count - len(later)))
        pattern = np.concatenate((later, early))
        found = np.empty(count, pattern.dtype)
        found[: len(pattern)] = pattern
        done = len(pattern)
        while done < count:  # numpy.resize makes a list of all repeats
            more = min(done, count - done)
            found[done : done + more] = found[:more]
            done += more
        if not saltus:
            return found
        if (end - 1 - start) // length * saltus + int(pattern.max()) >= 2**64:
            raise RangeError(f"values below heap {end} exceed 2^64-1")
        repeats = np.arange(offset, offset + count, dtype=np.uint64) // np.uint64(length)
        repeats += np.uint64((begin - start) // length)
        grown: NDArray[Any] = found + repeats * np.uint64(saltus)
        return grown

    def value(self, position: int | Sequence[int], *heaps: int) -> int:
        """The value of a heap, or of a position of several heaps with its pass, if any, still left: a
        tuple, or an argument for each heap.

        A heap beyond the end of the table has a value if a period is proved. Raises RangeError for
        heaps that have none.
        """
        given = joined(position, heaps)
        sizes = [operator.index(size) for size in ([given] if hasattr(given, "__index__") else given)]
        if len(sizes) != self._table.heaps:
            has = "one heap" if self._table.heaps == 1 else f"{self._table.heaps} heaps"
            raise _core.UsageError(f"a position of this table has {has}, not {len(sizes)}")
        return self._known(*sizes)

    def _known(self, *sizes: int) -> int:
        """The value of a position. Raises RangeError if it cannot be known."""
        try:
            if len(sizes) == 1:
                return self._table.value(*sizes)
            return self._table.value_at(list(sizes), self._table.planes - 1)
        except (_core.UsageError, TypeError) as error:
            words = str(error) if isinstance(error, _core.UsageError) else "there is no such heap"
            raise RangeError(words) from None

    def chunks(self, begin: int = 0, end: int | None = None, step: int = 1 << 22) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yields (first index, array) over entries begin .. end-1 of the first axis; beyond the end as slices."""
        end = len(self) if end is None else end
        for at in range(begin, end, step):
            yield at, np.asarray(self[at : min(at + step, end)])


class Positions:
    """A table of a game on positions, read as a whole. Row i is a position: `text(i)`, its value
    `values[i]`, the number of its moves `options[i]`.

    The table of a game of your own, written by a C++ program, is read without the game. Its positions
    are written as their keys, which are the words of the positions in memory: "0x00000000000003e9".
    """

    def __init__(self, path: str | os.PathLike[str]):
        self._table = _core.Positions(os.fspath(path))

    def __repr__(self) -> str:
        return f"Positions({self.game or 'a game without a name'}, {len(self)} rows)"

    def __len__(self) -> int:
        return self._table.size

    @property
    def game(self) -> str:
        """The game, as it is typed."""
        return self._table.game

    @property
    def title(self) -> str:
        """The name of the game."""
        return self._table.title

    @property
    def description(self) -> str:
        """The moves in words."""
        return self._table.description

    @property
    def digest(self) -> str:
        """The digest of all rows, in hexadecimal digits."""
        return self._table.digest

    @property
    def root_value(self) -> int:
        """The value of the start position."""
        return self._table.root_value

    @property
    def keys(self) -> NDArray[Any]:
        """The key of each row: the position as its game packs it, in one word or a row of words."""
        return self._table.keys

    @property
    def values(self) -> NDArray[Any]:
        """The value of each row."""
        return self._table.values

    @property
    def misere(self) -> NDArray[Any]:
        """The misère value of each row; empty if they were not asked for."""
        return self._table.misere

    @property
    def moves(self) -> NDArray[Any]:
        """The number of moves of each row."""
        return self._table.moves

    def text(self, row: int) -> str:
        """The position of a row, as the game writes it, or its key."""
        at = operator.index(row)
        if not 0 <= at < len(self):
            raise RangeError(f"there is no row {at}")
        return self._table.text(at)

    def value(self, position: str) -> int:
        """The value of a position, which may fall into components that are rows. It is written as `text` has it."""
        if not isinstance(position, str):
            raise TypeError("a position is a text, such as `text` has")
        return self._table.value(position)


class Listing(Mapping[str, "NDArray[Any]"]):
    """A file that holds other things than a table: a mapping from the names of its columns to arrays.

    `kind` is what it holds: `outcomes` (P-positions of heaps: column `positions`), `p-positions` (of a
    game on positions), `genera` (misère play of one heap), `census`, `rule-census`, `atlas` or `statistics`. The format of each kind says
    what columns and attributes mean.
    """

    def __init__(self, path: str | os.PathLike[str]):
        #: What the file holds.
        self.kind: str = _core.file_kind(os.fspath(path))
        self._listing = _core.Listing(os.fspath(path))
        self._rows = self._listing.rows
        #: Texts and numbers: of the file by their names, of a group within it by `group@name`.
        self.attributes: dict[str, str | int] = {**self._listing.texts, **self._listing.numbers}

    def __repr__(self) -> str:
        names = list(self)
        more = f", and {len(names) - 8} more" if len(names) > 8 else ""
        return f"Listing({self.kind}, {', '.join(names[:8])}{more})"

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.rows(name)

    def rows(self, name: str, begin: int = 0, end: int | None = None) -> NDArray[Any]:
        """Rows begin .. end-1 of a column, without reading the others; an array of the type in the file."""
        begin, end, _ = slice(begin, end).indices(self._rows[name])
        return self._listing.read(name, begin, max(end - begin, 0))

    @property
    def provenance(self) -> dict[str, Any]:
        """How the file was made."""
        found: dict[str, Any] = json.loads(str(self.attributes["provenance/run_json"]))
        return found


def open_table(path: str | os.PathLike[str]) -> Any:  # the file decides; a union would fit no use of it
    """What a file holds: a table of heaps, a table of positions, or else columns.

    Raises UsageError if there is no such file, CorruptError if it is damaged.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> _ = compute("kayles", to=1000, output=folder.name + "/kayles.h5")
    >>> kayles = open_table(folder.name + "/kayles.h5")
    >>> kayles
    Table(Kayles, shape=(1001,))
    >>> kayles[70:74], kayles[-1], kayles[10**18]
    (array([6, 7, 4, 1], dtype=uint8), 1, 1)
    >>> kayles[999:1003], kayles[999:], kayles.values(10**18, 10**18 + 3)
    (array([8, 1, 4, 7], dtype=uint8), array([8, 1], dtype=uint8), array([1, 4, 7], dtype=uint8))
    >>> _ = compute("0.6", to=1000, stats_only=True, output=folder.name + "/officers.h5")
    >>> officers = open_table(folder.name + "/officers.h5")
    >>> officers.kind, officers.attributes["rule"], officers["tail"][-3:]
    ('statistics', '0.6', array([14,  4,  9], dtype=uint8))
    >>> folder.cleanup()
    """
    kind = _core.file_kind(os.fspath(path))
    if kind == "table":
        return Table(path)
    if kind == "positions":
        return Positions(path)
    if kind == "part":
        raise _core.UsageError(f"{os.fspath(path)} is one part of a table; open the table beside its directory")
    return Listing(path)
