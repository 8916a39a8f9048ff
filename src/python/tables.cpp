// SPDX-License-Identifier: MIT
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "core/digest.hpp"
#include "core/text_cursor.hpp"
#include "python/module.hpp"
#include "python/value_array.hpp"
#include "session/stored_graph.hpp"
#include "table/file_kind.hpp"
#include "table/key_text.hpp"
#include "table/listing.hpp"

namespace grundy::python {
namespace {

namespace py = pybind11;

/// The values of entries begin .. end-1, in the type of the file.
py::array read(const TableReader& table, HeapSize begin, HeapSize end) {
  constexpr HeapSize kPiece = HeapSize{1} << 17;
  ValueArray array(end - begin, table.width());
  {
    const py::gil_scoped_release release;
    std::vector<Nimber> piece;
    for (HeapSize at = begin; at < end; at += piece.size()) {
      piece.resize(std::min(kPiece, end - at));
      table.read(at, piece);
      array.append(std::span<const Nimber>(piece));
    }
  }
  return array.release({static_cast<py::ssize_t>(end - begin)});
}

/// A table of positions, and its game, if that is in the catalogue.
struct PositionTable {
  explicit PositionTable(const std::filesystem::path& from)
      : path(from), file(read_graph_file(path)), game(game_of(file, path)) {}

  /// The value of a position that is written as text.
  [[nodiscard]] Nimber value(const std::string& text) const {
    Nimber value = 0;
    for (const std::uint64_t row : rows_of(file, game.get(), trimmed(text), path)) {
      value ^= file.table.values[row];
    }
    return value;
  }
  [[nodiscard]] std::string text(std::uint64_t row) const {
    if (row >= file.table.size()) throw py::index_error("there is no such row");
    return position_text(game.get(), file.table.key(row));
  }

  std::filesystem::path path;
  GraphFile file;
  std::shared_ptr<const GraphGame> game;  ///< may be null
};

/// The Python name of a kind of files: that of its format, without the name of the program.
std::string name_of(FileKind kind) {
  return std::string(format_of(kind).name).substr(std::string_view("grundy-").size());
}

/// Rows of a column, in the type of the file.
template <class T>
py::array rows_as(const Listing& listing, const std::string& name, std::uint64_t first,
                  std::uint64_t count) {
  const auto numbers = [&] {
    const py::gil_scoped_release release;
    return listing.read<T>(name, first, count);
  }();
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(count)};
  if (const auto width = listing.columns().at(name).width; width != 1) {
    shape.push_back(static_cast<py::ssize_t>(width));
  }
  return py::array_t<T>(shape, numbers.data());
}

py::array rows_of(const Listing& listing, const std::string& name, std::uint64_t first,
                  std::uint64_t count) {
  switch (listing.columns().at(name).bytes) {
    case 1:
      return rows_as<std::uint8_t>(listing, name, first, count);
    case 2:
      return rows_as<std::uint16_t>(listing, name, first, count);
    case 4:
      return rows_as<std::uint32_t>(listing, name, first, count);
    default:
      return rows_as<std::uint64_t>(listing, name, first, count);
  }
}

/// A read-only array that shares the memory of a column with its table.
template <class T>
py::array_t<T> column(const std::vector<T>& values, const py::object& owner) {
  py::array_t<T> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace

void bind_tables(py::module_& module) {
  module.def("file_kind", [](const std::filesystem::path& path) { return name_of(kind_of(path)); });

  py::class_<TableReader>(module, "Table")
      .def(py::init([](const std::filesystem::path& path) { return TableReader::open(path); }))
      .def_property_readonly("title", [](const TableReader& t) { return t.info().title; })
      .def_property_readonly("rule", [](const TableReader& t) { return t.info().canonical; })
      .def_property_readonly("description",
                             [](const TableReader& t) { return t.info().description; })
      .def_property_readonly("engine", [](const TableReader& t) { return t.info().engine; })
      .def_property_readonly("period", [](const TableReader& t) { return t.info().period; })
      .def_property_readonly("statistics", [](const TableReader& t) { return t.info().stats; })
      .def_property_readonly("heaps", [](const TableReader& t) { return t.info().layout.heaps; })
      .def_property_readonly("planes", [](const TableReader& t) { return t.info().layout.planes; })
      .def_property_readonly(
          "shape",
          [](const TableReader& t) { return py::tuple(py::cast(array_shape(t.info().layout))); })
      .def_property_readonly("width", [](const TableReader& t) { return byte_count(t.width()); })
      .def_property_readonly("provenance",
                             [](const TableReader& t) { return t.info().provenance_json; })
      .def("read", read)
      .def("value", [](const TableReader& t, HeapSize n) { return t.value(n); })
      .def("value_at",
           [](const TableReader& t, const std::vector<std::uint32_t>& heaps, unsigned plane) {
             LatticePoint p{};
             std::ranges::copy(heaps, p.begin());
             return t.value(p, plane);
           });

  py::class_<Listing>(module, "Listing")
      .def(py::init([](const std::filesystem::path& path) { return Listing(path, kind_of(path)); }))
      .def_property_readonly("texts", &Listing::texts)
      .def_property_readonly("numbers", &Listing::numbers)
      .def_property_readonly("rows",
                             [](const Listing& listing) {
                               std::map<std::string, std::uint64_t> rows;
                               for (const auto& [name, column] : listing.columns()) {
                                 rows[name] = column.rows;
                               }
                               return rows;
                             })
      .def("read", rows_of);

  py::class_<PositionTable>(module, "Positions")
      .def(py::init<const std::filesystem::path&>())
      .def_property_readonly("game", [](const PositionTable& t) { return t.file.info.game; })
      .def_property_readonly("title", [](const PositionTable& t) { return t.file.info.title; })
      .def_property_readonly("description",
                             [](const PositionTable& t) { return t.file.info.rules; })
      .def_property_readonly(
          "digest", [](const PositionTable& t) { return to_hex(t.file.info.stats.digest); })
      .def_property_readonly("root_value",
                             [](const PositionTable& t) { return t.file.info.root_value; })
      .def_property_readonly("size", [](const PositionTable& t) { return t.file.table.size(); })
      .def_property_readonly("keys",
                             [](const py::object& self) {
                               const GraphTable& table =
                                   self.cast<const PositionTable&>().file.table;
                               py::array keys = column(table.keys, self);
                               if (table.key_words == 1) return keys;
                               return keys.reshape({static_cast<py::ssize_t>(table.size()),
                                                    static_cast<py::ssize_t>(table.key_words)});
                             })
      .def_property_readonly("values",
                             [](const py::object& self) {
                               return column(self.cast<const PositionTable&>().file.table.values,
                                             self);
                             })
      .def_property_readonly("misere",
                             [](const py::object& self) {
                               return column(self.cast<const PositionTable&>().file.table.misere,
                                             self);
                             })
      .def_property_readonly("moves",
                             [](const py::object& self) {
                               return column(self.cast<const PositionTable&>().file.table.moves,
                                             self);
                             })
      .def("text", &PositionTable::text)
      .def("value", &PositionTable::value);
}

}  // namespace grundy::python
