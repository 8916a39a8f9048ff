"""The algebra of nimbers: nim-addition, nim-multiplication and mex.

Functions of two nimbers take NumPy arrays too, and work entry by entry; UsageError if shapes do not fit together.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["mex", "nim", "nim_inverse", "nim_mul", "nim_power", "nim_sum"]


_NIMBER = "a nimber is an integer from 0 to 2^64-1"


def _nimber(number: Any) -> int:
    """One nimber. Raises UsageError if it is none."""
    try:
        found = operator.index(number)
    except TypeError:
        raise _core.UsageError(_NIMBER) from None
    if not 0 <= found < 2**64:
        raise _core.UsageError(_NIMBER)
    return found


def _nimbers(numbers: ArrayLike) -> NDArray[Any]:
    """The numbers as an array of nimbers below 2^64."""
    array = np.asarray(numbers)
    if array.dtype.kind == "O" and all(isinstance(n, int) and 0 <= n < 2**64 for n in array.flat):
        return array.astype(np.uint64)
    if array.dtype.kind not in "iu" or (array.dtype.kind == "i" and array.size > 0 and array.min() < 0):
        raise _core.UsageError(_NIMBER)
    return array.astype(np.uint64, copy=False)


def _entry_by_entry(*numbers: ArrayLike) -> list[NDArray[Any]]:
    """Arrays of nimbers whose shapes fit together. Raises UsageError if they do not."""
    arrays = [_nimbers(each) for each in numbers]
    try:
        np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise _core.UsageError(f"arrays of the shapes {shapes} do not fit together") from None
    return arrays


def _plain(result: NDArray[Any] | int) -> NDArray[Any] | int:
    """A number of Python where no array was given."""
    return int(result) if np.ndim(result) == 0 else result


@overload
def nim_sum(*numbers: int) -> int: ...
@overload
def nim_sum(*numbers: ArrayLike) -> Any: ...
def nim_sum(*numbers: ArrayLike) -> NDArray[Any] | int:
    """The nim-sum of all arguments: addition in binary without carry.

    >>> nim_sum(5, 6)
    3
    >>> nim_sum([1, 2, 3], 1)
    array([0, 3, 2], dtype=uint64)
    """
    total: Any = np.uint64(0)
    for number in _entry_by_entry(*numbers):
        total = total ^ number
    return _plain(total)


@overload
def nim_mul(a: int, b: int) -> int: ...
@overload
def nim_mul(a: ArrayLike, b: ArrayLike) -> Any: ...
def nim_mul(a: ArrayLike, b: ArrayLike) -> NDArray[Any] | int:
    """The nim-product (Conway, On Numbers and Games, ch. 6).

    >>> nim_mul(2, 2), nim_mul(16, [1, 2, 16])
    (3, array([16, 32, 24], dtype=uint64))
    """
    return _plain(_core.nim_mul(*_entry_by_entry(a, b)))


@overload
def nim_power(a: int, exponent: int) -> int: ...
@overload
def nim_power(a: ArrayLike, exponent: ArrayLike) -> Any: ...
def nim_power(a: ArrayLike, exponent: ArrayLike) -> NDArray[Any] | int:
    """`a` multiplied with itself; the exponent is an ordinary number.

    >>> nim_power(2, 3)
    1
    """
    return _plain(_core.nim_power(*_entry_by_entry(a, exponent)))


@overload
def nim_inverse(a: int) -> int: ...
@overload
def nim_inverse(a: ArrayLike) -> Any: ...
def nim_inverse(a: ArrayLike) -> NDArray[Any] | int:
    """The nimber whose product with `a` is 1. Raises UsageError for 0.

    >>> nim_mul(7, nim_inverse(7))
    1
    """
    return _plain(_core.nim_inverse(_nimbers(a)))


def nim(expression: str) -> int:
    """The value of an expression as the command `grundy nim` reads it.

    >>> nim("(5 + 3) * 4"), nim("mex(0, 1, 3)")
    (14, 2)
    """
    if not isinstance(expression, str):
        raise TypeError("an expression is a text such as '5 + 3'")
    return _core.nim_evaluate(expression)


def mex(values: Iterable[int]) -> int:
    """The least non-negative integer that is not among the values. Raises UsageError for what is no
    integer from 0 to 2^64-1.

    >>> mex([0, 1, 3, 1])
    2
    """
    if isinstance(values, (str, bytes)):
        raise _core.UsageError(_NIMBER)
    return _core.mex([_nimber(value) for value in values])
