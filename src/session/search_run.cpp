// SPDX-License-Identifier: MIT
#include "session/search_run.hpp"

#include <array>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/version.hpp>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/temporary_name.hpp"
#include "core/text.hpp"
#include "run/run_directory.hpp"
#include "table/file_checks.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kLearntMagic{'G', 'R', 'N', 'D', 'Y', 'S', 'C', 'H'};
constexpr std::uint32_t kLearntFormat = 2;
constexpr std::uint32_t kLearntByteOrder = 0x01020304;
constexpr std::uint64_t kLargestLearntText = 1u << 20;
constexpr std::uint64_t kMostLearntEntries = 1u << 16;  ///< entries of a piece

struct LearntHead {
  std::array<char, 8> magic = kLearntMagic;
  std::uint32_t format = kLearntFormat;
  std::uint32_t byte_order = kLearntByteOrder;
  std::uint64_t text_bytes = 0;
  Digest128 text_digest{};
};
static_assert(sizeof(LearntHead) == 40);

struct LearntPiece {
  std::uint64_t entries = 0;
  Digest128 digest{};
};
static_assert(sizeof(LearntPiece) == 24);

template <class T>
std::span<const std::byte> learnt_bytes(const T& object) {
  return std::as_bytes(std::span(&object, 1));
}

/// The digest of `words` chained to the digest `before`.
Digest128 chained(const Digest128& before, std::span<const std::uint64_t> words) {
  std::vector<std::byte> all(sizeof before + words.size_bytes());
  std::memcpy(all.data(), &before, sizeof before);
  if (!words.empty()) std::memcpy(all.data() + sizeof before, words.data(), words.size_bytes());
  return hash128(all);
}

/// The start position and its options tell a game from others, and from a game on a graph whose
/// file has changed.
Digest128 search_fingerprint(const GraphGame& game) {
  std::vector<std::uint64_t> words;
  game.whole_start(words);
  game.moves(std::vector(words), words);
  const std::string text =
      fmt::format("grundy-search {}\nwords {}\n", kLearntFormat, game.key_words());
  return chained(hash128(std::as_bytes(std::span(text))), words);
}

std::string search_record_text(const SearchRecord& record) {
  return json_text(Json{{"game", record.game},
                        {"title", record.title},
                        {"fingerprint", to_hex(record.fingerprint)},
                        {"entry_words", record.entry_words},
                        {"overwrite", record.overwrite},
                        {"reproducible", record.reproducible},
                        {"version", record.version},
                        {"created", record.created},
                        {"lives", record.lives},
                        {"seconds", record.seconds},
                        {"positions_searched", record.searched}});
}

/// @throws Json::exception if the text is no record
SearchRecord parse_search_record(const std::string& text) {
  const Json json = parse_json(text);
  return {.game = json.at("game"),
          .title = json.at("title"),
          .fingerprint = digest_from_hex(json.at("fingerprint").get<std::string>()),
          .entry_words = json.at("entry_words"),
          .overwrite = json.at("overwrite"),
          .reproducible = json.at("reproducible"),
          .version = json.at("version"),
          .created = json.at("created"),
          .lives = json.at("lives"),
          .seconds = json.at("seconds"),
          .searched = json.at("positions_searched")};
}

/// Reads a file from its beginning, and refuses a file that is too short.
class LearntReader {
 public:
  explicit LearntReader(const fs::path& path)
      : path_(path), file_(Descriptor::open(path, O_RDONLY)) {}

  template <class T>
  void read(std::span<T> out) {
    if (file_.read_at(at_, std::as_writable_bytes(out)) != out.size_bytes()) {
      refuse(ErrorCode::kCorrupt, path_, "is damaged: it ends too early");
    }
    at_ += out.size_bytes();
  }
  template <class T>
  T read() {
    T object;
    read(std::span(&object, 1));
    return object;
  }
  [[nodiscard]] bool at_end() const { return at_ == file_.size(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return at_; }

 private:
  fs::path path_;
  Descriptor file_;
  std::uint64_t at_ = 0;
};

}  // namespace

bool is_search_run(const fs::path& directory) {
  std::error_code error;
  return fs::is_regular_file(directory / kLearntName, error);
}

SearchContents read_search_run(const fs::path& directory,
                               const std::function<void(std::span<const std::uint64_t>)>& take) {
  constexpr unsigned kMostWords = 5;
  const fs::path path = directory / kLearntName;
  LearntReader in(path);
  const LearntHead head = in.read<LearntHead>();
  if (head.magic != kLearntMagic || head.byte_order != kLearntByteOrder) {
    refuse(ErrorCode::kCorrupt, path, "does not hold what a search has learnt");
  }
  if (head.format != kLearntFormat) {
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has format {}; this program reads format {}", head.format, kLearntFormat));
  }
  const auto damaged = [&path] {
    refuse(ErrorCode::kCorrupt, path, "is damaged: it does not match its digest");
  };
  if (head.text_bytes > kLargestLearntText) damaged();
  std::string text(head.text_bytes, '\0');
  in.read(std::span(text));
  if (hash128(std::as_bytes(std::span(text))) != head.text_digest) damaged();
  SearchContents contents;
  try {
    contents.record = parse_search_record(text);
  } catch (const Json::exception&) {
    refuse(ErrorCode::kCorrupt, path, "is damaged or does not describe a search");
  }
  const unsigned entry_words = contents.record.entry_words;
  if (entry_words < 2 || entry_words > kMostWords) damaged();
  Digest128 digest = head.text_digest;
  std::vector<std::uint64_t> words;
  for (;;) {
    const LearntPiece piece = in.read<LearntPiece>();
    if (piece.entries > kMostLearntEntries) damaged();
    words.resize(piece.entries * entry_words);
    in.read(std::span(words));
    digest = chained(digest, words);
    if (digest != piece.digest) damaged();
    if (piece.entries == 0) break;
    if (take) take(words);
    contents.entries += piece.entries;
  }
  if (!in.at_end()) refuse(ErrorCode::kCorrupt, path, "is damaged: it goes on behind its end");
  contents.bytes = in.bytes();
  return contents;
}

Request request_of_search(const fs::path& directory) {
  const SearchRecord record = read_search_run(directory).record;
  const AnyGame game = resolve_game(record.game, GameKind::kGraph, Reduction::kComponents);
  return {.game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(game.rule)},
          .about = GameDescription::of(game, game.notation),
          .output = {.path = output_of(directory),
                     .overwrite = record.overwrite,
                     .reproducible = record.reproducible}};
}

SearchRun::SearchRun(const Request& request, const GraphGame& game)
    : directory_(run_directory_for(request.output.path)),
      record_{.game = request.about.game,
              .title = request.about.title,
              .fingerprint = search_fingerprint(game),
              .entry_words = game.key_words() + 1,
              .overwrite = request.output.overwrite,
              .reproducible = request.output.reproducible,
              .version = GRUNDY_VERSION,
              .created = utc_now()} {
  check_target(request.output.path, record_.overwrite);
  lock_.emplace(directory_, request.force);
  std::error_code error;
  if (fs::exists(directory_ / kRunRecordName, error)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is the directory of another computation", directory_.string()));
  }
  if (!is_search_run(directory_)) return;
  const SearchRecord sealed = read_search_run(directory_).record;
  if (sealed.fingerprint != record_.fingerprint || sealed.entry_words != record_.entry_words) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds what was learnt of {}, which is another game{}",
                            directory_.string(), in_quotes(sealed.game),
                            sealed.game == record_.game ? " than now" : ""));
  }
  record_.created = sealed.created;
  record_.lives = sealed.lives + 1;
  record_.seconds = sealed.seconds;
  record_.searched = sealed.searched;
}

SearchRun::~SearchRun() {
  lock_.reset();
  std::error_code ignored;
  fs::remove(directory_, ignored);  // does nothing if the directory is not empty
}

std::uint64_t SearchRun::recall(GraphSearch& search) const {
  if (!is_search_run(directory_)) return 0;
  read_search_run(directory_, [&](std::span<const std::uint64_t> entries) {
    if (search.take_over(entries)) return;
    refuse(ErrorCode::kCorrupt, directory_ / kLearntName, "holds what is no position of the game");
  });
  return search.known();
}

std::uint64_t SearchRun::seal(const GraphSearch& search) {
  SearchRecord record = record_;
  record.seconds += time_.seconds();
  record.searched += search.searched();
  const std::string text = search_record_text(record);
  AtomicFile place(directory_ / kLearntName, true, directory_);
  Descriptor file = Descriptor::open(place.path(), O_WRONLY | O_CREAT | O_EXCL);
  Digest128 digest = hash128(std::as_bytes(std::span(text)));
  file.write(learnt_bytes(LearntHead{.text_bytes = text.size(), .text_digest = digest}));
  file.write(std::as_bytes(std::span(text)));
  std::uint64_t entries = 0;
  const auto put = [&](std::span<const std::uint64_t> words) {
    digest = chained(digest, words);
    const std::uint64_t count = words.size() / record.entry_words;
    file.write(learnt_bytes(LearntPiece{.entries = count, .digest = digest}));
    file.write(std::as_bytes(words));
    entries += count;
  };
  search.hand_over(kMostLearntEntries, put);
  put({});
  file.sync();
  file.close();
  place.publish();
  sync_directory(directory_of(directory_));
  return entries;
}

void SearchRun::finish() noexcept {
  std::error_code ignored;
  fs::remove(directory_ / kLearntName, ignored);
}

}  // namespace grundy
