// SPDX-License-Identifier: MIT
#include "verify/subject.hpp"

#include <filesystem>
#include <utility>

#include <grundy/file_kind.hpp>
#include <grundy/graph/file.hpp>

#include "verify/graph/subject.hpp"
#include "verify/heap/subject.hpp"
#include "verify/lattice/subject.hpp"
#include "verify/stored_table.hpp"

namespace grundy {

std::unique_ptr<Subject> open_subject(const Work& work) {
  const std::filesystem::path& path = work.request.table;
  const bool is_run = std::filesystem::is_directory(path);
  if (!is_run && kind_of(path) == FileKind::kPositions) return std::make_unique<GraphSubject>(work);
  auto table = is_run ? open_run_table(path) : open_file_table(path);
  if (table->order() == nullptr) return std::make_unique<HeapSubject>(work, std::move(table));
  return std::make_unique<LatticeSubject>(work, std::move(table));
}

}  // namespace grundy
