/// @file
/// A place in a text that is being read, and the one way to report an error there.
///
/// Messages count characters, not bytes. They read `'0.7x', character 4: 'x' stands where a digit
/// is expected`. For a text that is part of a file, they give the name of the file, a line and a
/// column instead.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>

namespace grundy {

/// The place of a text, for messages about it.
struct TextOrigin {
  std::string name{};  ///< the file that contains the text; empty: messages quote the text itself
  std::uint64_t line = 1, column = 1;  ///< of its first character in that file
  ErrorCode code = ErrorCode::kUsage;  ///< of an error in it
};

/// The characters that are blanks.
inline constexpr std::string_view kBlankCharacters = " \t\r\n";

/// What blanks between tokens mean.
enum class Blanks : std::uint8_t {
  kCount,  ///< they are characters like any other
  kSkip,   ///< blanks, line ends and comments (`#` and the rest of its line) are skipped
};

/// Reads a text from left to right.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text, Blanks blanks = Blanks::kCount,
                      TextOrigin origin = {});

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::string_view rest() const noexcept { return text_.substr(at_); }
  [[nodiscard]] bool done() const noexcept { return at_ == text_.size(); }
  /// Bytes before the cursor.
  [[nodiscard]] std::size_t place() const noexcept { return at_; }
  /// The next byte; 0 at the end.
  [[nodiscard]] char peek() const noexcept { return done() ? '\0' : text_[at_]; }
  [[nodiscard]] bool at_digit() const noexcept { return peek() >= '0' && peek() <= '9'; }
  [[nodiscard]] bool at_letter() const noexcept;

  /// Skips the next byte, but not what follows it.
  void step() noexcept { ++at_; }
  /// Goes back to an earlier place().
  void return_to(std::size_t place) noexcept { at_ = place; }
  /// Skips blanks, line ends and comments.
  void skip_blanks() noexcept;
  /// Skips `token` if it is next. The case of letters does not matter.
  bool eat(std::string_view token) noexcept;
  bool eat(char token) noexcept { return eat(std::string_view(&token, 1)); }
  /// Skips a name if it is next, including characters that do not matter in names (folded_name())
  /// between its characters and after it. @pre `folded` is a result of folded_name()
  bool eat_name(std::string_view folded) noexcept;
  /// Skips `token`. @throws Error that `what` is expected if something else is next
  void expect(std::string_view token, std::string_view what);
  /// @throws Error that `what` is expected unless this is the end
  void expect_end(std::string_view what) const;
  /// A decimal number. @throws Error that `what` is expected, or that it is larger than `most`
  std::uint64_t number(std::string_view what,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// Letters and then digits, in lower case; may be empty.
  std::string word();

  /// @throws Error that `what` is expected in place of the next characters
  [[noreturn]] void unexpected(std::string_view what) const;
  /// @throws Error with this place, or the place of a byte, and the reason
  [[noreturn]] void fail(std::string_view reason) const { fail_at(at_, reason); }
  [[noreturn]] void fail_at(std::size_t place, std::string_view reason) const;

 private:
  void pass(std::size_t bytes) noexcept;

  std::string_view text_;
  Blanks blanks_;
  TextOrigin origin_;
  std::size_t at_ = 0;
};

/// Reads sizes of a board or of a table, `AxBx…`, with `X` or `×` as well and blanks between them.
/// @throws Error(kUsage)
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// The text without blanks and line ends at its ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace grundy
