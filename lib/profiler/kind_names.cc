#include "kind_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tfrt::profiler {
namespace {

// By the values of their enumerations.
constexpr std::array<std::string_view, 5> kLevels = {"model", "op", "kernel", "library", "device"};
constexpr std::array<std::string_view, 7> kKinds = {"none",  "scope",      "event", "copy",
                                                    "stall", "allocation", "queue"};
constexpr std::array<std::string_view, 4> kArgumentTypes = {"none", "integer", "real", "name"};
constexpr std::array<std::string_view, 9> kProblems = {"dropped",    "truncated", "unfinished",
                                                       "unreadable", "unknown",   "noparent",
                                                       "clock",      "overlap",   "unavailable"};
constexpr std::array<std::string_view, 2> kTracks = {"thread", "stream"};

template <size_t N, typename E>
std::string_view NameIn(const std::array<std::string_view, N>& names, E value) {
  const size_t index = static_cast<size_t>(value);
  return index < N ? names[index] : std::string_view("unknown");
}

template <size_t N, typename E>
bool ParseIn(const std::array<std::string_view, N>& names, std::string_view name, E* value) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return false;
  *value = static_cast<E>(found - names.begin());
  return true;
}

}  // namespace

std::string_view NameOf(StackLevel level) { return NameIn(kLevels, level); }
std::string_view NameOf(RecordKind kind) { return NameIn(kKinds, kind); }
std::string_view NameOf(ArgumentType type) { return NameIn(kArgumentTypes, type); }
std::string_view NameOf(Problem::Kind kind) { return NameIn(kProblems, kind); }
std::string_view NameOf(Track::Kind kind) { return NameIn(kTracks, kind); }

bool ParseName(std::string_view name, StackLevel* level) { return ParseIn(kLevels, name, level); }
bool ParseName(std::string_view name, RecordKind* kind) { return ParseIn(kKinds, name, kind); }
bool ParseName(std::string_view name, ArgumentType* type) {
  return ParseIn(kArgumentTypes, name, type);
}
bool ParseName(std::string_view name, Problem::Kind* kind) {
  return ParseIn(kProblems, name, kind);
}
bool ParseName(std::string_view name, Track::Kind* kind) { return ParseIn(kTracks, name, kind); }

}  // namespace tfrt::profiler
