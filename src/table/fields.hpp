/// @file
/// The fields of a file, written and read by one traversal. The code that lists the fields shows
/// each field to an `io`, which is a FieldWriter or a FieldReader. So a field that is written is
/// read, under the same name and type. All kinds of files describe their fields in this way. Texts
/// for people alone, such as titles and what made the file, are only written.
// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/types.hpp>

#include "table/h5.hpp"
#include "table/h5_columns.hpp"

namespace grundy {

/// Names of the dimensions of a column: of its rows, and of the numbers in a row if there are
/// several. Without them h5netcdf refuses a group. A name stands for one dimension of the file.
struct Axes {
  const char* rows = nullptr;
  const char* numbers = nullptr;
};

/// Puts every field that it is shown into the file.
class FieldWriter {
 public:
  h5::Object group(h5::Object& parent, const char* name) { return parent.create_group(name); }

  void text(h5::Object& at, const char* name, const std::string& value) {
    at.put_text(name, value);
  }
  void optional_text(h5::Object& at, const char* name, const std::string& value) {
    if (!value.empty()) text(at, name, value);
  }
  void number(h5::Object& at, const char* name, std::uint64_t value) { at.put_number(name, value); }
  /// A Grundy value.
  void nimber(h5::Object& at, const char* name, Nimber value) { number(at, name, value); }
  /// A field that follows from others or is the same in every file.
  void implied(h5::Object& at, const char* name, std::uint64_t value) { number(at, name, value); }
  void implied(h5::Object& at, const char* name, const std::string& value) {
    text(at, name, value);
  }
  void document(h5::Object& at, const char* name, const std::string& value) {
    at.put_document(name, value);
  }
  /// Rows of `columns` numbers.
  template <class T>
  void column(h5::Object& at, const char* name, const std::vector<T>& value, const Axes& axes = {},
              std::size_t columns = 1) {
    h5::put_column<T>(at, name, value, columns);
    name_axes(at, name, value.size() / columns, columns, axes);
  }
  /// Numbers at the least width that holds the largest of them.
  void narrow_column(h5::Object& at, const char* name, const std::vector<std::uint32_t>& value,
                     const Axes& axes = {}) {
    h5::put_narrow_column(at, name, value);
    name_axes(at, name, value.size(), 1, axes);
  }
  /// Names the dimension of an axis of a dataset. Makes the dimension in `at` when it is new.
  void name_axis(h5::Object& at, h5::Object& dataset, unsigned axis, const std::string& name,
                 std::uint64_t size) {
    auto dimension = dimensions_.find(name);
    if (dimension == dimensions_.end()) {
      dimension = dimensions_.emplace(name, at.create_dimension(name, size)).first;
    }
    dataset.attach(dimension->second, axis);
  }

 private:
  void name_axes(h5::Object& at, const char* name, std::uint64_t rows, std::uint64_t columns,
                 const Axes& axes) {
    if (axes.rows == nullptr) return;
    h5::Object dataset = at.open_dataset(name);
    name_axis(at, dataset, 0, axes.rows, rows);
    if (columns > 1) name_axis(at, dataset, 1, axes.numbers, columns);
  }

  std::map<std::string, h5::Object> dimensions_;
};

/// Fills every field that it is shown from the file. @throws Error(kCorrupt) if that fails
class FieldReader {
 public:
  h5::Object group(h5::Object& parent, const char* name) { return parent.open_group(name); }

  void text(h5::Object& at, const char* name, std::string& value) { value = at.text(name); }
  void optional_text(h5::Object& at, const char* name, std::string& value) {
    if (at.has_attribute(name)) text(at, name, value);
  }
  template <std::unsigned_integral T>
  void number(h5::Object& at, const char* name, T& value) {
    const std::uint64_t wide = at.number(name);
    if (wide > std::numeric_limits<T>::max()) {
      at.context().corrupt(fmt::format("'{}' is {}, which is out of range", name, wide));
    }
    value = static_cast<T>(wide);
  }
  void nimber(h5::Object& at, const char* name, Nimber& value) {
    const std::uint64_t wide = at.number(name);
    if (wide > largest_value(ValueWidth::kU32)) {
      at.context().corrupt(fmt::format("its {} is {}, which is no Grundy value", name, wide));
    }
    value = static_cast<Nimber>(wide);
  }
  template <class T>
  void implied(h5::Object& at, const char* name, const T& expected) {
    T value{};
    if constexpr (std::is_integral_v<T>) {
      number(at, name, value);
    } else {
      text(at, name, value);
    }
    if (value != expected) {
      at.context().corrupt(
          fmt::format("'{}' is '{}' where '{}' follows from the rest", name, value, expected));
    }
  }
  void document(h5::Object& at, const char* name, std::string& value) { value = at.document(name); }
  template <class T>
  void column(h5::Object& at, const char* name, std::vector<T>& value, const Axes& /*axes*/ = {},
              std::size_t columns = 1) {
    value = h5::read_column<T>(at, name, columns);
  }
  void narrow_column(h5::Object& at, const char* name, std::vector<std::uint32_t>& value,
                     const Axes& axes = {}) {
    column(at, name, value, axes);
  }
};

}  // namespace grundy
