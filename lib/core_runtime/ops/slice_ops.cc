// Ops that take boxes out of tensors.

#include <algorithm>
#include <utility>

#include "op_groups.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/cpu/slice.h"
#include "tfrt/tensor/dense_integers.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

Status TakeOut(const Tensor& in, cpu::Box box, OpCall& call) {
  const size_t rows = cpu::NumRows(box);
  if (in.tensor_type() == kStringHostTensorType) {
    TFRT_ASSIGN_OR_RETURN(auto out, StringHostTensor::CreateEmpty(box.shape, call.allocator()));
    cpu::CopyBox(box, 1, static_cast<const StringHostTensor&>(in).strings().data(),
                 out.MutableStrings().data(), 0, rows);
    call.SetResult(0, MakeAvailableAsyncValueRef<StringHostTensor>(std::move(out)).ReleaseRCRef());
    return OkStatus();
  }
  const auto& dense = static_cast<const DenseHostTensor&>(in);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({in.dtype(), box.shape}));
  const size_t unit = DTypeSize(in.dtype());
  const size_t cost = rows == 0 ? 1 : out.size_bytes() / rows;
  auto* to = WritableData<char>(out);
  ComputeResult(call, rows, cost, {&dense}, std::move(out),
                [box = std::move(box), unit, data = static_cast<const char*>(dense.data()), to](
                    size_t first, size_t last) { cpu::CopyBox(box, unit, data, to, first, last); });
  return OkStatus();
}

Status Slice(const Tensor& in, const DenseHostTensor& begin, const DenseHostTensor& size,
             OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto from, ReadIntegers(call.op_name(), "begin", begin));
  TFRT_ASSIGN_OR_RETURN(auto count, ReadIntegers(call.op_name(), "size", size));
  TFRT_ASSIGN_OR_RETURN(cpu::Box box, cpu::BoxOf(in.shape(), from, count));
  return TakeOut(in, std::move(box), call);
}

Status StridedSlice(const Tensor& in, const DenseHostTensor& begin, const DenseHostTensor& end,
                    const DenseHostTensor& strides, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto from, ReadIntegers(call.op_name(), "begin", begin));
  TFRT_ASSIGN_OR_RETURN(auto to, ReadIntegers(call.op_name(), "end", end));
  TFRT_ASSIGN_OR_RETURN(auto steps, ReadIntegers(call.op_name(), "strides", strides));
  auto mask = [&](std::string_view name) { return attrs.Get<int64_t>(name).value_or(0); };
  const cpu::SliceMasks masks{mask("begin_mask"), mask("end_mask"), mask("ellipsis_mask"),
                              mask("new_axis_mask"), mask("shrink_axis_mask")};
  TFRT_ASSIGN_OR_RETURN(cpu::Box box, cpu::StridedBoxOf(in.shape(), from, to, steps, masks));
  return TakeOut(in, std::move(box), call);
}

}  // namespace

void RegisterSliceOps(OpRegistry* registry) {
  registry->Implement("tf.Slice", {.function = TFRT_OP(Slice)});
  registry->Implement("tf.StridedSlice", {.function = TFRT_OP(StridedSlice)});
}

}  // namespace tfrt
