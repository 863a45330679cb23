// Program: a function body decoded once, bound to its kernels, immutable, shared by all runs.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_PROGRAM_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_PROGRAM_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernel_records.h"
#include "lib/format/bef/bef_reader.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt::internal {

inline constexpr uint32_t kNoRegister = UINT32_MAX;
// The size of Program::dead_lists if no register ever dies.
inline constexpr size_t kEmptyDeadLists = 2;

// One cache line, because running a kernel reads all of it.
struct alignas(64) ProgramKernel : KernelCallSite {
  bool non_strict = false;
  bool clears_results = false;       // KernelSignature::clears_results
  bool returns_all_results = false;  // KernelSignature::returns_all_results
  bool is_op = false;                // KernelSignature::is_op
  union {
    AsyncKernel async_function = nullptr;
    SyncKernel sync_function;
  };
  // The registers whose values are dead after this kernel, when kernels run in the static order.
  // They are arguments in operand order, then unused results, up to kNoRegister; dead[-1] is their
  // number. Borrowed arguments of a run never die. For a run that has them the list begins at
  // dead[Program::borrowed_dead_lists]. In sync programs registers with trivial payloads are left
  // out.
  const uint32_t* dead;

  std::span<const uint32_t> argument_registers() const { return {arguments, num_arguments}; }
  std::span<const uint32_t> dead_registers() const { return {dead, dead[-1]}; }
};
static_assert(sizeof(ProgramKernel) == 64);

struct ProgramRegister {
  std::span<const uint32_t> users;    // kernels, last use first, with multiplicity
  std::span<const uint32_t> returns;  // positions in the results
  bool returned() const { return !returns.empty(); }
};

struct Program {
  std::string_view name;
  uint32_t num_arguments = 0;
  // How many a run needs. In a sync program values whose lives do not overlap share one.
  uint32_t num_registers = 0;
  uint32_t root_stream = 0;
  bool is_sync = false;
  bool has_non_strict = false;
  // No kernel has an effect, nor has any function that they run: order_free.h.
  bool order_free = false;
  // When every argument is available, a run under the single-threaded queue can be seen only by a
  // result that comes from one of its tasks. Its call may then return before the run has begun.
  bool can_be_put_off = false;
  bool single_segment = false;  // the queue's order puts no task into the work queue while all
                                // values are available
  // A run with concrete arguments is static, and begins without care: single_segment, and
  // all_clear_results.
  bool is_simple = false;

  bef::DecodedFunction body;  // owns the lists of registers and kernels
  std::span<const std::string_view> kernel_names;
  const bef::BefView* view = nullptr;  // of the file
  [[no_unique_address]] ProgramRecordNames record_names;
  // In static order if there is one, else in program order.
  std::vector<ProgramKernel> kernels;
  std::vector<uint32_t> positions;  // in `kernels`, by number in program order
  std::vector<uint32_t> numbers;    // the reverse
  std::vector<ProgramRegister> registers;
  std::vector<uint32_t> return_positions;  // what ProgramRegister::returns point into
  struct Return {
    uint32_t source;  // register
    // Equals source + 1 if no later position returns the same register; otherwise 0. Such a
    // position takes the register's own reference if the run owns one.
    uint32_t takes_from;
  };
  std::vector<Return> returns;             // by result position
  std::vector<uint32_t> unused_arguments;  // neither used nor returned
  std::vector<const uint8_t*> attributes;
  std::vector<const Function*> functions;
  AsyncKernelFrame::Tables tables;  // of static runs

  // An order in which kernels may run while every value is available; programs with non-strict
  // kernels have none. It is that of docs/executor.md if single_segment. Else it is another one,
  // which is right if order_free or if the work queue has several threads.
  bool has_static_order = false;
  bool all_clear_results = true;  // so results are set unless the frame says otherwise
  bool all_return_all_results = true;
  std::vector<uint32_t> dead_lists;  // what ProgramKernel::dead points into
  size_t borrowed_dead_lists = 0;    // where those of runs with borrowed arguments begin, if apart

  // For a sync program: its registers have been renumbered, so those of the file no longer apply.
  std::vector<uint32_t> sync_operands;
  std::vector<uint32_t> sync_result_registers;

  std::span<const uint32_t> result_registers() const { return body.returns(); }
  const ProgramKernel& kernel(uint32_t number) const { return kernels[positions[number]]; }
  // The kernel's number in program order.
  uint32_t number(const ProgramKernel& kernel) const { return numbers[&kernel - kernels.data()]; }
  std::string_view kernel_name(const ProgramKernel& kernel) const {
    return kernel_names[body.kernels()[number(kernel)].kernel_id()];
  }
  uint32_t stream(uint32_t number) const { return body.kernels()[number].stream(); }
};

inline tracing::Name RecordNames::OfKernel(const Program& program,
                                           const ProgramKernel& kernel) const {
  return Get(program)[1 + 2 * (&kernel - program.kernels.data())];
}
inline tracing::Name RecordNames::OfLayer(const Program& program,
                                          const ProgramKernel& kernel) const {
  return Get(program)[2 + 2 * (&kernel - program.kernels.data())];
}

// Returns the names of the program and its kernels in records. Only while something is recorded.
inline tracing::Name RecordNameOf(const Program& program) {
  return program.record_names.OfFunction(program);
}
inline tracing::Name RecordNameOf(const Program& program, const ProgramKernel& kernel) {
  return program.record_names.OfKernel(program, kernel);
}
inline tracing::Name RecordLayerOf(const Program& program, const ProgramKernel& kernel) {
  return program.record_names.OfLayer(program, kernel);
}

// The record of a call of a kernel, from construction to End.
class KernelRecordScope : public tracing::RecordScope {
 public:
  KernelRecordScope(const Program& program, const ProgramKernel& kernel)
      : RecordScope(
            kernel.is_op ? kLayerRecord : kKernelRecord,
            [&] { return RecordLayerOf(program, kernel); }, {},
            [&] { return program.number(kernel); },
            [&] { return kernel.is_op ? RecordNameOf(program, kernel) : tracing::Name(); }) {}
};

// Finds the static order and the dead registers. Before, the kernels are in program order, and the
// reusable_register of a kernel is the first argument of the type of its result, or -1.
void ScheduleProgram(Program* program);
// Does the same for a sync function, which always runs in program order; renumbers its registers.
// For each kernel, `trivial_results` tells whether the payloads of its results need no destructor.
void ScheduleSyncProgram(Program* program, const std::vector<uint8_t>& trivial_results);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_PROGRAM_H_
