// SPDX-License-Identifier: MIT
#include "session/genera_file.hpp"

#include <algorithm>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "core/text.hpp"
#include "table/fields.hpp"
#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"
#include "table/info_fields.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Heaps that are in memory at a time.
constexpr HeapSize kHeapsOfPiece = HeapSize{1} << 16;
constexpr const char* kHeapSize = "heap_size";
constexpr const char* kMisereNote =
    "misere: 1 for a heap without options, else the mex of the misère nim-values of its options; 0 "
    "where the player to move loses. It says nothing of sums: the genus says more";

/// Fields that have other types in the file.
struct StoredGenera {
  std::uint64_t genera = 0, first_not_tame = 0;
  std::string texts, digest;
};

template <class Io, class Info, class Stored>
void traverse_genera(Io& io, h5::Object& root, Info& info, Stored& stored) {
  io.text(root, "title", info.title);
  io.text(root, "rule", info.canonical);
  io.text(root, "description", info.description);
  io.implied(root, "play_convention", std::string(kMiserePlay));
  io.number(root, "genera", stored.genera);
  io.number(root, "tame", info.tame);
  io.number(root, "first_not_tame", stored.first_not_tame);
  io.number(root, "p_positions", info.p_positions);
  io.text(root, "xxh3_128", stored.digest);
  io.implied(root, "index_convention", std::string("entry n is about a heap of n tokens"));
  io.implied(root, "misere_convention", std::string(kMisereNote));
  io.implied(root, "kinds", std::string("0 tame, 1 restive, 2 restless, 3 wild"));
  io.document(root, "genus_texts", stored.texts);
  h5::Object provenance = io.group(root, "provenance");
  io.document(provenance, "run_json", info.provenance_json);
  provenance.close();
}

/// The columns of a file, written piece by piece.
class GeneraColumns {
 public:
  explicit GeneraColumns(h5::Object& root)
      : grundy_(root, "grundy"),
        misere_(root, "misere"),
        genus_(root, "genus"),
        kind_(root, "kind") {}

  void add(const MisereHeap& heap, std::uint32_t genus) {
    values_.push_back(heap.genus.value);
    misere_values_.push_back(heap.genus.misere.front());
    genera_.push_back(genus);
    kinds_.push_back(static_cast<std::uint8_t>(heap.kind));
    if (values_.size() == kHeapsOfPiece) put();
  }
  void close() {
    put();
    grundy_.close();
    misere_.close();
    genus_.close();
    kind_.close();
  }

 private:
  void put() {
    grundy_.put(values_);
    misere_.put(misere_values_);
    genus_.put(genera_);
    kind_.put(kinds_);
    values_.clear();
    misere_values_.clear();
    genera_.clear();
    kinds_.clear();
  }

  h5::ColumnWriter<std::uint32_t> grundy_, misere_, genus_;
  h5::ColumnWriter<std::uint8_t> kind_;
  std::vector<std::uint32_t> values_, misere_values_, genera_;
  std::vector<std::uint8_t> kinds_;
};

}  // namespace

std::uint32_t GeneraCounter::add(const MisereHeap& heap) {
  const auto [place, is_new] =
      numbers_.emplace(heap.genus.text(), static_cast<std::uint32_t>(genera_.size()));
  if (is_new) genera_.push_back(place->first);
  const Nimber misere = heap.genus.misere.front();
  words_.insert(words_.end(),
                {heap.genus.value, misere, place->second, static_cast<Nimber>(heap.kind)});
  if (words_.size() >= kNumbers * kHeapsOfPiece) flush();
  if (misere == 0) ++info_.p_positions;
  if (heap.kind == MisereKind::kTame) {
    ++info_.tame;
  } else if (!info_.first_not_tame) {
    info_.first_not_tame = info_.heaps;
  }
  ++info_.heaps;
  return place->second;
}

void GeneraCounter::flush() {
  digest_.update(std::span<const Nimber>(words_));
  words_.clear();
}

void GeneraCounter::finish() {
  flush();
  info_.digest = digest_.value();
}

void write_genera_file(const fs::path& path, GeneraInfo& info,
                       const std::function<void(const TakeGenera&)>& fill) {
  write_sealed(path, [&](h5::Object& root) {
    GeneraColumns columns(root);
    GeneraCounter counter(info);
    fill([&](const MisereHeap& heap) { columns.add(heap, counter.add(heap)); });
    columns.close();
    counter.finish();
    put_format(root, FileKind::kGenera);
    FieldWriter writer;
    for (const char* name : {"grundy", "misere", "genus", "kind"}) {
      h5::Object dataset = root.open_dataset(name);
      writer.name_axis(root, dataset, 0, kHeapSize, info.heaps);
    }
    const StoredGenera stored{.genera = counter.genera().size(),
                              .first_not_tame = info.first_not_tame.value_or(info.heaps),
                              .texts = fmt::format("{}\n", fmt::join(counter.genera(), "\n")),
                              .digest = to_hex(info.digest)};
    traverse_genera(writer, root, std::as_const(info), stored);
    writer.text(root, "source", "grundy " GRUNDY_VERSION);
  });
}

struct GeneraReader::Impl {
  SealedFile file;
  GeneraInfo info{};
  std::vector<Genus> genera{};
};

GeneraReader::GeneraReader(const fs::path& path)
    : impl_(std::make_unique<Impl>(Impl{.file = open_sealed(path, FileKind::kGenera)})) {
  h5::Object& root = impl_->file.root;
  GeneraInfo& info = impl_->info;
  StoredGenera stored;
  FieldReader reader;
  traverse_genera(reader, root, info, stored);
  info.heaps = h5::column_rows<std::uint32_t>(root, "grundy");
  info.digest = digest_from_hex(stored.digest);
  if (stored.first_not_tame < info.heaps) info.first_not_tame = stored.first_not_tame;
  std::istringstream lines(stored.texts);
  for (std::string line; std::getline(lines, line);) {
    try {
      impl_->genera.push_back(Genus::parse(line));
    } catch (const Error& error) {
      root.context().corrupt(error.what());
    }
  }
  if (impl_->genera.size() != stored.genera) {
    root.context().corrupt("it has not as many genera as it says");
  }
}
GeneraReader::~GeneraReader() = default;
GeneraReader::GeneraReader(GeneraReader&&) noexcept = default;
GeneraReader& GeneraReader::operator=(GeneraReader&&) noexcept = default;

const GeneraInfo& GeneraReader::info() const noexcept {
  return impl_->info;
}

const std::vector<Genus>& GeneraReader::genera() const noexcept {
  return impl_->genera;
}

std::vector<MisereHeap> GeneraReader::heaps(HeapSize first, HeapSize count) const {
  const h5::Object& root = impl_->file.root;
  const auto values = h5::read_rows<std::uint32_t>(root, "grundy", first, count);
  const auto misere = h5::read_rows<std::uint32_t>(root, "misere", first, count);
  const auto numbers = h5::read_rows<std::uint32_t>(root, "genus", first, count);
  const auto kinds = h5::read_rows<std::uint8_t>(root, "kind", first, count);
  std::vector<MisereHeap> heaps(count);
  for (HeapSize i = 0; i < count; ++i) {
    const bool is_genus = numbers[i] < impl_->genera.size() &&
                          kinds[i] <= static_cast<std::uint8_t>(MisereKind::kWild);
    if (is_genus) {
      heaps[i] = {impl_->genera[numbers[i]], static_cast<MisereKind>(kinds[i])};
    }
    if (!is_genus || heaps[i].genus.value != values[i] ||
        heaps[i].genus.misere.front() != misere[i]) {
      root.context().corrupt(fmt::format("heap {} has not the values of its genus", first + i));
    }
  }
  return heaps;
}

void GeneraReader::recount() const {
  GeneraInfo counted = impl_->info;
  counted.heaps = counted.tame = counted.p_positions = 0;
  counted.first_not_tame.reset();
  GeneraCounter counter(counted);
  for (HeapSize first = 0; first < impl_->info.heaps; first += kHeapsOfPiece) {
    for (const MisereHeap& heap :
         heaps(first, std::min(kHeapsOfPiece, impl_->info.heaps - first))) {
      counter.add(heap);
    }
  }
  counter.finish();
  if (counted != impl_->info || counter.genera().size() != impl_->genera.size()) {
    impl_->file.root.context().corrupt("its counts or its digest are not those of its heaps");
  }
}

}  // namespace grundy
