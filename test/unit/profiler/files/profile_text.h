// Profiles as texts, streams of random ones, and what tests of files share.
#ifndef TFRT_TEST_UNIT_PROFILER_FILES_PROFILE_TEXT_H_
#define TFRT_TEST_UNIT_PROFILER_FILES_PROFILE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// All that a profile holds, one line each: events by time, properties, problems.
std::string TextOf(const Profile& profile);
// Events only, with their parents' names: "layer conv1 in model.run model: 5..9 op=Conv number=6".
std::string EventsText(const Profile& profile);

// Tells a consumer of a stream that has all that streams can have: names of any bytes, numbers at
// their limits, overlapping events, parents that are not there. The same for the same seed.
void TellRandomStream(uint32_t seed, int num_events, ProfileConsumer& consumer);

// A path in the folder of this test's files.
std::string TestPath(std::string_view name);
void WriteBytes(const std::string& path, std::string_view bytes);
std::string ReadBytes(const std::string& path);

// What `read` tells of the file.
template <typename Read>
StatusOr<Profile> ReadWith(Read read, const std::string& path) {
  ProfileBuilder builder;
  TFRT_RETURN_IF_ERROR(read(path, builder));
  return builder.Build();
}

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_FILES_PROFILE_TEXT_H_
