"""Computations: values, outcomes, periods and tables."""

from __future__ import annotations

import operator
import os
from collections.abc import Hashable, Sequence
from typing import Any, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import Genus, Period, Report
from ._games import Game, Progress, flag, game_of
from ._own import GraphGame, HeapFunction, values_by_function, values_of_graph

__all__ = ["compute", "outcomes", "period", "values"]

#: A largest heap: a number, or a text such as "2^20" or "10^6-1".
Count = Union[int, str]


def _count(to: Count) -> int:
    last = _core.parse_count(to) if isinstance(to, str) else operator.index(to)
    if not 0 <= last < 2**64:
        raise _core.UsageError(f"there is no heap of {last} tokens")
    return last


def _positive(name: str, number: int | None) -> int | None:
    """The number that was given for `name`. Raises UsageError if it cannot be meant."""
    if number is not None and not (hasattr(number, "__index__") and 0 < operator.index(number) < 2**64):
        raise _core.UsageError(f"`{name}` is an integer from 1 on, not {number!r}")
    return number


def _seconds(number: float) -> float:
    """The time between two checkpoints. Raises UsageError if it cannot be meant."""
    if not isinstance(number, (int, float, np.number)) or not number >= 0:
        raise _core.UsageError(f"`checkpoint_seconds` is a number of seconds, not {number!r}")
    return float(number)


def _set_machine(
    request: _core.Request, engine: str, kernel: str, threads: int | None, memory: int | None,
) -> None:
    """Raises UsageError for numbers that mean nothing."""
    for name, text in (("engine", engine), ("kernel", kernel)):
        if not isinstance(text, str):
            raise TypeError(f"`{name}` is a text such as 'auto', not {text!r}")
    request.set_machine(engine, kernel, _positive("threads", threads), _positive("memory", memory))


def _refuse_for(what: str, **given: object) -> None:
    """Raises UsageError for an argument that was given although it means nothing."""
    for name, value in given.items():
        if value is not None and value is not False and not (isinstance(value, str) and value in ("auto", "")):
            raise _core.UsageError(f"`{name}` means nothing for {what}")


def _request(
    game: Game, to: Count | None, shape: Sequence[int] | None, is_sorted: bool, misere: bool,
    stats_only: bool, extend: bool, outcomes_only: bool = False,
) -> _core.Request:
    """What is asked for; refuses what means nothing for the kind of game."""
    is_sorted, misere = flag("sorted", is_sorted), flag("misere", misere)
    stats_only, extend = flag("stats_only", stats_only), flag("extend", extend)
    one, several, graph = (game.kind == kind for kind in ("heap", "lattice", "graph"))
    for given, allowed, name in (
        (to is not None, one or several, "to"), (shape is not None, several, "shape"),
        (is_sorted, several, "sorted"), (stats_only, one or several, "stats_only"),
        (not extend, one, "extend"),
    ):
        if given and not allowed:
            raise _core.UsageError(f"`{name}` means nothing for {game.title}")
    if misere and one and not outcomes_only:
        raise _core.UsageError(
            f"`misere` means nothing for values of {game.title}, which do not add up; grundy.genera tells of misère play")
    if graph:
        return _core.Request.of_graph(game._game, misere)
    if one:
        if to is None:
            raise _core.UsageError("give the largest heap: to=1000")
        return _core.Request.of_heaps(game._game, _count(to), extend, stats_only, misere)
    if shape is None and to is not None:
        shape = [_count(to) + 1] * game._game.heaps
    elif shape is None or to is not None:
        raise _core.UsageError("give the sizes of the heaps: shape=(100, 200), or to=99 for all")
    try:
        extent = [operator.index(size) for size in shape]
    except TypeError:
        raise TypeError("`shape` has the number of sizes of each heap, such as (100, 200)") from None
    if not all(0 < size < 2**32 for size in extent):
        raise _core.UsageError("sizes of a shape are 1 to 2^32-1")
    return _core.Request.of_lattice(game._game, extent, is_sorted, misere, stats_only)


@overload
def values(
    game: GraphGame, to: Count | None = ..., *,
    shape: Sequence[int] | None = ..., sorted: bool = ..., misere: bool = ..., engine: str = ..., kernel: str = ...,
    threads: int | None = ..., memory: int | None = ..., progress: Progress | None = ...,
) -> dict[Hashable, int]: ...
@overload
def values(
    game: HeapFunction, to: Count | None = ..., *,
    shape: Sequence[int] | None = ..., sorted: bool = ..., misere: bool = ..., engine: str = ..., kernel: str = ...,
    threads: int | None = ..., memory: int | None = ..., progress: Progress | None = ...,
) -> NDArray[Any]: ...
@overload
def values(
    game: str | Game, to: Count | None = ..., *,
    shape: Sequence[int] | None = ..., sorted: bool = ..., misere: bool = ..., engine: str = ..., kernel: str = ...,
    threads: int | None = ..., memory: int | None = ..., progress: Progress | None = ...,
) -> Any: ...  # a text tells a game of heaps (array) or of positions (dict)
def values(
    game: str | Game | GraphGame | HeapFunction, to: Count | None = None, *,
    shape: Sequence[int] | None = None, sorted: bool = False, misere: bool = False,
    engine: str = "auto", kernel: str = "auto", threads: int | None = None, memory: int | None = None,
    progress: Progress | None = None,
) -> NDArray[Any] | dict[Hashable, int]:
    """All Grundy values of a game in a range.

    Of one heap: entry n of the array is the value of n tokens, for n = 0 to `to`. Of several heaps:
    entry [x, y, ..] is the value of the position, heaps below the sizes of `shape`; with `sorted`
    (symmetric games) one entry for each x <= y <= .., by rank; a game with a pass has one axis more:
    no pass left, pass left. The array is of uint8 if no value is above 254, of uint16 if none is above
    65534, else of uint32, and owns the memory in which values were collected. Of a game on positions: a
    dict from positions to values. With `misere` values of misère play, in which the player who cannot
    move wins; of one heap they do not add up, and `genera` takes their place.

    `game` may be a GraphGame, or a function that lists the options of a heap of n tokens, each a
    heap or a tuple of heaps. Both are computed by the definition, slowly.

    >>> values("wythoff", shape=(3, 4))
    array([[0, 1, 2, 3],
           [1, 2, 0, 4],
           [2, 0, 1, 5]], dtype=uint8)
    >>> values(lambda n: [n - s for s in (1, 3, 4) if s <= n], to=9)
    array([0, 1, 0, 1, 2, 3, 2, 0, 1, 0], dtype=uint8)
    >>> len(values("cram:2x3"))
    4

    `engine`, `kernel`: names; 'auto' or '' leaves the choice. `threads`: by default all. `memory`:
    bytes that may be used, the array among them; by default those that are free. `progress` is called
    about ten times a second. Games of your own take none of them but `progress`. Raises UsageError,
    FailureError before anything is computed if memory is short, KeyboardInterrupt at Ctrl-C.
    """
    if isinstance(game, type):
        raise TypeError(f"a game of your own is an object: give {game.__name__}()")
    own = isinstance(game, GraphGame) or callable(game)
    if own:
        _refuse_for("a game of your own", shape=shape, sorted=sorted, engine=engine, kernel=kernel,
                    threads=threads, memory=memory)
    if isinstance(game, GraphGame):
        _refuse_for("a game on positions", to=to)
        return values_of_graph(game, flag("misere", misere), progress)
    if callable(game) and not isinstance(game, (str, Game)):
        _refuse_for("a function of your own", misere=misere)
        if to is None:
            raise _core.UsageError("give the largest heap: to=1000")
        return values_by_function(game, _count(to), progress)
    game = game_of(game, several=shape is not None)
    request = _request(game, to, shape, sorted, misere, False, True)
    _set_machine(request, engine, kernel, threads, memory)
    if game.kind != "graph":
        return _core.values(request, progress)
    report = _core.compute(request, progress)
    texts, normal, misere_values = _core.positions(request, report)
    return dict(zip(texts, misere_values if misere else normal))


def _zeros(values: NDArray[Any]) -> NDArray[Any]:
    """Which values are 0, in the memory of the values where they are bytes."""
    if values.dtype != np.uint8:
        wide: NDArray[Any] = values == 0
        return wide
    step = 1 << 20
    numbers = values.reshape(-1)
    zeros = numbers.view(np.bool_)
    for begin in range(0, len(numbers), step):
        zeros[begin : begin + step] = numbers[begin : begin + step] == 0
    return zeros.reshape(values.shape)


@overload
def outcomes(
    game: GraphGame, to: Count | None = ..., *,
    shape: Sequence[int] | None = ..., sorted: bool = ..., misere: bool = ...,
    threads: int | None = ..., memory: int | None = ..., progress: Progress | None = ...,
) -> dict[Hashable, bool]: ...
@overload
def outcomes(
    game: HeapFunction, to: Count | None = ..., *,
    shape: Sequence[int] | None = ..., sorted: bool = ..., misere: bool = ...,
    threads: int | None = ..., memory: int | None = ..., progress: Progress | None = ...,
) -> NDArray[Any]: ...
@overload
def outcomes(
    game: str | Game, to: Count | None = ..., *,
    shape: Sequence[int] | None = ..., sorted: bool = ..., misere: bool = ...,
    threads: int | None = ..., memory: int | None = ..., progress: Progress | None = ...,
) -> Any: ...
def outcomes(
    game: str | Game | GraphGame | HeapFunction, to: Count | None = None, *,
    shape: Sequence[int] | None = None, sorted: bool = False, misere: bool = False,
    threads: int | None = None, memory: int | None = None, progress: Progress | None = None,
) -> NDArray[Any] | dict[Hashable, bool]:
    """Whether each position is a P-position (the player to move loses), shaped like `values`.

    Of several heaps, and of one heap that no move splits, values are not computed where that is
    possible, which takes much less time. With `misere` the player who cannot move wins; of one heap
    that is for games whose moves split none (`genera` is for the others).

    >>> np.flatnonzero(outcomes("kayles", to=100)), np.argwhere(outcomes("wythoff", shape=(6, 6))).tolist()
    (array([0]), [[0, 0], [1, 2], [2, 1], [3, 5], [5, 3]])
    >>> np.argwhere(outcomes("wythoff", shape=(6, 6), misere=True)).tolist()
    [[0, 1], [1, 0], [2, 2], [3, 5], [5, 3]]
    >>> np.flatnonzero(outcomes("S{squares}", to=20, misere=True))
    array([ 1,  3,  6,  8, 11, 13, 16, 18])
    """
    if isinstance(game, str):
        game = game_of(game, several=shape is not None)
    if isinstance(game, Game) and game.kind != "graph":
        request = _request(game, to, shape, sorted, misere, False, True, outcomes_only=True)
        _set_machine(request, "auto", "auto", threads, memory)
        if (misere and game.kind == "heap") or not _core.outcomes_need_values(request):
            return _zeros(_core.outcomes(request, progress))
    any_game: Any = game  # a union fits none of the overloads
    found: NDArray[Any] | dict[Hashable, int] = values(
        any_game, to, shape=shape, sorted=sorted, misere=misere, threads=threads, memory=memory, progress=progress)
    if isinstance(found, dict):
        return {position: value == 0 for position, value in found.items()}
    return _zeros(found)


def genera(game: str | Game, to: Count, *, memory: int | None = None) -> list[Genus]:
    """Misère play of one heap: the genus of heaps 0 to `to`, as in *Winning Ways*, ch. 13.

    >>> genera("kayles", to=5)[4:]
    [Genus('1^{031}', 'tame'), Genus('4^{146}', 'restless')]
    >>> [n for n, heap in enumerate(genera("kayles", to=40)) if heap.outcome == "P"]
    [1, 4, 9, 12, 20]

    Where a game splits heaps and some are not tame, the work grows fast with the heap: FailureError if
    its positions need more than `memory` bytes, by default what is free.
    """
    game = game_of(game)
    if game.kind != "heap":
        raise _core.UsageError("genera are those of games of one heap")
    return _core.genera(game._game, _count(to), _positive("memory", memory))


def period(
    game: str | Game, to: Count = 1 << 17, *, engine: str = "auto", kernel: str = "auto",
    threads: int | None = None, memory: int | None = None, progress: Progress | None = None,
) -> Period:
    """The period of a game of one heap, searched for in heaps 0 to `to`.

    It is `certified` only by a theorem whose conditions hold. No table is kept. Where a game with a
    pass has no period, `mixed` is the pattern of its first 8192 heaps, if they show one.

    >>> found = period("0.07")
    >>> found.certified, found.preperiod, found.period, found.last_exception
    (True, 53, 34, 52)
    """
    game = game_of(game)
    if game.kind != "heap":
        raise _core.UsageError("periods are those of games of one heap")
    request = _core.Request.of_heaps(game._game, _count(to), True, False, False)
    _set_machine(request, engine, kernel, threads, memory)
    return _core.search_period(request, progress).period


def compute(
    game: str | Game, to: Count | None = None, *, output: str | os.PathLike[str] | None = None,
    overwrite: bool = False, shape: Sequence[int] | None = None, sorted: bool = False,
    misere: bool = False, stats_only: bool = False, extend: bool = True, engine: str = "auto",
    kernel: str = "auto", threads: int | None = None, memory: int | None = None,
    checkpoint_seconds: float = 600, progress: Progress | None = None,
) -> Report:
    """Computes the table of a game, into the HDF5 file `output` if one is given.

    A run of heaps with an output is sealed in `OUTPUT.run/` every `checkpoint_seconds`. Whatever
    ends it, the same call goes on from there. `stats_only` keeps no values, but statistics, of one
    heap in constant memory where the engine can, of several heaps in the memory of the engine. Without
    `extend`, values that follow from a proved period are computed all the same. With `misere` as
    `values` has it.

    >>> report = compute("0.07", to=10_000)
    >>> report.period, report.statistics
    (Period('certified', preperiod=53, period=34, saltus=0), Statistics(count=10001, maximum=9))

    Raises UsageError if the file exists and `overwrite` is not set, FailureError if memory or disk
    are short, KeyboardInterrupt at Ctrl-C, which loses nothing of a run with an output.
    """
    game = game_of(game, several=shape is not None)
    request = _request(game, to, shape, sorted, misere, stats_only, extend)
    _set_machine(request, engine, kernel, threads, memory)
    if output is not None:
        request.set_output(os.fspath(output), flag("overwrite", overwrite), _seconds(checkpoint_seconds))
    return _core.compute(request, progress)
