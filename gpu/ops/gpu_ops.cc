#include "gpu_ops.h"

#include <cassert>
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

}  // namespace tfrt::gpu
