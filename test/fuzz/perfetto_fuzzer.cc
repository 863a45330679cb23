// libFuzzer: arbitrary bytes as a Perfetto trace, read into memory. scripts/run_fuzzer.sh builds
// and runs it.
//
// Beside what sanitizers find, what include/tfrt/profiler promises is looked at: events speak of
// what is there, a profile that was read can be written, and then reads as the same.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profiler/perfetto/perfetto_reader.h"
#include "lib/profiler/perfetto/perfetto_writer.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {
namespace {

void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// Hands everything to a builder and a writer.
class Both final : public ProfileConsumer {
 public:
  Both(ProfileBuilder& builder, PerfettoWriter& writer) : builder_(builder), writer_(writer) {}

  void AddProperty(std::string_view key, std::string_view value) override {
    builder_.AddProperty(key, value);
    writer_.AddProperty(key, value);
  }
  void AddString(std::string_view text) override {
    builder_.AddString(text);
    writer_.AddString(text);
    ++num_strings_;
  }
  void AddType(const EventType& type) override {
    builder_.AddType(type);
    writer_.AddType(type);
    types_.push_back(type);
  }
  void AddTrack(const Track& track) override {
    builder_.AddTrack(track);
    writer_.AddTrack(track);
    ++num_tracks_;
  }
  void AddEvent(const EventFields& event) override {
    Require(event.type < types_.size() && event.name < num_strings_ && event.track < num_tracks_,
            "events speak of what is there");
    const auto& specs = types_[event.type].arguments;
    Require(event.arguments.size() == specs.size(), "events have the arguments of their types");
    for (size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].type == ArgumentType::kName) {
        Require(event.arguments[i] < num_strings_, "arguments are names that are there");
      }
    }
    builder_.AddEvent(event);
    writer_.AddEvent(event);
  }
  void AddReady(uint64_t id, int64_t ready_ns) override {
    builder_.AddReady(id, ready_ns);
    writer_.AddReady(id, ready_ns);
  }
  void AddProblem(const Problem& problem) override {
    builder_.AddProblem(problem);
    writer_.AddProblem(problem);
  }
  Status Finish() override { return writer_.Finish(); }

 private:
  ProfileBuilder& builder_;
  PerfettoWriter& writer_;
  std::vector<EventType> types_;
  size_t num_strings_ = 0, num_tracks_ = 0;
};

void RequireSame(const Profile& a, const Profile& b) {
  Require(a.events().size() == b.events().size(), "as many events are read as were written");
  for (size_t i = 0; i < a.events().size(); ++i) {
    const Event &x = a.events()[i], &y = b.events()[i];
    Require(x.id == y.id && x.begin_ns == y.begin_ns && x.end_ns == y.end_ns &&
                x.ready_ns == y.ready_ns && x.parent == y.parent && a.NameOf(x) == b.NameOf(y) &&
                a.TypeOf(x) == b.TypeOf(y),
            "events are read as they were written");
  }
  Require(a.properties() == b.properties(), "properties are read as they were written");
}

void Read(std::string_view bytes, int file) {
  ProfileBuilder builder;
  auto writer = PerfettoWriter::ToDescriptor(file, "memory", 1 << 12);
  Both both(builder, *writer);
  const Status status = ReadPerfetto(*ProfileSource::OfBytes(bytes, "t"), both);
  const Profile profile = builder.Build();
  if (!status.ok()) {
    Require(status.message().starts_with("t: offset "), "errors say where");
    return;
  }
  Require(lseek(file, 0, SEEK_SET) == 0, "a file can be read from its begin");
  std::string written(writer->num_bytes(), '\0');
  Require(read(file, written.data(), written.size()) == static_cast<ssize_t>(written.size()),
          "the writer says how much it has written");
  ProfileBuilder again;
  Require(ReadPerfetto(*ProfileSource::OfBytes(written, "again"), again).ok(),
          "what was written can be read");
  RequireSame(profile, again.Build());
}

}  // namespace
}  // namespace tfrt::profiler

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = memfd_create("profile", MFD_CLOEXEC);
  if (file < 0) return 0;
  tfrt::profiler::Read({reinterpret_cast<const char*>(data), size}, file);
  close(file);
  return 0;
}
