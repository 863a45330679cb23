#include "kernel_op.h"

#include <array>
#include <cassert>
#include <vector>

#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"

namespace tfrt {
namespace {

// Registers in which each argument has its own place.
constexpr uint32_t kMaxInline = 8;
constexpr std::array<uint32_t, kMaxInline> kOneEach = {0, 1, 2, 3, 4, 5, 6, 7};

const KernelRegistry& CpuKernels() {
  // A registry of its own: what kernels a program may use is another question.
  static const KernelRegistry* const registry = [] {
    auto* kernels = new KernelRegistry();
    RegisterCpuKernels(kernels);
    RegisterContractionKernels(kernels);
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

void RunKernel(OpCall& call, AsyncKernel kernel, std::span<AsyncValue* const> inputs,
               std::span<const uint8_t* const> attributes, DenseHostTensor out) {
  auto num_arguments = static_cast<uint32_t>(inputs.size() + 2);
  std::array<AsyncValue*, kMaxInline> few;
  std::vector<AsyncValue*> many;
  std::vector<uint32_t> many_indices;
  KernelCallSite site;
  site.arguments = kOneEach.data();
  AsyncValue** registers = few.data();
  if (num_arguments > kMaxInline) {
    many.resize(num_arguments);
    many_indices.resize(num_arguments);
    for (uint32_t i = 0; i < num_arguments; ++i) many_indices[i] = i;
    registers = many.data();
    site.arguments = many_indices.data();
  }
  std::copy(inputs.begin(), inputs.end(), registers);
  auto result = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(out));
  registers[num_arguments - 2] = result.GetAsyncValue();
  AsyncValueRef<Chain> ready = GetReadyChain();
  registers[num_arguments - 1] = ready.GetAsyncValue();
  site.num_arguments = num_arguments;
  site.num_results = 1;
  site.num_attributes = static_cast<uint32_t>(attributes.size());
  AsyncValue* done = nullptr;
  ExecutionContext exec_ctx = call.exec_ctx();
  AsyncKernelFrame::Parts parts;
  parts.site = &site;
  parts.registers = registers;
  parts.attributes = attributes.data();
  parts.results = &done;
  parts.exec_ctx = &exec_ctx;
  AsyncKernelFrame frame(parts);
  kernel(&frame);
  RCReference<AsyncValue> chain = TakeRef(done);
  if (chain->IsConcrete()) [[likely]] return call.SetResult(0, result.ReleaseRCRef());
  if (chain->IsError()) return call.SetReportedError(chain->GetError());
  // The tensor is the result once its elements are written.
  RCReference<IndirectAsyncValue> later = MakeIndirectAsyncValue();
  call.SetResult(0, later);
  AsyncValue* awaited = chain.get();
  awaited->AndThen([chain = std::move(chain), later, result = std::move(result)]() mutable {
    later->ForwardTo(chain->IsError() ? std::move(chain) : result.ReleaseRCRef());
  });
}

}  // namespace tfrt
