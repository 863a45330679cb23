// Profiles as JSON of Chrome's trace event format. The project's own are written and read exactly;
// profiles of other tools can be read.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_PROFILE_H_
#define TFRT_LIB_PROFILER_FILES_JSON_PROFILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Writes a file for viewers (ui.perfetto.dev, chrome://tracing). ReadJsonProfile restores all data
// from it: ids, times to the nanosecond, names of any bytes, problems. Viewers need events of one
// row to nest, so overlapping events on a track get separate rows. Events that share a correlation
// id are joined by arrows (of the first million).
//
// Takes 20 bytes of memory per event, and space for a second copy beside the file while it is
// written. The file exists when Finish returns OK.
class ChromeJsonWriter final : public ProfileConsumer {
 public:
  // Fails with Internal if no file can be made in the path's folder.
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

// Returns whether these may be the first bytes of such a file, 512 or all of them: JSON, packed by
// gzip or not.
bool LooksLikeJsonProfile(std::string_view first_bytes);

// Reads files of ChromeJsonWriter. Converts the profiles of ONNX Runtime, of PyTorch
// (export_chrome_trace) and of TensorFlow (trace.json.gz) into the project's own types; any other
// Chrome trace becomes scopes.
//
// Own files need memory only for their names. Files of others are held as a whole, up to 10^7
// events, because nesting is only known at the end. A damaged or truncated file is read up to the
// damage, which is reported as a problem. Fails with InvalidArgument if the file is no profile at
// all.
Status ReadJsonProfile(const std::string& path, ProfileConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_PROFILE_H_
