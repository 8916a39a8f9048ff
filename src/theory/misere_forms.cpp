// SPDX-License-Identifier: MIT
#include "theory/misere_forms.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/mex.hpp"
#include "core/text.hpp"

namespace grundy {

const char* name_of(MisereKind kind) noexcept {
  switch (kind) {
    case MisereKind::kTame:
      return "tame";
    case MisereKind::kRestive:
      return "restive";
    case MisereKind::kRestless:
      return "restless";
    case MisereKind::kWild:
      break;
  }
  return "wild";
}

Nimber Genus::misere_with(std::size_t heaps_of_two) const noexcept {
  const std::size_t size = misere.size();
  if (heaps_of_two < size) return misere[heaps_of_two];
  return misere[size - 2 + (heaps_of_two - size) % 2];
}

std::string Genus::text() const {
  const bool short_values = std::ranges::all_of(misere, [](Nimber term) { return term < 10; });
  return fmt::format("{}^{{{}}}", value, fmt::join(misere, short_values ? "" : ","));
}

Genus Genus::parse(std::string_view text) {
  const auto refuse = [&] {
    throw Error(ErrorCode::kUsage, fmt::format("{} is no genus", in_quotes(text)));
  };
  Genus genus;
  const auto take = [&](std::string_view digits) {
    Nimber number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [behind, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || behind != end) refuse();
    return number;
  };
  const std::size_t open = text.find("^{");
  if (open == std::string_view::npos || !text.ends_with('}')) refuse();
  genus.value = take(text.substr(0, open));
  const std::string_view terms = text.substr(open + 2, text.size() - open - 3);
  const bool has_commas = terms.find(',') != std::string_view::npos;
  for (std::size_t at = 0; at < terms.size();) {
    const std::size_t end = has_commas ? std::min(terms.find(',', at), terms.size()) : at + 1;
    genus.misere.push_back(take(terms.substr(at, end - at)));
    at = end + (has_commas ? 1 : 0);
  }
  if (genus.misere.size() < 2 || genus.text() != text) refuse();
  return genus;
}

Genus genus_of_options(std::span<const Genus* const> options) {
  Genus genus;
  Mex marks;
  std::size_t alternating = 0;  // from this term on, the terms of all options alternate
  for (const Genus* option : options) {
    marks.mark(option->value);
    alternating = std::max(alternating, option->misere.size() - 2);
  }
  genus.value = marks.value();
  // From `alternating` on, a term depends only on the term before it and on the parity of its
  // place: on whether the term before, or its neighbour by the last bit, is the mex of the options
  // of this parity. So after at most four more terms the terms repeat with period two.
  std::vector<Nimber>& terms = genus.misere;
  for (std::size_t k = 0;; ++k) {
    Mex with;
    for (const Genus* option : options) with.mark(option->misere_with(k));
    if (k > 0) {
      with.mark(terms.back());
      with.mark(terms.back() ^ 1);
    }
    terms.push_back(k == 0 && options.empty() ? 1 : with.value());
    if (k >= alternating + 2 && terms[k] == terms[k - 2]) break;
  }
  while (terms.size() > 2 && terms.back() == terms[terms.size() - 3]) terms.pop_back();
  return genus;
}

MisereKind kind_of_options(const Genus& genus, bool options_are_tame) noexcept {
  const Nimber misere = genus.misere.front();
  if (!options_are_tame) return MisereKind::kWild;
  if (genus.value == misere || (genus.value < 2 && misere < 2)) return MisereKind::kTame;
  return genus.value < 2 ? MisereKind::kRestive : MisereKind::kRestless;
}

Genus tame_genus(Nimber value, bool fickle) {
  if (fickle) return {value, {value ^ 1, value ^ 2, value}};
  return {value, {value, value ^ 2}};
}

std::size_t MisereForms::Hash::operator()(std::span<const Id> options) const noexcept {
  std::uint64_t hash = options.size();
  for (const Id id : options) hash = (hash ^ id) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
  return hash;
}

bool MisereForms::Equal::operator()(Id a, std::span<const Id> b) const noexcept {
  return std::ranges::equal(forms->options(a), b);
}

MisereForms::MisereForms() : known_(64, Hash{this}, Equal{this}) {
  add({});
}

std::uint64_t MisereForms::bytes() const noexcept {
  // A node of a hash table has a pointer, an entry, the overhead of the allocator, and half a
  // bucket.
  constexpr std::uint64_t kNode = 40;
  return forms_.capacity() * sizeof(Form) + about_.capacity() * sizeof(MisereHeap) + genus_bytes_ +
         options_.capacity() * sizeof(Id) + (known_.size() + sums_.size()) * kNode;
}

bool MisereForms::has_option(Id id, Id option) const noexcept {
  return std::ranges::find(options(id), option) != options(id).end();
}

std::optional<MisereForms::Id> MisereForms::simpler(std::span<const Id> all) const {
  const auto birthday = [this](Id id) { return forms_[id].birthday; };
  const auto leads_to = [this](Id form) {
    return [this, form](Id option) { return has_option(option, form); };
  };
  // H is older than each of B, and younger than each of A.
  if (birthday(all.front()) > 0 && std::ranges::all_of(all, leads_to(kZero)) &&
      std::ranges::any_of(all, [this](Id option) { return about_[option].genus.misere[0] == 0; })) {
    return kZero;
  }
  for (std::size_t split = 1; split < all.size(); ++split) {
    if (birthday(all[split]) < birthday(all[split - 1]) + 2) continue;
    const auto found = known_.find(all.first(split));
    if (found != known_.end() && std::ranges::all_of(all.subspan(split), leads_to(*found))) {
      return *found;
    }
  }
  return std::nullopt;
}

MisereForms::Id MisereForms::make(std::vector<Id> list) {
  std::ranges::sort(list, {}, [this](Id id) { return std::pair(forms_[id].birthday, id); });
  list.erase(std::unique(list.begin(), list.end()), list.end());
  if (list.empty()) return kZero;
  if (const auto found = known_.find(std::span<const Id>(list)); found != known_.end()) {
    return *found;
  }
  if (const auto form = simpler(list)) return *form;
  return add(list);
}

MisereForms::Id MisereForms::add(std::span<const Id> list) {
  if (stop_.stop_requested()) throw Stopped();
  if (most_bytes_ && bytes() > *most_bytes_) throw Full();
  std::vector<const Genus*> genera;
  bool tame = true;
  std::uint32_t birthday = 0;
  for (const Id option : list) {
    genera.push_back(&about_[option].genus);
    tame = tame && about_[option].kind == MisereKind::kTame;
    birthday = std::max(birthday, forms_[option].birthday + 1);
  }
  MisereHeap about{.genus = genus_of_options(genera)};
  about.kind = kind_of_options(about.genus, tame);
  genus_bytes_ += about.genus.misere.capacity() * sizeof(Nimber) + 16;
  const Id id = static_cast<Id>(forms_.size());
  forms_.push_back({options_.size(), static_cast<std::uint32_t>(list.size()), birthday});
  options_.insert(options_.end(), list.begin(), list.end());
  about_.push_back(std::move(about));
  known_.insert(id);
  return id;
}

MisereForms::Id MisereForms::sum(Id a, Id b) {
  if (a == kZero) return b;
  if (b == kZero) return a;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  if (const auto found = sums_.find(key); found != sums_.end()) return found->second;
  std::vector<Id> moves;
  // By index, because the list of all options grows meanwhile.
  for (std::size_t i = 0; i < forms_[a].count; ++i) moves.push_back(sum(options(a)[i], b));
  for (std::size_t i = 0; i < forms_[b].count; ++i) moves.push_back(sum(a, options(b)[i]));
  const Id form = make(std::move(moves));
  sums_.emplace(key, form);
  return form;
}

}  // namespace grundy
