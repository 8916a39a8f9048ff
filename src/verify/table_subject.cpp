// SPDX-License-Identifier: MIT
#include "verify/table_subject.hpp"

#include <utility>

#include "verify/content.hpp"
#include "verify/samples.hpp"

namespace grundy {

TableSubject::TableSubject(const Work& work, std::unique_ptr<StoredTable> table)
    : work_(work), table_(std::move(table)) {
  info_ = table_->info();
}

bool TableSubject::load(HeapSize keep) {
  auto counted = check_content(*table_, work_, keep, kept_);
  if (counted) info_.stats = std::move(*counted);
  return counted.has_value();
}

std::vector<HeapSize> TableSubject::conspicuous() const {
  return conspicuous_heaps(info_, table_->borders(), kept_.values());
}

}  // namespace grundy
