"""Games of one's own, written in Python.

Options are listed by Python on one thread, one position after the other; values are then found by the
library. That is slow: `help(GraphGame)` says how slow. A game that needs more is some thirty lines of C++.
"""

from __future__ import annotations

import abc
import operator
from array import array
from collections.abc import Hashable, Iterable
from typing import Any, Callable, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._games import Progress

__all__ = ["GraphGame", "HeapFunction", "values_by_function", "values_of_graph"]

#: Lists the options of a heap of n tokens: the heap, or the tuple of heaps, that each leaves.
HeapFunction = Callable[[int], Iterable[Union[int, Iterable[int]]]]

_REPORT_EVERY = 1 << 12


class GraphGame(abc.ABC):
    """A finite game of your own: derive a class, give it `start` and `options`.

    >>> class Coprime(GraphGame):
    ...     '''Replace a number by a smaller one that is prime to it.'''
    ...     start = 12
    ...     def options(self, n):
    ...         return [m for m in range(1, n) if math.gcd(m, n) == 1]
    >>> import math
    >>> values(Coprime())[12], values(Coprime())[7]
    (1, 4)

    Positions are hashable: numbers, tuples, frozen sets, texts. No play may last for ever.

    Such games are slow, for Python lists the options on one thread: 780 000 positions a second of 3 options each,
    21 000 of 200 each (CPython 3.11 on one core of a virtual machine with AVX-512, `time.process_time()` around
    `values`). The former were 300 001 heaps, `start = 300_000` and `options` that return
    `range(max(n - 3, 0), n)`; the latter the queens on 151 x 151 squares, where the library needs a
    millisecond (`values("wythoff", shape=(151, 151))`). Functions of a heap are as fast as classes.
    """

    #: The position from which play begins.
    start: Hashable

    @abc.abstractmethod
    def options(self, position: Hashable) -> Iterable[Hashable]:
        """The positions that moves lead to; none if the position is terminal."""


def _explored(game: GraphGame, progress: Progress | None) -> tuple[list[Hashable], array[int], array[int]]:
    """All positions that play reaches, the end of the options of each, and options as numbers."""
    if not hasattr(game, "start"):
        raise TypeError(f"{type(game).__name__} has no `start`, the position from which play begins")
    positions = [game.start]
    numbers = {game.start: 0}
    option_end, targets = array("Q"), array("I")
    for position in positions:  # which grows
        for option in game.options(position):
            number = numbers.setdefault(option, len(positions))
            if number == len(positions):
                positions.append(option)
            targets.append(number)
        option_end.append(len(targets))
        if progress is not None and len(option_end) % _REPORT_EVERY == 0:
            progress(len(option_end), len(positions), 0.0)
    return positions, option_end, targets


def values_of_graph(
    game: GraphGame, misere: bool = False, progress: Progress | None = None
) -> dict[Hashable, int]:
    """The value of every position that play reaches; the start comes first."""
    positions, option_end, targets = _explored(game, progress)
    values, misere_values = _core.listed_values(
        positions, np.frombuffer(option_end, np.uint64),
        np.frombuffer(targets, np.uint32) if targets else np.empty(0, np.uint32), misere, progress)
    return dict(zip(positions, misere_values if misere else values))


def values_by_function(
    options: HeapFunction, last: int, progress: Progress | None = None
) -> NDArray[Any]:
    """The values of heaps 0 to `last` by the definition."""
    values: list[int] = []
    for n in range(last + 1):
        reached = set()
        for option in options(n):
            heaps = (option,) if isinstance(option, (int, np.integer)) else option
            value = 0
            for heap in heaps:
                heap = operator.index(heap)
                if not 0 <= heap < n:
                    raise _core.UsageError(f"a move in a heap of {n} tokens leaves a heap of {heap}")
                value ^= values[heap]
            reached.add(value)
        value = 0
        while value in reached:
            value += 1
        values.append(value)
        if progress is not None and n % _REPORT_EVERY == 0:
            progress(n + 1, last + 1, (n + 1) / (last + 1))
    # The library keeps the largest number of a type for itself.
    return np.array(values, np.min_scalar_type(max(values) + 1))
