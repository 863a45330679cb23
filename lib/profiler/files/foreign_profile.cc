#include "foreign_profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// The types, by number.
enum : TypeId {
  kRunType,
  kStepType,
  kScopeType,
  kLayerType,
  kGraphCallType,
  kGraphKernelType,
  kHostCallType,
  kDeviceLaunchType,
  kDeviceKernelType,
  kDeviceCopyType,
  kDeviceFillType,
  kAllocateType,
  kFreeType,
};

bool IsOfDevice(ForeignRole role) {
  return role == ForeignRole::kDeviceKernel || role == ForeignRole::kDeviceCopy ||
         role == ForeignRole::kDeviceFill;
}
bool IsOfModel(ForeignRole role) {
  return role == ForeignRole::kRun || role == ForeignRole::kStep || role == ForeignRole::kScope;
}

TypeId TypeOfRole(ForeignRole role) {
  switch (role) {
    case ForeignRole::kRun:
      return kRunType;
    case ForeignRole::kStep:
      return kStepType;
    case ForeignRole::kScope:
      return kScopeType;
    case ForeignRole::kOp:  // those inside of others
    case ForeignRole::kCall:
      return kHostCallType;
    case ForeignRole::kLaunch:
      return kDeviceLaunchType;
    case ForeignRole::kDeviceKernel:
      return kDeviceKernelType;
    case ForeignRole::kDeviceCopy:
      return kDeviceCopyType;
    case ForeignRole::kDeviceFill:
      return kDeviceFillType;
    case ForeignRole::kAllocate:
      return kAllocateType;
    case ForeignRole::kFree:
      return kFreeType;
  }
  return kScopeType;
}

int64_t NumberIn(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

uint32_t ForeignProfile::StringOf(std::string_view text) {
  auto [found, is_new] =
      string_numbers_.try_emplace(std::string(text), static_cast<uint32_t>(strings_.size()));
  if (is_new) strings_.emplace_back(text);
  return found->second;
}

uint32_t ForeignProfile::TrackOf(Track::Kind kind, std::string_view process,
                                 std::string_view thread) {
  // A text that no other pair makes: the first size says where the second begins.
  auto [found, is_new] = track_numbers_.try_emplace(
      StrCat(static_cast<int>(kind), " ", process.size(), " ", process, thread),
      static_cast<uint32_t>(tracks_.size()));
  if (is_new) {
    const int64_t number = NumberIn(thread);
    tracks_.push_back({.kind = kind,
                       .name = number == 0 ? std::string(thread) : std::string(),
                       .process_id = NumberIn(process),
                       .number = number});
  }
  return found->second;
}

void ForeignProfile::NameTrack(uint32_t track, std::string_view name) {
  tracks_[track].name = name;
}

void ForeignProfile::Add(const ForeignEvent& event) {
  if (entries_.size() >= kMaxEvents) {
    ++num_dropped_;
    return;
  }
  Entry& entry = entries_.emplace_back();
  entry.role = event.role;
  entry.name = StringOf(event.name);
  entry.op = StringOf(event.op);
  entry.result = StringOf(event.result);
  entry.from = StringOf(event.from);
  entry.to = StringOf(event.to);
  entry.track = event.track;
  entry.begin_ns = event.begin_ns;
  entry.end_ns = event.end_ns;
  if (entry.end_ns < entry.begin_ns) {
    entry.end_ns = entry.begin_ns;
    ++num_reversed_;
  }
  entry.correlation_id = event.correlation_id;
  entry.number = event.number;
  entry.batch = event.batch;
  entry.result_batch = event.result_batch;
  entry.bytes_read = event.bytes_read;
  entry.bytes_written = event.bytes_written;
  entry.bytes = event.bytes;
  entry.in_use = event.in_use;
  entry.device = event.device;
}

void ForeignProfile::Count(Problem::Kind kind, uint64_t count, std::string_view text) {
  if (count > 0) problems_.push_back({.kind = kind, .count = count, .text = StrCat(count, text)});
}

// Sorts by begin, with longer entries first, so that an outer entry comes before those inside of
// it. A model is outside of an op with the same times.
void ForeignProfile::Sort() {
  std::ranges::stable_sort(entries_, [](const Entry& a, const Entry& b) {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    if (a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
    return a.role < b.role;
  });
}

void ForeignProfile::Nest() {
  std::vector<std::vector<uint32_t>> open(tracks_.size());
  uint64_t num_overlaps = 0;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    std::vector<uint32_t>& stack = open[entry.track];
    auto is_around = [&](uint32_t outer) {
      const Entry& other = entries_[outer];
      return other.end_ns > entry.begin_ns ||
             (other.end_ns == entry.begin_ns && entry.end_ns == entry.begin_ns);
    };
    while (!stack.empty() && !is_around(stack.back())) stack.pop_back();
    // The innermost one that does not end before it.
    size_t outer = stack.size();
    while (outer > 0 && entries_[stack[outer - 1]].end_ns < entry.end_ns) --outer;
    if (outer < stack.size()) ++num_overlaps;
    if (outer > 0) entry.parent = stack[outer - 1];
    if (entry.role != ForeignRole::kAllocate && entry.role != ForeignRole::kFree) {
      // In the order of ends, whatever overlaps: one that ends first is looked at first.
      stack.insert(stack.begin() + static_cast<std::ptrdiff_t>(outer), i);
    }
    // Hostile overlaps would make this quadratic.
    if (stack.size() > 1024) stack.erase(stack.begin() + 512);
  }
  Count(Problem::Kind::kOverlap, num_overlaps,
        " events overlap others of their track without being inside of them");
}

// An entry that lies in one run, on a thread that did not call the run, is part of it.
void ForeignProfile::FindRuns() {
  std::multiset<std::pair<int64_t, uint32_t>> open;  // runs by end
  uint64_t num_ambiguous = 0;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    while (!open.empty() && open.begin()->first < entry.begin_ns) open.erase(open.begin());
    if (entry.role == ForeignRole::kRun) open.emplace(entry.end_ns, i);
    if (entry.parent != kNone || IsOfModel(entry.role) || IsOfDevice(entry.role)) continue;
    auto around = open.lower_bound({entry.end_ns, 0});
    if (around == open.end()) continue;
    if (std::next(around) == open.end()) {
      entry.parent = around->second;
    } else {
      ++num_ambiguous;
    }
  }
  Count(Problem::Kind::kNoParent, num_ambiguous,
        " events happened while several runs did: which one they belong to is not known");
}

// Work of a device belongs to the entry that launched it, whenever it runs.
void ForeignProfile::FindLaunches() {
  std::unordered_map<uint64_t, uint32_t> launches;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.role == ForeignRole::kLaunch && entry.correlation_id != 0) {
      launches.try_emplace(entry.correlation_id, i);
    }
  }
  for (Entry& entry : entries_) {
    if (!IsOfDevice(entry.role)) continue;
    auto found = launches.find(entry.correlation_id);
    entry.parent = found == launches.end() ? kNone : found->second;
  }
}

void ForeignProfile::FindLayers() {
  // Parents come first, but for what a device did before its launch was over: those have no ops
  // inside of them.
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (IsOfDevice(entry.role)) continue;
    if (entry.parent != kNone) entry.op_entry = entries_[entry.parent].op_entry;
    if (entry.role == ForeignRole::kOp && entry.op_entry == kNone) {
      entry.is_layer = true;
      entry.op_entry = i;
    }
  }
  for (Entry& entry : entries_) {
    if (IsOfDevice(entry.role) && entry.parent != kNone) {
      entry.op_entry = entries_[entry.parent].op_entry;
    }
  }
}

void ForeignProfile::FindKernels() {
  std::vector<uint32_t> longest(entries_.size(), kNone);  // op inside of an op
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.role != ForeignRole::kOp || entry.parent == kNone) continue;
    uint32_t& best = longest[entry.parent];
    auto length = [&](uint32_t at) { return entries_[at].end_ns - entries_[at].begin_ns; };
    if (best == kNone || length(i) > length(best)) best = i;
  }
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].is_layer) continue;
    uint32_t at = i;
    for (uint32_t inner = longest[at]; inner != kNone; inner = longest[at]) {
      // Halves, which cannot overflow.
      const int64_t half = (entries_[at].end_ns - entries_[at].begin_ns) / 2;
      if (entries_[inner].end_ns - entries_[inner].begin_ns <= half) break;
      at = inner;
    }
    entries_[at].is_kernel = true;
  }
}

// A run's batch is known if its first layer's first input and its last layer's first result agree
// in their first dimension, as far as both are known. Numbers layers, too.
void ForeignProfile::FindBatches() {
  struct Run {
    int64_t num_layers = 0, batch = 0, result_batch = 0;
  };
  std::unordered_map<uint32_t, Run> runs;
  std::vector<uint32_t> outermost(entries_.size(), kNone);  // of the model's level
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.role == ForeignRole::kRun) {
      outermost[i] = i;
    } else if (entry.parent != kNone && !IsOfDevice(entry.role)) {
      outermost[i] = outermost[entry.parent];
    }
    if (outermost[i] == kNone && IsOfModel(entry.role)) outermost[i] = i;
    if (!entry.is_layer) continue;
    Run& run = runs[outermost[i]];
    if (run.num_layers == 0) run.batch = entry.batch;
    run.result_batch = entry.result_batch;
    if (entry.number < 0) entry.number = run.num_layers;
    ++run.num_layers;
  }
  for (auto& [index, run] : runs) {
    if (index == kNone) continue;
    const bool is_known = run.batch > 0 && (run.result_batch == 0 || run.result_batch == run.batch);
    entries_[index].batch = is_known ? run.batch : 0;
  }
}

void ForeignProfile::TellTypes(ProfileConsumer& consumer) const {
  using enum ArgumentType;
  auto add = [&](std::string_view name, StackLevel level, RecordKind kind,
                 std::vector<EventType::Argument> arguments, bool is_op = false) {
    consumer.AddType({.name = std::string(name),
                      .level = level,
                      .kind = kind,
                      .is_op = is_op,
                      .arguments = std::move(arguments)});
  };
  const std::vector<EventType::Argument> memory = {{"bytes", kInteger}, {"in_use", kInteger}};
  add("model.run", StackLevel::kModel, RecordKind::kScope, {{"batch", kInteger}});
  add("step", StackLevel::kModel, RecordKind::kScope, {{"number", kInteger}});
  add("scope", StackLevel::kModel, RecordKind::kScope, {});
  add("layer", StackLevel::kOp, RecordKind::kScope, {{"op", kName}, {"number", kInteger}}, true);
  add("graph.call", StackLevel::kOp, RecordKind::kEvent,
      {{"flops", kReal}, {"bytes_read", kInteger}, {"bytes_written", kInteger}, {"result", kName}});
  add("graph.kernel", StackLevel::kKernel, RecordKind::kScope, {});
  add("host.call", StackLevel::kLibrary, RecordKind::kScope, {});
  add("device.launch", StackLevel::kLibrary, RecordKind::kScope, {});
  add("device.kernel", StackLevel::kDevice, RecordKind::kScope,
      {{"device", kInteger}, {"grid", kName}, {"block", kName}});
  add("device.copy", StackLevel::kDevice, RecordKind::kCopy,
      {{"bytes", kInteger}, {"from", kName}, {"to", kName}});
  add("device.fill", StackLevel::kDevice, RecordKind::kCopy, {{"bytes", kInteger}});
  add("memory.allocate", StackLevel::kOp, RecordKind::kAllocation, memory);
  add("memory.free", StackLevel::kOp, RecordKind::kAllocation, memory);
}

void ForeignProfile::TellEvent(const Entry& entry, ProfileConsumer& consumer,
                               uint64_t& next_id) const {
  EventFields event;
  event.name = entry.name;
  event.track = entry.track;
  event.id = entry.id;
  event.parent_id = entry.parent == kNone ? 0 : entries_[entry.parent].id;
  event.op_id = entry.op_entry == kNone ? 0 : entries_[entry.op_entry].id;
  event.correlation_id = entry.correlation_id;
  event.begin_ns = entry.begin_ns;
  event.end_ns = entry.end_ns;
  auto tell = [&](TypeId type, std::span<const uint64_t> arguments) {
    event.type = type;
    event.arguments = arguments;
    consumer.AddEvent(event);
  };
  auto integer = [](int64_t value) { return static_cast<uint64_t>(value); };
  // Puts the next event of the same entry inside of this one.
  auto go_inside = [&] {
    event.parent_id = event.id;
    event.id = next_id++;
    event.correlation_id = 0;
  };
  if (!entry.is_layer) {
    const TypeId type =
        entry.is_kernel ? static_cast<TypeId>(kGraphKernelType) : TypeOfRole(entry.role);
    switch (type) {
      case kRunType:
        return tell(type, std::array{integer(entry.batch)});
      case kStepType:
        return tell(type, std::array{integer(entry.number)});
      case kDeviceKernelType:
        return tell(type,
                    std::array{integer(entry.device), uint64_t{entry.from}, uint64_t{entry.to}});
      case kDeviceCopyType:
        return tell(type,
                    std::array{integer(entry.bytes), uint64_t{entry.from}, uint64_t{entry.to}});
      case kDeviceFillType:
        return tell(type, std::array{integer(entry.bytes)});
      case kAllocateType:
      case kFreeType:
        return tell(type, std::array{integer(entry.bytes), integer(entry.in_use)});
      default:
        return tell(type, {});
    }
  }
  tell(kLayerType, std::array{uint64_t{entry.op}, integer(entry.number)});
  const uint64_t layer_id = event.id;
  if (entry.is_kernel) {
    go_inside();
    event.name = entry.op;
    tell(kGraphKernelType, {});
  }
  if (entry.bytes_read == 0 && entry.bytes_written == 0 && strings_[entry.result].empty()) return;
  event.id = layer_id;
  go_inside();
  event.name = entry.op;
  event.end_ns = event.begin_ns;
  tell(kGraphCallType, std::array{uint64_t{0}, integer(entry.bytes_read),
                                  integer(entry.bytes_written), uint64_t{entry.result}});
}

void ForeignProfile::LeaveOut(std::string_view aspect, std::string_view value) {
  // A file may have any number of kinds, of any length.
  constexpr size_t kMaxKinds = 12, kMaxValue = 40;
  std::string kind = value.empty() ? StrCat("without a ", aspect)
                                   : StrCat("of ", aspect, " '", value.substr(0, kMaxValue), "'");
  ++num_left_out_;
  if (left_out_.size() >= kMaxKinds && !left_out_.contains(kind)) kind = "of other kinds";
  ++left_out_[std::move(kind)];
}

void ForeignProfile::TellAll(std::string_view producer, std::string_view level,
                             ProfileConsumer& consumer) {
  Sort();
  Nest();
  FindRuns();
  FindLaunches();
  FindLayers();
  FindKernels();
  FindBatches();
  uint64_t next_id = 1;
  bool has_device = false;
  std::set<int64_t> batches;
  for (Entry& entry : entries_) {
    entry.id = next_id++;
    has_device = has_device || IsOfDevice(entry.role);
    if (IsOfModel(entry.role) && entry.batch > 0) batches.insert(entry.batch);
  }
  consumer.AddProperty(property::kProducer, producer);
  if (level.empty()) level = has_device ? "kernel" : "layer";
  consumer.AddProperty(property::kLevel, level);
  if (batches.size() == 1) consumer.AddProperty(property::kBatch, StrCat(*batches.begin()));
  for (const std::string& text : strings_) consumer.AddString(text);
  TellTypes(consumer);
  for (const Track& track : tracks_) consumer.AddTrack(track);
  for (const Entry& entry : entries_) TellEvent(entry, consumer, next_id);
  Count(Problem::Kind::kDropped, num_dropped_, " events are left out: too many");
  Count(Problem::Kind::kClock, num_reversed_, " events end before they begin");
  std::string kinds;
  for (const auto& [kind, count] : left_out_) {
    kinds += StrCat(kinds.empty() ? "" : ", ", count, " ", kind);
  }
  Count(Problem::Kind::kUnknown, num_left_out_,
        StrCat(" events are of kinds that are not read: ", kinds));
  for (const Problem& problem : problems_) consumer.AddProblem(problem);
}

}  // namespace tfrt::profiler
