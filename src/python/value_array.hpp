/// @file
/// Collects values into a NumPy array of the least type that holds them all.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <pybind11/numpy.h>

#include <grundy/layout.hpp>
#include <grundy/types.hpp>

#include "core/value_buffer.hpp"

namespace grundy::python {

class ValueArray {
 public:
  ValueArray() = default;
  /// @param count the number of values that are expected
  /// @param width the least width of the array
  ValueArray(std::uint64_t count, ValueWidth width) {
    if (width != buffer_->width()) buffer_->promote(width);
    buffer_->reserve(count);
  }

  /// Adds values at the end. Needs no lock of the interpreter.
  void append(Values values) { buffer_->append(values); }
  /// An array of the values. It takes over their memory without a copy.
  /// @pre the product of `shape` is the number of values; the interpreter's lock is held
  pybind11::array release(const std::vector<pybind11::ssize_t>& shape);

 private:
  std::unique_ptr<ValueBuffer> buffer_ = std::make_unique<ValueBuffer>();
};

/// The shape of an array of all entries. For a box it has one axis for each heap, and one for the
/// planes if there are several; for a sorted table it has one axis of ranks.
std::vector<pybind11::ssize_t> array_shape(const Layout& layout);

}  // namespace grundy::python
