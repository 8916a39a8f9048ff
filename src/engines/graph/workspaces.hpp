/// @file
/// Buffers for tasks, as many as there are simultaneous tasks. They are used again and again.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace grundy::graph {

template <class T>
class Workspaces {
 public:
  /// A workspace that returns to its owner when it goes out of scope.
  class Loan {
   public:
    Loan(Workspaces& owner, std::unique_ptr<T> item) : owner_(owner), item_(std::move(item)) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { owner_.give_back(std::move(item_)); }
    T& operator*() const noexcept { return *item_; }
    T* operator->() const noexcept { return item_.get(); }

   private:
    Workspaces& owner_;
    std::unique_ptr<T> item_;
  };

  [[nodiscard]] Loan take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);  // so that returning a workspace never allocates
      return {*this, std::make_unique<T>()};
    }
    std::unique_ptr<T> item = std::move(free_.back());
    free_.pop_back();
    return {*this, std::move(item)};
  }

 private:
  void give_back(std::unique_ptr<T> item) noexcept {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(item));
  }

  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace grundy::graph
