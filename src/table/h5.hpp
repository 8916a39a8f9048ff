/// @file
/// The part of the HDF5 C library that a table needs, with owners instead of identifiers and errors
/// instead of return codes.
///
/// Why not a wrapper library: the official C++ interface hides the calls that matter here (direct
/// chunk access, creation properties), and every return code must be checked, even those of
/// closing. Three properties of the library shape this file:
/// - it is one big critical section, and not thread-safe in every build: a process-wide mutex
///   (Guard) makes it safe in all of them;
/// - it prints errors, and each thread has its own switch for that: Guard turns printing off and
///   restores the switch of the host program;
/// - its exit handler crashes after a write error that persists: the first call turns it off.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

#include <grundy/error.hpp>

namespace grundy::h5 {

/// Exclusive use of the library by this thread, quietly.
class Guard {
 public:
  Guard();
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* client_ = nullptr;
  bool restore_ = false;
};

/// The context of an error message: the file, and whether reading or writing it has failed.
struct Context {
  std::string path;
  ErrorCode code;

  /// @throws Error of this context's code, with the reason from the library's error stack; kFailure
  ///   if the reason is one of the operating system
  [[noreturn]] void fail(std::string_view action) const;
  /// @throws Error(kCorrupt) that says what is damaged
  [[noreturn]] void corrupt(std::string_view what) const;
  /// Returns `result` unless it is negative, which is how the library reports failure.
  template <class T>
  T check(T result, std::string_view action) const {
    if (result < 0) fail(action);
    return result;
  }
};

/// Owner of one identifier.
class Hid {
 public:
  using Closer = herr_t (*)(hid_t);

  Hid() = default;
  Hid(hid_t id, Closer closer) noexcept : id_(id), closer_(closer) {}
  Hid(Hid&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Hid& operator=(Hid&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  /// Closes silently: for unwinding, and for objects that were only read.
  ~Hid();

  [[nodiscard]] hid_t get() const noexcept { return id_; }
  /// Closes an object that was written. @throws Error if that fails: data may be missing then
  void close(const Context& context, std::string_view action);

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// A creation property list without times, so that equal content gives equal bytes.
Hid creation_list(hid_t cls, const Context& context);
/// The creation list of a dataset in chunks with the filters `shuffle` and `deflate`.
Hid compressed_list(int axes, const hsize_t* edge, const Context& context);
/// These filters.
inline constexpr std::array<H5Z_filter_t, 2> kFilters = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};

/// A group or a dataset: an object with attributes. Numbers are 64-bit unsigned little-endian,
/// texts are scalar UTF-8 strings of variable length. Reading accepts exactly these types.
class Object {
 public:
  Object(Hid id, std::shared_ptr<const Context> context)
      : id_(std::move(id)), context_(std::move(context)) {}

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  void put_text(const std::string& name, const std::string& text);
  /// The same, but replaces a text of this name if there is one.
  void replace_text(const std::string& name, const std::string& text);
  void put_number(const std::string& name, std::uint64_t number);
  /// Overwrites a number that was put before.
  void set_number(const std::string& name, std::uint64_t number);
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] std::uint64_t number(const std::string& name) const;

  [[nodiscard]] bool has_member(const std::string& name) const;
  [[nodiscard]] Object create_group(const std::string& name);
  [[nodiscard]] Object open_group(const std::string& name) const;

  /// Opens a dataset for its attributes.
  [[nodiscard]] Object open_dataset(const std::string& name) const;

  /// Makes a dataset of one text, which may be too long for an attribute.
  void put_document(const std::string& name, const std::string& text);
  [[nodiscard]] std::string document(const std::string& name) const;

  /// Makes a dimension of extent `size`, without coordinates, as netCDF-4 stores it.
  [[nodiscard]] Object create_dimension(const std::string& name, std::uint64_t size);
  /// Names the dimension of an axis of this dataset.
  void attach(const Object& dimension, unsigned axis);

  [[nodiscard]] const Context& context() const noexcept { return *context_; }
  [[nodiscard]] hid_t id() const noexcept { return id_.get(); }
  /// Another object of the same file.
  [[nodiscard]] Object with(Hid id) const { return {std::move(id), context_}; }
  void close();

 private:
  Hid id_;
  std::shared_ptr<const Context> context_;
};

/// An open file.
class File {
 public:
  /// @throws Error(kUsage) if the file cannot be created, because it exists, for example
  static File create(const std::filesystem::path& path);
  /// Opens for reading. @throws Error(kCorrupt)
  static File open(const std::filesystem::path& path);
  /// Opens an existing file for changes. @throws Error(kFailure)
  static File change(const std::filesystem::path& path);

  [[nodiscard]] Object root() const;
  /// Hands all data so far to the operating system.
  void flush();
  /// The same; data that are put into the file later lie behind its present end.
  /// @throws Error(kFailure) also if the file has free space inside
  void flush_without_gaps();
  /// @throws Error(kFailure) if the last bytes do not get into the file
  void close() { id_.close(*context_, "closing it"); }

 private:
  File(Hid id, std::shared_ptr<const Context> context)
      : id_(std::move(id)), context_(std::move(context)) {}
  /// @pre the caller has a Guard
  static File open(const std::filesystem::path& path, unsigned flags, ErrorCode code);

  Hid id_;
  std::shared_ptr<const Context> context_;
};

}  // namespace grundy::h5
