// Plans that run a oneDNN primitive.
#ifndef TFRT_KERNEL_MATHS_CONTRACTION_ONEDNN_ONEDNN_PLAN_H_
#define TFRT_KERNEL_MATHS_CONTRACTION_ONEDNN_ONEDNN_PLAN_H_

#include <dnnl.h>

#include <array>
#include <atomic>
#include <memory>

#include "../aligned_buffer.h"
#include "../backend.h"
#include "onednn_handles.h"

namespace tfrt::contraction {

class OneDnnWeights final : public PackedWeights {
 public:
  // Null without memory.
  static std::unique_ptr<OneDnnWeights> Create(dnnl_engine_t engine,
                                               const dnnl_memory_desc_t& layout);
  size_t size_bytes() const override { return dnnl_memory_desc_get_size(&layout_); }
  const dnnl_memory_desc_t& layout() const { return layout_; }
  dnnl_memory_t memory() const { return memory_.get(); }

 private:
  OneDnnWeights() = default;
  dnnl_memory_desc_t layout_;
  AlignedBuffer buffer_;
  Memory memory_;
};

class OneDnnPlan final : public Plan {
 public:
  // Takes over the primitive of `desc`. `plain_weights` is the layout in which weights arrive; when
  // the primitive wants another, each run reorders them first, or Pack does it once.
  static std::unique_ptr<OneDnnPlan> Create(dnnl_engine_t engine, PrimitiveDesc desc,
                                            const dnnl_memory_desc_t& plain_weights);
  ~OneDnnPlan() override;

  bool Run(const Operands& operands) const override;
  std::unique_ptr<PackedWeights> Pack(const float* weights) const override;

 private:
  // What one run hands to oneDNN; made once and reused, because making it costs more than a small
  // product.
  struct Invocation;
  static constexpr size_t kSpares = 4;

  OneDnnPlan() = default;
  std::unique_ptr<Invocation> TakeInvocation() const;
  void GiveBack(std::unique_ptr<Invocation> invocation) const;

  dnnl_engine_t engine_ = nullptr;
  PrimitiveDesc desc_;
  Primitive primitive_;
  dnnl_memory_desc_t source_, weights_, bias_, destination_, scratchpad_, plain_weights_;
  size_t scratch_bytes_ = 0;
  size_t weights_bytes_ = 0;  // 0: weights are read as they come
  Primitive reorder_;         // plain weights to the primitive's; null if they are the same
  mutable std::array<std::atomic<Invocation*>, kSpares> spares_ = {};
};

}  // namespace tfrt::contraction

#endif  // TFRT_KERNEL_MATHS_CONTRACTION_ONEDNN_ONEDNN_PLAN_H_
