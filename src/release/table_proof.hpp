/// @file
/// The proof of a table before it is released: its content and random values, and a certificate.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <grundy/hooks.hpp>
#include <grundy/release.hpp>
#include <grundy/verify.hpp>

namespace grundy {

struct TableProof {
  VerifyReport report;  ///< of the content and of single values
  Certificate certificate;
};

/// The certificates beside a file that are about its values, in the order of their names.
/// @param own a certificate of the file
std::vector<Certificate> certificates_beside(const std::filesystem::path& table,
                                             const Certificate& own);

/// Verifies a table, and joins the certificates of its values that lie beside it (files *.json). If
/// there are none, proves a range from the first entry on, as long as the time of the request
/// allows.
/// @returns nothing if it was stopped
/// @throws Error as verify(), and Error(kMismatch) if a value is wrong
std::optional<TableProof> prove_table(const std::filesystem::path& table,
                                      const ReleaseRequest& request, const Hooks& hooks);

}  // namespace grundy
