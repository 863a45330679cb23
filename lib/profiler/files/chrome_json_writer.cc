// Writes a profile as Chrome JSON: each event as it comes, on a row that the events before it leave
// free. Arrows follow at the end.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_profile.h"
#include "json_readers.h"
#include "json_text.h"
#include "lib/profiler/kind_names.h"
#include "lib/profiler/lanes.h"
#include "lib/profiler/stream_check.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

constexpr size_t kMaxArrows = size_t{1} << 20;

// An event that others may belong to.
struct Correlated {
  uint64_t correlation_id;
  int64_t begin_ns;
  TrackId track;
  uint32_t lane;
};

// Rows of a process are shown together.
struct Rows {
  uint64_t process;  // a number of our own: those of the system may be anything
  std::string name;
  TrackLanes lanes;
  std::vector<std::string> starts;  // of the rows' events, by lane
};

std::string Member(std::string_view key, std::string_view text) {
  std::string json = StrCat("\"", key, "\":");
  AppendJsonText(text, &json);
  return json;
}

class ChromeJsonWriter final : public ProfileConsumer {
 public:
  // Takes the open file.
  ChromeJsonWriter(NewFile file, std::FILE* out) : file_(std::move(file)), out_(out) {
    Write(StrCat("{\"", kChromeJsonMark, "\":", kChromeJsonVersion,
                 ",\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"));
  }
  ~ChromeJsonWriter() override {
    if (out_) std::fclose(out_);
  }

  void AddProperty(std::string_view key, std::string_view value) override {
    WriteFact("tfrt_property", StrCat(Member("key", key), ",", Member("value", value)));
  }
  void AddString(std::string_view text) override {
    strings_.emplace_back(text);
    ++check_.num_strings;
  }
  void AddType(const EventType& type) override;
  void AddTrack(const Track& track) override;
  void AddEvent(const EventFields& event) override;
  void AddReady(uint64_t id, int64_t ready_ns) override {
    WriteFact("tfrt_ready", StrCat("\"id\":", id, ",\"ready_ns\":", ready_ns));
  }
  void AddProblem(const Problem& problem) override {
    WriteFact("tfrt_problem", StrCat(Member("kind", NameOf(problem.kind)), ",\"count\":",
                                     problem.count, ",", Member("text", problem.text)));
  }
  Status Finish() override;

 private:
  static constexpr std::string_view kNoRow = "{\"pid\":0,\"tid\":0,";

  void Write(std::string_view text) {
    if (status_.ok() && std::fwrite(text.data(), 1, text.size(), out_) != text.size()) {
      status_ = file_.Error(errno);
    }
  }
  void WriteMetadata(std::string_view start, std::string_view name, std::string_view args) {
    Write(StrCat(start, "\"ph\":\"M\",\"name\":\"", name, "\",\"args\":{", args, "}},\n"));
  }
  void WriteFact(std::string_view name, std::string_view args) {
    WriteMetadata(kNoRow, name, args);
  }
  const std::string& RowStart(TrackId track, size_t lane);
  void AppendIds(const EventFields& event);
  void AppendArguments(const EventFields& event);
  void WriteArrows();

  NewFile file_;
  std::FILE* out_;
  Status status_;
  StreamCheck check_;
  std::vector<std::string> strings_;
  std::vector<std::pair<Track::Kind, int64_t>> processes_;
  std::vector<Rows> rows_;  // of the tracks
  uint64_t num_rows_ = 0;
  std::vector<Correlated> correlated_;
  std::string line_;  // that is being made
};

void ChromeJsonWriter::AddType(const EventType& type) {
  std::string arguments;
  for (const EventType::Argument& argument : type.arguments) {
    arguments += StrCat(arguments.empty() ? "" : ",", "{", Member("name", argument.name), ",",
                        Member("type", NameOf(argument.type)), "}");
  }
  WriteFact("tfrt_type", StrCat(Member("name", type.name), ",", Member("level", NameOf(type.level)),
                                ",", Member("kind", NameOf(type.kind)), ",\"is_op\":",
                                type.is_op ? "true" : "false", ",\"arguments\":[", arguments, "]"));
  check_.types.push_back(type);
}

void ChromeJsonWriter::AddTrack(const Track& track) {
  WriteFact("tfrt_track",
            StrCat(Member("kind", NameOf(track.kind)), ",", Member("name", track.name),
                   ",\"process\":", track.process_id, ",\"number\":", track.number));
  const std::pair process(track.kind, track.process_id);
  const auto found = std::ranges::find(processes_, process);
  const auto number = static_cast<uint64_t>(found - processes_.begin()) + 1;
  if (found == processes_.end()) {
    processes_.push_back(process);
    const bool is_device = track.kind == Track::Kind::kStream;
    WriteMetadata(StrCat("{\"pid\":", number, ","), "process_name",
                  Member("name", StrCat(is_device ? "device " : "process ", track.process_id)));
  }
  rows_.push_back({.process = number,
                   .name = track.name.empty() ? StrCat(NameOf(track.kind), " ", track.number)
                                              : StrCat(track.name, " (", track.number, ")")});
  RowStart(static_cast<TrackId>(check_.num_tracks++), 0);
}

// Names the row where it is new.
const std::string& ChromeJsonWriter::RowStart(TrackId track, size_t lane) {
  Rows& rows = rows_[track];
  while (rows.starts.size() <= lane) {
    const size_t next = rows.starts.size();
    const std::string& start =
        rows.starts.emplace_back(StrCat("{\"pid\":", rows.process, ",\"tid\":", ++num_rows_, ","));
    WriteMetadata(
        start, "thread_name",
        Member("name", next == 0 ? rows.name : StrCat(rows.name, ", at the same time ", next)));
    WriteMetadata(start, "thread_sort_index",
                  StrCat("\"sort_index\":", track * TrackLanes::kMaxLanes + next));
  }
  return rows.starts[lane];
}

void ChromeJsonWriter::AppendIds(const EventFields& event) {
  line_ += StrCat("\"ids\":{\"type\":", event.type, ",\"track\":", event.track);
  auto add = [&](std::string_view key, uint64_t id) {
    if (id != 0) line_ += StrCat(",\"", key, "\":", id);
  };
  add("id", event.id);
  add("parent", event.parent_id);
  add("op", event.op_id);
  add("correlation", event.correlation_id);
  if (event.ready == EventFields::Ready::kAt) {
    line_ += StrCat(",\"ready_ns\":", event.ready_ns);
  } else if (event.ready == EventFields::Ready::kLater) {
    line_ += ",\"ready\":\"later\"";
  }
}

void ChromeJsonWriter::AppendArguments(const EventFields& event) {
  const std::vector<EventType::Argument>& specs = check_.types[event.type].arguments;
  for (size_t i = 0; i < specs.size(); ++i) {
    line_ += ',';
    AppendJsonText(specs[i].name, &line_);
    line_ += ':';
    const uint64_t value = event.arguments[i];
    if (specs[i].type == ArgumentType::kName) {
      AppendJsonText(strings_[value], &line_);
    } else if (specs[i].type == ArgumentType::kReal) {
      AppendJsonReal(std::bit_cast<double>(value), &line_);
    } else {
      line_ += StrCat(static_cast<int64_t>(value));
    }
  }
}

void ChromeJsonWriter::AddEvent(const EventFields& event) {
  if (!status_.ok() || !check_.IsGood(event)) return;
  const EventType& type = check_.types[event.type];
  // Differences that an int64_t does not hold are told apart from the duration.
  const uint64_t length =
      static_cast<uint64_t>(event.end_ns) - static_cast<uint64_t>(event.begin_ns);
  const bool is_ordered = event.end_ns >= event.begin_ns &&
                          length <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  const bool is_moment =
      event.end_ns == event.begin_ns && type.kind != RecordKind::kScope && is_ordered;
  size_t lane = 0;
  // Moments are in nobody's way: they take no time.
  if (!is_moment) {
    const auto place = rows_[event.track].lanes.Find(
        event.begin_ns, is_ordered ? event.end_ns : event.begin_ns, event.parent_id);
    lane = place ? place->lane : TrackLanes::kMaxLanes - 1;
    if (event.correlation_id != 0 && correlated_.size() < kMaxArrows) {
      correlated_.push_back(
          {event.correlation_id, event.begin_ns, event.track, static_cast<uint32_t>(lane)});
    }
  }
  line_ = RowStart(event.track, lane);
  line_ += is_moment ? "\"ph\":\"i\",\"s\":\"t\",\"name\":" : "\"ph\":\"X\",\"name\":";
  AppendJsonText(strings_[event.name], &line_);
  line_ += StrCat(",\"cat\":\"", NameOf(type.level), "\",\"ts\":");
  AppendMicroseconds(event.begin_ns, &line_);
  if (!is_moment) {
    line_ += ",\"dur\":";
    AppendMicroseconds(is_ordered ? static_cast<int64_t>(length) : 0, &line_);
  }
  line_ += ",\"args\":{";
  AppendIds(event);
  if (!is_ordered) line_ += StrCat(",\"end_ns\":", event.end_ns);
  line_ += '}';
  AppendArguments(event);
  line_ += "}},\n";
  Write(line_);
}

// From the first of those that share an id to the next one, and so on.
void ChromeJsonWriter::WriteArrows() {
  std::ranges::stable_sort(correlated_, {}, [](const Correlated& it) {
    return std::pair(it.correlation_id, it.begin_ns);
  });
  for (size_t i = 0; i < correlated_.size(); ++i) {
    const Correlated& it = correlated_[i];
    auto is_same = [&](size_t other) {
      return other < correlated_.size() && correlated_[other].correlation_id == it.correlation_id;
    };
    const bool has_before = i > 0 && is_same(i - 1), has_after = is_same(i + 1);
    if (!has_before && !has_after) continue;
    line_ = StrCat(RowStart(it.track, it.lane), "\"ph\":\"",
                   !has_before ? "s"
                   : has_after ? "t"
                               : "f",
                   "\",\"bp\":\"e\",\"name\":\"correlation\",\"cat\":\"correlation\",\"id\":",
                   it.correlation_id, ",\"ts\":");
    AppendMicroseconds(it.begin_ns, &line_);
    line_ += "},\n";
    Write(line_);
  }
}

Status ChromeJsonWriter::Finish() {
  if (!out_) return status_;
  if (check_.num_malformed > 0) AddProblem(check_.MakeProblem());
  WriteArrows();
  // Without a comma behind it.
  Write(StrCat(kNoRow, "\"ph\":\"M\",\"name\":\"tfrt_end\",\"args\":{}}\n]}\n"));
  if (std::fclose(std::exchange(out_, nullptr)) != 0 && status_.ok()) status_ = file_.Error(errno);
  if (status_.ok()) status_ = file_.Keep();
  return status_;
}

}  // namespace

StatusOr<std::unique_ptr<ProfileConsumer>> CreateChromeJsonWriter(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
  const int descriptor = file.Open();
  std::FILE* out = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
  if (!out) {
    Status status = file.Error(errno);
    if (descriptor >= 0) close(descriptor);
    return status;
  }
  return std::unique_ptr<ProfileConsumer>(std::make_unique<ChromeJsonWriter>(std::move(file), out));
}

}  // namespace tfrt::profiler
