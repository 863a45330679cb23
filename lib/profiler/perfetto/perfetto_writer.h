// PerfettoWriter: writes a profile as a native Perfetto file, which ui.perfetto.dev opens.
//
// Threads, streams and the process are tracks. Events are slices or instants on them with their
// arguments; `depth` and `in_use` are counters. Events of one correlation id are joined by arrows.
// Events of devices are also written for Perfetto's GPU view.
//
// Data without fields in Perfetto are in the project's extensions
// (lib/profiler/perfetto/tfrt_trace.proto), which the file describes to Perfetto's own tools.
// ReadPerfetto (perfetto_reader.h) restores exactly the written data.
#ifndef TFRT_LIB_PROFILER_PERFETTO_PERFETTO_WRITER_H_
#define TFRT_LIB_PROFILER_PERFETTO_PERFETTO_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Memory holds the buffer, the profile's texts and types, and for each track a bounded history of
// its contents. Events may come in any order. Those of a thread look best in the order of their
// ends, which sessions use, or of their begins.
//
// Slices of one track nest in Perfetto. Slices that do not, or that are too old to tell, are shown
// on additional tracks below ("overlapping"). If a slice begins together with one that it contains
// and that was written before, it is shown some nanoseconds earlier. The exact times are in the
// extensions.
//
// Finish fails with Internal "cannot write 'PATH': REASON". It fails with InvalidArgument for an
// event of a missing type, name or track, or with more or fewer arguments than its type. It fails
// so, too, for a text that is too long to be read again.
//
// Flush passes all data that were added until then to the system. From then on they are in the
// file, even if the process is killed. Each write consists of complete packets. The destructor
// flushes; without Finish, readers report that the profile was not finished.
class PerfettoWriter : public ProfileConsumer {
 public:
  static constexpr size_t kDefaultBufferBytes = size_t{256} << 10;

  // Writes to a new file, or replaces an existing one. Fails with InvalidArgument "cannot write
  // 'PATH': REASON", and with FailedPrecondition while another writer, of any process, writes the
  // file.
  static StatusOr<std::unique_ptr<PerfettoWriter>> Create(
      const std::string& path, size_t buffer_bytes = kDefaultBufferBytes);
  // Writes to an open file, pipe or socket, and leaves it open; `name` is for messages.
  static std::unique_ptr<PerfettoWriter> ToDescriptor(int descriptor, std::string name,
                                                      size_t buffer_bytes = kDefaultBufferBytes);
  // Returns the size of the file, including the data in the buffer.
  virtual uint64_t num_bytes() const = 0;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_PERFETTO_WRITER_H_
