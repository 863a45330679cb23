// Chains of element-wise ops as one.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "lib/ops/maths/cpu/tape.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status ElementwiseTape(VariadicOpArguments<DenseHostTensor> arguments, const TensorMetadata& result,
                       const OpAttrsRef& attrs, OpCall& call) {
  auto program = attrs.GetArray<int64_t>("program");
  auto constants = attrs.GetArray<float>("constants");
  if (!program || !constants) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the program is missing"));
  }
  // It may come from any file.
  auto steps = DecodeTape(*program, arguments.size(), constants->size());
  if (!steps.ok()) {
    return InvalidArgumentError(StrCat(call.op_name(), ": ", steps.status().message()));
  }
  std::vector<cpu::Tape::Argument> layouts;
  std::vector<const void*> data;
  std::vector<const DenseHostTensor*> operands;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DenseHostTensor& argument = arguments[i];
    layouts.push_back({argument.shape(), argument.dtype()});
    data.push_back(argument.data());
    operands.push_back(&argument);
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (out.num_elements() == 0) {
    SetResult(call, 0, std::move(out));
    return OkStatus();
  }
  operands.push_back(&out);
  auto tape = std::make_shared<const cpu::Tape>(
      *std::move(steps), std::vector(constants->begin(), constants->end()), layouts, out.shape());
  AsyncValueRef<Chain> done = RunBlocks(
      call.exec_ctx(), static_cast<size_t>(out.num_elements()),
      std::max(ItemsPerBlock(tape->cost_of_element()), cpu::Tape::kLeastElements), operands,
      [tape, data = std::move(data), to = WritableData<void>(out)](size_t begin, size_t end) {
        tape->Run(data, to, begin, end);
      });
  SetResultAfter(call, 0, std::move(out), std::move(done));
  return OkStatus();
}

}  // namespace

void RegisterTapeOps(OpRegistry* registry) {
  registry->Implement("graph.elementwise_tape", {.function = TFRT_OP(ElementwiseTape)});
}

}  // namespace tfrt
