// Plans that run a oneDNN primitive.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_PLAN_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_PLAN_H_

#include <dnnl.h>

#include <array>
#include <atomic>
#include <memory>

#include "lib/ops/maths/contraction/aligned_buffer.h"
#include "lib/ops/maths/contraction/backend.h"
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
  void* data() const { return buffer_.data(); }

 private:
  OneDnnWeights() = default;
  dnnl_memory_desc_t layout_;
  AlignedBuffer buffer_;
  Memory memory_;
};

// Copies from one layout to another, on this thread. False without memory, and where oneDNN has no
// way between the two.
bool Reorder(dnnl_engine_t engine, const dnnl_memory_desc_t& from, const void* from_data,
             const dnnl_memory_desc_t& to, void* to_data);

class OneDnnPlan final : public Plan {
 public:
  // The layouts in which operands come, and the result is wanted.
  struct Operands {
    dnnl_memory_desc_t source = {}, weights = {}, destination = {};
    float beta = 0;                   // 0: the destination's old contents do not matter
    size_t weights_offset_bytes = 0;  // of these in packed weights
  };
  // Takes over the primitive of `desc`. When it wants other layouts, each run reorders the operands
  // first, and the result afterwards; weights may be reordered by Pack, once.
  static std::unique_ptr<OneDnnPlan> Create(dnnl_engine_t engine, PrimitiveDesc desc,
                                            const Operands& plain);
  ~OneDnnPlan() override;

  bool Run(const contraction::Operands& operands) const override;
  std::unique_ptr<PackedWeights> Pack(const void* weights) const override;

 private:
  // The arguments that one run hands to oneDNN. They are made once and reused, because making them
  // costs more than a small product.
  struct Invocation;
  static constexpr size_t kSpares = 4;

  OneDnnPlan() = default;
  std::unique_ptr<Invocation> TakeInvocation() const;
  void GiveBack(std::unique_ptr<Invocation> invocation) const;

  dnnl_engine_t engine_ = nullptr;
  PrimitiveDesc desc_;
  Primitive primitive_;
  dnnl_memory_desc_t source_, weights_, bias_, destination_, scratchpad_;
  Operands plain_;
  size_t scratch_bytes_ = 0;
  // Between the plain layouts and the primitive's; null where they are the same.
  Primitive source_reorder_, weights_reorder_, destination_in_reorder_, destination_out_reorder_;
  mutable std::array<std::atomic<Invocation*>, kSpares> spares_ = {};
};

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ONEDNN_ONEDNN_PLAN_H_
