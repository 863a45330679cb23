// One case, from the model's file to the comparison of its outputs.
#ifndef TFRT_TEST_CONFORMANCE_RUN_CASE_H_
#define TFRT_TEST_CONFORMANCE_RUN_CASE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tfrt/support/status.h"

namespace tfrt::conformance {

struct Outcome {
  enum class State { kPass, kRefused, kWrong };
  State state;
  // One line: why it is not right or, of one that is, the rows of the op table that its model was
  // imported to.
  std::string reason = {};
};

struct CaseOptions {
  bool exact = false;  // compiles as `tfrt_import --numerics=exact` does
  // Instead of a comparison, writes each result of the last run beside its data set's inputs, as
  // result_0.npy, result_1.npy, ... Reasons begin with where in the model a run failed.
  bool write_results = false;
};

// Runs cases, one after the other. They share a host, and several share a context of MLIR, which
// takes longer to make than most cases take.
class CaseRunner {
 public:
  // Ends the program if kernels cannot be registered.
  explicit CaseRunner(const CaseOptions& options = {});
  ~CaseRunner();
  // Refused: by the importer, because a kernel is missing, or with an error of the run. Wrong:
  // other outputs than the case says, and models whose graph cannot be compiled.
  Outcome Run(const std::string& path);
  // The ops of the model's @main behind all passes on graphs, which are kernels, by name and in
  // their order. `dims` are sizes for symbols of its inputs. An error has the first diagnostic.
  StatusOr<std::vector<std::string>> KernelsOf(const std::string& model,
                                               const std::map<std::string, int64_t>& dims);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt::conformance

#endif  // TFRT_TEST_CONFORMANCE_RUN_CASE_H_
