// One case, from the model's file to the comparison of its outputs.
#ifndef TFRT_TEST_CONFORMANCE_RUN_CASE_H_
#define TFRT_TEST_CONFORMANCE_RUN_CASE_H_

#include <memory>
#include <string>

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::conformance {

struct Outcome {
  enum class State { kPass, kRefused, kWrong };
  State state;
  // One line: why it is not right or, of one that is, the rows of the op table that its model was
  // imported to.
  std::string reason = {};
};

// What the cases of a process share. Ends the program if kernels cannot be registered.
std::unique_ptr<HostContext> MakeHost();

// Refused: by the importer, because a kernel is missing, or with an error of the run. Wrong: other
// outputs than the case says, and models whose graph cannot be compiled.
Outcome RunCase(const std::string& path, HostContext* host);

}  // namespace tfrt::conformance

#endif  // TFRT_TEST_CONFORMANCE_RUN_CASE_H_
