// Kernels of the vendors' libraries for Fourier transforms, solvers and collectives. They are
// known, so that programs load, but not there yet.

#include <string_view>
#include <utility>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

constexpr std::string_view kNames[] = {
    "tfrt_gpu.ccl.all_gather",     "tfrt_gpu.ccl.all_reduce",
    "tfrt_gpu.ccl.all_to_all",     "tfrt_gpu.ccl.create",
    "tfrt_gpu.ccl.execute",        "tfrt_gpu.ccl.recv",
    "tfrt_gpu.ccl.reduce_scatter", "tfrt_gpu.ccl.send",
    "tfrt_gpu.ccl.unique_id",      "tfrt_gpu.fft.create",
    "tfrt_gpu.fft.execute",        "tfrt_gpu.fft.get_workspace_size",
    "tfrt_gpu.solver.create",      "tfrt_gpu.solver.potrf",
    "tfrt_gpu.solver.potrf.batch", "tfrt_gpu.solver.potrf.buffer_size",
};

// Takes any operands, attributes and results.
template <size_t index>
void Unimplemented(AsyncKernelFrame* frame) {
  frame->ReportError(UnimplementedError(StrCat(kNames[index], " is not implemented")));
}

}  // namespace

void RegisterUnimplementedKernels(KernelRegistry* registry) {
  [&]<size_t... index>(std::index_sequence<index...>) {
    (registry->AddKernel(kNames[index], {&Unimplemented<index>, /*signature=*/nullptr}), ...);
  }(std::make_index_sequence<std::size(kNames)>());
}

}  // namespace tfrt::gpu
