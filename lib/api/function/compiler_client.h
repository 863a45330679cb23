// CompilerClient: asks the compiler service, which it loads when it is first needed.
#ifndef TFRT_LIB_API_FUNCTION_COMPILER_CLIENT_H_
#define TFRT_LIB_API_FUNCTION_COMPILER_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/format/traced_graph/traced_graph.h"
#include "tfrt/function/function.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

// A compiled program, or text, and who owns its bytes.
struct CompiledBytes {
  std::shared_ptr<const void> owner;
  FileBytes bytes = FileBytes::Borrow({});
  std::vector<PassCounts> passes;
  std::vector<std::string> warnings;
};

// Thread-safe. `output`: one of TFRT_OUTPUT_*. FailedPrecondition if there is no compiler: it names
// the library and where it was looked for; otherwise the compiler's error, with the place.
StatusOr<CompiledBytes> Compile(const EncodedGraph& graph, uint32_t output);

// Returns a number that identifies the result of Compile, in hexadecimal digits. It depends on the
// graph, on the elements of its constants, and on the version of the compiler. Fails with the
// errors of Compile.
StatusOr<std::string> CompilationKey(const EncodedGraph& graph);

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_COMPILER_CLIENT_H_
