/// @file
/// The loops over letters in every kernel set, compared with `scalar`, on random codes.
// SPDX-License-Identifier: MIT
#include "kernels/letter_kernels.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_letters(std::mt19937& random, std::size_t size, unsigned bound) {
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % bound);
  return bytes;
}

TEST(LetterKernels, WritePairs) {
  std::mt19937 random(5);
  for (const unsigned longest : {1, 7, 15}) {  // bits of a word
    std::vector<std::uint64_t> pairs(1 << 16);
    std::array<std::uint64_t, 64> word;
    std::array<std::uint32_t, 64> bits;
    for (std::size_t letter = 0; letter < word.size(); ++letter) {
      bits[letter] = 1 + static_cast<std::uint32_t>(random() % longest);
      word[letter] = random() % (1u << bits[letter]);
    }
    for (std::size_t i = 0; i < word.size(); ++i) {
      for (std::size_t j = 0; j < word.size(); ++j) {
        pairs[j << 8 | i] = (word[i] | word[j] << bits[i]) << 8 | (bits[i] + bits[j]);
      }
    }
    for (const std::size_t fours : {0, 1, 2, 500}) {
      const Bytes letters = random_letters(random, 4 * fours, 64);
      // One word after another, bit by bit.
      std::vector<bool> expected;
      for (const std::byte letter : letters) {
        const auto i = std::to_integer<std::size_t>(letter);
        for (std::uint32_t b = 0; b < bits[i]; ++b) expected.push_back((word[i] >> b & 1) != 0);
      }
      for (const KernelSet& set : available_kernels()) {
        Bytes out(8 * fours + 16);
        LetterOutput to{out.data()};
        set.letters.write_pairs(letters.data(), fours, pairs.data(), to);
        ASSERT_LT(to.count, 8u) << set.name;
        ASSERT_EQ(8 * static_cast<std::size_t>(to.at - out.data()) + to.count, expected.size());
        to.put(0, 8 - to.count);  // the last bits
        for (std::size_t b = 0; b < expected.size(); ++b) {
          ASSERT_EQ((std::to_integer<unsigned>(out[b / 8]) >> b % 8 & 1) != 0, expected[b]) << b;
        }
      }
    }
  }
}

TEST(LetterKernels, WriteAndCountRuns) {
  std::mt19937 random(11);
  // Entries of random bits, as many as a code word has at most: of a letter with two more, and of a
  // letter and a match.
  std::vector<std::uint64_t> runs(kShortRun * 256);
  std::vector<std::uint64_t> again(kMostAgain + 1);
  for (auto* const entries : {&runs, &again}) {
    for (std::uint64_t& entry : *entries) {
      const std::uint64_t bits = 1 + random() % 45;
      entry = random();
      entry = (entry << 32 | random()) % (std::uint64_t{1} << bits) << 8 | bits;
    }
  }
  // Letters in runs, cut off behind `size` of them.
  const auto runs_of = [&](std::size_t size, const auto& next_length) {
    Bytes letters;
    for (std::byte letter{}; letters.size() < size;) {
      letter ^= std::byte(1 + random() % 255);  // another one
      letters.insert(letters.end(), next_length(), letter);
    }
    return Bytes(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(size));
  };
  std::vector<Bytes> texts;
  for (const std::size_t longest : {1, 4, 40, 700}) {
    for (const std::size_t size : {0, 1, 2, 63, 64, 65, 66, 128, 129, 5000}) {
      texts.push_back(runs_of(size, [&] { return 1 + random() % longest; }));
    }
  }
  std::size_t length = 0;  // a run of every length up to 800, behind some letters
  texts.push_back(runs_of(800 * 801 / 2, [&] { return ++length; }));
  for (const Bytes& letters : texts) {
    const std::size_t size = letters.size();
    // One letter after another: a run has its entry, or those of its parts.
    std::vector<std::uint64_t> entries;
    std::vector<std::uint32_t> times(256);
    std::vector<std::uint32_t> repeats(kMostAgain + 1);
    for (std::size_t at = 0; at < size;) {
      const auto letter = std::to_integer<std::size_t>(letters[at]);
      std::size_t more = 0;
      while (++at < size && letters[at] == letters[at - 1]) ++more;
      const bool is_short = more < kShortRun;
      entries.push_back(runs[kShortRun * letter + (is_short ? more : 0)]);
      ++times[letter];
      std::size_t in_code = is_short ? 0 : more;
      for (; in_code >= kLeastAgain; in_code -= std::min(in_code, kMostAgain)) {
        entries.push_back(again[std::min(in_code, kMostAgain)]);
      }
      if (in_code > 0) entries.push_back(runs[kShortRun * letter + in_code - 1]);
      for (; more >= kLeastAgain; more -= std::min(more, kMostAgain)) {
        ++repeats[std::min(more, kMostAgain)];
      }
      times[letter] += static_cast<std::uint32_t>(more);
    }
    std::vector<bool> expected;
    for (const std::uint64_t entry : entries) {
      for (std::uint64_t b = 0; b < (entry & 255); ++b) {
        expected.push_back((entry >> (8 + b) & 1) != 0);
      }
    }
    for (const KernelSet& set : available_kernels()) {
      Bytes out(expected.size() / 8 + 8);
      LetterOutput to{out.data()};
      set.letters.write_runs(letters.data(), size, {runs.data(), again.data()}, to);
      ASSERT_LT(to.count, 8u) << set.name;
      ASSERT_EQ(8 * static_cast<std::size_t>(to.at - out.data()) + to.count, expected.size());
      to.put(0, 8 - to.count);  // the last bits
      for (std::size_t b = 0; b < expected.size(); ++b) {
        ASSERT_EQ((std::to_integer<unsigned>(out[b / 8]) >> b % 8 & 1) != 0, expected[b])
            << set.name << ", bit " << b;
      }
      std::vector<std::uint32_t> counted(256);
      std::vector<std::uint32_t> counted_again(kMostAgain + 1);
      set.letters.count_runs(letters.data(), size, counted.data(), counted_again.data());
      std::fill_n(counted_again.begin(), kLeastAgain, 0);
      ASSERT_EQ(counted, times) << set.name;
      ASSERT_EQ(counted_again, repeats) << set.name;
    }
  }
}

TEST(LetterKernels, ColumnsOfBytes) {
  std::mt19937 random(7);
  for (int run = 0; run < 200; ++run) {
    const std::size_t width = run % 2 == 0 ? 2 : 4;
    const std::size_t count = random() % 300;
    const Bytes values = random_letters(random, count * width, 256);
    Bytes expected(values.size() + 1, std::byte{7});
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < width; ++k) expected[k * count + i] = values[width * i + k];
    }
    for (const KernelSet& set : available_kernels()) {
      Bytes columns(values.size() + 1, std::byte{7});
      set.letters.to_columns(values.data(), width, count, columns.data());
      ASSERT_EQ(columns, expected) << set.name;
      Bytes back(values.size() + 1, std::byte{7});
      set.letters.from_columns(columns.data(), width, count, back.data());
      ASSERT_EQ(back.back(), std::byte{7}) << set.name;
      back.pop_back();
      ASSERT_EQ(back, values) << set.name;
    }
  }
}

TEST(LetterKernels, ReadOneAndSome) {
  std::mt19937 random(6);
  for (int run = 0; run < 100; ++run) {
    // Any answers will do. In half of the runs some end the loop, in a quarter some repeat a
    // letter.
    std::vector<LetterAnswer> answers(std::size_t{1} << kLookUpBits);
    for (LetterAnswer& answer : answers) {
      const std::uint64_t count =
          run % 2 == 0 || random() % 100 > 0 ? 1 + random() % kMostLetters : 0;
      answer = std::uint64_t{random()} << 32 | count << 8 | (1 + random() % kLookUpBits);
      if (run % 4 == 3 && random() % 4 == 0) {
        answer |= kHasRepeats | (1 + random() % kMostRepeats) << 16;
      } else if (count > 0) {
        answer |= kHasLetters;
      }
    }
    const Bytes stream = random_letters(random, random() % 2000, 256);
    std::array<std::size_t, kLetterParts + 1> ends{};
    for (std::size_t& end : ends) end = random() % (stream.size() + 1);
    ends.front() = 0;
    ends.back() = stream.size();
    std::ranges::sort(ends);
    const std::size_t room = 1 + random() % 4000;
    // The stream as a whole, and its parts.
    const auto read = [&](const KernelSet& set) {
      Bytes out(1 + (1 + kLetterParts) * room);  // the first letter was read before
      const auto input = [&](std::size_t begin, std::size_t end, std::size_t place) {
        return LetterInput{.at = stream.data() + begin,
                           .end = stream.data() + end,
                           .out = &out[1 + place * room],
                           .out_end = &out[1 + place * room] + room};
      };
      LetterInput one = input(0, stream.size(), 0);
      set.letters.read(answers.data(), one);
      std::array<LetterInput, kLetterParts> parts;
      std::array<LetterInput*, kLetterParts> streams;
      for (std::size_t i = 0; i < kLetterParts; ++i) {
        parts[i] = input(ends[i], ends[i + 1], i + 1);
        streams[i] = &parts[i];
      }
      set.letters.read_parts(answers.data(), streams);
      std::vector<std::size_t> places;
      std::vector<LetterInput> all(parts.begin(), parts.end());
      all.insert(all.begin(), one);
      for (const LetterInput& in : all) {
        places.push_back(8 * static_cast<std::size_t>(in.at - stream.data()) - in.count);
        places.push_back(static_cast<std::size_t>(in.out - out.data()));
        EXPECT_LE(in.out, in.out_end) << set.name;
        EXPECT_LE(in.at, in.end) << set.name;
      }
      return std::pair(places, out);
    };
    const auto expected = read(available_kernels().front());
    for (const KernelSet& set : available_kernels()) EXPECT_EQ(read(set), expected) << set.name;
    // A stream gives the same letters alone and beside another one.
    const auto& [places, out] = expected;
    const std::size_t both = std::min(places[1], places[3] - room);
    EXPECT_TRUE(std::equal(out.begin() + 1, out.begin() + both, out.begin() + 1 + room));
  }
}

}  // namespace
}  // namespace grundy
