// Fourier transforms, and complex numbers made of real ones.

#include <complex>
#include <type_traits>

#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/tensor/fourier.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

Status Dft(const DenseHostTensor& x, const TensorMetadata& result, const OpAttrsRef& attrs,
           OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(*attrs.Get<int64_t>("axis"), x.shape()));
  const bool inverse = attrs.Get<bool>("inverse").value_or(false);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Fft(x, axis, inverse, out, call.exec_ctx());
  });
}

// Calls fn(std::type_identity<T>()) with the dtype of the parts of complex numbers.
template <typename F>
Status ForPart(DType part, F fn) {
  return part == DType::kF32 ? fn(std::type_identity<float>()) : fn(std::type_identity<double>());
}

Status MakeComplex(const DenseHostTensor& real, const DenseHostTensor& imag,
                   const TensorMetadata& result, OpCall& call) {
  return ForPart(real.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    auto *a = static_cast<const T*>(real.data()), *b = static_cast<const T*>(imag.data());
    auto* y = WritableData<std::complex<T>>(out);
    ComputeResult(call, static_cast<size_t>(real.num_elements()), 2 * sizeof(T), {&real, &imag},
                  std::move(out), [=](size_t begin, size_t end) {
                    for (size_t i = begin; i < end; ++i) y[i] = {a[i], b[i]};
                  });
    return OkStatus();
  });
}

template <bool imaginary>
Status Part(const DenseHostTensor& x, const TensorMetadata& result, OpCall& call) {
  return ForPart(result.dtype, [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    auto* in = static_cast<const std::complex<T>*>(x.data());
    T* y = WritableData<T>(out);
    ComputeResult(call, static_cast<size_t>(x.num_elements()), 2 * sizeof(T), {&x}, std::move(out),
                  [=](size_t begin, size_t end) {
                    for (size_t i = begin; i < end; ++i) {
                      y[i] = imaginary ? in[i].imag() : in[i].real();
                    }
                  });
    return OkStatus();
  });
}

}  // namespace

void RegisterFourierOps(OpRegistry* registry) {
  registry->Implement("graph.dft", {.function = TFRT_OP(Dft)});
  registry->Implement("graph.make_complex", {.function = TFRT_OP(MakeComplex)});
  registry->Implement("graph.real", {.function = TFRT_OP(Part<false>)});
  registry->Implement("graph.imag", {.function = TFRT_OP(Part<true>)});
}

}  // namespace tfrt
