// SPDX-License-Identifier: MIT
#include "session/export_file.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/genera.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/outcomes.hpp>
#include <grundy/table.hpp>

#include "core/text.hpp"
#include "session/machine.hpp"
#include "session/position_walk.hpp"
#include "session/stored_graph.hpp"
#include "table/file_checks.hpp"
#include "table/file_kind.hpp"
#include "table/key_text.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPPositionsWritten = "P-positions";

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::kUsage, why);
}

/// Checks that the format and options fit a list, which is written as CSV or as a b-file.
void check_of_list(ExportFormat format, const ExportOptions& options) {
  const bool indexed = format == ExportFormat::kBFile;
  if ((!indexed && format != ExportFormat::kCsv) ||
      options != ExportOptions{.offset = indexed ? options.offset : 0}) {
    refuse(
        "a list of P-positions is exported whole, as csv or bfile (the offset is the first index)");
  }
}

/// Calls visit(entry) for every P-position in order, and `flush` now and then.
template <class Visit, class Flush>
void for_each_p_position(const OutcomesReader& reader, const ByteOutput& out, Visit visit,
                         Flush flush) {
  constexpr std::uint64_t kRows = std::uint64_t{1} << 16;
  const std::uint64_t all = reader.info().p_positions;
  for (std::uint64_t row = 0; row < all && !out.closed(); row += kRows) {
    for (const std::uint64_t entry : reader.entries(row, std::min(kRows, all - row))) visit(entry);
    flush();
  }
}

/// Writes a line for each P-position: its heaps and, if `first` is set, its number before them.
Exported write_positions(const OutcomesReader& reader, std::optional<std::int64_t> first,
                         ByteOutput& out) {
  const Layout& layout = reader.info().layout;
  check_offset(first.value_or(0), reader.info().p_positions);
  std::string text;
  const auto visit = [&](std::uint64_t entry) {
    if (first) text += fmt::format("{} ", (*first)++);
    text += entry_text(layout, entry) + '\n';
  };
  for_each_p_position(reader, out, visit, [&] {
    out.write(text);
    text.clear();
  });
  return {reader.info().p_positions, kPPositionsWritten};
}

/// The text behind the `n` of a b-file whose index does not begin at 0.
std::string shift_text(std::int64_t offset) {
  return offset == 0 ? std::string() : fmt::format(" - ({})", offset);
}

/// Writes how many P-positions have n tokens in their largest heap.
Exported write_counts(const OutcomesReader& reader, std::int64_t offset, ByteOutput& out) {
  const OutcomesInfo& info = reader.info();
  const Layout& layout = info.layout;
  if (layout.planes > 1) {
    refuse(
        "a b-file has one number for each index, and with a pass there are two; use csv for this "
        "list");
  }
  const auto* const extent = layout.extent.begin();
  // For larger n, the shape has only some of the positions.
  std::vector<std::uint64_t> counts(*std::min_element(extent, extent + layout.heaps));
  check_offset(offset, counts.size());
  PositionWalk walk(layout);
  const auto visit = [&](std::uint64_t entry) {
    const LatticePoint& p = walk.at(entry);
    const std::uint64_t largest = *std::max_element(p.begin(), p.begin() + layout.heaps);
    if (largest < counts.size()) ++counts[largest];
  };
  for_each_p_position(reader, out, visit, [] {});
  std::string text = fmt::format(
      "# Table of n, a(n): a(n) P-positions of {} with {} heaps, {}, have n{} tokens in their "
      "largest heap\n",
      info.canonical, layout.heaps,
      layout.sorted ? "whose order does not count" : "each order of which counts",
      shift_text(offset));
  for (const std::uint64_t count : counts) {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{} {}\n"), offset++, count);
  }
  out.write(text);
  return {counts.size(), "terms"};
}

/// Writes how many P-positions each layer has, from layer 0 to the last layer that has any.
Exported write_layer_counts(const PPositions& listed, std::int64_t offset, ByteOutput& out) {
  const GraphTable& list = listed.list;
  const std::uint64_t layers =
      list.layers.empty() ? 0 : std::uint64_t{list.layers.back().potential} + 1;
  check_offset(offset, layers);
  std::string text = fmt::format(
      "# Table of n, a(n): a(n) P-positions of {}{}, {}, are in layer n{}; moves lead to smaller "
      "layers\n",
      listed.info.game, listed.misere ? " in misère play" : "",
      listed.info.reduction == Reduction::kNone ? "each counted" : "up to symmetry",
      shift_text(offset));
  std::uint64_t layer = 0, begin = 0;
  for (const GraphLayer& one : list.layers) {
    for (; layer <= one.potential; ++layer, ++offset) {
      const std::uint64_t count = layer == one.potential ? one.end - begin : 0;
      fmt::format_to(std::back_inserter(text), FMT_STRING("{} {}\n"), offset, count);
    }
    begin = one.end;
  }
  out.write(text);
  return {layers, "terms"};
}

Exported export_outcomes(const fs::path& file, ExportFormat format, const ExportOptions& options,
                         ByteOutput& out) {
  check_of_list(format, options);
  const OutcomesReader reader(file);
  const Layout& layout = reader.info().layout;
  if (format == ExportFormat::kCsv) {
    out.write(entry_header(layout) + '\n');
    return write_positions(reader, std::nullopt, out);
  }
  return layout.is_lattice() ? write_counts(reader, options.offset, out)
                             : write_positions(reader, options.offset, out);
}

Exported export_p_positions(const fs::path& file, ExportFormat format, const ExportOptions& options,
                            ByteOutput& out) {
  check_of_list(format, options);
  const PPositions listed = read_p_positions(file, memory_available());
  const auto game = game_of(listed, file);
  const GraphTable& list = listed.list;
  if (game != nullptr) check_keys(list, listed.info.game, *game, *make_executor(), file);
  if (format == ExportFormat::kBFile) return write_layer_counts(listed, options.offset, out);
  out.write(game != nullptr ? "position,layer\n" : "key,layer\n");
  for (std::uint64_t row = 0; row < list.size() && !out.closed(); ++row) {
    out.write(fmt::format("{},{}\n", csv_text(position_text(game.get(), list.key(row))),
                          list.potential(row)));
  }
  return {list.size(), kPPositionsWritten};
}

/// Writes genera as CSV, or misère nim-values as a b-file.
Exported export_genera(const fs::path& file, ExportFormat format, const ExportOptions& options,
                       ByteOutput& out) {
  const bool indexed = format == ExportFormat::kBFile;
  if ((!indexed && format != ExportFormat::kCsv) ||
      options != ExportOptions{.offset = options.offset, .terms = options.terms}) {
    refuse(
        "a table of misère play is exported as csv or bfile, whole or its first terms, and with an "
        "offset of the index");
  }
  const GeneraReader reader(file);
  const HeapSize heaps = reader.info().heaps;
  const HeapSize count = std::min(options.terms.value_or(heaps), heaps);
  check_offset(options.offset, count);
  if (indexed) {
    out.write(
        fmt::format("# Table of n, a(n): a(n) is the misère nim-value of a heap of n{} in {}\n",
                    shift_text(options.offset), reader.info().canonical));
  } else {
    out.write("n,grundy,misere,genus,kind,misere_outcome\n");
  }
  constexpr HeapSize kHeaps = HeapSize{1} << 16;
  fmt::memory_buffer text;
  std::int64_t index = options.offset;
  for (HeapSize first = 0; first < count && !out.closed(); first += kHeaps) {
    text.clear();
    for (const MisereHeap& heap : reader.heaps(first, std::min(kHeaps, count - first))) {
      const Nimber misere = heap.genus.misere.front();
      if (indexed) {
        fmt::format_to(std::back_inserter(text), FMT_STRING("{} {}\n"), index++, misere);
      } else {
        fmt::format_to(std::back_inserter(text), FMT_STRING("{},{},{},{},{},{}\n"), index++,
                       heap.genus.value, misere, csv_text(heap.genus.text()), name_of(heap.kind),
                       misere == 0 ? 'P' : 'N');
      }
    }
    out.write({text.data(), text.size()});
  }
  return {count, indexed ? "terms" : "heaps"};
}

Exported export_positions(const fs::path& file, ExportFormat format, const ExportOptions& options,
                          ByteOutput& out) {
  if (options != ExportOptions{}) {
    refuse("a table of positions is exported whole: none of the options of other tables is for it");
  }
  GraphFile graph = read_stored_graph(file, memory_available());
  const auto game = game_of(graph, file);
  if (game != nullptr) check_keys(graph.table, graph.info.game, *game, *make_executor(), file);
  if (format != ExportFormat::kCsv && !graph.adjacency) {
    if (game == nullptr) {
      refuse(ErrorCode::kUsage, file,
             fmt::format("is of {}, which is not in the catalogue, and holds no options of its "
                         "positions; so it is exported as csv only",
                         quoted_game(graph.info.game)));
    }
    graph.adjacency = graph_adjacency(*game, graph.table, memory_available());
  }
  export_graph(graph, game.get(), graph.adjacency ? &*graph.adjacency : nullptr, format, out);
  return {graph.table.size(), "positions"};
}

}  // namespace

Exported export_file(const fs::path& file, ExportFormat format, const ExportOptions& options,
                     ByteOutput& out) {
  switch (kind_of(file)) {
    case FileKind::kOutcomes:
      return export_outcomes(file, format, options, out);
    case FileKind::kPPositions:
      return export_p_positions(file, format, options, out);
    case FileKind::kGenera:
      return export_genera(file, format, options, out);
    case FileKind::kPositions:
      return export_positions(file, format, options, out);
    default:
      return {export_table(*TableReader::open(file), format, options, out),
              options.value ? "positions" : "values"};
  }
}

}  // namespace grundy
