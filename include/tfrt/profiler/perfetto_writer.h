// PerfettoWriter: writes a trace as a native Perfetto file, which ui.perfetto.dev opens.
//
// Threads, streams and the process are tracks, events slices or instants on them with their
// arguments, `depth` and `in_use` counters; events of one correlation id are joined by arrows, and
// what a device ran is told to Perfetto's GPU view as well. What Perfetto has no fields for is in
// extensions of ours (lib/profiler/perfetto/tfrt_trace.proto), which the file describes to
// Perfetto's own tools: ReadPerfetto (perfetto_reader.h) gives exactly what was written.
#ifndef TFRT_PROFILER_PERFETTO_WRITER_H_
#define TFRT_PROFILER_PERFETTO_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Memory: the buffer, the trace's texts and types, and for each track a bounded knowledge of what
// is on it. Events may come in any order; those of a thread in the order of their ends, as sessions
// give them, or of their begins look best.
//
// Slices of one track nest in Perfetto. Those that do not, and those of which it is no longer known
// whether they do, are shown on additional tracks below ("overlapping"). A slice that begins
// together with one that it contains and that was written before is shown some nanoseconds earlier.
// The exact times are in the extensions.
class PerfettoWriter final : public TraceConsumer {
 public:
  static constexpr size_t kDefaultBufferBytes = size_t{256} << 10;

  // Writes to a new file, or in place of the one that is there. InvalidArgument "cannot write
  // 'PATH': REASON", FailedPrecondition while another writer, of any process, writes the file.
  static StatusOr<std::unique_ptr<PerfettoWriter>> Create(
      const std::string& path, size_t buffer_bytes = kDefaultBufferBytes);
  // Writes to a file, pipe or socket that is open, and leaves it open; `name` is for messages.
  static std::unique_ptr<PerfettoWriter> ToDescriptor(int descriptor, std::string name,
                                                      size_t buffer_bytes = kDefaultBufferBytes);
  // Flushes. Without Finish, readers say that the trace was not finished.
  ~PerfettoWriter() override;

  void AddProperty(std::string_view key, std::string_view value) override;
  void AddString(std::string_view text) override;
  void AddType(const EventType& type) override;
  void AddTrack(const Track& track) override;
  void AddEvent(const EventFields& event) override;
  void AddReady(uint64_t id, int64_t ready_ns) override;
  void AddProblem(const Problem& problem) override;
  // Internal "cannot write 'PATH': REASON"; InvalidArgument for an event of a type, name or track
  // that is not there, or with more or fewer arguments than its type, and for a text that is too
  // long to be read again.
  Status Finish() override;

  // Hands the system all that was added until now: from then on it is in the file, even if the
  // process is killed. Each write consists of complete packets. Finish tells of errors.
  void Flush() override;
  // That the file has, with what waits in the buffer.
  uint64_t num_bytes() const;

 private:
  class Encoder;
  explicit PerfettoWriter(std::unique_ptr<Encoder> encoder);

  std::unique_ptr<Encoder> encoder_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_PERFETTO_WRITER_H_
