// Profiles: time by call path, as the files that pprof and its relatives read (profile.proto), made
// from traces, merged over many machines, and compared.
#ifndef TFRT_PROFILER_PPROF_H_
#define TFRT_PROFILER_PPROF_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/trace.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// A profile as plain data.
struct Profile {
  struct ValueType {
    std::string type;  // "time"
    std::string unit;  // "nanoseconds"
    friend bool operator==(const ValueType&, const ValueType&) = default;
  };
  struct Function {
    std::string name;         // "graph.kernel Conv"
    std::string system_name;  // of ours, the type of the event
    std::string file;
    friend auto operator<=>(const Function&, const Function&) = default;
  };
  struct Label {
    std::string key;
    std::string text;  // empty: `number`
    int64_t number = 0;
    std::string unit;
    friend auto operator<=>(const Label&, const Label&) = default;
  };
  struct Sample {
    std::vector<uint32_t> path;  // functions, the innermost first
    std::vector<int64_t> values;
    std::vector<Label> labels;
  };

  std::vector<ValueType> types;  // of each sample's values
  std::vector<Function> functions;
  std::vector<Sample> samples;
  std::vector<std::string> comments;
  int64_t time_ns = 0;  // since 1970; 0: not known
  int64_t duration_ns = 0;
  ValueType period_type = {};
  int64_t period = 0;
};

// One sample for each call path, level and thread: how many events there were, and how long they
// were, less the union of what was inside of them on the same thread. What took no time by its
// nature (moments, sleeping workers) is left out. Values: "events" and "time".
Profile ProfileOf(const Trace& trace);

// Any profile.proto, packed by gzip or not, ours or another tool's. Locations without a function
// are named by their addresses. InvalidArgument for what is none, or has more than 1 GiB; DataLoss
// for what is cut off.
StatusOr<Profile> ReadProfile(const std::string& path);
StatusOr<Profile> ParseProfile(std::string_view bytes);
bool LooksLikeProfile(std::string_view first_bytes);
// The message, not packed; the same for the same profile.
std::string EncodeProfile(const Profile& profile);
// Packed by gzip.
Status WriteProfile(const Profile& profile, const std::string& path);

// Writes the ProfileOf a trace, for which it holds the trace in memory.
class PprofWriter final : public TraceConsumer {
 public:
  static StatusOr<std::unique_ptr<PprofWriter>> Create(std::string path);

  void AddProperty(std::string_view key, std::string_view value) override;
  void AddString(std::string_view text) override { builder_.AddString(text); }
  void AddType(const EventType& type) override { builder_.AddType(type); }
  void AddTrack(const Track& track) override { builder_.AddTrack(track); }
  void AddEvent(const EventFields& event) override { builder_.AddEvent(event); }
  void AddReady(uint64_t id, int64_t ready_ns) override { builder_.AddReady(id, ready_ns); }
  void AddProblem(const Problem& problem) override { builder_.AddProblem(problem); }
  Status Finish() override;

 private:
  explicit PprofWriter(std::string path) : path_(std::move(path)) {}
  std::string path_;
  TraceBuilder builder_;
};

// The sum of profiles, by call path and labels: those of a fleet. InvalidArgument without any, or
// if their values are not of the same types, which the message names.
StatusOr<Profile> MergeProfiles(std::span<const Profile> profiles);

struct NamedProfile {
  std::string name;
  Profile profile;
};

struct ProfileTableOptions {
  std::string value;      // the type of the values that are looked at; empty: the last one
  size_t num_shown = 30;  // Table::num_shown
};

// Call paths of two or more profiles with one column of each, the difference of the last and the
// first, and its share of the first one's sum; the largest differences first. InvalidArgument if a
// profile has no such values.
StatusOr<Table> DiffProfiles(std::span<const NamedProfile> profiles,
                             const ProfileTableOptions& options = {});
// Functions by self time, with what was inside of them.
StatusOr<Table> TopFunctions(const Profile& profile, const ProfileTableOptions& options = {});

// Whose time it is.
enum class ProfileOwner : uint8_t { kExecutor, kKernels, kWaiting, kOther };
// Of a sample, by its label "level" where it has one, else by its innermost function that is known:
// those of namespace tfrt are the executor, its kernels and the maths libraries are kernels.
ProfileOwner OwnerOf(const Profile& profile, const Profile::Sample& sample);
// One row for each owner: what the executor itself costs.
StatusOr<Table> OwnerShares(const Profile& profile, const ProfileTableOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_PPROF_H_
