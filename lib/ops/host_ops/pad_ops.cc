// Ops that put elements around a tensor.

#include <algorithm>
#include <utility>
#include <vector>

#include "copied_result.h"
#include "lib/ops/maths/cpu/pick.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

// Sets the result to the dimensions picked from `in`; `constant`, one element or null for 0, stands
// for what is not there.
void SetPicked(const DenseHostTensor& in, std::vector<cpu::PickedDim> dims,
               const DenseHostTensor* constant, DenseHostTensor out, OpCall& call) {
  cpu::PickPlan plan(in.shape(), std::move(dims), DTypeSize(in.dtype()));
  const auto rows = static_cast<size_t>(plan.num_rows);
  const size_t row_bytes = plan.row_bytes;
  static constexpr char kZero[16] = {};
  const void* value = constant ? constant->data() : kZero;
  const DenseHostTensor& other = constant ? *constant : in;
  auto* to = WritableData<char>(out);
  ComputeResult(call, rows, row_bytes, {&in, &other}, std::move(out),
                [plan = std::move(plan), value, from = in.data(), to](size_t begin, size_t end) {
                  cpu::Pick(plan, from, value, to, begin, end);
                });
}

// `constant` as for SetPicked; null in other modes.
Status PadElements(const DenseHostTensor& in, const DenseHostTensor& paddings,
                   const DenseHostTensor* constant, cpu::PadMode mode, const TensorMetadata& result,
                   OpCall& call) {
  const auto amounts = ReadIntegers(paddings);
  if (std::ranges::all_of(amounts, [](int64_t amount) { return amount == 0; })) {
    return SetShared(call, in, result.shape);
  }
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  // First: there may be as many pieces as the result has elements.
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  std::vector<cpu::PickedDim> dims(in.shape().rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(
        dims[i], cpu::PaddedDim(in.shape().dim(i), amounts[2 * i], amounts[2 * i + 1], mode));
  }
  SetPicked(in, std::move(dims), constant, std::move(out), call);
  return OkStatus();
}

Status Pad(const DenseHostTensor& in, const DenseHostTensor& paddings, const TensorMetadata& result,
           OpCall& call) {
  return PadElements(in, paddings, nullptr, cpu::PadMode::kConstant, result, call);
}

Status PadWith(const DenseHostTensor& in, const DenseHostTensor& paddings,
               const DenseHostTensor& constant, const TensorMetadata& result, OpCall& call) {
  return PadElements(in, paddings, &constant, cpu::PadMode::kConstant, result, call);
}

Status Extend(const DenseHostTensor& in, const DenseHostTensor& paddings,
              const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(cpu::PadMode mode, cpu::PadModeOf(*attrs.GetString("mode")));
  return PadElements(in, paddings, nullptr, mode, result, call);
}

// Where the difference is odd, what is cut or added behind is the larger half.
Status CenterCropPad(const DenseHostTensor& in, const DenseHostTensor&,
                     const TensorMetadata& result, OpCall& call) {
  if (result.shape == in.shape()) return SetShared(call, in, result.shape);
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  std::vector<cpu::PickedDim> dims(in.shape().rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t more = result.shape.dim(i) - in.shape().dim(i), before = more / 2;
    TFRT_ASSIGN_OR_RETURN(
        dims[i], cpu::PaddedDim(in.shape().dim(i), before, more - before, cpu::PadMode::kConstant));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  SetPicked(in, std::move(dims), nullptr, std::move(out), call);
  return OkStatus();
}

}  // namespace

void RegisterPadOps(OpRegistry* registry) {
  registry->Implement("graph.pad", {.function = TFRT_OP(Pad)});
  registry->Implement("graph.pad_with", {.function = TFRT_OP(PadWith)});
  registry->Implement("graph.center_crop_pad", {.function = TFRT_OP(CenterCropPad)});
  registry->Implement("graph.extend", {.function = TFRT_OP(Extend)});
}

}  // namespace tfrt
