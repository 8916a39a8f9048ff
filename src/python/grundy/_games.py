"""Games, their positions, and sums of them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Callable, Union

import numpy as np

from . import _core

__all__ = ["Game", "Progress", "Sum", "catalogue", "flag", "game_of", "joined"]

#: Hears of a computation: values that are done, values in all, and the share of the work.
Progress = Callable[[int, int, float], object]

#: A number of tokens, the sizes of several heaps, or a position as the game writes it.
Position = Union[int, Sequence[int], str]


class Game:
    """A game by its name, notation or rules file; `several` says that a name which games of one and
    of several heaps share means the latter.

    >>> kayles = Game("kayles")
    >>> kayles.kind, kayles.notation, kayles.title
    ('heap', '0.77', 'Kayles')
    >>> kayles.options(3)
    [(1,), (1, 1), (2,)]
    >>> kayles.value(10), kayles.outcome(10)
    (2, 'N')
    >>> Game("wythoff").value((3, 5)), Game("wythoff").value(3, 5)
    (0, 0)
    >>> Game("cram:2x3").value()
    1

    Raises UsageError that names the nearest game. Games of one kind and notation are equal, which does not look
    into files. A game does not change, so a copy is the game itself. It can be pickled, which keeps its notation
    and title; one that is played on a file is read from that file again.
    """

    def __init__(self, text: str, *, several: bool = False):
        if not isinstance(text, str):
            raise TypeError(f"a game is a text such as 'kayles', not {_words(text)}")
        self._game = _core.Game(text, flag("several", several))

    def __repr__(self) -> str:
        return f"Game({self.notation!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.kind, self.notation) == (other.kind, other.notation)

    def __hash__(self) -> int:
        return hash((self.kind, self.notation))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    @property
    def kind(self) -> str:
        """`heap` (one heap), `lattice` (several heaps) or `graph` (any other positions)."""
        return self._game.kind

    @property
    def notation(self) -> str:
        """A text that means the game; canonical for games of heaps."""
        return self._game.notation

    @property
    def title(self) -> str:
        """Its name, or the notation."""
        return self._game.title

    @property
    def reference(self) -> str:
        """Where it was defined or is treated; may be empty."""
        return self._game.reference

    @property
    def start(self) -> str:
        """The start of a game on positions, as the game writes positions."""
        self._need("graph", "a start position")
        return self._game.start

    def describe(self) -> str:
        """The moves in words."""
        return self._game.moves

    def options(self, position: Position, *heaps: int) -> list[Any]:
        """The positions that moves lead to, each once, in ascending order.

        A position of several heaps is a tuple, or an argument for each heap.

        Of a heap: the tuple of heaps that a move leaves. Of several heaps: their sizes. Of other
        positions: texts. A pass, which changes nothing else, is not listed (`0.77 pass 3`,
        `nim-with-a-pass`). Raises UsageError for more than ten million options.
        """
        if self.kind == "heap":
            return self._game.heap_options(_heap(joined(position, heaps)))
        if self.kind == "lattice":
            return self._game.lattice_options(_heaps(joined(position, heaps)))
        return self._game.graph_options(_written(joined(position, heaps)))

    def value(self, position: Position | None = None, *heaps: int, progress: Progress | None = None) -> int:
        """The Grundy value of a position; of a game on positions, by default of its start.

        A position of several heaps is a tuple, or an argument for each heap: `value((3, 5))`, `value(3, 5)`.
        A heap may have any size below 2^64 if a period is proved. Positions that are not known are
        computed. Raises UsageError if the value cannot be known.
        """
        found = joined(position, heaps)
        if self.kind == "heap":
            return self._game.heap_value(_heap(found), progress)
        if self.kind == "lattice":
            return self._game.lattice_value(_heaps(found), progress)
        return self._game.graph_value(self.start if found is None else _written(found))

    def outcome(self, position: Position | None = None, *heaps: int) -> str:
        """`P` if the player to move loses, `N` if that player wins. Positions are those of `value`."""
        return "P" if self.value(position, *heaps) == 0 else "N"

    def _need(self, kind: str, what: str) -> None:
        if self.kind != kind:
            raise _core.UsageError(f"{self.title} has no {what.removeprefix('a ')}")


class Sum:
    """A sum of positions of games of any kind, each written as the command `grundy sum` reads it:
    `kayles:12,7` (heaps), `wythoff:3,5` (a position), `cram:3x4` (a start), `*5` (a heap of Nim), or
    `kayles.h5:12` (heaps of a table).

    >>> nim = Sum("*3", "*5")
    >>> nim.value, nim.outcome
    (6, 'N')
    >>> nim.winning_moves()
    ['from the Nim heap of 5 take 2, leaving 3']

    A copy, or what is unpickled, finds the values of the same components again.
    """

    def __init__(self, *components: str, progress: Progress | None = None):
        for component in components:
            if not isinstance(component, str):
                raise TypeError(f"a component of a sum is a text such as 'kayles:5,7', not {_words(component)}")
        self._written = components
        self._sum = _core.Sum(list(components), progress)

    def __reduce__(self) -> tuple[type[Sum], tuple[str, ...]]:
        return Sum, self._written

    def __repr__(self) -> str:
        return "Sum(" + " + ".join(label for label, _ in self.components) + ")"

    @property
    def value(self) -> int:
        """The nim-sum of the values of the components."""
        return self._sum.value

    @property
    def outcome(self) -> str:
        """`P` if the player to move loses, `N` if that player wins."""
        return "P" if self.value == 0 else "N"

    @property
    def components(self) -> list[tuple[str, int]]:
        """Each component in words, and its value."""
        return self._sum.components

    def winning_moves(self) -> list[str]:
        """Moves that win, in words; none in a P-position.

        Of a heap with more than 4 million options one at most is listed, so that only `outcome` tells a P-position.
        """
        return [move for moves in self._sum.winning_moves() for move in moves]


def catalogue() -> list[tuple[str, str]]:
    """The named games: how each is typed, and its title.

    >>> ("kayles", "Kayles") in catalogue()
    True
    """
    return _core.catalogue()


def game_of(game: str | Game, *, several: bool = False) -> Game:
    """The game that a caller means. Raises TypeError if it is a game of one's own, or none."""
    if callable(game) or hasattr(game, "options") and not isinstance(game, Game):
        raise TypeError("games of your own have `values` and `outcomes`; this takes a text such as 'kayles', or a Game")
    return game if isinstance(game, Game) else Game(game, several=several)


def joined(position: Any, heaps: tuple[int, ...]) -> Any:
    """The position that was given as one argument, or as one for each heap."""
    return (position, *heaps) if heaps else position


def flag(name: str, value: bool) -> bool:
    """What was given for `name`. Raises TypeError unless it is a truth value."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"`{name}` is True or False, not {_words(value)}")
    return bool(value)


def _words(found: object) -> str:
    """What stands where it should not, in few words."""
    text = repr(found)
    return text if len(text) < 40 else f"a {type(found).__name__}"


def _heap(position: Position | None) -> int:
    size = _index(position, "a position of this game is a number of tokens")
    if not 0 <= size < 2**64:
        raise _core.UsageError(f"there is no heap of {size} tokens")
    return size


def _heaps(position: Position | None) -> list[int]:
    words = "a position of this game is a tuple of numbers of tokens"
    if position is None or isinstance(position, (str, int)):
        raise _core.UsageError(words)
    heaps = [_index(size, words) for size in position]
    if not all(0 <= size < 2**32 for size in heaps):
        raise _core.UsageError("heaps have 0 to 2^32-1 tokens")
    return heaps


def _written(position: Position) -> str:
    if not isinstance(position, str):
        raise _core.UsageError("a position of this game is a text, such as `start` has")
    return position


def _index(number: Any, words: str) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise _core.UsageError(words) from None
