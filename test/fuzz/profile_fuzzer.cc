// libFuzzer: arbitrary bytes as a profile in JSON, as an XSpace and as a profile. What the first
// byte of a file looks like decides who reads it, so that seeds of one format stay with its reader.
//
// Beside what sanitizers find, what include/tfrt/profiler promises is looked at: streams speak only
// of what they have told, errors name the file, and what was read can be written and read again.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "lib/profiler/files/json_profile.h"
#include "lib/profiler/files/xspace_profile.h"
#include "lib/profiler/pprof.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {
namespace {

void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

void RequireError(const Status& status, const std::string& path) {
  Require(status.message().starts_with(path), "an error says which file it is about");
}

template <typename Read>
void ReadProfile(Read read, const std::string& path) {
  ProfileBuilder builder;
  if (Status status = read(path, builder); !status.ok()) return RequireError(status, path);
  const Profile profile = builder.Build();
  for (const Problem& problem : profile.problems()) {
    Require(problem.text.find("that are not there") == std::string::npos ||
                problem.kind == Problem::Kind::kNoParent,
            "a stream speaks of what it has told");
  }
  const Pprof pprof = PprofOf(profile);
  StatusOr<Pprof> again = ParsePprof(EncodePprof(pprof));
  Require(again.ok() && again->samples.size() == pprof.samples.size(),
          "a profile that was written can be read");
}

void ReadAny(std::string_view bytes) {
  static const std::string path = [] {
    const char* folder = std::getenv("TMPDIR");
    return std::string(folder ? folder : "/tmp") + "/tfrt_profile_fuzzer." +
           std::to_string(getpid()) + ".profile";
  }();
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  LooksLikeJsonProfile(bytes);
  LooksLikeXSpace(bytes);
  LooksLikePprof(bytes);
  if (bytes.starts_with('\n')) {
    ReadProfile(ReadXSpace, path);
    StatusOr<Pprof> profile = ParsePprof(bytes);
    if (profile.ok()) Require(ParsePprof(EncodePprof(*profile)).ok(), "profiles are rewritten");
  } else {
    ReadProfile(ReadJsonProfile, path);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tfrt::profiler

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfrt::profiler::ReadAny({reinterpret_cast<const char*>(data), size});
  return 0;
}
