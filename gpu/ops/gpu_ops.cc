#include "gpu_ops.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <string_view>
#include <unordered_map>

namespace tfrt::gpu {

GpuOpMaker FindGpuOp(const OpDescription& op) {
  static const auto& makers = *[] {
    auto* made = new std::unordered_map<const OpDescription*, GpuOpMaker>;
    for (std::span<const GpuOpRow> family :
         {ArrangeGpuOps(), AttentionGpuOps(), CreationGpuOps(), ElementwiseGpuOps(), IndexGpuOps(),
          MovementGpuOps(), NormGpuOps(), PadGpuOps(), ProductGpuOps(), QuantizeGpuOps(),
          ReductionGpuOps(), ResizeGpuOps(), SamplingGpuOps(), SelectionGpuOps(), ShapeGpuOps(),
          SoftmaxGpuOps(), TrainingGpuOps(), WindowGpuOps()}) {
      for (const GpuOpRow& row : family) {
        const OpDescription* description = FindOpDescription(row.row);
        assert(description && "the op table has no such row");
        [[maybe_unused]] const bool is_new = made->emplace(description, row.make).second;
        assert(is_new && "a row has one function");
      }
    }
    return made;
  }();
  auto found = makers.find(&op);
  return found == makers.end() ? nullptr : found->second;
}

bool IsHostRow(const OpDescription& op) {
  if (FindGpuOp(op)) return false;
  // The table does not tell whether a value of an element is an error, that a library of the host
  // decomposes matrices or transforms, and that GPUs have no complex numbers.
  constexpr std::string_view kOthers[] = {"check_numerics",
                                          "check_numerics_v2",
                                          "cholesky",
                                          "determinant",
                                          "dft",
                                          "eigh",
                                          "eigvalsh",
                                          "imag",
                                          "inverse",
                                          "make_complex",
                                          "qr",
                                          "real",
                                          "slogdet",
                                          "solve",
                                          "split_sizes",
                                          "svd",
                                          "svdvals"};
  if (std::ranges::find(kOthers, op.name) != std::end(kOthers)) return true;
  bool has_host_values_alone = !op.arguments.empty();
  for (size_t i = 0; i < op.arguments.size(); ++i) {
    has_host_values_alone &= op.is_host_value(i, op.arguments.size());
  }
  return has_host_values_alone || op.reads_metadata_alone() || op.has_side_effects() ||
         HasFlag(op.flags, OpFlags::kOpenResults);
}

}  // namespace tfrt::gpu
