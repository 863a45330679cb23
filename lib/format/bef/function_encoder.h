// The bytes of one function body in the Functions section.
#ifndef TFRT_LIB_FORMAT_BEF_FUNCTION_ENCODER_H_
#define TFRT_LIB_FORMAT_BEF_FUNCTION_ENCODER_H_

#include <cstdint>
#include <vector>

#include "tfrt/bef/bef_buffer.h"

namespace tfrt::bef {

struct EncodedKernel {
  uint32_t kernel_id = 0;  // position in the Kernels section
  uint32_t location = 0;   // offset in the Locations section, or virtual
  uint32_t stream = 0;
  std::vector<uint32_t> operands;    // registers
  std::vector<uint32_t> attributes;  // offsets in the Attributes section, in attribute name order
  std::vector<uint32_t> functions;   // function ids
  std::vector<uint32_t> results;     // registers
};

// A function body. Registers 0 .. num_arguments - 1 are the arguments; every other one is the
// result of one kernel.
struct FunctionBody {
  uint32_t location = 0;
  uint32_t root_stream = 0;
  uint32_t num_arguments = 0;
  uint32_t num_registers = 0;
  std::vector<EncodedKernel> kernels;  // program order
  std::vector<uint32_t> returns;       // registers
};

// Appends the body to the Functions payload and returns its offset. Computes use counts and user
// lists. All register numbers must be below num_registers.
uint32_t EncodeFunctionBody(const FunctionBody& body, Buffer* functions);

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_FUNCTION_ENCODER_H_
