// Pprof: time by call path, in the files of pprof and similar tools (profile.proto). They are
// made from profiles, merged over many machines, and compared.
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
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// A pprof as plain data.
struct Pprof {
  struct ValueType {
    std::string type;  // "time"
    std::string unit;  // "nanoseconds"
    friend bool operator==(const ValueType&, const ValueType&) = default;
  };
  struct Function {
    std::string name;         // "graph.kernel Conv"
    std::string system_name;  // in the project's pprofs, the type of the event
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
Pprof PprofOf(const Profile& profile);

// Read any profile.proto, packed by gzip or not, of this project or of another tool. Locations
// without a function are named by their addresses. They fail with InvalidArgument for other data or
// for more than 1 GiB, and with DataLoss for truncated data.
StatusOr<Pprof> ReadPprof(const std::string& path);
StatusOr<Pprof> ParsePprof(std::string_view bytes);
bool LooksLikePprof(std::string_view first_bytes);
// Returns the message, not packed; the same for the same pprof.
std::string EncodePprof(const Pprof& pprof);
// Writes the message, packed by gzip.
Status WritePprof(const Pprof& pprof, const std::string& path);

// Creates a writer of the PprofOf a profile, for which it holds the profile in memory.
StatusOr<std::unique_ptr<ProfileConsumer>> CreatePprofWriter(const std::string& path);

// Returns the sum of pprofs, by call path and labels, for example of a fleet. Fails with
// InvalidArgument without any, or if their values have different types, which the message names.
StatusOr<Pprof> MergePprofs(std::span<const Pprof> pprofs);

struct NamedPprof {
  std::string name;
  Pprof pprof;
};

// Tables of the last type of values. They fail with InvalidArgument if a pprof has no values.
//
// Returns the call paths of two or more pprofs with one column for each. Two columns follow: the
// difference of the last and the first, and its share of the first one's sum. The largest
// differences come first.
StatusOr<Table> DiffPprofs(std::span<const NamedPprof> pprofs);
// Returns functions by self time, with the time of their callees.
StatusOr<Table> TopFunctions(const Pprof& pprof);

// The part of a program to which time is attributed.
enum class PprofOwner : uint8_t { kExecutor, kKernels, kWaiting, kOther };
// Returns the owner of a sample. Its label "level" decides if it has one, otherwise its innermost
// known function. Functions of namespace tfrt belong to the executor; its kernels and the maths
// libraries are kernels.
PprofOwner OwnerOf(const Pprof& pprof, const Pprof::Sample& sample);
// Returns one row for each owner: shows the cost of the executor itself.
StatusOr<Table> OwnerShares(const Pprof& pprof);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PPROF_H_
