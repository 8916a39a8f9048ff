// SPDX-License-Identifier: MIT
#include <fstream>
#include <map>
#include <set>

#include <grundy/error.hpp>

#include "atlas/atlas_testing.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using testing_support::fresh_directory;

std::set<std::string> codes(std::string_view pattern) {
  std::set<std::string> set;
  for (const HeapRule& rule : expand_family(pattern)) set.insert(rule.canonical());
  return set;
}

TEST(Family, CountsOctalCodes) {
  EXPECT_EQ(expand_family("0.ddd").size(), 511u);  // 0.000 has no moves
  EXPECT_EQ(expand_family("4.ddd").size(), 512u);
  EXPECT_EQ(expand_family("0.dddn").size() + expand_family("4.dddn").size(), 7168u);
  EXPECT_EQ(codes(".n0n").size(), 49u);
  EXPECT_EQ(codes("0,dd"), codes("0.dd"));
}

TEST(Family, KeepsTheOrderOfThePattern) {
  const auto rules = expand_family("0.nd");
  EXPECT_EQ(rules.front().canonical(), "0.1");
  EXPECT_EQ(rules[1].canonical(), "0.11");
  EXPECT_EQ(rules.back().canonical(), "0.77");
}

TEST(Family, ReadsHexadecimalWildcards) {
  EXPECT_EQ(codes("0.h").size(), 15u);
  EXPECT_TRUE(codes("0.hh").contains("hex:0.8"));
  EXPECT_TRUE(codes("hex:0.8d").contains("hex:0.87"));
  EXPECT_TRUE(codes(" HEX:0.8d").contains("hex:0.87"));
}

TEST(Family, ListsSubtractionSets) {
  EXPECT_EQ(codes("S{max<=3,size<=2}"),
            (std::set<std::string>{"S{1}", "S{2}", "S{3}", "S{1,2}", "S{1,3}", "S{2,3}"}));
  EXPECT_EQ(codes("S{size<=9,max<=5}").size(), 31u);
  EXPECT_EQ(codes(" s{ Max<=4, size <= 2 }").size(), 10u);
}

TEST(Family, ReadsListsAndSingleGames) {
  const auto path = fresh_directory() / "list.txt";
  std::ofstream(path) << "# hard ones\n0.07   # Dawson's Kayles\n\nkayles\nS{1,2}\n0.07\n0.0n\n";
  EXPECT_EQ(codes("@" + path.string()).size(), 9u);  // 0.07 is among 0.0n
  EXPECT_EQ(codes("kayles"), std::set<std::string>{"0.77"});
}

TEST(Family, RefusesNonsenseWithItsPlace) {
  const auto directory = fresh_directory();
  for (const char* pattern : {"0.ddddddd", "S{max<=0,size<=2}", "S{max<=5}", "S{max<=5,depth<=2}",
                              "S{max<=60,size<=30}", "0.9d", "nogame", "@/no/such/file"}) {
    EXPECT_THROW(expand_family(pattern), Error) << pattern;
  }
  for (const auto& [pattern, words] : std::map<std::string, std::string>{
           {"0.dddd.d", "'0.dddd.d', character 7: '.' stands where a digit"},
           {"0.hh.h", "'0.hh.h', character 5: '.' stands"},
           {"hex:0.hd.h", "'hex:0.hd.h', character 9: '.' stands"},
           {"0.d8", "'0.d8', character 4: '8' is not an octal digit (0-7); write 'hex:0.d8'"}}) {
    const Error error = testing_support::error_of([&p = pattern] { expand_family(p); });
    EXPECT_THAT(error.what(), ::testing::StartsWith(words));
  }
  std::ofstream(directory / "bad.txt") << "0.77\n0.!7\n";
  const Error error =
      testing_support::error_of([&] { expand_family("@" + (directory / "bad.txt").string()); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_NE(std::string(error.what()).find("bad.txt:2: "), std::string::npos) << error.what();
  std::ofstream(directory / "nested.txt") << "@bad.txt\n";
  EXPECT_THROW(expand_family("@" + (directory / "nested.txt").string()), Error);
}

}  // namespace
}  // namespace grundy
