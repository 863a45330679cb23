#include "matching.h"

#include <map>
#include <utility>

namespace tfrt::profiler {
namespace {

// Matches the nth of a key with the nth of the same key.
template <typename KeyOf>
std::vector<size_t> MatchBy(const std::vector<Identity>& reference,
                            const std::vector<Identity>& others, KeyOf key_of) {
  using Key = decltype(key_of(reference[0]));
  std::map<Key, std::pair<std::vector<size_t>, size_t>> places;  // and how many are taken
  for (size_t i = 0; i < reference.size(); ++i) {
    places[key_of(reference[i])].first.push_back(i);
  }
  std::vector<size_t> found;
  for (const Identity& other : others) {
    auto at = places.find(key_of(other));
    const bool is_there = at != places.end() && at->second.second < at->second.first.size();
    found.push_back(is_there ? at->second.first[at->second.second++] : kNoMatch);
  }
  return found;
}

}  // namespace

Matching Match(const std::vector<Identity>& reference, const std::vector<Identity>& others) {
  Matching matching;
  matching.reference_of = MatchBy(reference, others, [](const Identity& i) { return i.id; });
  bool fits = reference.size() == others.size();
  for (size_t i = 0; fits && i < others.size(); ++i) {
    const size_t at = matching.reference_of[i];
    fits = at != kNoMatch && reference[at].name == others[i].name;
  }
  if (fits) return matching;
  matching.reference_of = MatchBy(reference, others, [](const Identity& i) { return i.name; });
  matching.is_by_name = true;
  return matching;
}

}  // namespace tfrt::profiler
