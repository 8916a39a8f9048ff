/// @file
/// What a certificate states of a file that holds no table of values: a list of P-positions, a
/// census, a family of games, misère play of one heap.
///
/// Each is proved where it is made (`session`, `atlas`), and what that proof states is in its
/// ListCheck. Positions, rows and games that were drawn have no numbers in a certificate, so it
/// states all of them or none; heaps in misère play are proved from heap 0 on, so it names a range.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <grundy/file_kind.hpp>
#include <grundy/list_check.hpp>
#include <grundy/verify.hpp>

namespace grundy {

/// Whether files of this kind are such lists.
bool is_list(FileKind kind) noexcept;

/// The certificate of a check. It proves nothing if something was wrong or nothing was checked.
Certificate certificate_of(const ListCheck& check);

/// The certificate of a list of which nothing is proved. The content of the list is compared with
/// its digest.
/// @pre is_list(kind_of(path))
/// @throws Error(kCorrupt) if the list is damaged
Certificate certificate_of_list(const std::filesystem::path& path);

}  // namespace grundy
