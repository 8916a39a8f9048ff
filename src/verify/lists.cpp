// SPDX-License-Identifier: MIT
#include "verify/lists.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <grundy/version.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

constexpr const char* kListStatement =
    "the list has a position exactly if no option of it is in the list; in misère play, a position "
    "without options is not in it";
constexpr const char* kListMethod = "P-positions have no option in the list, others have one";
constexpr const char* kCensusStatement = "what a row says of its game follows from the definition";
constexpr const char* kCensusMethod = "rows are computed again, value by value, and compared";
constexpr const char* kAtlasStatement =
    "the value that a game has for a heap by its class is the mex of the values of its options";
constexpr const char* kAtlasMethod = "values are compared with the mex of those of all options";
constexpr const char* kGeneraStatement =
    "the value of a heap, and its misère nim-value with each number of heaps of two tokens that "
    "its genus tells, are what the values of all options make them";
constexpr const char* kGeneraMethod = "all positions that moves reach, by the definition";
constexpr const char* kGeneraFound = "all genera and kinds were found a second time";

/// What a kind of list has in all its certificates.
struct Words {
  const char* unit;
  const char* statement;
  const char* method;
};

/// @param proved its first entries, which are proved
Certificate make(const Words& words, std::string rule, HeapSize count, const Digest128& digest,
                 HeapSize proved) {
  Certificate certificate;
  certificate.rule = std::move(rule);
  certificate.unit = words.unit;
  certificate.count = certificate.periodic_from = count;
  certificate.statement = words.statement;
  certificate.table_digest = to_hex(digest);
  if (proved > 0) certificate.proved = {{0, proved - 1}};
  certificate.methods = {words.method};
  certificate.programs = {"grundy " GRUNDY_VERSION};
  return certificate;
}

/// All entries of a check of the whole list in which nothing was wrong, else none.
template <class Check>
HeapSize all_or_none(const Check& check, bool is_whole, HeapSize count) {
  return is_whole && check.complete && check.wrong.empty() ? count : 0;
}

}  // namespace

bool is_list(FileKind kind) noexcept {
  return kind == FileKind::kOutcomes || kind == FileKind::kPPositions ||
         kind == FileKind::kCensus || kind == FileKind::kRuleCensus || kind == FileKind::kAtlas ||
         kind == FileKind::kGenera;
}

Certificate certificate_of(const OutcomesCheck& check) {
  const Layout& layout = check.info.layout;
  const HeapSize count = layout.entries();
  const char* const unit = layout.is_lattice() ? "positions" : "heaps";
  return make({unit, kListStatement, kListMethod}, check.info.canonical, count, check.info.digest,
              all_or_none(check, check.proved == count, count));
}

Certificate certificate_of(const PPositionsCheck& check) {
  const HeapSize count = check.info.stats.positions;
  return make({"positions", kListStatement, kListMethod}, check.info.game, count,
              check.info.stats.digest, all_or_none(check, check.full, count));
}

Certificate certificate_of(const CensusCheck& check) {
  return make({"rows", kCensusStatement, kCensusMethod}, check.family, check.rows, check.digest,
              all_or_none(check, check.proved == check.rows, check.rows));
}

Certificate certificate_of(const AtlasCheck& check) {
  return make({"games", kAtlasStatement, kAtlasMethod},
              fmt::format("{} games of one heap", format_count(check.games)), check.games,
              check.digest, all_or_none(check, check.full, check.games));
}

Certificate certificate_of(const GeneraCheck& check) {
  Certificate certificate =
      make({"heaps", kGeneraStatement, kGeneraMethod}, check.info.canonical, check.info.heaps,
           check.info.digest, check.wrong.empty() ? check.proved : 0);
  if (check.wrong.empty() && check.complete && check.compared == check.info.heaps) {
    certificate.methods.emplace_back(kGeneraFound);
  }
  return certificate;
}

Certificate certificate_of_list(const std::filesystem::path& path) {
  switch (kind_of(path)) {
    case FileKind::kOutcomes:
      return certificate_of(check_outcomes({.file = path, .samples = 0}));
    case FileKind::kPPositions:
      return certificate_of(check_p_positions({.file = path, .samples = 0}));
    case FileKind::kAtlas:
      return certificate_of(check_atlas({.file = path, .samples = 0}));
    case FileKind::kGenera: {
      const GeneraReader reader(path);
      reader.recount();
      return certificate_of(GeneraCheck{.info = reader.info()});
    }
    default:
      return certificate_of(check_census({.file = path, .samples = 0}));
  }
}

}  // namespace grundy
