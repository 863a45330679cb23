// Each line is one printf call, so lines of different threads do not mix, and is flushed at once.

#include <cinttypes>
#include <complex>
#include <cstdio>

#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Chain PrintI1(bool value) {
  std::printf("int1 = %d\n", value ? 1 : 0);
  std::fflush(stdout);
  return {};
}

Chain PrintI32(int32_t value) {
  std::printf("int32 = %" PRId32 "\n", value);
  std::fflush(stdout);
  return {};
}

Chain PrintI64(int64_t value) {
  std::printf("int64 = %" PRId64 "\n", value);
  std::fflush(stdout);
  return {};
}

// The raw bits, as an unsigned number.
Chain PrintF16(const Fp16& value) {
  std::printf("f16 = %u\n", unsigned{value.bits});
  std::fflush(stdout);
  return {};
}

Chain PrintF32(float value) {
  std::printf("f32 = %s\n", StrCat(value).c_str());
  std::fflush(stdout);
  return {};
}

Chain PrintF64(double value) {
  std::printf("f64 = %s\n", StrCat(value).c_str());
  std::fflush(stdout);
  return {};
}

// The plus sign stands there even before a negative imaginary part.
Chain PrintComplex64(const std::complex<float>& value) {
  std::printf("complex64 = %s\n", StrCat(value.real(), "+", value.imag(), "i").c_str());
  std::fflush(stdout);
  return {};
}

Chain PrintComplex128(const std::complex<double>& value) {
  std::printf("complex128 = %s\n", StrCat(value.real(), "+", value.imag(), "i").c_str());
  std::fflush(stdout);
  return {};
}

}  // namespace

void RegisterPrintKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt.print.i1", TFRT_KERNEL(PrintI1));
  registry->AddKernel("tfrt.print.i32", TFRT_KERNEL(PrintI32));
  registry->AddKernel("tfrt.print.i64", TFRT_KERNEL(PrintI64));
  registry->AddKernel("tfrt.print.f16", TFRT_KERNEL(PrintF16));
  registry->AddKernel("tfrt.print.f32", TFRT_KERNEL(PrintF32));
  registry->AddKernel("tfrt.print.f64", TFRT_KERNEL(PrintF64));
  registry->AddKernel("tfrt.print.complex64", TFRT_KERNEL(PrintComplex64));
  registry->AddKernel("tfrt.print.complex128", TFRT_KERNEL(PrintComplex128));
}

}  // namespace tfrt
