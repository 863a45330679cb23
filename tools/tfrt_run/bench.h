// tfrt_run --bench: how long runs take.
#ifndef TFRT_TOOLS_TFRT_RUN_BENCH_H_
#define TFRT_TOOLS_TFRT_RUN_BENCH_H_

#include <functional>
#include <vector>

#include "command_line.h"
#include "tfrt/model/model.h"

namespace tfrt {

// Milliseconds of a steady clock.
double Now();

// Says on standard error what takes long, from a second on, and how far it is.
class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)), begin_(Now()), last_(begin_) {}
  ~Progress();
  // `total`: 0 if it is not known.
  void Tell(int done, int total);

 private:
  const std::string what_;
  const double begin_;
  double last_;
  bool has_told_ = false;
};

struct LoadTimes {
  double open = 0;
  double load = 0;
  double first_run = 0;
};

// Runs as often as the command line says: the time of each run. `session` has run these inputs.
StatusOr<std::vector<double>> TimeRuns(Session& session,
                                       std::span<const DenseHostTensor* const> inputs,
                                       const CommandLine& line);

// Runs, and prints times and memory.
Status Bench(Session& session, std::span<const DenseHostTensor* const> inputs,
             const CommandLine& line, const LoadTimes& load);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_BENCH_H_
