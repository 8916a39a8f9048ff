/// @file
/// Misère play of one heap: computes, prints and proves it.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/genera.hpp>

#include "cli/certificate_output.hpp"
#include "cli/console.hpp"
#include "core/json.hpp"

namespace grundy::cli {

/// Genus, kind and outcome of a heap.
Json heap_json(HeapSize n, const MisereHeap& heap);
/// `P` or `N`, in misère play.
const char* outcome_of(const MisereHeap& heap);
/// Why a search ended before its last heap.
std::string end_sentence(MisereEnd end, HeapSize heaps);
/// Prints the number of tame heaps and the number of P-positions.
void print_counts(Console& console, const GeneraInfo& info);

/// `compute --misere` of one heap.
int compute_misere_heaps(Console& console, const Request& request);
/// `info`, `query` and `verify` of a file of genera. @throws Error(kMismatch) if a heap is wrong
int info_genera(Console& console, const std::string& file);
int query_genera(Console& console, const std::string& file, const std::vector<std::string>& heaps);
int verify_genera(Console& console, const ListCheckRequest& request, CertificateOutput certificate);

}  // namespace grundy::cli
