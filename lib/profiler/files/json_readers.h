// Readers of the dialects of Chrome's trace format; ReadJsonProfile chooses one of them.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_READERS_H_
#define TFRT_LIB_PROFILER_FILES_JSON_READERS_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "json_events.h"
#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// The first member of a file of CreateChromeJsonWriter, and its value.
inline constexpr std::string_view kChromeJsonMark = "tfrt_trace";
inline constexpr int64_t kChromeJsonVersion = 1;

class JsonReader : public JsonEventHandler {
 public:
  // Passes on all remaining data.
  virtual void Finish() = 0;
};

// Make readers that pass data to `consumer`, which must outlive them.
std::unique_ptr<JsonReader> MakeOwnJsonReader(ProfileConsumer& consumer);
std::unique_ptr<JsonReader> MakeOnnxRuntimeReader(ProfileConsumer& consumer);
std::unique_ptr<JsonReader> MakePyTorchReader(ProfileConsumer& consumer);
std::unique_ptr<JsonReader> MakeTensorFlowReader(ProfileConsumer& consumer);
std::unique_ptr<JsonReader> MakeAnyChromeReader(ProfileConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_READERS_H_
