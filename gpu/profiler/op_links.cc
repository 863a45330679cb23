#include "op_links.h"

namespace tfrt::gpu {

uint32_t OpNames::NumberOf(std::string_view name) {
  if (name.empty()) return 0;
  std::lock_guard lock(mutex_);
  auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  if (names_.size() == kMaxNames) return 0;
  const std::string& kept = names_.emplace_back(name);
  const auto number = static_cast<uint32_t>(names_.size());
  numbers_.emplace(kept, number);
  return number;
}

std::string_view OpNames::NameOf(uint32_t number) const {
  std::lock_guard lock(mutex_);
  return number == 0 || number > names_.size() ? std::string_view() : names_[number - 1];
}

void GraphOps::Add(uint64_t node, const OpLinks& links) {
  std::lock_guard lock(mutex_);
  if (nodes_.size() < kMaxNodes) {
    nodes_.insert_or_assign(node, links);
  } else {
    ++num_dropped_;
  }
}

void GraphOps::AddClone(uint64_t node, uint64_t original) {
  if (std::optional<OpLinks> links = Find(original)) Add(node, *links);
}

std::optional<OpLinks> GraphOps::Find(uint64_t node) const {
  std::lock_guard lock(mutex_);
  auto found = nodes_.find(node);
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

void GraphOps::Clear() {
  std::lock_guard lock(mutex_);
  nodes_.clear();
  num_dropped_ = 0;
}

uint64_t GraphOps::num_dropped() const {
  std::lock_guard lock(mutex_);
  return num_dropped_;
}

}  // namespace tfrt::gpu
