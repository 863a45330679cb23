// Progress: the line that a program writes on standard error while something takes long.
#ifndef TFRT_LIB_BASE_SUPPORT_PROGRESS_H_
#define TFRT_LIB_BASE_SUPPORT_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace tfrt {

// Writes nothing for the first second. From then on it writes one line: "PROGRAM: PHASE, 3 s" or
// "PROGRAM: PHASE: 5 of 10, 3 s". The line is rewritten each second until destruction. A separate
// thread writes, so the work need not return meanwhile. Thread-safe.
class Progress {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // `stream` must outlive the object.
  explicit Progress(std::string program, std::FILE* stream = stderr,
                    Duration interval = std::chrono::seconds(1));
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // Sets what the program does from now on: "loading".
  void Begin(std::string phase);
  // Sets how much of the phase is done. `total` is 0 if it is unknown.
  void Count(size_t done, size_t total);

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  void Write();

  const std::string program_;
  std::FILE* const stream_;
  const Duration interval_;
  const TimePoint begin_ = std::chrono::steady_clock::now();

  std::mutex mutex_;  // guards what follows
  std::condition_variable is_over_changed_;
  std::string phase_;
  size_t done_ = 0, total_ = 0;
  size_t line_size_ = 0;  // length of the line that is on the stream; 0: none is
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_PROGRESS_H_
