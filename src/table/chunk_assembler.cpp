// SPDX-License-Identifier: MIT
#include "table/chunk_assembler.hpp"

#include <algorithm>
#include <utility>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

/// Puts groups of `planes` values to every `stride`-th place.
template <class To, class From>
void scatter(std::span<const From> values, std::uint64_t planes, To* out, std::uint64_t stride) {
  if (planes == 1) {
    for (const From value : values) {
      *out = static_cast<To>(value);
      out += stride;
    }
    return;
  }
  for (std::size_t i = 0; i < values.size(); i += planes, out += stride) {
    for (std::uint64_t plane = 0; plane < planes; ++plane) {
      out[plane] = static_cast<To>(values[i + plane]);
    }
  }
}

}  // namespace

ChunkAssembler::ChunkAssembler(const ChunkGrid& grid, unsigned planes, ValueWidth width,
                               Buffer buffer, Done done)
    : grid_(grid),
      planes_(planes),
      width_(width),
      buffer_(std::move(buffer)),
      done_(std::move(done)) {}

ChunkAssembler::Chunk& ChunkAssembler::open_chunk(std::uint64_t chunk) {
  const auto [at, is_new] = open_.try_emplace(chunk);
  if (is_new) {
    at->second.missing = grid_.entries_in(chunk);
    at->second.bytes = buffer_(grid_.chunk_size() * byte_count(width_));
    if (at->second.missing < grid_.chunk_size())
      std::ranges::fill(at->second.bytes, std::byte{0xff});
  }
  return at->second;
}

void ChunkAssembler::put(ChunkGrid::Axes at, unsigned axis, Values values) {
  while (!values.empty()) {
    const ChunkGrid::Run run = grid_.run_along(axis, at);
    const std::uint64_t places = std::min(run.length, values.size() / planes_);
    const Values part = values.subspan(0, places * planes_);
    Chunk& chunk = open_chunk(run.chunk);
    std::byte* const out = chunk.bytes.data() + run.offset * byte_count(width_);
    if (run.stride == planes_) {
      copy_to_width(part, width_, out);
    } else {
      with_storage_type(width_, [&](auto type) {
        part.visit([&](auto from) {
          scatter(from, planes_, reinterpret_cast<decltype(type)*>(out), run.stride);
        });
      });
    }
    chunk.missing -= part.size();
    if (chunk.missing == 0) done_(run.chunk, std::move(open_.extract(run.chunk).mapped().bytes));
    at[axis] += places;
    values = values.subspan(part.size());
  }
}

void ChunkAssembler::widen(ValueWidth width) {
  for (auto& [index, chunk] : open_) {
    Bytes wide(grid_.chunk_size() * byte_count(width));
    copy_with_gaps_to_width(Values(chunk.bytes.data(), grid_.chunk_size(), width_), width,
                            wide.data());
    chunk.bytes = std::move(wide);
  }
  width_ = width;
}

}  // namespace grundy
