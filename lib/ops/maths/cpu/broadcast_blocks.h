// Element-wise computation over any number of broadcast operands, part by part.
#ifndef TFRT_LIB_OPS_MATHS_CPU_BROADCAST_BLOCKS_H_
#define TFRT_LIB_OPS_MATHS_CPU_BROADCAST_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// How the elements of dense operands meet those of a dense output under NumPy's broadcasting.
// Immutable; thread-safe.
class BroadcastBlocks {
 public:
  // Elements at a time of operands that must be spread: they stay in the nearest cache.
  static constexpr int64_t kPart = 1024;
  static constexpr size_t kMaxElementSize = 16;

  struct Operand {
    TensorShape shape;
    size_t element_size;
  };
  // The operands' shapes broadcast to `out`; elements have 1, 2, 4, 8 or 16 bytes.
  BroadcastBlocks(std::span<const Operand> operands, const TensorShape& out);

  size_t num_operands() const { return operands_.size(); }
  // The size of the memory that Run needs; often none.
  size_t scratch_bytes() const { return scratch_bytes_; }

  // The view of an operand for a run of output elements: consecutive elements, or one for all.
  struct View {
    const void* data;
    bool repeats;
  };

  // Calls body(first, size, views) for runs of output elements that cover [begin, end), each at
  // most `max_run`, in order. The operands' elements are in `data`; `scratch` is for this call
  // alone.
  template <typename Body>
  void Run(std::span<const void* const> data, std::byte* scratch, int64_t begin, int64_t end,
           int64_t max_run, Body body) const {
    Walk walk(*this, data, scratch, begin);
    while (begin < end) {
      const int64_t size = walk.Next(std::min(end - begin, max_run));
      body(begin, size, std::span<const View>(walk.views()));
      begin += size;
    }
  }

 private:
  struct Layout {
    enum class Kind : uint8_t { kLikeOutput, kOneElement, kRows };
    Kind kind;
    bool repeats = false;    // within a row
    bool same_rows = false;  // all rows are one
    uint8_t element_size;
    size_t scratch_offset = 0;
    std::vector<int64_t> strides;  // of outer_, in elements
  };

  // The state of one Run.
  class Walk {
   public:
    Walk(const BroadcastBlocks& blocks, std::span<const void* const> data, std::byte* scratch,
         int64_t begin);
    // Makes the views of the next elements, as many as are returned, at most `most`.
    int64_t Next(int64_t most);
    const std::vector<View>& views() const { return views_; }

   private:
    // Where the current row is, of one operand.
    struct Place {
      int64_t offset = 0;
      std::vector<int64_t> counts;
      int64_t spread_column = -1, spread_size = 0;  // what its scratch memory has
    };
    void AdvanceRow(size_t operand);
    template <typename T>
    void Spread(size_t operand, int64_t column, int64_t size, T* out);

    const BroadcastBlocks& blocks_;
    std::span<const void* const> data_;
    std::byte* scratch_;
    int64_t position_;
    std::vector<View> views_;
    std::vector<Place> places_;
  };

  int64_t row_ = 1;              // output elements in a row
  bool has_short_rows_ = false;  // they are spread
  bool has_rows_ = false;        // some operand is neither like the output nor one element
  std::vector<int64_t> outer_;   // the dimensions of rows, outermost first
  std::vector<Layout> operands_;
  size_t scratch_bytes_ = 0;
};

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_BROADCAST_BLOCKS_H_
