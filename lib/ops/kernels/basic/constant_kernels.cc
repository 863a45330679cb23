#include <complex>

#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"

namespace tfrt {
namespace {

template <typename T>
T Constant(Attribute<T> value) {
  return *value;
}

// Attributes come in alphabetical order of their names: imaginary before real.
template <typename T>
std::complex<T> ComplexConstant(Attribute<T> imaginary, Attribute<T> real) {
  return {*real, *imaginary};
}

}  // namespace

void RegisterConstantKernels(KernelRegistry* registry) {
  constexpr KernelFlags kOrderFree = KernelFlags::kOrderFree;
  registry->AddKernel("tfrt.constant.i1", TFRT_KERNEL(Constant<bool>), kOrderFree);
  registry->AddKernel("tfrt.constant.i32", TFRT_KERNEL(Constant<int32_t>), kOrderFree);
  registry->AddKernel("tfrt.constant.i64", TFRT_KERNEL(Constant<int64_t>), kOrderFree);
  registry->AddKernel("tfrt.constant.ui32", TFRT_KERNEL(Constant<uint32_t>), kOrderFree);
  registry->AddKernel("tfrt.constant.ui64", TFRT_KERNEL(Constant<uint64_t>), kOrderFree);
  registry->AddKernel("tfrt.constant.f16", TFRT_KERNEL(Constant<Fp16>), kOrderFree);
  registry->AddKernel("tfrt.constant.bf16", TFRT_KERNEL(Constant<Bf16>), kOrderFree);
  registry->AddKernel("tfrt.constant.f32", TFRT_KERNEL(Constant<float>), kOrderFree);
  registry->AddKernel("tfrt.constant.f64", TFRT_KERNEL(Constant<double>), kOrderFree);
  registry->AddKernel("tfrt.constant.complex64", TFRT_KERNEL(ComplexConstant<float>), kOrderFree);
  registry->AddKernel("tfrt.constant.complex128", TFRT_KERNEL(ComplexConstant<double>), kOrderFree);

  registry->AddSyncKernel("tfrt.constant_s.i32", TFRT_SYNC_KERNEL(Constant<int32_t>));
  registry->AddSyncKernel("tfrt.constant_s.i64", TFRT_SYNC_KERNEL(Constant<int64_t>));
  registry->AddSyncKernel("tfrt.constant_s.f16", TFRT_SYNC_KERNEL(Constant<Fp16>));
  registry->AddSyncKernel("tfrt.constant_s.bf16", TFRT_SYNC_KERNEL(Constant<Bf16>));
  registry->AddSyncKernel("tfrt.constant_s.f32", TFRT_SYNC_KERNEL(Constant<float>));
  registry->AddSyncKernel("tfrt.constant_s.f64", TFRT_SYNC_KERNEL(Constant<double>));
}

}  // namespace tfrt
