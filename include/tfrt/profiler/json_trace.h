// Traces as JSON of Chrome's trace event format: ours, written and read exactly, and those of
// others.
#ifndef TFRT_PROFILER_JSON_TRACE_H_
#define TFRT_PROFILER_JSON_TRACE_H_

#include <memory>
#include <string>
#include <string_view>

#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Writes a file for viewers (ui.perfetto.dev, chrome://tracing), from which ReadJsonTrace gets all
// that was told: ids, times to the nanosecond, names of any bytes, problems. Viewers want events of
// one row to nest: what overlaps on a track gets rows of its own. Events that share a correlation
// id are joined by arrows (of the first million). Takes 20 bytes of memory an event, and space for
// a second copy beside the file while it is written; the file is there when Finish returns OK.
class ChromeJsonWriter final : public TraceConsumer {
 public:
  // Internal if no file can be made in the path's folder.
  static StatusOr<std::unique_ptr<ChromeJsonWriter>> Create(std::string path);
  ~ChromeJsonWriter() override;

  void AddProperty(std::string_view key, std::string_view value) override;
  void AddString(std::string_view text) override;
  void AddType(const EventType& type) override;
  void AddTrack(const Track& track) override;
  void AddEvent(const EventFields& event) override;
  void AddReady(uint64_t id, int64_t ready_ns) override;
  void AddProblem(const Problem& problem) override;
  Status Finish() override;

 private:
  struct Impl;
  explicit ChromeJsonWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The first bytes of a file, 512 or all of them: JSON, packed by gzip or not.
bool LooksLikeJsonTrace(std::string_view first_bytes);

// Reads what ChromeJsonWriter wrote, and, into the types of our own traces, the profiles of ONNX
// Runtime, of PyTorch (export_chrome_trace) and of TensorFlow (trace.json.gz); any other Chrome
// trace as scopes. Ours in memory for its names only; those of others whole, because who is inside
// of whom is seen at the end, up to 10^7 events. What is broken or cut off is read until there and
// told as a problem. InvalidArgument if it is no trace at all.
Status ReadJsonTrace(const std::string& path, TraceConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_JSON_TRACE_H_
