#include "kernel_op.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "op_output.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"
#include "tfrt/kernels/tensor_kernels.h"

namespace tfrt {
namespace {

// Registers in which each argument has its own place.
constexpr uint32_t kMaxArguments = 8;
constexpr std::array<uint32_t, kMaxArguments> kOneEach = {0, 1, 2, 3, 4, 5, 6, 7};

const KernelRegistry& CpuKernels() {
  // A registry of its own: what kernels a program may use is another question.
  static const KernelRegistry* const registry = [] {
    auto* kernels = new KernelRegistry();
    RegisterCpuKernels(kernels);
    RegisterContractionKernels(kernels);
    RegisterEigenKernels(kernels);
    return kernels;
  }();
  return *registry;
}

}  // namespace

AsyncKernel FindCpuKernel(std::string_view name) {
  const KernelEntry* entry = CpuKernels().FindKernel(name);
  assert(entry && "an op names a kernel that does not exist");
  return entry->async_function;
}

RCReference<AsyncValue> StartKernel(OpCall& call, AsyncKernel kernel,
                                    std::span<AsyncValue* const> inputs,
                                    std::span<const uint8_t* const> attributes,
                                    const AsyncValueRef<DenseHostTensor>& out) {
  auto num_arguments = static_cast<uint32_t>(inputs.size() + 2);
  assert(num_arguments <= kMaxArguments);
  std::array<AsyncValue*, kMaxArguments> registers;
  std::copy(inputs.begin(), inputs.end(), registers.begin());
  registers[num_arguments - 2] = out.GetAsyncValue();
  AsyncValueRef<Chain> ready = GetReadyChain();
  registers[num_arguments - 1] = ready.GetAsyncValue();
  KernelCallSite site;
  site.arguments = kOneEach.data();
  site.num_arguments = num_arguments;
  site.num_results = 1;
  site.num_attributes = static_cast<uint32_t>(attributes.size());
  AsyncValue* done = nullptr;
  internal::BorrowedContext exec_ctx(call.exec_ctx());
  AsyncKernelFrame::Parts parts;
  parts.site = &site;
  parts.registers = registers.data();
  parts.attributes = attributes.data();
  parts.results = &done;
  parts.exec_ctx = exec_ctx.get();
  AsyncKernelFrame frame(parts);
  kernel(&frame);
  return TakeRef(done);
}

void RunKernel(OpCall& call, AsyncKernel kernel, std::span<AsyncValue* const> inputs,
               std::span<const uint8_t* const> attributes, DenseHostTensor out, size_t index) {
  auto result = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(out));
  RCReference<AsyncValue> done = StartKernel(call, kernel, inputs, attributes, result);
  SetResultAfter(call, index, std::move(result), std::move(done));
}

void SetResultAfter(OpCall& call, size_t index, AsyncValueRef<DenseHostTensor> out,
                    RCReference<AsyncValue> done) {
  if (done->IsConcrete()) [[likely]]
    return call.SetResult(index, out.ReleaseRCRef());
  if (done->IsError()) return call.SetReportedError(done->GetError());
  // The tensor is the result once its elements are written.
  RCReference<IndirectAsyncValue> later = MakeIndirectAsyncValue();
  call.SetResult(index, later);
  AsyncValue* awaited = done.get();
  awaited->AndThen([done = std::move(done), later, out = std::move(out)]() mutable {
    later->ForwardTo(done->IsError() ? std::move(done) : out.ReleaseRCRef());
  });
}

}  // namespace tfrt
