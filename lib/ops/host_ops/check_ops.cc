// Ops that look at tensors and hand them on.

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "lib/ops/maths/cpu/check_numerics.h"
#include "lib/ops/maths/tensor/summary.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/ops/op_call/run_resources.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

int64_t MaxPrinted(const OpAttrsRef& attrs) { return attrs.Get<int64_t>("summarize").value_or(3); }

// One write, so that lines of several threads do not mix.
RCReference<AsyncValue> Print(OpArgument<Tensor> input, VariadicOpArguments<Tensor> data,
                              const OpAttrsRef& attrs) {
  std::string line(attrs.GetString("message").value_or(""));
  for (size_t i = 0; i < data.size(); ++i) {
    line += StrCat("[", cpu::Summary(data[i], MaxPrinted(attrs)), "]");
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  return input.ValueRef();
}

Status Assert(const Tensor& condition, VariadicOpArguments<Tensor> data, const OpAttrsRef& attrs) {
  const bool is_dense = condition.tensor_type() == kDenseHostTensorType;
  if (condition.dtype() != DType::kI1 || condition.shape().rank() != 0 ||
      (!is_dense && condition.tensor_type() != kScalarHostTensorType)) {
    return InvalidArgumentError(StrCat("tf.Assert: condition is ", DTypeName(condition.dtype()),
                                       " ", condition.shape().ToString(), ", expected i1 []"));
  }
  const void* holds = is_dense ? static_cast<const DenseHostTensor&>(condition).data()
                               : static_cast<const AnyScalarHostTensor&>(condition).data();
  if (*static_cast<const uint8_t*>(holds) != 0) return OkStatus();
  std::string text = "assertion failed";
  const std::string message(attrs.GetString("message").value_or(""));
  if (!message.empty()) text += StrCat(": ", message);
  for (size_t i = 0; i < data.size(); ++i) {
    text += StrCat(i == 0 && message.empty() ? ": [" : " [",
                   cpu::Summary(data[i], MaxPrinted(attrs)), "]");
  }
  return InvalidArgumentError(text);
}

// "MESSAGE : Tensor had NaN values"
Status NumericsError(uint32_t found, const std::string& message, bool with_signs) {
  return InvalidArgumentError(
      StrCat(message, " : Tensor had ", cpu::NonFiniteText(found, with_signs), " values"));
}

template <typename T>
Status CheckElements(OpCall& call, const OpArgument<DenseHostTensor>& in, std::string message,
                     bool with_signs) {
  const auto* x = static_cast<const T*>(in->data());
  const auto size = static_cast<size_t>(in->num_elements());
  const size_t block = ItemsPerBlock(sizeof(T));
  if (size <= block) {
    const uint32_t found = cpu::NonFiniteOf(x, static_cast<int64_t>(size));
    if (found != 0) return NumericsError(found, message, with_signs);
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  auto found = std::make_shared<std::atomic<uint32_t>>(0);
  AsyncValueRef<Chain> done =
      RunBlocks(call.exec_ctx(), size, block, {&*in}, [found, x](size_t begin, size_t end) {
        const uint32_t here = cpu::NonFiniteOf(x + begin, static_cast<int64_t>(end - begin));
        // relaxed, here and below: the end of all blocks orders them before what follows.
        if (here != 0) found->fetch_or(here, std::memory_order_relaxed);
      });
  if (done.IsConcrete()) {
    const uint32_t all = found->load(std::memory_order_relaxed);
    if (all != 0) return NumericsError(all, message, with_signs);
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  RCReference<IndirectAsyncValue> later = MakeIndirectAsyncValue();
  call.SetResult(0, later);
  AsyncValue* awaited = done.GetAsyncValue();
  awaited->AndThen([done = std::move(done), later, found, tensor = in.ValueRef(),
                    exec_ctx = call.exec_ctx(), message = std::move(message),
                    with_signs]() mutable {
    const uint32_t all = found->load(std::memory_order_relaxed);
    if (all == 0) return later->ForwardTo(std::move(tensor));
    Status error = AtItsPlace(exec_ctx, NumericsError(all, message, with_signs));
    later->ForwardTo(MakeErrorAsyncValue(EmitError(exec_ctx, std::move(error))));
  });
  return OkStatus();
}

template <bool with_signs>
Status CheckNumerics(OpArgument<DenseHostTensor> in, const OpAttrsRef& attrs, OpCall& call) {
  std::string message(attrs.GetString("message").value_or(""));
  Status status;
  bool supported = DispatchFloat(in->dtype(), [&]<typename T>(std::type_identity<T>) {
    status = CheckElements<T>(call, in, std::move(message), with_signs);
  });
  if (supported) return status;
  return InvalidArgumentError(StrCat(call.op_name(), ": tensor is ", DTypeName(in->dtype()), " ",
                                     in->shape().ToString(), ", expected f16, bf16, f32 or f64"));
}

RCReference<AsyncValue> EnsureShape(OpArgument<Tensor> in) { return in.ValueRef(); }

}  // namespace

void RegisterCheckOps(OpRegistry* registry) {
  registry->Implement("graph.print", {.function = TFRT_OP(Print)});
  registry->Implement("graph.assert", {.function = TFRT_OP(Assert)});
  registry->Implement("graph.check_numerics", {.function = TFRT_OP(CheckNumerics<false>)});
  registry->Implement("graph.check_numerics_v2", {.function = TFRT_OP(CheckNumerics<true>)});
  registry->Implement("graph.ensure_shape", {.function = TFRT_OP(EnsureShape)});
}

}  // namespace tfrt
