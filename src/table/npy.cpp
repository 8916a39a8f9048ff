// SPDX-License-Identifier: MIT
#include "table/npy.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace grundy {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};
constexpr std::size_t kAlignment = 64;

}  // namespace

std::string npy_header(std::size_t width, std::span<const std::uint64_t> shape) {
  std::string text = fmt::format("{{'descr': '{}u{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 width == 1 ? '|' : '<', width, fmt::join(shape, ", "),
                                 shape.size() == 1 ? "," : "");
  const std::size_t prefix = kMagic.size() + 2;
  const std::size_t unpadded = prefix + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void append_npy(std::string& bytes, std::size_t width, std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) {
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  }
}

}  // namespace grundy
