// SPDX-License-Identifier: MIT
#include "session/outcomes_file.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "session/position_walk.hpp"
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"
#include "table/info_fields.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = "positions";
/// Rows that are read at once when one row is looked for.
constexpr std::uint64_t kPage = std::uint64_t{1} << 14;

/// Numbers in a row: the heaps and, if a rule has several planes, the plane.
std::size_t columns_of(const Layout& layout) {
  return layout.heaps + (layout.planes > 1 ? 1 : 0);
}

std::string convention_of(const Layout& layout) {
  if (!layout.is_lattice()) return "a row is a P-position: the tokens of the heap; rows ascend";
  std::string text = "a row is a P-position: the tokens of its heaps";
  if (layout.planes > 1) text += ", then the passes that are left";
  return text + (layout.sorted ? ", ascending; rows ascend by rank" : "; rows ascend");
}

/// Fields that have other types in the file.
struct StoredForms {
  std::vector<std::uint64_t> extent;
  std::uint64_t sorted = 0;
  std::string play_convention, digest;
};

template <class Io, class Info, class Stored>
void traverse(Io& io, h5::Object& root, Info& info, Stored& stored) {
  io.text(root, "title", info.title);
  io.text(root, "rule", info.canonical);
  io.text(root, "description", info.description);
  io.text(root, "play_convention", stored.play_convention);
  io.number(root, "heaps_of_a_position", info.layout.heaps);
  io.number(root, "planes", info.layout.planes);
  io.number(root, "sorted", stored.sorted);
  io.column(root, "extent", stored.extent);
  io.number(root, "p_positions", info.p_positions);
  io.text(root, "xxh3_128", stored.digest);
  h5::Object provenance = io.group(root, "provenance");
  io.document(provenance, "run_json", info.provenance_json);
  provenance.close();
}

/// Whether outcomes are those of misère play. For several heaps the rule tells it too; files of
/// early versions say `normal` for every rule. @throws Error(kCorrupt) if rule and file disagree
bool is_misere(const h5::Object& root, const StoredForms& stored, const OutcomesInfo& info) {
  const std::string& play = stored.play_convention;
  const bool by_rule = info.layout.is_lattice() && names_misere_play(info.canonical);
  const bool possible =
      play == kNormalPlay || (play == kMiserePlay && (by_rule || !info.layout.is_lattice()));
  if (!possible) {
    root.context().corrupt(fmt::format("its outcomes are those of {} play", in_quotes(play)));
  }
  return by_rule || play == kMiserePlay;
}

}  // namespace

void write_outcomes_file(const fs::path& path, OutcomesInfo& info,
                         const std::function<void(const TakeEntries&)>& fill) {
  const Layout& layout = info.layout;
  write_sealed(path, [&](h5::Object& root) {
    h5::ColumnWriter<std::uint32_t> list(root, kList, columns_of(layout));
    SequentialDigest digest;
    std::vector<std::uint32_t> rows;
    PositionWalk walk(layout);
    fill([&](std::span<const std::uint64_t> entries) {
      rows.clear();
      for (const std::uint64_t entry : entries) walk.append_row(entry, rows);
      list.put(rows);
      digest.update(std::span<const Nimber>(rows));
      info.p_positions += entries.size();
    });
    list.close();
    info.digest = digest.value();
    put_format(root, FileKind::kOutcomes);
    FieldWriter writer;
    const StoredForms stored{
        .extent = {layout.extent.begin(), layout.extent.begin() + layout.heaps},
        .sorted = layout.sorted ? 1u : 0u,
        .play_convention = info.misere ? kMiserePlay : kNormalPlay,
        .digest = to_hex(info.digest)};
    traverse(writer, root, std::as_const(info), stored);
    writer.text(root, "source", "grundy " GRUNDY_VERSION);
    writer.text(root, "index_convention", convention_of(layout));
  });
}

struct OutcomesReader::Impl {
  SealedFile file;
  OutcomesInfo info{};
  std::uint64_t first = 0;            ///< first entry number of the page in the list
  std::vector<std::uint64_t> page{};  ///< rows that were read last
};

OutcomesReader::OutcomesReader(const fs::path& path)
    : impl_(std::make_unique<Impl>(Impl{.file = open_sealed(path, FileKind::kOutcomes)})) {
  h5::Object& root = impl_->file.root;
  OutcomesInfo& info = impl_->info;
  StoredForms stored;
  FieldReader reader;
  traverse(reader, root, info, stored);
  complete_layout(root, 1, stored.extent, stored.sorted, info.layout);
  info.misere = is_misere(root, stored, info);
  info.digest = digest_from_hex(stored.digest);
  const std::size_t columns = columns_of(info.layout);
  if (h5::column_rows<std::uint32_t>(root, kList, columns) != info.p_positions) {
    root.context().corrupt("its list has not as many rows as it says");
  }
}
OutcomesReader::~OutcomesReader() = default;
OutcomesReader::OutcomesReader(OutcomesReader&&) noexcept = default;
OutcomesReader& OutcomesReader::operator=(OutcomesReader&&) noexcept = default;

const OutcomesInfo& OutcomesReader::info() const noexcept {
  return impl_->info;
}

std::vector<std::uint64_t> OutcomesReader::entries(std::uint64_t first, std::uint64_t count) const {
  const Layout& layout = impl_->info.layout;
  const h5::Object& root = impl_->file.root;
  const std::size_t columns = columns_of(layout);
  const auto rows = h5::read_rows<std::uint32_t>(root, kList, first, count, columns);
  std::vector<std::uint64_t> entries(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    LatticePoint p{};
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i * columns), layout.heaps, p.begin());
    const std::uint32_t plane = layout.planes > 1 ? rows[i * columns + layout.heaps] : 0;
    const bool in_order = !layout.sorted || std::is_sorted(p.begin(), p.begin() + layout.heaps);
    if (!layout.contains(p) || plane >= layout.planes || !in_order) {
      root.context().corrupt(fmt::format("row {} of its list is no position", first + i));
    }
    entries[i] = layout.entry_of(p, plane);
    if (i > 0 && entries[i] <= entries[i - 1]) {
      root.context().corrupt(fmt::format("row {} of its list is out of order", first + i));
    }
  }
  return entries;
}

bool OutcomesReader::is_p_position(std::uint64_t entry) const {
  std::vector<std::uint64_t>& page = impl_->page;
  const std::uint64_t pages = (impl_->info.p_positions + kPage - 1) / kPage;
  const auto read = [&](std::uint64_t number) {
    impl_->first = number * kPage;
    page = entries(impl_->first, std::min(kPage, impl_->info.p_positions - impl_->first));
  };
  if (page.empty() || entry < page.front() || entry > page.back()) {
    std::uint64_t low = 0, high = pages;  // pages from `high` on begin behind the entry
    while (high - low > 1) {
      const std::uint64_t middle = (low + high) / 2;
      (entries(middle * kPage, 1).front() > entry ? high : low) = middle;
    }
    if (pages > 0) read(low);
  }
  return std::ranges::binary_search(page, entry);
}

}  // namespace grundy
