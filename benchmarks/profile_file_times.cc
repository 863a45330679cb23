// How long a record of a profile takes to be written to a Perfetto file and to be read back, how
// long it is there, and how much memory that needs.
//   tfrt_profile_file_times [RECORDS [FILE]]     default 10^6 and a file in /tmp, which is removed
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profiler/perfetto/perfetto_reader.h"
#include "lib/profiler/perfetto/perfetto_writer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr uint32_t kNumThreads = 4;
constexpr uint32_t kNumNames = 300;
// Of one thread, before those of the next.
constexpr uint64_t kRun = 600;

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Counter final : public ProfileConsumer {
 public:
  uint64_t num_events = 0, num_problems = 0;
  void AddProperty(std::string_view, std::string_view) override {}
  void AddString(std::string_view) override {}
  void AddType(const EventType&) override {}
  void AddTrack(const Track&) override {}
  void AddEvent(const EventFields&) override { ++num_events; }
  void AddReady(uint64_t, int64_t) override {}
  void AddProblem(const Problem&) override { ++num_problems; }
  Status Finish() override { return OkStatus(); }
};

// What a run of a model looks like: of each six records three are kernels in a row, then the layer
// around them, and a task is added and taken.
class Source {
 public:
  explicit Source(ProfileConsumer& consumer) : consumer_(consumer) {
    for (uint32_t i = 0; i < kNumNames; ++i) consumer.AddString(StrCat("node_", i, "/MatMul"));
    consumer.AddType({.name = "graph.kernel", .level = StackLevel::kKernel});
    consumer.AddType({.name = "layer",
                      .level = StackLevel::kOp,
                      .is_op = true,
                      .arguments = {{"op", ArgumentType::kName}, {"number"}}});
    consumer.AddType(
        {.name = "queue.enqueue", .kind = RecordKind::kQueue, .arguments = {{"depth"}}});
    consumer.AddType(
        {.name = "queue.dequeue", .kind = RecordKind::kQueue, .arguments = {{"depth"}}});
    for (uint32_t i = 0; i < kNumThreads; ++i) {
      consumer.AddTrack({.process_id = 4711, .number = 5000 + i});
      times_.push_back(20'000'000'000'000);
      ids_.push_back(uint64_t{i + 1} << 40);
    }
  }

  void Make(uint64_t num_records) {
    for (uint64_t made = 0; made < num_records;) {
      const auto track = static_cast<TrackId>(made / kRun % kNumThreads);
      for (uint64_t i = 0; i < kRun / 6 && made < num_records; ++i, made += 6) MakeSix(track);
    }
  }

 private:
  void Event(TrackId track, TypeId type, uint64_t id, uint64_t parent, int64_t begin, int64_t end,
             std::span<const uint64_t> arguments, uint64_t correlation = 0) {
    consumer_.AddEvent({.type = type,
                        .name = static_cast<StringId>(id % kNumNames),
                        .track = track,
                        .id = id,
                        .parent_id = parent,
                        .op_id = type == 2 || type == 3 ? 0 : op_id_,
                        .correlation_id = correlation,
                        .begin_ns = begin,
                        .end_ns = end,
                        .arguments = arguments});
  }

  void MakeSix(TrackId track) {
    int64_t& time = times_[track];
    uint64_t& id = ids_[track];
    ++op_id_;
    const uint64_t layer = ++id;
    const int64_t begin = time += 400;
    for (int i = 0; i < 3; ++i) {
      const int64_t from = time += 150;
      Event(track, 0, ++id, layer, from, time += 4321, {});
    }
    std::array<uint64_t, 2> arguments = {op_id_ % 20, op_id_ % kNumNames};
    Event(track, 1, layer, 0, begin, time += 100, arguments);
    arguments[0] = op_id_ % 16;
    const auto depth = std::span(arguments).first(1);
    Event(track, 2, ++id, 0, time + 10, time + 10, depth, op_id_);
    Event(track, 3, ++id, 0, time + 60, time + 60, depth, op_id_);
  }

  ProfileConsumer& consumer_;
  std::vector<int64_t> times_;
  std::vector<uint64_t> ids_;
  uint64_t op_id_ = 0;
};

long PeakKilobytes() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Without what the system does to keep the bytes.
double EncodeSeconds(uint64_t num_records) {
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  auto writer = PerfettoWriter::ToDescriptor(null, "/dev/null");
  const double start = Now();
  Source(*writer).Make(num_records);
  const double seconds = Now() - start;
  close(null);
  return seconds;
}

int Run(uint64_t num_records, const std::string& path) {
  auto writer = PerfettoWriter::Create(path);
  if (!writer.ok()) {
    std::fprintf(stderr, "%s\n", writer.status().ToString().c_str());
    return 1;
  }
  double start = Now();
  Source(**writer).Make(num_records);
  Status status = (*writer)->Finish();
  const double written = Now() - start;
  const auto records = static_cast<double>(num_records);
  std::printf("encode: %.1f ns a record\n", EncodeSeconds(num_records) / records * 1e9);
  std::printf("write: %.1f ns a record, %.1f bytes a record, peak %ld KB\n",
              written / records * 1e9, static_cast<double>((*writer)->num_bytes()) / records,
              PeakKilobytes());
  Counter counter;
  start = Now();
  if (status.ok()) status = ReadPerfetto(path, counter);
  std::printf("read: %.1f ns a record, peak %ld KB\n", (Now() - start) / records * 1e9,
              PeakKilobytes());
  unlink(path.c_str());
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  if (counter.num_events < num_records || counter.num_problems > 0) {
    std::fprintf(stderr, "read %llu records and %llu problems\n",
                 static_cast<unsigned long long>(counter.num_events),
                 static_cast<unsigned long long>(counter.num_problems));
    return 1;
  }
  return status.ok() ? 0 : 1;
}

}  // namespace
}  // namespace tfrt::profiler

int main(int argc, char** argv) {
  uint64_t num_records = 1'000'000;
  if (argc > 1) {
    const char* end = argv[1] + std::strlen(argv[1]);
    if (std::from_chars(argv[1], end, num_records).ptr != end) {
      std::fprintf(stderr, "usage: tfrt_profile_file_times [RECORDS [FILE]]\n");
      return 2;
    }
  }
  const std::string path = argc > 2 ? argv[2] : tfrt::StrCat("/tmp/records_", getpid(), ".pftrace");
  return tfrt::profiler::Run(num_records, path);
}
