#include "resource_context.h"

#include <algorithm>
#include <vector>

namespace tfrt {

ResourceContext::~ResourceContext() {
  std::vector<Entry*> newest_first;
  for (auto& [name, entry] : entries_) newest_first.push_back(&entry);
  std::sort(newest_first.begin(), newest_first.end(),
            [](const Entry* a, const Entry* b) { return a->number > b->number; });
  for (Entry* entry : newest_first) entry->value.reset();
}

void ResourceContext::Delete(std::string_view name) {
  std::unique_ptr<void, void (*)(void*)> doomed(nullptr, [](void*) {});
  std::lock_guard lock(mutex_);
  auto found = entries_.find(name);
  if (found == entries_.end()) return;
  doomed = std::move(found->second.value);  // declared first, so destroyed without the lock
  entries_.erase(found);
}

}  // namespace tfrt
