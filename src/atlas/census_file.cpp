// SPDX-License-Identifier: MIT
#include "atlas/census_file.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "session/provenance.hpp"
#include "table/fields.hpp"
#include "table/seal.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

/// The number of rows that are read at a time for counting.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 18;

/// The place of the numbers of a column in a row.
struct Place {
  bool is_game;
  std::size_t begin;  ///< among the facts, or in the first column
};

std::vector<Place> places_of(const CensusKind& kind) {
  std::vector<Place> places;
  std::size_t begin = 0;
  for (const CensusColumn& column : kind.columns()) {
    if (places.empty()) {
      places.push_back({true, 0});
      continue;
    }
    places.push_back({false, begin});
    begin += column.numbers;
  }
  return places;
}

/// Writes the numbers of one column, from rows to the file.
class ColumnOutput {
 public:
  ColumnOutput(h5::Object& root, const CensusColumn& column, const Place& place)
      : numbers_(column.numbers), place_(place), writer_(make(root, column)) {}

  void put(const CensusRows& rows) {
    std::visit([&](auto& writer) { put(rows, writer); }, writer_);
  }
  void close() {
    std::visit([](auto& writer) { writer.close(); }, writer_);
  }

 private:
  using Writer = std::variant<h5::ColumnWriter<std::uint8_t>, h5::ColumnWriter<std::uint16_t>,
                              h5::ColumnWriter<std::uint32_t>>;

  static Writer make(h5::Object& root, const CensusColumn& column) {
    const auto of_width = [&]<class T>(T /*width*/) {
      return Writer(std::in_place_type<h5::ColumnWriter<T>>, root, column.name, column.numbers);
    };
    switch (column.bytes) {
      case 1:
        return of_width(std::uint8_t{});
      case 2:
        return of_width(std::uint16_t{});
      default:
        return of_width(std::uint32_t{});
    }
  }

  template <class T>
  void put(const CensusRows& rows, h5::ColumnWriter<T>& writer) {
    std::vector<T> numbers;
    numbers.reserve(rows.count() * numbers_);
    for (std::uint64_t i = 0; i < rows.count(); ++i) {
      const auto row = place_.is_game ? rows.game(i) : rows.facts(i);
      for (const std::uint32_t number : row.subspan(place_.begin, numbers_)) {
        numbers.push_back(static_cast<T>(number));
      }
    }
    writer.put(numbers);
  }

  std::size_t numbers_;
  Place place_;
  Writer writer_;
};

void put_texts(h5::Object& root) {
  FieldWriter writer;
  writer.text(root, "source", "grundy " GRUNDY_VERSION);
  h5::Object provenance = writer.group(root, "provenance");
  writer.document(provenance, "run_json", provenance_json({}, true, 1, {}));
}

/// Names the axes of the columns, as netCDF-4 does.
void put_axes(h5::Object& root, const CensusKind& kind) {
  FieldWriter writer;
  for (const CensusColumn& column : kind.columns()) {
    h5::Object dataset = root.open_dataset(column.name);
    writer.name_axis(root, dataset, 0, kind.row_name(), kind.sets().sets());
    if (column.numbers > 1) writer.name_axis(root, dataset, 1, column.axis, column.numbers);
  }
}

}  // namespace

void CensusCounter::add(const CensusRows& rows) {
  for (std::uint64_t i = 0; i < rows.count(); ++i) {
    kind_.count(set_, rows.facts(i));
    SetFamily::advance(set_);
  }
  digest_.update(rows.facts());
}

void write_census_file(const fs::path& path, const CensusKind& kind,
                       const std::function<Digest128(const TakeRows&)>& fill) {
  write_sealed(path, [&](h5::Object& root) {
    const std::vector<Place> places = places_of(kind);
    std::vector<ColumnOutput> columns;
    columns.reserve(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      columns.emplace_back(root, kind.columns()[i], places[i]);
    }
    const Digest128 digest = fill([&](const CensusRows& rows) {
      for (ColumnOutput& column : columns) column.put(rows);
    });
    for (ColumnOutput& column : columns) column.close();
    put_axes(root, kind);
    put_format(root, kind.file_kind());
    kind.write_attributes(root, digest);
    put_texts(root);
  });
}

CensusReader::CensusReader(h5::Object& root, const CensusKind& kind) : root_(root), kind_(kind) {
  const CensusColumn& last = kind.columns().back();
  const std::uint64_t rows = h5::column_rows<std::uint32_t>(root, last.name, last.numbers);
  if (rows != kind.sets().sets()) {
    root.context().corrupt(
        fmt::format("it has {} rows where its family has {}", rows, kind.sets().sets()));
  }
}

CensusRows CensusReader::rows(std::uint64_t first, std::uint64_t count) const {
  CensusRows rows(kind_, count);
  const std::vector<Place> places = places_of(kind_);
  for (std::size_t c = 0; c < places.size(); ++c) {
    const CensusColumn& column = kind_.columns()[c];
    const std::vector<std::uint32_t> numbers =
        h5::read_rows<std::uint32_t>(root_, column.name, first, count, column.numbers);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto row = places[c].is_game ? rows.game(i) : rows.facts(i);
      std::ranges::copy(std::span(numbers).subspan(i * column.numbers, column.numbers),
                        row.begin() + static_cast<std::ptrdiff_t>(places[c].begin));
    }
  }
  MoveSet set = kind_.sets().at(first);
  std::vector<std::uint32_t> expected(kind_.game_numbers());
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i > 0) SetFamily::advance(set);
    kind_.write_game(set, expected);
    if (!std::ranges::equal(rows.game(i), expected)) {
      root_.context().corrupt(
          fmt::format("row {} is of another game than its place says", first + i));
    }
  }
  return rows;
}

Digest128 count_census_file(h5::Object& root, CensusKind& kind) {
  const CensusReader reader(root, kind);
  CensusCounter counter(kind);
  const std::uint64_t rows = kind.sets().sets();
  for (std::uint64_t first = 0; first < rows; first += kPiece) {
    counter.add(reader.rows(first, std::min(kPiece, rows - first)));
  }
  kind.compare_attributes(root, counter.digest());
  return counter.digest();
}

}  // namespace grundy::atlas
