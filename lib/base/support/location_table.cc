#include "tfrt/support/location_table.h"

namespace tfrt {

Location LocationTable::Add(std::string_view file, uint32_t line, uint32_t column) {
  std::lock_guard lock(mutex_);
  auto [entry, is_new] =
      numbers_.try_emplace(FilePosition(std::string(file), line, column), places_.size());
  if (is_new) places_.push_back(&entry->first);
  return {this, entry->second};
}

DecodedLocation LocationTable::DecodeLocation(uint64_t data) const {
  std::lock_guard lock(mutex_);
  const auto& [file, line, column] = *places_[data];
  return {file, line, column, ""};
}

}  // namespace tfrt
