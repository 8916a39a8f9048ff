// SPDX-License-Identifier: MIT
#include "table/byte_output.hpp"

#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

constexpr std::size_t kBufferSize = 1u << 16;

}  // namespace

ByteOutput ByteOutput::standard_output() {
  return {};
}

ByteOutput ByteOutput::file(const std::filesystem::path& path, bool overwrite,
                            std::stop_token stop) {
  ByteOutput out;
  out.stop_ = std::move(stop);
  out.place_.emplace(path, overwrite);
  try {
    out.file_ = Descriptor::open(out.place_->path(), O_WRONLY | O_CREAT | O_EXCL);
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage, error.what());
  }
  return out;
}

void ByteOutput::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBufferSize) flush();
}

void ByteOutput::flush() {
  const std::string bytes = std::exchange(buffer_, {});
  if (place_) {
    file_.write(std::as_bytes(std::span(bytes)));
  } else {
    write_standard_output(bytes);
  }
}

void ByteOutput::write_standard_output(std::string_view bytes) {
  while (!bytes.empty() && !closed_) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      closed_ = true;
    } else if (errno != EINTR) {
      throw Error(ErrorCode::kFailure, fmt::format("cannot write to standard output: {}",
                                                   std::generic_category().message(errno)));
    }
  }
}

void ByteOutput::commit() {
  flush();
  if (!place_) return;
  file_.sync();
  file_.close();
  place_->publish();
}

}  // namespace grundy
