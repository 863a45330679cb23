#include "lib/ops/maths/cpu/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace tfrt::cpu {
namespace {

// Bytes that tell elements apart.
std::vector<uint8_t> Numbered(int64_t count, size_t element_size) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count) * element_size);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t element = i / element_size;
    bytes[i] = static_cast<uint8_t>(i % element_size < 2 ? element >> 8 * (i % element_size)
                                                         : element + i);
  }
  return bytes;
}

// The copy in parts against one element after the other, for all sizes of elements.
void Check(const CopyPlan& plan, const CopyDims& dims, int64_t in_size, int64_t in_offset = 0) {
  int64_t out_size = 1;
  for (const auto& dim : dims) out_size *= dim.size;
  for (size_t element_size : {1, 2, 4, 8, 16}) {
    const std::vector<uint8_t> in = Numbered(in_size, element_size);
    std::vector<uint8_t> out(static_cast<size_t>(out_size) * element_size), expected(out.size());
    StridedDims<2> all;
    for (const auto& dim : dims) all.dims.push_back(dim);
    Odometer<2> at(all, 0);
    for (int64_t i = 0; i < out_size; ++i, at.Advance()) {
      std::memcpy(expected.data() + at.offset(1) * static_cast<int64_t>(element_size),
                  in.data() + (in_offset + at.offset(0)) * static_cast<int64_t>(element_size),
                  element_size);
    }
    const uint8_t* from = in.data() + in_offset * static_cast<int64_t>(element_size);
    const int64_t units = plan.num_units(), middle = units / 3;
    Copy(plan, element_size, from, out.data(), middle, units);
    Copy(plan, element_size, from, out.data(), 0, middle);
    EXPECT_EQ(out, expected) << "elements of " << element_size << " bytes";
  }
}

CopyDims TransposedDims(const TensorShape& in, const std::vector<int64_t>& permutation) {
  const std::vector<int64_t> strides = RowMajorStrides(in);
  CopyDims dims(permutation.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(permutation[i]);
    dims[i] = {in.dim(axis), {strides[axis], stride}};
    stride *= in.dim(axis);
  }
  return dims;
}

TEST(StridedCopyTest, TransposesAllOrders) {
  for (const TensorShape& in :
       {TensorShape{2, 3, 4, 5}, TensorShape{1, 17, 1, 33}, TensorShape{19, 2, 21, 1}}) {
    std::vector<int64_t> permutation(in.rank());
    std::iota(permutation.begin(), permutation.end(), 0);
    do {
      Check(TransposePlan(in, permutation), TransposedDims(in, permutation), in.num_elements());
    } while (std::next_permutation(permutation.begin(), permutation.end()));
  }
  const std::vector<int64_t> six = {3, 5, 0, 4, 1, 2};
  const TensorShape in{3, 2, 2, 4, 3, 5};
  Check(TransposePlan(in, six), TransposedDims(in, six), in.num_elements());
}

TEST(StridedCopyTest, TilesOfMatrices) {
  const std::vector<int64_t> swapped = {1, 0};
  for (int64_t rows : {1, 3, 4, 15, 16, 18, 37}) {
    for (int64_t columns : {1, 2, 4, 7, 16, 21, 40}) {
      const TensorShape in{rows, columns};
      Check(TransposePlan(in, swapped), TransposedDims(in, swapped), in.num_elements());
    }
  }
  // Rows of the output that fall on the same lines of a cache.
  const TensorShape in{1024, 37};
  Check(TransposePlan(in, swapped), TransposedDims(in, swapped), in.num_elements());
}

TEST(StridedCopyTest, OneDimensionThatStays) {
  const CopyPlan plan = TransposePlan({2, 3, 4, 5}, std::vector<int64_t>{1, 0, 2, 3});
  EXPECT_EQ(plan.columns, 20);
  EXPECT_EQ(plan.rows, 2);
  const CopyPlan same = TransposePlan({2, 3, 4}, std::vector<int64_t>{0, 1, 2});
  EXPECT_EQ(same.columns, 24);
  EXPECT_EQ(same.num_units(), 1);
}

TEST(StridedCopyTest, Broadcasts) {
  const TensorShape out{2, 3, 4, 5};
  const std::vector<int64_t> strides = RowMajorStrides(out);
  for (const TensorShape& in :
       {TensorShape{2, 3, 4, 5}, TensorShape{}, TensorShape{5}, TensorShape{4, 1},
        TensorShape{2, 1, 4, 1}, TensorShape{1, 3, 1, 5}}) {
    const std::vector<int64_t> in_strides = RowMajorStrides(in);
    const size_t missing = out.rank() - in.rank();
    CopyDims dims;
    for (size_t i = 0; i < out.rank(); ++i) {
      const bool has = i >= missing && in.dim(i - missing) == out.dim(i);
      dims.push_back({out.dim(i), {has ? in_strides[i - missing] : 0, strides[i]}});
    }
    Check(BroadcastToPlan(in, out), dims, in.num_elements());
  }
}

TEST(StridedCopyTest, Repeats) {
  const std::vector<int64_t> multiples = {2, 1, 3};
  Check(TilePlan({2, 3, 4}, multiples),
        {{2, {0, 72}}, {2, {12, 36}}, {3, {4, 12}}, {3, {0, 4}}, {4, {1, 1}}}, 24);
}

// A box with steps back, of which `in` is the first element.
TEST(StridedCopyTest, StepsBack) {
  const CopyDims dims = {{3, {-14, 6}}, {2, {1, 3}}, {3, {-2, 1}}};
  Check(CopyPlan(dims), dims, 64, 40);
}

}  // namespace
}  // namespace tfrt::cpu
