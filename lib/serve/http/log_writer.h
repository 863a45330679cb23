// LogWriter: lines of a log, written by a thread of its own.
#ifndef TFRT_LIB_SERVE_HTTP_LOG_WRITER_H_
#define TFRT_LIB_SERVE_HTTP_LOG_WRITER_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tfrt/support/os_thread.h"
#include "tfrt/support/status.h"

namespace tfrt::serve::http {

// Thread-safe. Lines wait in memory of a bounded size. If the file does not keep up, further lines
// are left out and counted, because requests must not wait for a log.
class LogWriter {
 public:
  static constexpr size_t kDefaultBytes = 4 << 20;
  // Appends to a file, or to standard error if the path is empty. Fails with Unavailable.
  static StatusOr<std::unique_ptr<LogWriter>> Open(const std::string& path,
                                                   size_t max_waiting_bytes = kDefaultBytes);
  // Writes the lines that wait.
  ~LogWriter();

  // Adds a line, which ends with a line feed. Does not block.
  void Add(std::string_view line);
  // Returns how many lines were left out so far, also because of failed writes.
  uint64_t num_dropped();

 private:
  LogWriter(int fd, size_t max_waiting_bytes) : fd_(fd), max_waiting_bytes_(max_waiting_bytes) {}
  void Run();

  const int fd_;
  const size_t max_waiting_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;  // whole lines
  uint64_t num_waiting_ = 0, num_dropped_ = 0;
  bool is_ending_ = false;
  OsThread thread_;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_LOG_WRITER_H_
