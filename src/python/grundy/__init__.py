"""Grundy values of impartial games, computed by the library `grundy`.

>>> import grundy
>>> grundy.values("kayles", to=12)
array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4], dtype=uint8)
>>> grundy.period("kayles")
Period('certified', preperiod=71, period=12, saltus=0)
>>> grundy.Game("kayles").value(10**18)
1
>>> grundy.Sum("kayles:5,7", "wythoff:3,5", "*1").value
7

- `values`, `outcomes`, `period`, `genera`, `compute`: computations. They run in parallel and without Python's
  lock; Ctrl-C stops them.
- `open_table`: a file that `compute` or the command wrote: a table, or lists, censuses and statistics.
- `Game`, `Sum`: options, values and winning moves of single positions.
- `GraphGame`, or a function that lists the options of a heap: games of your own.
- `nim_sum`, `nim_mul`, `nim_power`, `nim_inverse`, `nim`, `mex`: the algebra of nimbers.

Games of your own are slow; `help(grundy.GraphGame)` says how slow.

What is malformed raises UsageError, a ValueError; what a table does not hold raises RangeError, a UsageError
and an IndexError; all errors of the library are an Error.
"""

from ._core import (
    CorruptError,
    Error,
    FailureError,
    Genus,
    MismatchError,
    MixedPattern,
    Period,
    RangeError,
    Report,
    Statistics,
    UsageError,
    __version__,
)
from ._compute import compute, genera, outcomes, period, values
from ._games import Game, Sum, catalogue
from ._nimbers import mex, nim, nim_inverse, nim_mul, nim_power, nim_sum
from ._own import GraphGame
from ._tables import Listing, Positions, Table, open_table

__all__ = [
    "CorruptError", "Error", "FailureError", "Game", "Genus", "GraphGame", "Listing", "MismatchError",
    "MixedPattern", "Period", "Positions", "RangeError", "Report", "Statistics", "Sum", "Table", "UsageError", "__version__",
    "catalogue", "compute", "genera", "mex", "nim", "nim_inverse", "nim_mul", "nim_power", "nim_sum", "open_table", "outcomes", "period", "values",
]
