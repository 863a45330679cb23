#include "lib/ops/maths/cpu/broadcast_blocks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace tfrt::cpu {
namespace {

using Shapes = std::vector<TensorShape>;

// The index in a tensor of `shape` of element `index` of `out`, by NumPy's rule.
int64_t IndexIn(const TensorShape& shape, const TensorShape& out, int64_t index) {
  int64_t result = 0, stride = 1;
  for (size_t i = 0; i < shape.rank(); ++i) {
    const int64_t out_size = out.dim(out.rank() - 1 - i);
    const int64_t size = shape.dim(shape.rank() - 1 - i);
    if (size != 1) result += index % out_size * stride;
    stride *= size;
    index /= out_size;
  }
  return result;
}

// Runs over ranges that begin and end anywhere, and checks each element of each view.
template <typename T>
void Check(const Shapes& shapes, const TensorShape& out, int64_t max_run) {
  std::vector<std::vector<T>> elements;
  std::vector<const void*> data;
  std::vector<BroadcastBlocks::Operand> operands;
  for (const TensorShape& shape : shapes) {
    auto& each = elements.emplace_back(shape.num_elements());
    std::iota(each.begin(), each.end(), T(0));
    data.push_back(each.data());
    operands.push_back({shape, sizeof(T)});
  }
  BroadcastBlocks blocks(operands, out);
  const int64_t size = out.num_elements();
  for (int64_t begin : {int64_t{0}, size / 3, size - 1}) {
    std::vector<std::byte> scratch(blocks.scratch_bytes());
    int64_t next = begin;
    bool same = true;
    blocks.Run(data, scratch.data(), begin, size, max_run,
               [&](int64_t first, int64_t count, std::span<const BroadcastBlocks::View> views) {
                 EXPECT_EQ(first, next);
                 EXPECT_GT(count, 0);
                 EXPECT_LE(count, max_run);
                 next = first + count;
                 for (size_t t = 0; t < views.size(); ++t) {
                   auto* view = static_cast<const T*>(views[t].data);
                   for (int64_t i = 0; i < count; ++i) {
                     same &= view[views[t].repeats ? 0 : i] ==
                             elements[t][IndexIn(shapes[t], out, first + i)];
                   }
                 }
               });
    EXPECT_EQ(next, size);
    EXPECT_TRUE(same) << "from " << begin;
  }
}

TEST(BroadcastBlocksTest, ElementsMeetAsNumPySays) {
  const std::vector<std::pair<Shapes, TensorShape>> cases = {
      {{TensorShape{}, TensorShape{}}, TensorShape{}},
      {{TensorShape{5000}, TensorShape{5000}, TensorShape{1}}, TensorShape{5000}},
      {{TensorShape{3, 700}, TensorShape{700}, TensorShape{3, 1}}, TensorShape{3, 700}},
      {{TensorShape{300, 3, 5}, TensorShape{3, 1}, TensorShape{300, 1, 5}}, TensorShape{300, 3, 5}},
      {{TensorShape{900, 7}, TensorShape{7}, TensorShape{900, 1}}, TensorShape{900, 7}},
      {{TensorShape{2, 40, 9, 9}, TensorShape{40, 1, 1}}, TensorShape{2, 40, 9, 9}},
      {{TensorShape{2, 1, 300}, TensorShape{3, 1}}, TensorShape{2, 3, 300}},
      {{TensorShape{2, 1, 2, 1, 2, 1, 2, 1, 2}, TensorShape{2, 1, 2, 1, 2, 1, 2, 1}},
       TensorShape{2, 2, 2, 2, 2, 2, 2, 2, 2}},
      {{TensorShape{1, 4, 1, 255}, TensorShape{6, 1, 3, 1}, TensorShape{255}},
       TensorShape{6, 4, 3, 255}},
  };
  for (const auto& [shapes, out] : cases) {
    for (int64_t max_run : {int64_t{1}, int64_t{100}, BroadcastBlocks::kPart, int64_t{1} << 40}) {
      SCOPED_TRACE(out.ToString() + ", runs of " + std::to_string(max_run));
      Check<uint8_t>(shapes, out, max_run);
      Check<uint16_t>(shapes, out, max_run);
      Check<uint32_t>(shapes, out, max_run);
      Check<uint64_t>(shapes, out, max_run);
    }
  }
}

}  // namespace
}  // namespace tfrt::cpu
