// ParseJsonEvents: reads the events of a Chrome trace one after the other, in memory that does not
// grow with the file.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_EVENTS_H_
#define TFRT_LIB_PROFILER_FILES_JSON_EVENTS_H_

#include <optional>
#include <string>

#include "json_tree.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Receives the contents of a file, in its order. Trees are valid during the call.
class JsonEventHandler {
 public:
  JsonEventHandler() = default;
  JsonEventHandler(const JsonEventHandler&) = delete;
  JsonEventHandler& operator=(const JsonEventHandler&) = delete;
  virtual ~JsonEventHandler() = default;

  // Receives a member of the outermost object that is not the events, before or after them. Not
  // called for members that are too large.
  virtual void OnMember(const JsonRef& value) = 0;
  // Receives an element of "traceEvents", or of the array that is the whole file.
  virtual void OnEvent(const JsonRef& event) = 0;
};

struct JsonParse {
  bool has_events = false;         // an array of them is present
  bool is_array = false;           // which is the whole file
  uint64_t num_events = 0;         // including those that the handler did not receive
  uint64_t num_too_large = 0;      // events that were left out
  std::optional<Problem> problem;  // why the rest was not read
};

// Reads the file at `path`, packed by gzip or not. Fails with NotFound or Internal if it cannot be
// opened or read.
StatusOr<JsonParse> ParseJsonEvents(const std::string& path, JsonEventHandler& handler);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_EVENTS_H_
