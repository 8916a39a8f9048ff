// SPDX-License-Identifier: MIT
#include "atlas/census_file.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "session/build_info.hpp"
#include "session/provenance.hpp"
#include "table/fields.hpp"
#include "table/seal.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

/// What a reader must know first.
template <class Io, class Report>
void traverse_family(Io& io, h5::Object& root, Report& report) {
  io.number(root, "largest_move", report.family.largest);
  io.number(root, "moves_of_a_set", report.family.size);
  io.number(root, "last_heap", report.last);
}

/// What follows from family and rows.
template <class Io>
void traverse_counts(Io& io, h5::Object& root, const CensusReport& report) {
  io.implied(root, "family", report.family.text());
  io.implied(root, "sets", report.all.sets);
  io.implied(root, "open", report.all.open);
  io.implied(root, "purely_periodic", report.all.purely_periodic);
  io.implied(root, "xxh3_128", to_hex(report.digest));
  io.implied(root, "index_convention",
             std::string("row r is the r-th set in colexicographic order, from 0 on"));
}

void put_texts(h5::Object& root) {
  FieldWriter writer;
  writer.text(root, "source", fmt::format("grundy {}", build_info::kVersion));
  h5::Object provenance = writer.group(root, "provenance");
  writer.document(provenance, "run_json", provenance_json({}, true, 1, {}));
}

/// Names the axes of the columns, as netCDF-4 does.
void put_axes(h5::Object& root, const SetFamily& family) {
  const std::uint64_t sets = family.sets();
  FieldWriter writer;
  for (const char* name : {"moves", "preperiod", "period", "zeros", "max_value"}) {
    h5::Object column = root.open_dataset(name);
    writer.name_axis(root, column, 0, "set", sets);
    if (std::string_view(name) == "moves" && family.size > 1) {
      writer.name_axis(root, column, 1, "move", family.size);
    }
  }
}

}  // namespace

void CensusRows::resize(std::size_t rows, std::size_t moves_of_a_set) {
  size = moves_of_a_set;
  moves.resize(rows * size);
  preperiod.resize(rows);
  period.resize(rows);
  zeros.resize(rows);
  max_value.resize(rows);
}

SetRow CensusRows::at(std::size_t i) const {
  const auto begin = moves.begin() + static_cast<std::ptrdiff_t>(i * size);
  return {MoveSet(begin, begin + static_cast<std::ptrdiff_t>(size)),
          {preperiod[i], period[i], zeros[i], max_value[i]}};
}

void CensusRows::set(std::size_t i, const MoveSet& set, const SetPeriod& found) noexcept {
  std::ranges::transform(set, moves.begin() + static_cast<std::ptrdiff_t>(i * size),
                         [](HeapSize move) { return static_cast<std::uint16_t>(move); });
  preperiod[i] = found.preperiod;
  period[i] = found.period;
  zeros[i] = found.zeros;
  max_value[i] = found.max_value;
}

CensusCounter::CensusCounter(const SetFamily& family)
    : family_(family), by_largest_(family.largest - family.size + 1) {}

void CensusCounter::add(const CensusRows& rows) {
  words_.clear();
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const SetRow row = rows.at(i);
    all_.add(row.moves, row.found);
    by_largest_[row.moves.back() - family_.size].add(row.moves, row.found);
    words_.insert(words_.end(), {row.found.preperiod, row.found.period, row.found.zeros,
                                 Nimber{row.found.max_value}});
  }
  digest_.update(std::span<const Nimber>(words_));
}

void CensusCounter::finish(CensusReport& report) const {
  report.all = all_;
  report.by_largest = by_largest_;
  report.digest = digest_.value();
}

void write_census_file(const fs::path& path, const SetFamily& family,
                       const std::function<const CensusReport&(const TakeRows&)>& fill) {
  write_sealed(path, [&](h5::Object& root) {
    h5::ColumnWriter<std::uint16_t> moves(root, "moves", family.size);
    h5::ColumnWriter<std::uint32_t> preperiod(root, "preperiod");
    h5::ColumnWriter<std::uint32_t> period(root, "period");
    h5::ColumnWriter<std::uint32_t> zeros(root, "zeros");
    h5::ColumnWriter<std::uint8_t> max_value(root, "max_value");
    const CensusReport& report = fill([&](const CensusRows& rows) {
      moves.put(rows.moves);
      preperiod.put(rows.preperiod);
      period.put(rows.period);
      zeros.put(rows.zeros);
      max_value.put(rows.max_value);
    });
    moves.close();
    preperiod.close();
    period.close();
    zeros.close();
    max_value.close();
    put_axes(root, family);
    put_format(root, FileKind::kCensus);
    FieldWriter writer;
    traverse_family(writer, root, report);
    traverse_counts(writer, root, report);
    put_texts(root);
  });
}

CensusReader::CensusReader(const fs::path& path) : file_(open_sealed(path, FileKind::kCensus)) {
  FieldReader reader;
  traverse_family(reader, file_.root, stored_);
  const h5::Context& context = file_.root.context();
  std::uint64_t sets = 0;
  try {
    sets = stored_.family.sets();
  } catch (const Error& error) {
    context.corrupt(error.what());
  }
  if (h5::column_rows<std::uint32_t>(file_.root, "period") != sets) {
    context.corrupt(fmt::format("it has not a row for each of {} sets", sets));
  }
}

CensusRows CensusReader::rows(std::uint64_t first, std::uint64_t count) const {
  const h5::Object& root = file_.root;
  const std::size_t size = stored_.family.size;
  CensusRows rows{.size = size,
                  .moves = h5::read_rows<std::uint16_t>(root, "moves", first, count, size),
                  .preperiod = h5::read_rows<std::uint32_t>(root, "preperiod", first, count),
                  .period = h5::read_rows<std::uint32_t>(root, "period", first, count),
                  .zeros = h5::read_rows<std::uint32_t>(root, "zeros", first, count),
                  .max_value = h5::read_rows<std::uint8_t>(root, "max_value", first, count)};
  MoveSet expected = stored_.family.at(first);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) SetFamily::advance(expected);
    if (rows.at(i).moves != expected) {
      root.context().corrupt(
          fmt::format("row {} is of another set than its place says", first + i));
    }
  }
  return rows;
}

void CensusReader::compare(const CensusReport& counted) const {
  FieldReader reader;
  h5::Object root = file_.file.root();
  traverse_counts(reader, root, counted);
}

}  // namespace grundy::atlas
