// Memory planning: assigns the tensors of a function to places in one block of memory. Tensors that
// are never needed at the same time share bytes. Plain data, no MLIR; docs/compiler.md has
// the rules.
//
// A function runs asynchronously. Two ops that do not depend on each other may run at the same time
// or in any order, whatever the program's order. So a tensor takes over bytes of another only under
// one condition. Every use of the other one is certain to be over when its own first use starts.
#ifndef TFRT_LIB_COMPILER_MEMORY_PLANNING_MEMORY_PLANNER_H_
#define TFRT_LIB_COMPILER_MEMORY_PLANNING_MEMORY_PLANNER_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace tfrt::compiler {

struct PlannedTensor {
  int64_t size_bytes = 0;  // more than 0
  int64_t element_bytes = 1;
};

// A value that an op depends on.
struct PlannerOperand {
  uint32_t op = 0;       // the op that makes it; must come before the op that uses it
  bool is_done = false;  // it becomes available when all work of that op is done
};

// One use of a planned tensor as an operand of an op. A tensor that is an operand twice is used
// twice.
struct TensorUse {
  uint32_t tensor = 0;
  bool writes = false;
  // The tensor is read and may occupy the same bytes as the tensor that the op writes.
  bool may_share = false;
};

struct PlannerOp {
  // Starts only when all its operands are available. Must be true for an op with uses.
  bool strict = true;
  std::vector<PlannerOperand> operands;  // those that other ops of the function make
  std::vector<TensorUse> uses;
};

struct MemoryPlan {
  static constexpr int64_t kAlignment = 64;

  std::vector<int64_t> offsets;  // by tensor, multiples of kAlignment
  int64_t size_bytes = 0;        // of the whole block
  // For comparison, with all sizes rounded up to kAlignment: the sum of all tensors, and a lower
  // bound. The bound is the most bytes in use at one op if the ops run one after another in program
  // order. Tensors that take over all bytes of another in place count once.
  int64_t unplanned_bytes = 0;
  int64_t lower_bound_bytes = 0;
};

// Plans the tensors, each of which must be used by some op. Returns nullopt if the sizes add up to
// more than 2^62. Takes time proportional to ops times uses, plus quadratic time in the tensors.
std::optional<MemoryPlan> PlanTensors(const std::vector<PlannedTensor>& tensors,
                                      const std::vector<PlannerOp>& ops);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_MEMORY_PLANNING_MEMORY_PLANNER_H_
