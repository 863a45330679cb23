#include "owners.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tfrt::profiler {
namespace {

std::vector<bool> OfTypes(const Profile& profile, auto&& is_wanted) {
  std::vector<bool> wanted(profile.types().size());
  for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = is_wanted(profile.types()[i]);
  std::vector<bool> members(profile.events().size());
  for (size_t i = 0; i < members.size(); ++i) members[i] = wanted[profile.events()[i].type];
  return members;
}

bool Any(const std::vector<bool>& members) { return std::ranges::count(members, true) > 0; }

std::vector<bool> Named(const Profile& profile, std::string_view name) {
  return OfTypes(profile, [&](const EventType& type) { return type.name == name; });
}

// The events that are runs, or are around one.
std::vector<bool> RunMembers(const Profile& profile) {
  for (std::string_view name : {"model.run", "step", "function"}) {
    std::vector<bool> members = Named(profile, name);
    if (Any(members)) return members;
  }
  return OfTypes(profile, [](const EventType& type) {
    return type.level == StackLevel::kModel && type.kind == RecordKind::kScope;
  });
}

std::vector<bool> LayerMembers(const Profile& profile, bool* are_kernels) {
  for (std::string_view name : {"layer", "op", "eager.call"}) {
    std::vector<bool> members = Named(profile, name);
    if (Any(members)) return members;
  }
  *are_kernels = true;
  return OfTypes(profile, [](const EventType& type) {
    return type.level == StackLevel::kKernel && IsKernelType(type);
  });
}

// Those that are their own outermost member.
std::vector<uint32_t> Roots(const std::vector<uint32_t>& around) {
  std::vector<uint32_t> roots;
  for (uint32_t i = 0; i < around.size(); ++i) {
    if (around[i] == i) roots.push_back(i);
  }
  return roots;
}

// Layers without parents, as other systems' profiles have them, are inside of each other by time:
// those of a track come by begin, longer ones first, so an outer one before what it holds. Empty
// ones, which clocks of microseconds make, are inside of nothing.
void JoinInnerLayers(const Profile& profile, std::vector<uint32_t>* layers,
                     std::vector<uint32_t>* layer_of) {
  std::unordered_map<uint32_t, uint32_t> outer;  // by track, the last one
  std::unordered_map<uint32_t, uint32_t> joined;
  std::erase_if(*layers, [&](uint32_t layer) {
    const Event& event = profile.events()[layer];
    auto [at, is_first] = outer.try_emplace(event.track, layer);
    if (is_first || event.duration_ns() == 0) return false;
    const Event& before = profile.events()[at->second];
    const bool is_inside =
        event.parent == kNoEvent && event.begin_ns < before.end_ns && event.end_ns <= before.end_ns;
    if (is_inside) {
      joined[layer] = at->second;
    } else {
      at->second = layer;
    }
    return is_inside;
  });
  if (joined.empty()) return;
  for (uint32_t& layer : *layer_of) {
    if (auto found = joined.find(layer); found != joined.end()) layer = found->second;
  }
}

class OwnerFinder {
 public:
  explicit OwnerFinder(const Profile& profile) : profile_(profile) {}

  Owners Find() {
    const size_t size = profile_.events().size();
    owners_.run_of = MembersAround(profile_, RunMembers(profile_));
    owners_.runs = Roots(owners_.run_of);
    FindLayers();
    owners_.placing.assign(size, Placing::kNone);
    for (size_t i = 0; i < size; ++i) {
      if (owners_.layer_of[i] != kNoEvent) owners_.placing[i] = Placing::kExplicit;
    }
    FindByOpId();
    PlaceRoots(/*device=*/false);
    FindLaunches();
    PlaceRoots(/*device=*/true);
    FindRuns();
    return std::move(owners_);
  }

 private:
  void FindLayers() {
    const std::vector<bool> members = LayerMembers(profile_, &owners_.layers_are_kernels);
    owners_.layer_of = MembersAround(profile_, members);
    owners_.layers = Roots(owners_.layer_of);
    JoinInnerLayers(profile_, &owners_.layers, &owners_.layer_of);
    if (!owners_.layers_are_kernels) {
      owners_.num_inner_layers =
          static_cast<uint64_t>(std::ranges::count(members, true)) - owners_.layers.size();
    }
  }

  void Set(uint32_t event, uint32_t layer, Placing placing) {
    owners_.layer_of[event] = layer;
    owners_.placing[event] = placing;
  }

  // Work that runs later on behalf of an op has its number.
  void FindByOpId() {
    std::unordered_map<uint64_t, uint32_t> by_op;
    for (uint32_t layer : owners_.layers) {
      if (uint64_t op = profile_.events()[layer].op_id; op != 0) by_op.try_emplace(op, layer);
    }
    if (by_op.empty()) return;
    for (uint32_t i = 0; i < profile_.events().size(); ++i) {
      const uint64_t op = profile_.events()[i].op_id;
      if (op == 0 || owners_.layer_of[i] != kNoEvent) continue;
      if (auto found = by_op.find(op); found != by_op.end()) {
        Set(i, found->second, Placing::kExplicit);
      }
    }
  }

  bool IsDevice(uint32_t event) const {
    return profile_.TypeOf(profile_.events()[event]).level == StackLevel::kDevice;
  }

  // Events without a parent by time; what is inside of them goes along.
  void PlaceRoots(bool device) {
    std::vector<uint32_t> roots;
    for (uint32_t i = 0; i < profile_.events().size(); ++i) {
      const Event& event = profile_.events()[i];
      const EventType& type = profile_.TypeOf(event);
      if (event.parent != kNoEvent || owners_.layer_of[i] != kNoEvent || IsDevice(i) != device ||
          type.level == StackLevel::kModel || type.kind == RecordKind::kQueue ||
          (device && owners_.launch_of[i] != kNoEvent)) {
        continue;
      }
      roots.push_back(i);
    }
    if (roots.empty() || owners_.layers.empty()) return;
    std::vector<bool> is_root(profile_.events().size());
    const auto found = TimePlacer(profile_, owners_.layers).Place(roots);
    for (size_t i = 0; i < roots.size(); ++i) {
      if (found[i].event == kNoEvent) continue;
      is_root[roots[i]] = true;
      Set(roots[i], found[i].is_ambiguous ? kNoEvent : found[i].event,
          found[i].is_ambiguous ? Placing::kAmbiguous : Placing::kTime);
    }
    const std::vector<uint32_t> root_of = MembersAround(profile_, is_root);
    for (uint32_t i = 0; i < root_of.size(); ++i) {
      if (root_of[i] == kNoEvent || owners_.placing[i] != Placing::kNone) continue;
      Set(i, owners_.layer_of[root_of[i]], owners_.placing[root_of[i]]);
    }
  }

  // Device activity belongs to the layer of its launch, not to what runs meanwhile.
  void FindLaunches() {
    owners_.launch_of.assign(profile_.events().size(), kNoEvent);
    std::unordered_map<uint64_t, uint32_t> launches;
    for (uint32_t i = 0; i < profile_.events().size(); ++i) {
      const Event& event = profile_.events()[i];
      if (event.correlation_id == 0 || IsDevice(i) ||
          profile_.TypeOf(event).kind == RecordKind::kQueue) {
        continue;
      }
      // The innermost of nested calls counts: it begins last.
      launches[event.correlation_id] = i;
    }
    for (uint32_t i = 0; i < profile_.events().size(); ++i) {
      if (!IsDevice(i)) continue;
      auto found = launches.find(profile_.events()[i].correlation_id);
      if (found == launches.end()) continue;
      owners_.launch_of[i] = found->second;
      if (owners_.layer_of[i] != kNoEvent) continue;
      const Placing of_launch = owners_.placing[found->second];
      Set(i, owners_.layer_of[found->second],
          of_launch == Placing::kExplicit || of_launch == Placing::kTime ? Placing::kLaunch
                                                                         : of_launch);
    }
  }

  // Runs by parents, else by the layer's, else by the launch's, else by time.
  void FindRuns() {
    std::vector<uint32_t> lost;
    for (uint32_t layer : owners_.layers) {
      if (owners_.run_of[layer] == kNoEvent) lost.push_back(layer);
    }
    PlaceInRuns(lost);
    lost.clear();
    for (uint32_t i = 0; i < owners_.run_of.size(); ++i) {
      if (owners_.layer_of[i] != kNoEvent) {
        owners_.run_of[i] = owners_.run_of[owners_.layer_of[i]];
      } else if (owners_.run_of[i] == kNoEvent) {
        if (owners_.launch_of[i] != kNoEvent) {
          owners_.run_of[i] = owners_.run_of[owners_.launch_of[i]];
        }
        if (owners_.run_of[i] == kNoEvent) lost.push_back(i);
      }
    }
    PlaceInRuns(lost);
  }

  void PlaceInRuns(const std::vector<uint32_t>& events) {
    const auto found = TimePlacer(profile_, owners_.runs).Place(events);
    for (size_t i = 0; i < events.size(); ++i) {
      if (!found[i].is_ambiguous) owners_.run_of[events[i]] = found[i].event;
    }
  }

  const Profile& profile_;
  Owners owners_;
};

}  // namespace

std::vector<uint32_t> MembersAround(const Profile& profile, const std::vector<bool>& is_member,
                                    bool innermost) {
  constexpr uint32_t kUnknown = kNoEvent - 1;
  std::vector<uint32_t> around(profile.events().size(), kUnknown);
  std::vector<uint32_t> path;
  for (uint32_t i = 0; i < around.size(); ++i) {
    uint32_t at = i;
    while (at != kNoEvent && around[at] == kUnknown) {
      path.push_back(at);
      at = profile.events()[at].parent;
    }
    uint32_t member = at == kNoEvent ? kNoEvent : around[at];
    for (; !path.empty(); path.pop_back()) {
      const uint32_t event = path.back();
      if (is_member[event] && (innermost || member == kNoEvent)) member = event;
      around[event] = member;
    }
  }
  return around;
}

bool IsKernelType(const EventType& type) {
  return type.kind == RecordKind::kScope &&
         (type.level == StackLevel::kKernel || type.level == StackLevel::kDevice) &&
         type.name != "parallel_for.block" && type.name != "eager.allocate";
}

Owners FindOwners(const Profile& profile) { return OwnerFinder(profile).Find(); }

}  // namespace tfrt::profiler
