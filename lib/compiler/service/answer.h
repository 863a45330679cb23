// Answer: what a call of the compiler service gives back, with all that it points to.
#ifndef TFRT_LIB_COMPILER_SERVICE_ANSWER_H_
#define TFRT_LIB_COMPILER_SERVICE_ANSWER_H_

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lib/format/traced_graph/compiler_service.h"
#include "mlir/IR/Diagnostics.h"
#include "tfrt/support/status.h"

namespace tfrt::compiler {

// Used by one thread at a time. It copies the data that it keeps.
class Answer : public TfrtCompileAnswer {
 public:
  Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  void addDiagnostic(mlir::Diagnostic& diagnostic);
  void addPass(llvm::StringRef pass, uint64_t before, uint64_t after, uint64_t nanoseconds);
  void setOutput(std::span<const uint8_t> bytes);
  // Ends with an error: the first diagnostic that is one, or else this.
  void fail(StatusCode code, llvm::StringRef message);
  // Lets the C members point to what there is.
  TfrtCompileAnswer* finish();

 private:
  const char* keep(llvm::StringRef text);

  std::deque<std::string> texts_;
  std::vector<TfrtDiagnostic> diagnostics_;
  std::vector<TfrtPassCounts> passes_;
  std::unique_ptr<uint8_t, decltype(&std::free)> output_{nullptr, &std::free};
  std::string first_error_;
};

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_SERVICE_ANSWER_H_
