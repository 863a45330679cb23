#include "foreign_json.h"

#include <limits>
#include <memory>
#include <optional>

#include "tensorflow_names.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Process and thread ids are numbers or texts.
std::string IdText(const JsonRef& id) {
  return id.is(JsonKind::kText) ? std::string(id.Text()) : StrCat(id.Integer());
}

// 2^53: where doubles stop to be exact, and more than any memory.
constexpr int64_t kMaxElements = int64_t{1} << 53;

}  // namespace

ForeignShape ShapeOf(const JsonRef& dims) {
  ForeignShape shape;
  if (!dims.is(JsonKind::kArray)) return shape;
  int64_t rank = 0, num_elements = 1;
  for (JsonRef dim = dims.First(); dim.exists(); dim = dim.Next(), ++rank) {
    const int64_t size = dim.Integer(-1);
    if (size < 0 || rank >= 16 || (size > 0 && num_elements > kMaxElements / size)) return {};
    num_elements *= size;
    if (rank == 0) shape.first_dim = size;
    shape.text += StrCat(rank == 0 ? "" : ",", size);
  }
  if (rank < 2) shape.first_dim = 0;
  shape.num_elements = num_elements;
  return shape;
}

std::string ForeignJsonReader::RowKey(const JsonRef& json) {
  const std::string process = IdText(json.Find("pid"));
  return StrCat(process.size(), " ", process, IdText(json.Find("tid")));
}

std::string_view ForeignJsonReader::RowName(const JsonRef& json) const {
  auto found = rows_.find(RowKey(json));
  return found == rows_.end() ? std::string_view() : std::string_view(found->second.name);
}

std::string_view ForeignJsonReader::ProcessName(const JsonRef& json) const {
  auto found = processes_.find(IdText(json.Find("pid")));
  return found == processes_.end() ? std::string_view() : std::string_view(found->second);
}

void ForeignJsonReader::Metadata(const JsonRef& json) {
  const std::string_view what = json.Find("name").Text();
  const std::string_view name = json.Find("args").Find("name").Text();
  if (what == "process_name") processes_.insert_or_assign(IdText(json.Find("pid")), name);
  if (what == "thread_name") rows_[RowKey(json)].name = name;
}

uint32_t ForeignJsonReader::TrackOf(const JsonRef& json, bool is_stream) {
  Row& row = rows_[RowKey(json)];
  int64_t& track = is_stream ? row.stream : row.thread;
  if (track < 0) {
    track = profile_.TrackOf(is_stream ? Track::Kind::kStream : Track::Kind::kThread,
                             IdText(json.Find("pid")), IdText(json.Find("tid")));
  }
  return static_cast<uint32_t>(track);
}

void ForeignJsonReader::OnEvent(const JsonRef& json) {
  const std::string_view phase = json.Find("ph").Text();
  if (phase == "M") return Metadata(json);
  const bool is_moment = phase == "i" || phase == "I";
  if (phase != "X" && !is_moment) {  // arrows, counters, begins and ends
    return profile_.LeaveOut("phase", phase);
  }
  const std::optional<int64_t> begin = json.Find("ts").Nanoseconds();
  const JsonRef length = json.Find("dur");
  const std::optional<int64_t> duration = length.exists() ? length.Nanoseconds() : 0;
  if (!begin || !duration ||
      (*duration > 0 && *begin > std::numeric_limits<int64_t>::max() - *duration) ||
      (*duration < 0 && *begin < std::numeric_limits<int64_t>::min() - *duration)) {
    ++num_without_time_;
    return;
  }
  ForeignEvent event;
  event.name = json.Find("name").Text();
  event.begin_ns = *begin;
  event.end_ns = *begin + *duration;
  event.role = is_moment ? ForeignRole::kAllocate : ForeignRole::kScope;
  if (!Translate(json, event)) {
    return profile_.LeaveOut("category", json.Find("cat").Text());
  }
  event.track = TrackOf(json, event.role == ForeignRole::kDeviceKernel ||
                                  event.role == ForeignRole::kDeviceCopy ||
                                  event.role == ForeignRole::kDeviceFill);
  profile_.Add(event);
}

void ForeignJsonReader::Finish() {
  for (const auto& [key, row] : rows_) {
    if (row.name.empty()) continue;
    for (int64_t track : {row.thread, row.stream}) {
      if (track >= 0) profile_.NameTrack(static_cast<uint32_t>(track), row.name);
    }
  }
  if (num_without_time_ > 0) {
    profile_.AddProblem(
        {.kind = Problem::Kind::kUnreadable,
         .count = num_without_time_,
         .text = StrCat(num_without_time_, " events have no time, or one that cannot be")});
  }
  profile_.TellAll(producer_, Level(), consumer_);
}

namespace {

// Any Chrome trace: scopes.
class AnyChromeReader final : public ForeignJsonReader {
 public:
  explicit AnyChromeReader(ProfileConsumer& consumer) : ForeignJsonReader("", consumer) {}

 private:
  bool Translate(const JsonRef&, ForeignEvent& event) override {
    return event.role == ForeignRole::kScope;
  }
  std::string_view Level() const override { return "model"; }
};

// trace.json.gz of TensorFlow's profiler.
class TensorFlowReader final : public ForeignJsonReader {
 public:
  explicit TensorFlowReader(ProfileConsumer& consumer)
      : ForeignJsonReader("tensorflow", consumer) {}

 private:
  bool Translate(const JsonRef& json, ForeignEvent& event) override {
    if (event.role != ForeignRole::kScope) return false;
    const JsonRef args = json.Find("args");
    if (ProcessName(json).starts_with("/device:")) {
      if (!IsTensorFlowStream(RowName(json))) return false;
      event.role = TensorFlowDeviceRole(event.name);
      event.correlation_id = args.Find("correlation_id").Unsigned();
      return true;
    }
    const std::string_view long_name = args.Find("long_name").Text();
    const TensorFlowName name = TensorFlowNameOf(long_name.empty() ? event.name : long_name);
    event.role = name.role;
    event.name = name.name;
    event.op = name.op;
    if (JsonRef step = args.Find("step_num"); step.exists()) {
      event.role = ForeignRole::kStep;
      event.number = step.Integer();
    } else if (JsonRef id = args.Find("correlation_id"); id.exists()) {
      event.role = ForeignRole::kLaunch;
      event.correlation_id = id.Unsigned();
    }
    return true;
  }
};

}  // namespace

std::unique_ptr<JsonReader> MakeTensorFlowReader(ProfileConsumer& consumer) {
  return std::make_unique<TensorFlowReader>(consumer);
}

std::unique_ptr<JsonReader> MakeAnyChromeReader(ProfileConsumer& consumer) {
  return std::make_unique<AnyChromeReader>(consumer);
}

}  // namespace tfrt::profiler
