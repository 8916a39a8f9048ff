// SPDX-License-Identifier: MIT
#include "atlas/literature.hpp"

#include <algorithm>
#include <array>

namespace grundy::atlas {
namespace {

constexpr std::string_view kKenyon = "J. C. Kenyon, thesis, Calgary 1967";
constexpr std::string_view kAustin = "R. B. Austin, thesis, Calgary 1976";
constexpr std::string_view kGangolliPlambeck =
    "A. Gangolli and T. Plambeck, Int. J. Game Theory 18 (1989) 311-320";
constexpr std::string_view kFlammenkamp = "A. Flammenkamp, Sprague-Grundy Values of Octal Games";
constexpr std::string_view kHere = "proved by this program; no publication is known";
constexpr std::string_view kNone = "no period is published (August 2026)";

constexpr std::array kGames = {
    KnownGame{"0.16", 105351, 149459, kGangolliPlambeck},
    KnownGame{"0.56", 326640, 144, kGangolliPlambeck},
    KnownGame{"0.054", 193235616, 10015179, kFlammenkamp},
    KnownGame{"0.104", 197769598, 11770282, kFlammenkamp},
    KnownGame{"0.106", 465384263797, 328226140474, kFlammenkamp},
    KnownGame{"0.127", 46578, 4, kGangolliPlambeck},
    KnownGame{"0.156", 3479, 349, kKenyon},
    KnownGame{"0.165", 5181, 1550, kAustin},
    KnownGame{"0.354", 10061917, 1180, kFlammenkamp},
    KnownGame{"0.356", 7315, 142, kAustin},
    KnownGame{"0.376", 2268248, 4, kGangolliPlambeck},
    KnownGame{"0.454", 160949019, 60620715, kFlammenkamp},
    KnownGame{"0.644", 3256, 442, kAustin},
    KnownGame{"4.064", 94272, 16132, kHere},
    KnownGame{"4.364", 11687, 62, kHere},
    KnownGame{"4.406", 294097, 44, kHere},
    KnownGame{"0.6", 0, 0,
              "computed to 1.4 10^14: J. P. Grossman, Games of No Chance 5 (2019) 373-385"},
    KnownGame{"0.04", 0, 0, "computed to 2^30 as .007: T. S. Orden, OEIS A395248 (2026)"},
    KnownGame{"0.06", 0, 0, kNone},
    KnownGame{"0.14", 0, 0, kNone},
    KnownGame{"0.36", 0, 0, kNone},
    KnownGame{"0.64", 0, 0, kNone},
    KnownGame{"0.74", 0, 0, kNone},
    KnownGame{"0.76", 0, 0, kNone},
    KnownGame{"0.004", 0, 0, "computed to 2^27: T. S. Orden, OEIS A071441 (2026)"},
    KnownGame{"0.005", 0, 0, kNone},
    KnownGame{"0.006", 0, 0, "computed to 2^27: T. S. Orden, OEIS A071443 (2026)"},
    KnownGame{"0.014", 0, 0, "computed to 2^37: M. Rogalski 2023"},
    KnownGame{"0.015", 0, 0, kNone},
    KnownGame{"0.016", 0, 0, kNone},
    KnownGame{"0.024", 0, 0, kNone},
    KnownGame{"0.026", 0, 0, kNone},
    KnownGame{"0.034", 0, 0, "computed to 2^38: M. Rogalski 2023"},
    KnownGame{"0.064", 0, 0, kNone},
    KnownGame{"0.114", 0, 0, "computed to 2^28: T. S. Orden, OEIS A071459 (2026)"},
    KnownGame{"0.125", 0, 0, kNone},
    KnownGame{"0.126", 0, 0, kNone},
    KnownGame{"0.135", 0, 0, kNone},
    KnownGame{"0.136", 0, 0, kNone},
    KnownGame{"0.142", 0, 0, kNone},
    KnownGame{"0.143", 0, 0, kNone},
    KnownGame{"0.146", 0, 0, kNone},
    KnownGame{"0.161", 0, 0, "computed to 2^39: M. Rogalski 2023"},
    KnownGame{"0.162", 0, 0, kNone},
    KnownGame{"0.163", 0, 0, kNone},
    KnownGame{"0.164", 0, 0, kNone},
    KnownGame{"0.166", 0, 0, kNone},
    KnownGame{"0.167", 0, 0, "computed to 2^41: M. Rogalski 2023"},
    KnownGame{"0.172", 0, 0, "computed to 2^37: M. Rogalski 2023"},
    KnownGame{"0.174", 0, 0, kNone},
    KnownGame{"0.204", 0, 0, kNone},
    KnownGame{"0.205", 0, 0, kNone},
    KnownGame{"0.206", 0, 0, kNone},
    KnownGame{"0.207", 0, 0, kNone},
    KnownGame{"0.224", 0, 0, kNone},
    KnownGame{"0.244", 0, 0, kNone},
    KnownGame{"0.245", 0, 0, kNone},
    KnownGame{"0.264", 0, 0, kNone},
    KnownGame{"0.314", 0, 0, kNone},
    KnownGame{"0.324", 0, 0, kNone},
    KnownGame{"0.334", 0, 0, kNone},
    KnownGame{"0.336", 0, 0, kNone},
    KnownGame{"0.342", 0, 0, kNone},
    KnownGame{"0.344", 0, 0, kNone},
    KnownGame{"0.346", 0, 0, kNone},
    KnownGame{"0.362", 0, 0, kNone},
    KnownGame{"0.364", 0, 0, kNone},
    KnownGame{"0.366", 0, 0, kNone},
    KnownGame{"0.371", 0, 0, kNone},
    KnownGame{"0.374", 0, 0, kNone},
    KnownGame{"0.404", 0, 0, kNone},
    KnownGame{"0.414", 0, 0, kNone},
    KnownGame{"0.416", 0, 0, kNone},
    KnownGame{"0.444", 0, 0, kNone},
    KnownGame{"0.564", 0, 0, kNone},
    KnownGame{"0.604", 0, 0, kNone},
    KnownGame{"0.606", 0, 0, "computed to 2^29: T. S. Orden, OEIS A071513 (2026)"},
    KnownGame{"0.744", 0, 0, kNone},
    KnownGame{"0.764", 0, 0, kNone},
    KnownGame{"0.774", 0, 0, kNone},
    KnownGame{"0.776", 0, 0, kNone},
    KnownGame{"4.004", 0, 0, kNone},
    KnownGame{"4.007", 0, 0, kNone},
    KnownGame{"4.026", 0, 0, kNone},
    KnownGame{"4.044", 0, 0, kNone},
    KnownGame{"4.045", 0, 0, kNone},
    KnownGame{"4.324", 0, 0, kNone},
    KnownGame{"4.327", 0, 0, kNone},
    KnownGame{"4.367", 0, 0, kNone},
    KnownGame{"4.404", 0, 0, kNone},
};

}  // namespace

std::span<const KnownGame> known_games() noexcept {
  return kGames;
}

const KnownGame* known_game(std::string_view code) noexcept {
  const auto* const found = std::ranges::find(kGames, code, &KnownGame::code);
  return found == kGames.end() ? nullptr : found;
}

}  // namespace grundy::atlas
