// LimitedMap: a hash map of limited size, for what can be made anew.
#ifndef TFRT_GPU_LIBRARIES_LIMITED_MAP_H_
#define TFRT_GPU_LIBRARIES_LIMITED_MAP_H_

#include <cassert>
#include <cstddef>
#include <deque>
#include <functional>
#include <unordered_map>

namespace tfrt::gpu {

// Forgets the entry that was added first when there are more than `max_size`. Not thread-safe.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class LimitedMap {
 public:
  explicit LimitedMap(size_t max_size) : max_size_(max_size) { assert(max_size > 0); }

  // Returns null if there is no such entry. Good until the next Add.
  const Value* Find(const Key& key) const {
    auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second;
  }

  // An entry that is there already keeps its value.
  void Add(const Key& key, const Value& value) {
    auto [entry, is_new] = map_.try_emplace(key, value);
    if (!is_new) return;
    order_.push_back(&entry->first);
    if (order_.size() <= max_size_) return;
    map_.erase(map_.find(*order_.front()));
    order_.pop_front();
  }

  size_t size() const { return map_.size(); }

 private:
  const size_t max_size_;
  std::unordered_map<Key, Value, Hash> map_;
  std::deque<const Key*> order_;  // keys of map_, oldest first
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_LIBRARIES_LIMITED_MAP_H_
