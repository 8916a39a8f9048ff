// SPDX-License-Identifier: MIT
#include "table/table_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/value_copy.hpp"
#include "table/chunk_file.hpp"
#include "table/schema.hpp"
#include "table/table_file.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

class Writer final : public TableWriter {
 public:
  Writer(fs::path path, Executor& executor, const TableWriterOptions& options)
      : path_(std::move(path)), executor_(executor), options_(options) {
    if (!std::has_single_bit(options.chunk_size) || options.chunk_size > kLargestChunk) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("a chunk has a power of two of values, at most {}, not {}",
                              kLargestChunk, options.chunk_size));
    }
    file_ = make_file(options.width);
    partial_.resize(file_->chunk_bytes());
  }

  [[nodiscard]] ValueWidth width() const override { return file_->width(); }

  Flow put(const Block& block) override {
    run_step(file_, path_, [&] { take(block); });
    return Flow::kContinue;
  }

  void finish(const TableInfo& info) override {
    run_step(file_, path_, [&] {
      complete(info);
      read_back(info);
      file_->publish();
    });
    file_.reset();
  }

 private:
  [[nodiscard]] std::unique_ptr<ChunkFile> make_file(ValueWidth width) const {
    const ChunkGrid grid(std::array{std::uint64_t{0}}, std::array{options_.chunk_size});
    return std::make_unique<ChunkFile>(AtomicFile(path_, options_.overwrite, options_.workplace),
                                       width, grid, executor_);
  }

  void take(const Block& block) {
    if (block.begin != count_) {
      throw Error(
          ErrorCode::kFailure,
          fmt::format("heap {} was handed to a table that goes on at {}", block.begin, count_));
    }
    const ValueWidth needed = storable_width(block.values);
    if (needed > file_->width()) promote(needed);

    Values rest = block.values;
    while (!rest.empty()) {
      const std::size_t n = std::min<HeapSize>(rest.size(), options_.chunk_size - filled_);
      copy_to_width(rest.subspan(0, n), file_->width(), end_of_partial());
      filled_ += n;
      count_ += n;
      rest = rest.subspan(n, rest.size() - n);
      if (filled_ == options_.chunk_size) flush();
    }
  }

  /// Rewrites everything so far at a larger width.
  void promote(ValueWidth width) {
    std::unique_ptr<ChunkFile> wide = make_file(width);
    const auto widened = [&](const Bytes& chunk) {
      Bytes out(wide->chunk_bytes());
      copy_to_width(Values(chunk.data(), options_.chunk_size, file_->width()), width, out.data());
      return out;
    };
    HeapSize size = 0;
    file_->replay([&](std::uint64_t, const Bytes& chunk) {
      wide->append(widened(chunk), size += options_.chunk_size);
    });
    partial_ = widened(partial_);
    file_ = std::move(wide);
  }

  void flush() {
    file_->append(std::exchange(partial_, Bytes(file_->chunk_bytes())), count_);
    filled_ = 0;
  }

  void complete(const TableInfo& info) {
    if (info.stats.count != count_) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("{} values were written to a table of {}", count_, info.stats.count));
    }
    if (const std::string clause = contradiction(info); !clause.empty()) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the table for '{}' contradicts itself: {}", path_.string(), clause));
    }
    if (filled_ > 0) {
      std::fill(end_of_partial(), partial_.data() + partial_.size(), std::byte{0xff});
      flush();
    }
    file_->complete(describe(info, file_->digests(), options_.reproducible));
  }

  /// Opens what is on disk like any reader and compares all of it: metadata with `info`, every
  /// chunk with the digest taken when it was handed in, and all values with the digest in `info`.
  void read_back(const TableInfo& info) const {
    try {
      const TableFile file(file_->path());
      if (file.info() != info) {
        throw Error(ErrorCode::kFailure, "the metadata differ from what was written");
      }
      ValueDigest digest;
      HeapSize left = info.stats.count;
      decode_in_order(
          executor_, file.chunk_count(), [&](std::uint64_t i) { return file.read_encoded(i); },
          [&](const Bytes& encoded) { return file.decode(encoded); },
          [&](std::uint64_t i, const Bytes& chunk) {
            file.verify(i, chunk);
            const HeapSize n = std::min(left, file.grid().chunk_size());
            digest.update(Values(chunk.data(), n, file.width()));
            left -= n;
          });
      if (digest.value() != info.stats.digest) {
        throw Error(ErrorCode::kFailure, "the values do not match the digest of the table");
      }
    } catch (const Error& error) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("'{}' was not written: reading it back failed: {}", path_.string(),
                              error.what()));
    }
  }

  [[nodiscard]] std::byte* end_of_partial() {
    return partial_.data() + filled_ * byte_count(file_->width());
  }

  fs::path path_;
  Executor& executor_;
  TableWriterOptions options_;
  std::unique_ptr<ChunkFile> file_;  ///< none once finished or failed
  Bytes partial_;                    ///< the chunk that fills up, at the width of file_
  HeapSize filled_ = 0;              ///< values in partial_
  HeapSize count_ = 0;               ///< values taken
};

}  // namespace

std::unique_ptr<TableWriter> TableWriter::create(const fs::path& path, Executor& executor,
                                                 const TableWriterOptions& options) {
  return std::make_unique<Writer>(path, executor, options);
}

std::string hdf5_version() {
  const h5::Guard guard;
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace grundy
