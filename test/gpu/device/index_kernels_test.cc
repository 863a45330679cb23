// Kernels that take or put elements where indices, conditions or positions say, as PTX, against the
// host's.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/copy_plan.h"
#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "host_types.h"
#include "kernel_runner.h"
#include "lib/ops/maths/cpu/data_movement.h"
#include "lib/ops/maths/cpu/element_places.h"
#include "lib/ops/maths/cpu/scan.h"
#include "lib/ops/maths/cpu/scatter.h"
#include "lib/ops/maths/cpu/selection.h"
#include "lib/ops/maths/cpu/slices.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

template <typename T>
std::vector<T> Numbered(int64_t count) {
  std::vector<T> elements(static_cast<size_t>(count));
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<T>(i * 0x9E3779B97F4A7C15u >> 7);
  }
  return elements;
}

// Indices for a dimension of this size, some of them from the end, and a few outside.
template <typename Index>
std::vector<Index> Indices(int64_t count, int64_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int64_t> some(-size - 1, size);
  std::vector<Index> indices;
  for (int64_t i = 0; i < count; ++i) indices.push_back(static_cast<Index>(some(random)));
  return indices;
}

class IndexKernelsTest : public KernelTest {
 protected:
  template <typename T>
  void ExpectSame(Pointer out, const std::vector<T>& expected, const std::string& what) {
    const std::vector<T> results = runner_.Read<T>(out);
    ASSERT_EQ(results.size(), expected.size()) << what;
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(IsSame(results[i], expected[i]))
          << what << " at " << i << " is " << ValueOf<double>(results[i]) << ", not "
          << ValueOf<double>(expected[i]);
    }
  }

  // Elements of T are moved in units of `width`.
  template <typename T, typename Index>
  void CheckGather(int64_t batch, int64_t outer, int64_t size, int64_t count, int64_t inner) {
    const auto in = Numbered<T>(batch * outer * size * inner);
    const auto indices = Indices<Index>(batch * count, size, 1);
    std::vector<T> expected(static_cast<size_t>(batch * outer * count * inner));
    cpu::Gather({outer, size, count, static_cast<size_t>(inner) * sizeof(T)}, in.data(),
                indices.data(), expected.data(), 0, batch * outer * count);
    const Pointer out = runner_.Out<T>(expected.size());
    const int64_t unit = UnitBytes(static_cast<uint64_t>(inner) * sizeof(T), out.address);
    const int64_t units = inner * static_cast<int64_t>(sizeof(T)) / unit;
    const std::string name = "gather_" + TypeName<Index>() + "_b" + std::to_string(8 * unit);
    ASSERT_TRUE(runner_.Run(name, ThreadsLaunch(batch * outer * count * units), out, runner_.In(in),
                            runner_.In(indices), batch, outer, size, count, units));
    ExpectSame(out, expected, name);
    runner_.Clear();
  }

  template <typename T, typename Index>
  void CheckGatherNd() {
    const TensorShape shape{4, 5, 3, 7};
    for (int64_t depth : {0, 1, 3, 4}) {
      const int64_t rows = 30;
      const auto in = Numbered<T>(shape.num_elements());
      const auto indices = Indices<Index>(rows * depth, 3, 2);
      cpu::GatherNdPlan plan(shape, static_cast<size_t>(depth), sizeof(T));
      plan.from_end = true;
      const auto slice = static_cast<int64_t>(plan.slice_bytes / sizeof(T));
      std::vector<T> expected(static_cast<size_t>(rows * slice));
      cpu::GatherNd(plan, in.data(), indices.data(), expected.data(), 0, rows);
      const Pointer out = runner_.Out<T>(expected.size());
      const std::string name =
          "gather_nd_" + TypeName<Index>() + "_b" + std::to_string(8 * sizeof(T));
      const int64_t one = 1;
      ASSERT_TRUE(runner_.Run(name, ThreadsLaunch(rows * slice), out, runner_.In(in),
                              runner_.In(indices), rows, depth, slice, shape.dim(0), shape.dim(1),
                              shape.dim(2), shape.dim(3), one, one, one, one));
      ExpectSame(out, expected, name);
      runner_.Clear();
    }
  }

  // in [4,5,6], indices [3,9,5] along axis 1.
  template <typename T, typename Index>
  void CheckGatherElements() {
    const TensorShape shape{4, 5, 6}, index_shape{3, 9, 5};
    const auto in = Numbered<T>(120);
    const auto indices = Indices<Index>(135, 5, 3);
    std::vector<T> expected(135);
    const cpu::ElementPlaces places(shape, index_shape, 1);
    cpu::GatherElements(places, sizeof(T), in.data(), indices.data(), expected.data(), 0, 27);
    const Pointer out = runner_.Out<T>(135);
    const std::string name =
        "gather_elements_" + TypeName<Index>() + "_b" + std::to_string(8 * sizeof(T));
    ASSERT_TRUE(RunElements(name, ThreadsLaunch(135), index_shape, out, runner_.In(in),
                            runner_.In(indices)));
    ExpectSame(out, expected, name);
    runner_.Clear();
  }

  // With the sizes of indices along axis 1 of [4,5,6].
  template <typename... Args>
  bool RunElements(const std::string& name, DeviceLaunch launch, const TensorShape& indices,
                   Args... args) {
    const int64_t one = 1, none = 0, thirty = 30, six = 6, five = 5;
    return runner_.Run(name, launch, args..., one, one, one, one, one, indices.dim(0),
                       indices.dim(1), indices.dim(2), none, none, none, none, none, thirty, none,
                       one, five, six);
  }

  // The updates of many rows meet few places.
  template <typename T, typename Index>
  void CheckScatter(std::initializer_list<int32_t> reductions, DType dtype,
                    const std::vector<T>& numbers) {
    static constexpr cpu::Reduction kReductions[] = {cpu::Reduction::kNone, cpu::Reduction::kAdd,
                                                     cpu::Reduction::kMul, cpu::Reduction::kMax,
                                                     cpu::Reduction::kMin};
    auto some = [&](int64_t count) {
      std::vector<T> elements;
      for (int64_t i = 0; i < count; ++i) {
        elements.push_back(numbers[static_cast<size_t>(i * 7) % numbers.size()]);
      }
      return elements;
    };
    for (int32_t reduction : reductions) {
      const cpu::Reduction host_reduction = kReductions[reduction];
      {
        const TensorShape shape{3, 5, 3};
        const int64_t rows = 290, depth = 2, slice = 3, one = 1;
        const auto indices = Indices<Index>(rows * depth, 4, 4);
        const auto updates = some(rows * slice);
        std::vector<T> expected = some(45);
        cpu::GatherNdPlan plan(shape, 2, sizeof(T));
        plan.from_end = true;
        const Pointer out = runner_.In(expected);
        cpu::ScatterNd(plan, host_reduction, dtype, indices.data(), rows, updates.data(),
                       expected.data());
        const std::string name = ScatterName<T, Index>("scatter_nd_");
        ASSERT_TRUE(runner_.Run(name, ScatterLaunch(rows, 45), out, runner_.In(indices),
                                runner_.In(updates), rows, depth, slice, reduction, shape.dim(0),
                                shape.dim(1), one, one, one, one, one, one));
        ExpectSame(out, expected, name + " " + std::to_string(reduction));
        runner_.Clear();
      }
      const TensorShape shape{4, 5, 6}, index_shape{4, 15, 5};
      const auto indices = Indices<Index>(300, 5, 5);
      const auto updates = some(300);
      std::vector<T> expected = some(120);
      const Pointer out = runner_.In(expected);
      const cpu::ElementPlaces places(shape, index_shape, 1);
      cpu::ScatterElements(places, host_reduction, dtype, indices.data(), updates.data(),
                           expected.data());
      const std::string name = ScatterName<T, Index>("scatter_elements_");
      ASSERT_TRUE(RunElements(name, {2, 256}, index_shape, out, runner_.In(indices),
                              runner_.In(updates), int64_t{120}, reduction));
      ExpectSame(out, expected, name + " " + std::to_string(reduction));
      runner_.Clear();
    }
  }
  template <typename T, typename Index>
  static std::string ScatterName(const std::string& op) {
    if constexpr (std::is_unsigned_v<T>) {
      return op + TypeName<Index>() + "_b" + std::to_string(8 * sizeof(T));
    } else {
      return op + TypeName<Index>() + "_" + TypeName<T>();
    }
  }
  template <typename T>
  void CheckScatterNumbers() {
    std::vector<T> numbers = SomeElements<T>(40);
    // Numbers whose sums and products are none of the special ones, too.
    for (int i = 1; i < 40; ++i) numbers.push_back(Cast<T>(f64{1} + i * 0.37));
    CheckScatter<T, i64>({0, 1, 2, 3, 4}, HostDType<T>(), numbers);
    CheckScatter<T, i32>({1}, HostDType<T>(), numbers);
  }

  template <typename T>
  void CheckCumulativeSum() {
    for (auto [outer, size, inner] : {std::array<int64_t, 3>{2, 300, 1}, {1, 20, 3}, {2, 5, 40}}) {
      std::vector<T> in;
      for (int64_t i = 0; i < outer * size * inner; ++i) {
        // Sums of so many bits are exact, in whatever order they come.
        in.push_back(Cast<T>(static_cast<f64>((i * 7919) % 64 - 20)));
      }
      for (int way = 0; way < 4; ++way) {
        const bool exclusive = way & 1, reverse = way & 2;
        auto host_in = ToHost(in), host_out = host_in;
        cpu::CumulativeSum(size, inner, exclusive, reverse, host_in.data(), host_out.data(), 0,
                           outer);
        const Pointer x = runner_.In(in);  // in place
        ASSERT_TRUE(runner_.Run("cumulative_sum_" + TypeName<T>(), ScanLaunch(outer, size, inner),
                                x, x, outer, size, inner, int32_t{exclusive}, int32_t{reverse}));
        ExpectSame(x, ToDevice<T>(host_out), "cumulative_sum_" + TypeName<T>());
        runner_.Clear();
      }
    }
  }

  template <typename T>
  void CheckTopK() {
    for (auto [outer, size, inner, k] :
         {std::array<int64_t, 4>{1, 300, 1, 4}, {1, 5, 2, 5}, {1, 1, 1, 1}}) {
      std::vector<T> in = SomeElements<T>(static_cast<size_t>(outer * size * inner));
      in.resize(static_cast<size_t>(outer * size * inner), in[3]);
      for (bool largest : {true, false}) {
        const auto found = static_cast<size_t>(outer * k * inner);
        std::vector<T> values(found);
        std::vector<i64> places(found);
        cpu::TopK({outer, size, inner, k, largest}, HostDType<T>(), in.data(), values.data(),
                  places.data(), 0, outer * inner);
        const Pointer y = runner_.Out<T>(found), at = runner_.Out<i64>(found);
        ASSERT_TRUE(runner_.Run("top_k_" + TypeName<T>(), TopKLaunch(outer, inner, k), y, at,
                                runner_.In(in), outer, size, inner, k, int32_t{largest}));
        EXPECT_EQ(runner_.Read<i64>(at), places) << TypeName<T>() << largest;
        ExpectSame(y, values, "top_k_" + TypeName<T>());
        runner_.Clear();
      }
    }
  }
};

TEST_F(IndexKernelsTest, Gather) {
  CheckGather<uint8_t, i32>(2, 3, 5, 4, 3);
  CheckGather<uint16_t, i64>(1, 1, 50, 70, 5);
  CheckGather<uint32_t, i32>(1, 2, 50, 30, 1);
  CheckGather<uint32_t, i64>(1, 1, 9, 20, 12);  // in units of 128 bits
  CheckGather<uint64_t, i32>(3, 1, 7, 5, 1);
}
TEST_F(IndexKernelsTest, GatherNd) {
  CheckGatherNd<uint8_t, i32>();
  CheckGatherNd<uint16_t, i64>();
  CheckGatherNd<uint32_t, i32>();
  CheckGatherNd<uint64_t, i64>();
}
TEST_F(IndexKernelsTest, GatherElements) {
  CheckGatherElements<uint8_t, i32>();
  CheckGatherElements<uint16_t, i64>();
  CheckGatherElements<uint32_t, i32>();
  CheckGatherElements<uint64_t, i64>();
}

TEST_F(IndexKernelsTest, ScatterBits) {
  CheckScatter<uint8_t, i32>({0}, DType::kUI8, Numbered<uint8_t>(97));
  CheckScatter<uint16_t, i64>({0}, DType::kUI16, Numbered<uint16_t>(97));
  CheckScatter<uint32_t, i32>({0}, DType::kUI32, Numbered<uint32_t>(97));
  CheckScatter<uint64_t, i64>({0}, DType::kUI64, Numbered<uint64_t>(97));
}
TEST_F(IndexKernelsTest, ScatterF16) { CheckScatterNumbers<f16>(); }
TEST_F(IndexKernelsTest, ScatterBf16) { CheckScatterNumbers<bf16>(); }
TEST_F(IndexKernelsTest, ScatterF32) { CheckScatterNumbers<f32>(); }
TEST_F(IndexKernelsTest, ScatterF64) { CheckScatterNumbers<f64>(); }
TEST_F(IndexKernelsTest, ScatterI32) { CheckScatterNumbers<i32>(); }
TEST_F(IndexKernelsTest, ScatterI64) { CheckScatterNumbers<i64>(); }

// Slices that several blocks share, of which the parts do not begin at a multiple of a block.
TEST_F(IndexKernelsTest, ScatterOfLongSlices) {
  const int64_t rows = 3, slice = 9001, one = 1, depth = 1, size = 2;
  const std::vector<i32> indices = {1, -1, 1};
  std::vector<f32> updates, out(18002, 0.5f);
  for (int64_t i = 0; i < rows * slice; ++i) updates.push_back(static_cast<f32>(i % 1013) * 0.1f);
  std::vector<f32> expected = out;
  for (size_t row = 0; row < 3; ++row)
    for (size_t i = 0; i < 9001; ++i) expected[9001 + i] += updates[row * 9001 + i];
  for (uint32_t blocks : {1u, 7u}) {
    const Pointer x = runner_.In(out);
    ASSERT_TRUE(runner_.Run("scatter_nd_i32_f32", {blocks, 256}, x, runner_.In(indices),
                            runner_.In(updates), rows, depth, slice, int32_t{1}, size, one, one,
                            one, one, one, one, one));
    EXPECT_EQ(runner_.Read<f32>(x), expected) << blocks;
  }
}

template <typename T>
void CheckOneHot(KernelRunner& runner) {
  const std::string width = "_b" + std::to_string(8 * sizeof(T));
  const T on = static_cast<T>(0x1122334455667788), off = static_cast<T>(0xAABBCCDDEEFF0011);
  const std::vector<i32> indices = {0, 4, -1, 5, 2, 2};
  std::vector<T> expected(30, off);  // [2,5,3]
  for (size_t i = 0; i < 6; ++i) {
    if (indices[i] < 0 || indices[i] >= 5) continue;
    expected[(i / 3 * 5 + static_cast<size_t>(indices[i])) * 3 + i % 3] = on;
  }
  const Pointer on_value = runner.In<T>({on}), off_value = runner.In<T>({off});
  const Pointer out = runner.Out<T>(30), again = runner.Out<T>(30);
  ASSERT_TRUE(runner.Run("one_hot_i32" + width, ThreadsLaunch(30), out, runner.In(indices),
                         on_value, off_value, int64_t{2}, int64_t{5}, int64_t{3}));
  EXPECT_EQ(runner.Read<T>(out), expected);
  ASSERT_TRUE(runner.Run("one_hot_i64" + width, ThreadsLaunch(30), again,
                         runner.In(std::vector<i64>(indices.begin(), indices.end())), on_value,
                         off_value, int64_t{2}, int64_t{5}, int64_t{3}));
  EXPECT_EQ(runner.Read<T>(again), expected);
}
TEST_F(IndexKernelsTest, OneHot) {
  CheckOneHot<uint8_t>(runner_);
  CheckOneHot<uint16_t>(runner_);
  CheckOneHot<uint32_t>(runner_);
  CheckOneHot<uint64_t>(runner_);
}

template <typename T>
void CheckSelect(KernelRunner& runner) {
  const std::string name = "select_b" + std::to_string(8 * sizeof(T));
  const int64_t size = 77;
  std::vector<uint8_t> condition;
  for (int64_t i = 0; i < size; ++i) condition.push_back(i % 3 == 0 ? 0 : static_cast<uint8_t>(i));
  const auto x = Numbered<T>(size), y = Numbered<T>(2 * size);
  const Pointer c = runner.In(condition), first = runner.In(x), second = runner.In(y);
  // The second operand alone is unaligned in the second way.
  for (auto [x_step, shift] : {std::pair<int64_t, size_t>{1, 0}, {1, 1}, {0, 0}}) {
    std::vector<T> expected;
    for (size_t i = 0; i < 77; ++i) {
      expected.push_back(condition[i] ? x[x_step == 1 ? i : 0] : y[i + shift]);
    }
    const Pointer out = runner.Out<T>(77);
    ASSERT_TRUE(runner.Run(name, ThreadsLaunch(size), out, c, first, second + shift * sizeof(T),
                           size, int64_t{1}, x_step, int64_t{1}));
    EXPECT_EQ(runner.Read<T>(out), expected) << name << x_step << shift;
  }
  // [7,11]: a condition for each row, x as it is, y for each column.
  std::vector<T> expected;
  for (size_t i = 0; i < 77; ++i) expected.push_back(condition[i / 11] ? x[i] : y[i % 11]);
  const Pointer out = runner.Out<T>(77);
  const int64_t one = 1, none = 0, seven = 7, eleven = 11;
  ASSERT_TRUE(runner.Run("broadcast_" + name, ThreadsLaunch(size), out, c, first, second, one, one,
                         seven, eleven, none, none, one, none, none, none, eleven, one, none, none,
                         none, one));
  EXPECT_EQ(runner.Read<T>(out), expected) << "broadcast_" << name;
  runner.Clear();
}
TEST_F(IndexKernelsTest, Select) {
  CheckSelect<uint8_t>(runner_);
  CheckSelect<uint16_t>(runner_);
  CheckSelect<uint32_t>(runner_);
  CheckSelect<uint64_t>(runner_);
}

template <typename T>
void CheckArranged(KernelRunner& runner) {
  const std::string width = "_b" + std::to_string(8 * sizeof(T));
  const auto in = Numbered<T>(70);
  for (int64_t diagonal : {-9, -1, 0, 2, 9}) {
    for (bool upper : {false, true}) {
      std::vector<T> expected = in;  // [2,7,5]
      for (int64_t i = 0; i < 70; ++i) {
        const int64_t row = i / 5 % 7, column = i % 5;
        const bool is_kept = upper ? column >= row + diagonal : column <= row + diagonal;
        if (!is_kept) expected[static_cast<size_t>(i)] = 0;
      }
      const Pointer x = runner.In(in);  // in place
      ASSERT_TRUE(runner.Run("triangle" + width, ThreadsLaunch(70), x, x, int64_t{2}, int64_t{7},
                             int64_t{5}, diagonal, int32_t{upper}));
      EXPECT_EQ(runner.Read<T>(x), expected) << diagonal << upper;
    }
    std::vector<T> expected;
    for (int64_t i = 0; i < 35; ++i) expected.push_back(i % 5 == i / 5 + diagonal ? T(77) : T(0));
    const Pointer out = runner.Out<T>(35);
    ASSERT_TRUE(
        runner.Run("eye" + width, ThreadsLaunch(35), out, T(77), int64_t{7}, int64_t{5}, diagonal));
    EXPECT_EQ(runner.Read<T>(out), expected) << diagonal;
  }
  // [1,5,2,7,1] and the other way round.
  for (bool batch_is_first : {false, true}) {
    const std::vector<i64> lengths =
        batch_is_first ? std::vector<i64>{0, 1, 7, 3, 6} : std::vector<i64>{5, 0, 3, 4, 1, 2, 5};
    std::vector<T> expected(70);
    cpu::ReverseSequences({5, 2, 7, sizeof(T), batch_is_first}, lengths.data(), in.data(),
                          expected.data(), 0, 70);
    const Pointer out = runner.Out<T>(70);
    ASSERT_TRUE(runner.Run("reverse_sequence" + width, ThreadsLaunch(70), out, runner.In(in),
                           runner.In(lengths), int64_t{1}, int64_t{5}, int64_t{2}, int64_t{7},
                           int64_t{1}, int32_t{batch_is_first}));
    EXPECT_EQ(runner.Read<T>(out), expected) << batch_is_first;
  }
  runner.Clear();
}
TEST_F(IndexKernelsTest, Arranged) {
  CheckArranged<uint8_t>(runner_);
  CheckArranged<uint16_t>(runner_);
  CheckArranged<uint32_t>(runner_);
  CheckArranged<uint64_t>(runner_);
}

template <typename T>
void CheckRange(KernelRunner& runner, Compute<T> start, Compute<T> step) {
  std::vector<T> expected;
  for (int i = 0; i < 300; ++i) {
    if constexpr (kIsFloatElement<T>) {
      expected.push_back(Encode<T>(start + static_cast<Compute<T>>(i) * step));
    } else {
      const auto wide =
          static_cast<uint64_t>(start) + static_cast<uint64_t>(i) * static_cast<uint64_t>(step);
      expected.push_back(static_cast<T>(wide));
    }
  }
  const Pointer out = runner.Out<T>(300);
  ASSERT_TRUE(
      runner.Run("range_" + TypeName<T>(), ThreadsLaunch(300), out, start, step, int64_t{300}));
  const std::vector<T> results = runner.Read<T>(out);
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(IsSame(results[i], expected[i])) << TypeName<T>() << " at " << i;
  }
}
TEST_F(IndexKernelsTest, Range) {
  CheckRange<f16>(runner_, 1.5f, -0.3f);
  CheckRange<bf16>(runner_, 1.5f, -0.3f);
  CheckRange<f32>(runner_, 1e6f, 0.1f);
  CheckRange<f64>(runner_, 1e6, 0.1);
  CheckRange<i32>(runner_, INT32_MAX - 100, 7);
  CheckRange<i64>(runner_, INT64_MIN + 100, -1);
}

TEST_F(IndexKernelsTest, CumulativeSums) {
  CheckCumulativeSum<f16>();
  CheckCumulativeSum<bf16>();
  CheckCumulativeSum<f32>();
  CheckCumulativeSum<f64>();
  CheckCumulativeSum<i32>();
  CheckCumulativeSum<i64>();
}

TEST_F(IndexKernelsTest, TopK) {
  CheckTopK<f16>();
  CheckTopK<bf16>();
  CheckTopK<f32>();
  CheckTopK<f64>();
  CheckTopK<i32>();
  CheckTopK<i64>();
}

}  // namespace
}  // namespace tfrt::gpu
