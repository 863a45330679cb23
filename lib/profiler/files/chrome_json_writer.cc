// ChromeJsonWriter. Events are written twice: as they come, to a file without a name, because rows
// and arrows are known at the end only; then to the file itself.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_profile.h"
#include "json_readers.h"
#include "json_text.h"
#include "kind_names.h"
#include "lanes.h"
#include "stream_check.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

constexpr size_t kMaxArrows = size_t{1} << 20;

// Mark a line of the first copy: a line as it is, or an event whose process and row are still to
// come.
constexpr char kWholeLine = '=';
constexpr char kEventLine = 'e';

// An event that others may belong to.
struct Correlated {
  uint64_t correlation_id;
  int64_t begin_ns;
  uint32_t track;
  uint32_t lane;  // at first the event's number on its track
};

std::string Member(std::string_view key, std::string_view text) {
  std::string json = StrCat("\"", key, "\":");
  AppendJsonText(text, &json);
  return json;
}

}  // namespace

struct ChromeJsonWriter::Impl {
  ~Impl() {
    if (spool) std::fclose(spool);
  }

  void Fail(const Status& error) {
    if (status.ok()) status = error;
  }
  bool IsOk() const { return status.ok(); }

  void Spool(char kind, std::string_view line) {
    if (std::fputc(kind, spool) == EOF ||
        std::fwrite(line.data(), 1, line.size(), spool) != line.size() ||
        std::fputc('\n', spool) == EOF) {
      Fail(InternalError(StrCat("cannot write '", path, "': ", std::strerror(errno))));
    }
  }
  void SpoolMetadata(std::string_view name, std::string_view args) {
    Spool(kWholeLine, StrCat("{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"name\":\"", name, "\",\"args\":{",
                             args, "}}"));
  }

  uint64_t ProcessOf(const Track& track) const;
  uint64_t RowOf(uint32_t track, uint32_t lane) const { return first_rows[track] + lane; }
  std::string RowPrefix(uint32_t track, uint32_t lane) const {
    return StrCat("{\"pid\":", ProcessOf(tracks[track]), ",\"tid\":", RowOf(track, lane), ",");
  }
  void AppendIds(const EventFields& event, std::string* line) const;
  void AppendArguments(const EventFields& event, std::string* line) const;
  void CountRows();
  std::string RowNames() const;
  std::string Arrows();
  Status CopyTo(const ByteSink& sink);

  std::string path;
  std::FILE* spool = nullptr;
  Status status;
  StreamCheck check;
  std::vector<std::string> strings;
  std::vector<Track> tracks;
  std::vector<std::pair<Track::Kind, int64_t>> processes;
  std::vector<Lanes> lanes;          // of the tracks
  std::vector<uint64_t> first_rows;  // of the tracks
  std::vector<Correlated> correlated;
  std::string line;  // that is being made
};

// Rows of a process are shown together. Numbers of our own: those of the system may be anything.
uint64_t ChromeJsonWriter::Impl::ProcessOf(const Track& track) const {
  auto found = std::ranges::find(processes, std::pair(track.kind, track.process_id));
  return static_cast<uint64_t>(found - processes.begin()) + 1;
}

ChromeJsonWriter::ChromeJsonWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChromeJsonWriter::~ChromeJsonWriter() = default;

StatusOr<std::unique_ptr<ChromeJsonWriter>> ChromeJsonWriter::Create(std::string path) {
  auto impl = std::make_unique<Impl>();
  // Beside the file, where there is room for it.
  std::string name = StrCat(path, ".XXXXXX");
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) unlink(name.c_str());
  impl->spool = descriptor < 0 ? nullptr : fdopen(descriptor, "w+b");
  if (!impl->spool) {
    const std::string reason = std::strerror(errno);
    if (descriptor >= 0) close(descriptor);
    return InternalError(StrCat("cannot write '", path, "': ", reason));
  }
  impl->path = std::move(path);
  return std::unique_ptr<ChromeJsonWriter>(new ChromeJsonWriter(std::move(impl)));
}

void ChromeJsonWriter::AddProperty(std::string_view key, std::string_view value) {
  impl_->SpoolMetadata("tfrt_property", StrCat(Member("key", key), ",", Member("value", value)));
}

void ChromeJsonWriter::AddString(std::string_view text) {
  impl_->strings.emplace_back(text);
  ++impl_->check.num_strings;
}

void ChromeJsonWriter::AddType(const EventType& type) {
  std::string arguments;
  for (const EventType::Argument& argument : type.arguments) {
    arguments += StrCat(arguments.empty() ? "" : ",", "{", Member("name", argument.name), ",",
                        Member("type", NameOf(argument.type)), "}");
  }
  impl_->SpoolMetadata(
      "tfrt_type", StrCat(Member("name", type.name), ",", Member("level", NameOf(type.level)), ",",
                          Member("kind", NameOf(type.kind)), ",\"is_op\":",
                          type.is_op ? "true" : "false", ",\"arguments\":[", arguments, "]"));
  impl_->check.types.push_back(type);
}

void ChromeJsonWriter::AddTrack(const Track& track) {
  impl_->SpoolMetadata("tfrt_track",
                       StrCat(Member("kind", NameOf(track.kind)), ",", Member("name", track.name),
                              ",\"process\":", track.process_id, ",\"number\":", track.number));
  const std::pair process(track.kind, track.process_id);
  if (std::ranges::find(impl_->processes, process) == impl_->processes.end()) {
    impl_->processes.push_back(process);
  }
  ++impl_->check.num_tracks;
  impl_->tracks.push_back(track);
  impl_->lanes.emplace_back();
}

void ChromeJsonWriter::Impl::AppendIds(const EventFields& event, std::string* line) const {
  *line += StrCat("\"ids\":{\"type\":", event.type, ",\"track\":", event.track);
  auto add = [&](std::string_view key, uint64_t id) {
    if (id != 0) *line += StrCat(",\"", key, "\":", id);
  };
  add("id", event.id);
  add("parent", event.parent_id);
  add("op", event.op_id);
  add("correlation", event.correlation_id);
  if (event.ready == EventFields::Ready::kAt) {
    *line += StrCat(",\"ready_ns\":", event.ready_ns);
  } else if (event.ready == EventFields::Ready::kLater) {
    *line += ",\"ready\":\"later\"";
  }
}

void ChromeJsonWriter::Impl::AppendArguments(const EventFields& event, std::string* line) const {
  const std::vector<EventType::Argument>& specs = check.types[event.type].arguments;
  for (size_t i = 0; i < specs.size(); ++i) {
    *line += ',';
    AppendJsonText(specs[i].name, line);
    *line += ':';
    const uint64_t value = event.arguments[i];
    if (specs[i].type == ArgumentType::kName) {
      AppendJsonText(strings[value], line);
    } else if (specs[i].type == ArgumentType::kReal) {
      AppendJsonReal(std::bit_cast<double>(value), line);
    } else {
      *line += StrCat(static_cast<int64_t>(value));
    }
  }
}

void ChromeJsonWriter::AddEvent(const EventFields& event) {
  Impl& impl = *impl_;
  if (!impl.IsOk() || !impl.check.IsGood(event)) return;
  const EventType& type = impl.check.types[event.type];
  std::string& line = impl.line;
  // Differences that an int64_t does not hold are told apart from the duration.
  const uint64_t length =
      static_cast<uint64_t>(event.end_ns) - static_cast<uint64_t>(event.begin_ns);
  const bool is_ordered = event.end_ns >= event.begin_ns &&
                          length <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  const bool is_moment =
      event.end_ns == event.begin_ns && type.kind != RecordKind::kScope && is_ordered;
  line = is_moment ? "\"ph\":\"i\",\"s\":\"t\",\"name\":" : "\"ph\":\"X\",\"name\":";
  AppendJsonText(impl.strings[event.name], &line);
  line += StrCat(",\"cat\":\"", NameOf(type.level), "\",\"ts\":");
  AppendMicroseconds(event.begin_ns, &line);
  if (!is_moment) {
    line += ",\"dur\":";
    AppendMicroseconds(is_ordered ? static_cast<int64_t>(length) : 0, &line);
  }
  line += ",\"args\":{";
  impl.AppendIds(event, &line);
  if (!is_ordered) line += StrCat(",\"end_ns\":", event.end_ns);
  line += '}';
  impl.AppendArguments(event, &line);
  line += "}}";
  Lanes& lanes = impl.lanes[event.track];
  if (event.correlation_id != 0 && !is_moment && impl.correlated.size() < kMaxArrows) {
    impl.correlated.push_back(
        {event.correlation_id, event.begin_ns, event.track, static_cast<uint32_t>(lanes.size())});
  }
  // Moments are in nobody's way: they take no time.
  if (is_moment) {
    impl.Spool(kEventLine, StrCat("m", event.track, " ", line));
  } else {
    impl.Spool(kEventLine, StrCat("x", event.track, " ", line));
    lanes.Add(event.begin_ns, is_ordered ? event.end_ns : event.begin_ns);
  }
}

void ChromeJsonWriter::AddReady(uint64_t id, int64_t ready_ns) {
  impl_->SpoolMetadata("tfrt_ready", StrCat("\"id\":", id, ",\"ready_ns\":", ready_ns));
}

void ChromeJsonWriter::AddProblem(const Problem& problem) {
  impl_->SpoolMetadata("tfrt_problem", StrCat(Member("kind", NameOf(problem.kind)), ",\"count\":",
                                              problem.count, ",", Member("text", problem.text)));
}

void ChromeJsonWriter::Impl::CountRows() {
  uint64_t next = 1;
  for (Lanes& track : lanes) {
    first_rows.push_back(next);
    track.Assign();
    next += track.num_lanes();
  }
}

std::string ChromeJsonWriter::Impl::RowNames() const {
  std::string names;
  auto add = [&](std::string_view what, std::string_view start, std::string_view args) {
    names += StrCat(start, "\"ph\":\"M\",\"name\":\"", what, "\",\"args\":{", args, "}},\n");
  };
  for (size_t i = 0; i < processes.size(); ++i) {
    const bool is_device = processes[i].first == Track::Kind::kStream;
    const std::string name = StrCat(is_device ? "device " : "process ", processes[i].second);
    add("process_name", StrCat("{\"pid\":", i + 1, ","), Member("name", name));
  }
  for (uint32_t track = 0; track < tracks.size(); ++track) {
    const Track& it = tracks[track];
    std::string name = StrCat(NameOf(it.kind), " ", it.number);
    if (!it.name.empty()) name = StrCat(it.name, " (", it.number, ")");
    for (uint32_t lane = 0; lane < lanes[track].num_lanes(); ++lane) {
      const std::string part = lane == 0 ? name : StrCat(name, ", at the same time ", lane);
      add("thread_name", RowPrefix(track, lane), Member("name", part));
      add("thread_sort_index", RowPrefix(track, lane),
          StrCat("\"sort_index\":", RowOf(track, lane)));
    }
  }
  return names;
}

// From the first of those that share an id to the next one, and so on.
std::string ChromeJsonWriter::Impl::Arrows() {
  for (Correlated& end : correlated) end.lane = lanes[end.track].LaneOf(end.lane);
  std::ranges::stable_sort(correlated, [](const Correlated& a, const Correlated& b) {
    return std::pair(a.correlation_id, a.begin_ns) < std::pair(b.correlation_id, b.begin_ns);
  });
  std::string arrows;
  for (size_t i = 0; i < correlated.size(); ++i) {
    const Correlated& it = correlated[i];
    auto is_same = [&](size_t other) {
      return other < correlated.size() && correlated[other].correlation_id == it.correlation_id;
    };
    const bool has_before = i > 0 && is_same(i - 1), has_after = is_same(i + 1);
    if (!has_before && !has_after) continue;
    arrows += StrCat(RowPrefix(it.track, it.lane), "\"ph\":\"",
                     !has_before ? "s"
                     : has_after ? "t"
                                 : "f",
                     "\",\"bp\":\"e\",\"name\":\"correlation\",\"cat\":\"correlation\",\"id\":",
                     it.correlation_id, ",\"ts\":");
    AppendMicroseconds(it.begin_ns, &arrows);
    arrows += "},\n";
  }
  return arrows;
}

Status ChromeJsonWriter::Impl::CopyTo(const ByteSink& sink) {
  CountRows();
  const std::string start = StrCat("{\"", kChromeJsonMark, "\":", kChromeJsonVersion,
                                   ",\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", RowNames());
  bool is_ok = sink(start.data(), start.size());
  const std::string arrows = Arrows();
  std::vector<uint64_t> next(tracks.size());  // the number of the next event on its track
  is_ok &= std::fseek(spool, 0, SEEK_SET) == 0;
  char* text = nullptr;
  size_t capacity = 0;
  std::string out;
  ssize_t size;
  while (is_ok && (size = getline(&text, &capacity, spool)) > 1) {
    const std::string_view whole(text, static_cast<size_t>(size - 1));
    if (whole[0] == kWholeLine) {
      out.assign(whole.substr(1));
    } else {
      const uint32_t track = static_cast<uint32_t>(std::strtoul(text + 2, nullptr, 10));
      const uint32_t lane = whole[1] == 'm' ? 0 : lanes[track].LaneOf(next[track]++);
      out = RowPrefix(track, lane);
      out += whole.substr(whole.find(' ') + 1);
    }
    out += ",\n";
    is_ok = sink(out.data(), out.size());
  }
  std::free(text);
  if (std::ferror(spool)) {
    return InternalError(StrCat("cannot read back what was written beside '", path, "'"));
  }
  // Without a comma behind it.
  const std::string end =
      "{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"name\":\"tfrt_end\",\"args\":{}}\n]}\n";
  if (is_ok) is_ok = sink(arrows.data(), arrows.size()) && sink(end.data(), end.size());
  return is_ok ? OkStatus() : InternalError(StrCat("cannot write '", path, "'"));
}

Status ChromeJsonWriter::Finish() {
  Impl& impl = *impl_;
  if (impl.check.num_malformed > 0) AddProblem(impl.check.MakeProblem());
  if (impl.IsOk() && std::fflush(impl.spool) != 0) {
    impl.Fail(InternalError(StrCat("cannot write '", impl.path, "': ", std::strerror(errno))));
  }
  if (!impl.IsOk()) return impl.status;
  return WriteFile(impl.path, [&](const ByteSink& sink) { return impl.CopyTo(sink); });
}

}  // namespace tfrt::profiler
