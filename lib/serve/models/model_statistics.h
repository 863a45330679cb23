// ModelStatistics: what one version of a model has done since it was loaded. Plain data.
#ifndef TFRT_LIB_SERVE_MODELS_MODEL_STATISTICS_H_
#define TFRT_LIB_SERVE_MODELS_MODEL_STATISTICS_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

#include "tfrt/support/status.h"

namespace tfrt::serve {

// How often something took how long.
struct DurationCount {
  uint64_t count = 0;
  uint64_t nanoseconds = 0;

  void Add(std::chrono::nanoseconds duration) {
    ++count;
    nanoseconds += static_cast<uint64_t>(std::max<int64_t>(duration.count(), 0));
  }
};

// Counts durations by size. Each bucket counts those of at most its bound, and above the one
// before.
struct DurationHistogram {
  static constexpr std::array<uint32_t, 18> kBoundsMicroseconds = {
      50,    100,    200,    500,    1000,    2000,    5000,    10000,    20000,
      50000, 100000, 200000, 500000, 1000000, 2000000, 5000000, 10000000, 30000000};

  std::array<uint64_t, kBoundsMicroseconds.size() + 1> counts = {};  // the last: longer ones
  DurationCount total;

  void Add(std::chrono::nanoseconds duration) {
    const auto* bound =
        std::ranges::lower_bound(kBoundsMicroseconds, duration.count(), {},
                                 [](uint32_t bound) { return static_cast<int64_t>(bound) * 1000; });
    ++counts[static_cast<size_t>(bound - kBoundsMicroseconds.begin())];
    total.Add(duration);
  }
};

// The runs of a number of rows.
struct RunCounts {
  DurationCount compute_input;
  DurationCount compute_infer;
  DurationCount compute_output;
};

struct ModelStatistics {
  DurationCount success;  // from the submission to the answer
  DurationCount failure;
  DurationCount queue;           // of requests, until their run began
  DurationCount compute_input;   // of requests: their run's inputs were put together
  DurationCount compute_infer;   // of requests: their run
  DurationCount compute_output;  // of requests: their run's results were taken apart
  std::array<uint64_t, 17> answers_by_code = {};  // StatusCode; 0: successes
  DurationHistogram queue_times;                  // of requests
  DurationHistogram run_times;                    // of runs

  uint64_t num_rows = 0;  // computed: requests without rows count as 1
  uint64_t num_runs = 0;
  // Runs by the number of rows. More than kMaxCountedRows count as the next power of two, or as
  // max_batch_size if that is less. Clients choose the rows, and must not make this grow.
  static constexpr int64_t kMaxCountedRows = 256;
  std::map<int64_t, RunCounts> runs;
  int64_t last_inference_milliseconds = 0;  // since 1970; 0: none

  // Now.
  size_t num_waiting = 0;
  size_t waiting_bytes = 0;  // of inputs, also of requests that run
  size_t result_bytes = 0;   // of results that were not received yet
  size_t num_running = 0;    // requests
  size_t num_sessions = 0;
  size_t session_bytes = 0;  // memory that the sessions hold
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_MODEL_STATISTICS_H_
