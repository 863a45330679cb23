// Program: a function body decoded once, bound to its kernels, immutable, shared by all runs.
#ifndef TFRT_LIB_EXECUTOR_PROGRAM_H_
#define TFRT_LIB_EXECUTOR_PROGRAM_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt::internal {

// A slice of one of Program's pools.
struct Slice {
  uint32_t begin = 0;
  uint32_t size = 0;
};

struct ProgramKernel {
  AsyncKernel async_function = nullptr;
  SyncKernel sync_function = nullptr;
  Slice arguments;   // in `indices`: registers; in `uses`: how each argument is used
  Slice results;     // in `indices`: registers
  Slice attributes;  // in `attributes`
  Slice functions;   // in `functions`
  uint32_t stream = 0;
  uint32_t location = 0;
  bool non_strict = false;
  std::string_view name;
};

// How a kernel uses one of its arguments, when the kernels run in `static_order`.
enum UseFlags : uint8_t {
  kLastUse = 1,    // no later kernel uses the register and the function does not return it
  kReusable = 2,   // kLastUse, and the kernel gets the register only once
};

struct ProgramRegister {
  Slice users;    // in `indices`: kernels, last use first, with multiplicity
  Slice returns;  // in `indices`: positions in `result_registers`
  bool returned() const { return returns.size != 0; }
};

struct Program {
  std::string_view name;
  uint32_t num_arguments = 0;
  uint32_t root_stream = 0;
  uint32_t max_results = 0;    // of any one kernel
  uint32_t max_arguments = 0;  // of any one kernel
  bool has_non_strict = false;
  bool order_free = false;      // every kernel is
  bool single_segment = false;  // under 5.2 nothing is ever enqueued while all values are available

  std::vector<ProgramKernel> kernels;  // program order
  std::vector<ProgramRegister> registers;
  std::vector<uint32_t> result_registers;
  std::vector<uint32_t> starters;  // kernels without arguments, program order

  // The order in which kernels run while every value is available: that of docs/executor.md
  // if single_segment, else, if order_free, program order; else empty.
  std::vector<uint32_t> static_order;

  std::vector<uint32_t> indices;
  std::vector<uint8_t> uses;  // UseFlags, parallel to `indices` for argument slices
  std::vector<const uint8_t*> attributes;
  std::vector<const Function*> functions;

  std::span<const uint32_t> Indices(Slice slice) const {
    return {indices.data() + slice.begin, slice.size};
  }
};

// Computes single_segment, static_order and the use flags from the rest.
void ScheduleProgram(Program* program);
// The same for a sync function, which always runs in program order.
void ScheduleSyncProgram(Program* program);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_EXECUTOR_PROGRAM_H_
