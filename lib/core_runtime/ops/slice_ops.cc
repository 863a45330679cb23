// Ops that take parts of tensors.

#include <algorithm>

#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernels/cpu/slice.h"
#include "tfrt/tensor/dense_integers.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

Status Slice(const Tensor& in, const DenseHostTensor& begin, const DenseHostTensor& size,
             OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto from, ReadIntegers(call.op_name(), "begin", begin));
  TFRT_ASSIGN_OR_RETURN(auto count, ReadIntegers(call.op_name(), "size", size));
  TFRT_ASSIGN_OR_RETURN(cpu::Box box, cpu::BoxOf(in.shape(), from, count));
  const size_t rows = cpu::NumRows(box);
  if (in.tensor_type() == kStringHostTensorType) {
    TFRT_ASSIGN_OR_RETURN(auto out, StringHostTensor::CreateEmpty(box.shape, call.allocator()));
    cpu::CopyBox(box, in.shape(), 1, static_cast<const StringHostTensor&>(in).strings().data(),
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
                [box = std::move(box), shape = in.shape(), unit,
                 data = static_cast<const char*>(dense.data()), to](size_t first, size_t last) {
                  cpu::CopyBox(box, shape, unit, data, to, first, last);
                });
  return OkStatus();
}

}  // namespace

void RegisterSliceOps(OpRegistry* registry) {
  registry->Add({.name = "tf.Slice",
                 .summary = "The `size[i]` elements from `begin[i]` on along each dimension i; a "
                            "size of -1 is all that follow.",
                 .arguments = {{"input"}, {"begin"}, {"size"}},
                 .results = {"output"},
                 .flags = OpFlags::kAllowsString,
                 .function = TFRT_OP(Slice)});
}

}  // namespace tfrt
