#include "tfrt/profiler/profile.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <system_error>
#include <utility>

#include "stream_check.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

std::string_view Profile::Property(std::string_view key) const {
  auto found = properties_.find(key);
  return found == properties_.end() ? std::string_view() : std::string_view(found->second);
}

double Profile::NumberProperty(std::string_view key, double otherwise) const {
  std::string_view text = Property(key);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

void Profile::SetProperty(std::string_view key, std::string_view value) {
  properties_.insert_or_assign(std::string(key), std::string(value));
}

const Event* Profile::AncestorAt(const Event& event, StackLevel level) const {
  for (const Event* outer = ParentOf(event); outer; outer = ParentOf(*outer)) {
    if (TypeOf(*outer).level == level) return outer;
  }
  return nullptr;
}

const uint64_t* Profile::FindArgument(const Event& event, std::string_view name,
                                      ArgumentType type) const {
  const std::vector<EventType::Argument>& specs = TypeOf(event).arguments;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].type == type && specs[i].name == name) {
      return &arguments_[event.first_argument + i];
    }
  }
  return nullptr;
}

int64_t Profile::Integer(const Event& event, std::string_view argument) const {
  const uint64_t* bits = FindArgument(event, argument, ArgumentType::kInteger);
  return bits ? static_cast<int64_t>(*bits) : 0;
}

double Profile::Real(const Event& event, std::string_view argument) const {
  const uint64_t* bits = FindArgument(event, argument, ArgumentType::kReal);
  return bits ? std::bit_cast<double>(*bits) : 0;
}

std::string_view Profile::Text(const Event& event, std::string_view argument) const {
  const uint64_t* bits = FindArgument(event, argument, ArgumentType::kName);
  return bits ? std::string_view(strings_[*bits]) : std::string_view();
}

bool Profile::HasArgument(const Event& event, std::string_view argument) const {
  return std::ranges::any_of(TypeOf(event).arguments,
                             [&](const auto& spec) { return spec.name == argument; });
}

std::vector<const Event*> Profile::OfType(std::string_view type_name) const {
  std::vector<bool> wanted(types_.size());
  for (size_t i = 0; i < types_.size(); ++i) wanted[i] = types_[i].name == type_name;
  std::vector<const Event*> found;
  for (const Event& event : events_) {
    if (wanted[event.type]) found.push_back(&event);
  }
  return found;
}

const Event* Profile::Find(uint64_t id) const {
  auto found = std::ranges::lower_bound(by_id_, id, {}, &std::pair<uint64_t, uint32_t>::first);
  return found == by_id_.end() || found->first != id ? nullptr : &events_[found->second];
}

void ProfileBuilder::AddProperty(std::string_view key, std::string_view value) {
  profile_.SetProperty(key, value);
}

void ProfileBuilder::AddString(std::string_view text) { profile_.strings_.emplace_back(text); }

void ProfileBuilder::AddType(const EventType& type) { profile_.types_.push_back(type); }

void ProfileBuilder::AddTrack(const Track& track) { profile_.tracks_.push_back(track); }

void ProfileBuilder::AddEvent(const EventFields& fields) {
  if (profile_.events_.size() >= max_events_) {
    ++num_dropped_;
    return;
  }
  if (!IsOfStream(fields, profile_.types_, profile_.strings_.size(), profile_.tracks_.size())) {
    ++num_malformed_;
    return;
  }
  Event& event = profile_.events_.emplace_back();
  event.id = fields.id;
  event.op_id = fields.op_id;
  event.correlation_id = fields.correlation_id;
  event.begin_ns = TimeOf(fields.begin_ns);
  event.end_ns = TimeOf(fields.end_ns);
  if (event.end_ns < event.begin_ns) {
    ++num_reversed_;
    event.end_ns = event.begin_ns;
  }
  event.ready_ns = fields.ready == EventFields::Ready::kAt ? TimeOf(fields.ready_ns) : event.end_ns;
  event.is_ready_missing = fields.ready == EventFields::Ready::kLater;
  event.name = fields.name;
  event.type = fields.type;
  event.track = fields.track;
  event.first_argument = static_cast<uint32_t>(profile_.arguments_.size());
  profile_.arguments_.insert(profile_.arguments_.end(), fields.arguments.begin(),
                             fields.arguments.end());
  parent_ids_.push_back(fields.parent_id);
}

int64_t ProfileBuilder::TimeOf(int64_t time_ns) {
  const int64_t within = std::clamp(time_ns, -kMaxTimeNs, kMaxTimeNs);
  if (within != time_ns) ++num_far_times_;
  return within;
}

void ProfileBuilder::AddReady(uint64_t id, int64_t ready_ns) {
  ready_.emplace_back(id, TimeOf(ready_ns));
}

void ProfileBuilder::AddProblem(const Problem& problem) { profile_.problems_.push_back(problem); }

void ProfileBuilder::SortEvents() {
  std::vector<Event>& events = profile_.events_;
  std::vector<uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    const Event &x = events[a], &y = events[b];
    if (x.begin_ns != y.begin_ns) return x.begin_ns < y.begin_ns;
    if (x.end_ns != y.end_ns) return x.end_ns > y.end_ns;
    return x.id != y.id ? x.id < y.id : a < b;
  });
  std::vector<Event> sorted;
  std::vector<uint64_t> parent_ids;
  sorted.reserve(events.size());
  parent_ids.reserve(events.size());
  for (uint32_t index : order) {
    sorted.push_back(events[index]);
    parent_ids.push_back(parent_ids_[index]);
  }
  events = std::move(sorted);
  parent_ids_ = std::move(parent_ids);
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (events[i].id != 0) profile_.by_id_.emplace_back(events[i].id, i);
  }
  std::ranges::sort(profile_.by_id_);
}

void ProfileBuilder::FindParents() {
  std::vector<Event>& events = profile_.events_;
  uint64_t num_missing = 0;
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (parent_ids_[i] == 0) continue;
    const Event* parent = profile_.Find(parent_ids_[i]);
    if (parent) {
      events[i].parent = profile_.IndexOf(*parent);
    } else {
      ++num_missing;
    }
  }
  Count(Problem::Kind::kNoParent, num_missing, " events are inside of others that are not there");
  // Circles, which only a file can have: each event is walked up from once, marked with the walk.
  std::vector<uint32_t> walk(events.size(), kNoEvent);
  uint64_t num_circles = 0;
  for (uint32_t i = 0; i < events.size(); ++i) {
    uint32_t at = i;
    while (walk[at] == kNoEvent) {
      walk[at] = i;
      const uint32_t parent = events[at].parent;
      if (parent == kNoEvent) break;
      if (walk[parent] == i) {
        events[at].parent = kNoEvent;
        ++num_circles;
        break;
      }
      at = parent;
    }
  }
  Count(Problem::Kind::kUnreadable, num_circles, " events are inside of themselves");
}

void ProfileBuilder::SetReadyTimes() {
  std::ranges::sort(ready_);
  for (Event& event : profile_.events_) {
    if (event.id == 0 || !event.is_ready_missing) continue;
    // The last of its times: they are sorted, too.
    auto after =
        std::ranges::upper_bound(ready_, event.id, {}, &std::pair<uint64_t, int64_t>::first);
    if (after == ready_.begin() || std::prev(after)->first != event.id) continue;
    event.ready_ns = std::prev(after)->second;
    event.is_ready_missing = false;
  }
}

void ProfileBuilder::Count(Problem::Kind kind, uint64_t count, std::string_view text) {
  if (count > 0) AddProblem({.kind = kind, .count = count, .text = StrCat(count, text)});
}

Profile ProfileBuilder::Build() {
  SortEvents();
  FindParents();
  SetReadyTimes();
  Count(Problem::Kind::kDropped, std::exchange(num_dropped_, 0), " events are left out: too many");
  Count(Problem::Kind::kClock, std::exchange(num_reversed_, 0), " events end before they begin");
  Count(Problem::Kind::kUnreadable, std::exchange(num_far_times_, 0),
        " times are more than 146 years from the clock's zero: taken as that");
  Count(Problem::Kind::kUnreadable, std::exchange(num_malformed_, 0),
        " events speak of names, types or threads that are not there");
  parent_ids_.clear();
  ready_.clear();
  return std::exchange(profile_, Profile());
}

}  // namespace tfrt::profiler
