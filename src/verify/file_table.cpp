// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"
#include "table/table_file.hpp"
#include "verify/stored_table.hpp"

namespace grundy {
namespace {

class FileTable final : public StoredTable {
 public:
  explicit FileTable(const std::filesystem::path& path)
      : path_(path.string()), reader_(TableReader::open(path)) {
    if (info().layout.is_lattice()) {
      order_.emplace(info().layout);
    } else {
      heaps_.emplace(path);
    }
  }

  [[nodiscard]] const TableInfo& info() const noexcept override { return reader_->info(); }
  [[nodiscard]] ValueWidth width() const noexcept override { return reader_->width(); }
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return reader_->chunk_size(); }
  void read(HeapSize begin, std::span<Nimber> out) const override { reader_->read(begin, out); }

  [[nodiscard]] const std::string& path() const noexcept override { return path_; }
  [[nodiscard]] const TableStats* recorded() const noexcept override { return &info().stats; }

  [[nodiscard]] const ValueOrder* order() const noexcept override {
    return order_ ? &*order_ : nullptr;
  }

  [[nodiscard]] std::vector<HeapSize> borders() const override {
    if (order_) return {};  // a chunk is a box, which begins on many lines
    std::vector<HeapSize> begins(heaps_->chunk_count());
    for (std::size_t i = 0; i < begins.size(); ++i) begins[i] = i * chunk_size();
    return begins;
  }

  Flow scan(Executor& executor, ValueSink& sink) const override {
    if (order_) return scan_entries(sink);
    return heaps_->scan(executor, [&](const StoredChunk& chunk) {
      return sink.put({chunk.begin, chunk.values, {}});
    });
  }

 private:
  /// In the order of the entries; the reader compares every chunk with its digest.
  Flow scan_entries(ValueSink& sink) const {
    constexpr HeapSize kStep = HeapSize{1} << 20;
    std::vector<Nimber> values;
    Bytes stored;
    for (HeapSize begin = 0; begin < info().stats.count; begin += values.size()) {
      values.resize(std::min(kStep, info().stats.count - begin));
      reader_->read(begin, values);
      stored.resize(values.size() * byte_count(width()));
      copy_to_width(std::span<const Nimber>(values), width(), stored.data());
      if (sink.put({begin, Values(stored.data(), values.size(), width()), {}}) == Flow::kStop) {
        return Flow::kStop;
      }
    }
    return Flow::kContinue;
  }

  std::string path_;
  std::unique_ptr<TableReader> reader_;  ///< for scattered values: it keeps the chunks it decodes
  std::optional<TableFile> heaps_;       ///< of one heap: reads all chunks in order
  std::optional<ValueOrder> order_;      ///< of several heaps
};

}  // namespace

std::unique_ptr<StoredTable> open_file_table(const std::filesystem::path& path) {
  return std::make_unique<FileTable>(path);
}

}  // namespace grundy
