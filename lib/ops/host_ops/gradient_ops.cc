// Gradients of activations and normalisations.

#include <algorithm>
#include <memory>
#include <utility>

#include "lib/ops/maths/cpu/gradients.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "op_groups.h"
#include "op_output.h"
#include "staged_work.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// As the kernels of these functions count.
constexpr size_t kCostOfExp = 8;

Status UnsupportedDType(const OpCall& call, const DenseHostTensor& gradients) {
  return InvalidArgumentError(StrCat(call.op_name(), ": gradients is ",
                                     DTypeName(gradients.dtype()), " ",
                                     gradients.shape().ToString(), ", an unsupported dtype"));
}

// Calls compute<T>(the result) for floats T; the result may lie where an argument does.
template <typename F>
Status ForFloat(OpCall& call, const DenseHostTensor& gradients, const TensorMetadata& result,
                F compute) {
  Status status = UnsupportedDType(call, gradients);
  DispatchFloat(result.dtype, [&]<typename T>(std::type_identity<T>) {
    StatusOr<DenseHostTensor> out = call.AllocateOrReuse(result);
    status = out.status();
    if (out.ok()) compute.template operator()<T>(*std::move(out));
  });
  return status;
}

Status GeluGrad(const DenseHostTensor& gradients, const DenseHostTensor& features,
                const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  const bool approximate = attrs.Get<bool>("approximate").value_or(false);
  return ForFloat(call, gradients, result, [&]<typename T>(DenseHostTensor out) {
    T* dx = WritableData<T>(out);
    const auto size = static_cast<size_t>(out.num_elements());
    ComputeResult(call, size, kCostOfExp * sizeof(T), {&gradients, &features}, std::move(out),
                  [approximate, dy = static_cast<const T*>(gradients.data()),
                   x = static_cast<const T*>(features.data()), dx](size_t begin, size_t end) {
                    cpu::GeluGrad(approximate, dy + begin, x + begin, dx + begin,
                                  static_cast<int64_t>(end - begin));
                  });
  });
}

template <bool log>
Status SoftmaxGrad(const DenseHostTensor& gradients, const DenseHostTensor& outputs,
                   const TensorMetadata& result, OpCall& call) {
  const int64_t columns = result.shape.dim(result.shape.rank() - 1);
  return ForFloat(call, gradients, result, [&]<typename T>(DenseHostTensor out) {
    T* dx = WritableData<T>(out);
    const auto rows = columns == 0 ? 0 : static_cast<size_t>(out.num_elements() / columns);
    const size_t cost = static_cast<size_t>(columns) * (log ? kCostOfExp : 2) * sizeof(T);
    ComputeResult(call, rows, cost, {&gradients, &outputs}, std::move(out),
                  [columns, dy = static_cast<const T*>(gradients.data()),
                   y = static_cast<const T*>(outputs.data()), dx](size_t begin, size_t end) {
                    const auto first = static_cast<int64_t>(begin),
                               last = static_cast<int64_t>(end);
                    if constexpr (log) {
                      cpu::LogSoftmaxGradRows(columns, dy, y, dx, first, last);
                    } else {
                      cpu::SoftmaxGradRows(columns, dy, y, dx, first, last);
                    }
                  });
  });
}

// Results: the gradients of x, scale and offset.
Status LayerNormGrad(const DenseHostTensor& gradients, const DenseHostTensor& x,
                     const DenseHostTensor& scale, const OpAttrsRef& attrs, OpCall& call) {
  if (x.dtype() != DType::kF32) return UnsupportedDType(call, gradients);
  const int64_t columns = x.shape().dim(x.shape().rank() - 1);
  const int64_t rows = columns == 0 ? 0 : x.num_elements() / columns;
  const float epsilon = attrs.Get<float>("epsilon").value_or(1e-5f);
  const auto width = static_cast<size_t>(columns);
  auto work =
      std::make_shared<StagedWork>(cpu::RowParts(rows, 6 * width * sizeof(float), 2 * width));
  for (size_t i = 0; i < 3; ++i) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(call.result_metadata(i)));
    work->outputs.push_back(std::move(out));
  }
  for (const DenseHostTensor* input : {&gradients, &x, &scale}) {
    work->inputs.push_back(input->ShareBuffer());
  }
  const auto* dy = static_cast<const float*>(gradients.data());
  const auto* in = static_cast<const float*>(x.data());
  const auto* scales = static_cast<const float*>(scale.data());
  auto output = [&](size_t i) { return WritableData<float>(work->outputs[i]); };
  float *dx = output(0), *scale_grad = output(1), *offset_grad = output(2);
  AsyncValueRef<Chain> rows_done = RunBlocks(
      call.exec_ctx(), static_cast<size_t>(work->parts.count()), 1, {},
      [=](size_t begin, size_t end) {
        for (auto part = static_cast<int64_t>(begin); part < static_cast<int64_t>(end); ++part) {
          double* sums = work->parts.sums(part);
          cpu::LayerNormGradRows(columns, scales, epsilon, dy, in, dx, sums, sums + columns,
                                 work->parts.begin(part), work->parts.end(part));
        }
      });
  AsyncValueRef<Chain> done = Then(std::move(rows_done), [=] {
    const double* sums = work->parts.Total();
    for (int64_t i = 0; i < columns; ++i) {
      scale_grad[i] = static_cast<float>(sums[i]);
      offset_grad[i] = static_cast<float>(sums[columns + i]);
    }
    return GetReadyChain();
  });
  SetResultsAfter(call, std::move(work), std::move(done));
  return OkStatus();
}

}  // namespace

void RegisterGradientOps(OpRegistry* registry) {
  registry->Implement("graph.gelu_grad", {.function = TFRT_OP(GeluGrad)});
  registry->Implement("graph.softmax_grad", {.function = TFRT_OP(SoftmaxGrad<false>)});
  registry->Implement("graph.log_softmax_grad", {.function = TFRT_OP(SoftmaxGrad<true>)});
  registry->Implement("graph.layer_norm_grad", {.function = TFRT_OP(LayerNormGrad)});
}

}  // namespace tfrt
