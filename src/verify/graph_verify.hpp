/// @file
/// Verification of the tables of games on positions; the counterpart of what verify.cpp does for
/// heaps. Rows stand where heaps stand there.
///
/// Content: the digests of the file and of its rows and their order (table/README.md), which
/// reading compares; counts, maximum and the value of the start position are counted anew, and
/// every key must be one of a position of the game. Values: by the definition, row by row
/// (graph_prover.hpp); where all rows are proved, also that each is reached. ProofKind::kFull needs
/// no engine; if one is named, it computes the table anew beside.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include <grundy/verify.hpp>

namespace grundy {

/// @pre is_graph_file(request.table)
VerifyReport verify_graph(const VerifyRequest& request, const std::stop_token& stop,
                          ProgressSink* progress,
                          const std::function<void(const std::string&)>& narrate);

/// What a table of positions has in common with others: names, counts and digest.
TableInfo graph_table_info(const std::filesystem::path& path);

}  // namespace grundy
