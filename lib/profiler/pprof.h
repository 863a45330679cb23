// Profiles: time by call path, in the files of pprof and similar tools (profile.proto). They are
// made from traces, merged over many machines, and compared.
#ifndef TFRT_LIB_PROFILER_PPROF_H_
#define TFRT_LIB_PROFILER_PPROF_H_

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
    std::string system_name;  // in the project's profiles, the type of the event
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
  int64_t time_ns = 0;  // since 1970; 0: unknown
  int64_t duration_ns = 0;
  ValueType period_type = {};
  int64_t period = 0;
};

// Returns one sample for each call path, level and thread. It has the number of events, and their
// duration minus the union of the events inside of them on the same thread. Events without duration
// by nature (moments, sleeping workers) are left out. Values: "events" and "time".
Profile ProfileOf(const Trace& trace);

// Read any profile.proto, packed by gzip or not, of this project or of another tool. Locations
// without a function are named by their addresses. They fail with InvalidArgument for other data or
// for more than 1 GiB, and with DataLoss for truncated data.
StatusOr<Profile> ReadProfile(const std::string& path);
StatusOr<Profile> ParseProfile(std::string_view bytes);
bool LooksLikeProfile(std::string_view first_bytes);
// Returns the message, not packed; the same for the same profile.
std::string EncodeProfile(const Profile& profile);
// Writes the message, packed by gzip.
Status WriteProfile(const Profile& profile, const std::string& path);

// Writes the ProfileOf a trace, for which it holds the trace in memory.
class PprofWriter final : public ForwardingConsumer {
 public:
  static StatusOr<std::unique_ptr<PprofWriter>> Create(std::string path);
  Status Finish() override;

 private:
  explicit PprofWriter(std::string path) : ForwardingConsumer(&builder_), path_(std::move(path)) {}
  std::string path_;
  TraceBuilder builder_;
};

// Returns the sum of profiles, by call path and labels, for example of a fleet. Fails with
// InvalidArgument without any, or if their values have different types, which the message names.
StatusOr<Profile> MergeProfiles(std::span<const Profile> profiles);

struct NamedProfile {
  std::string name;
  Profile profile;
};

struct ProfileTableOptions {
  std::string value;      // the type of the values to use; empty: the last one
  size_t num_shown = 30;  // Table::num_shown
};

// Returns the call paths of two or more profiles with one column for each. Two columns follow: the
// difference of the last and the first, and its share of the first one's sum. The largest
// differences come first. Fails with InvalidArgument if a profile has no such values.
StatusOr<Table> DiffProfiles(std::span<const NamedProfile> profiles,
                             const ProfileTableOptions& options = {});
// Returns functions by self time, with the time of their callees.
StatusOr<Table> TopFunctions(const Profile& profile, const ProfileTableOptions& options = {});

// The part of a program to which time is attributed.
enum class ProfileOwner : uint8_t { kExecutor, kKernels, kWaiting, kOther };
// Returns the owner of a sample. Its label "level" decides if it has one, otherwise its innermost
// known function. Functions of namespace tfrt belong to the executor; its kernels and the maths
// libraries are kernels.
ProfileOwner OwnerOf(const Profile& profile, const Profile::Sample& sample);
// Returns one row for each owner: shows the cost of the executor itself.
StatusOr<Table> OwnerShares(const Profile& profile, const ProfileTableOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PPROF_H_
