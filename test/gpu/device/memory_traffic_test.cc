// Kernels move what they read and write at least once, and hardly more. Not for a GPU, which does
// not count so.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device_code/element.h"
#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

constexpr int64_t kSize = 1 << 16;

// The text of an entry point, to its closing brace.
std::string_view TextOf(const DeviceModule& module, std::string_view entry) {
  const size_t begin = module.ptx.find(StrCat(".visible .entry ", entry, "("));
  const size_t end = module.ptx.find("\n}", begin);
  return module.ptx.substr(begin, end - begin);
}

// Element-wise kernels have accesses of 128 bits to operands, and to results, if these have as many
// bytes.
TEST(VectorAccessTest, ElementwiseKernelsHaveThem) {
  size_t kernels = 0;
  for (const DeviceModule& module : DeviceModules()) {
    const std::string_view stem = module.family.substr(0, module.family.find('_'));
    const bool is_elementwise = stem == "unary" || stem == "binary" || stem == "compare" ||
                                stem == "cast" || stem == "fill";
    if (!is_elementwise) continue;
    for (const DeviceEntry& entry : module.entries) {
      const std::string_view text = TextOf(module, entry.name);
      auto has = [&](std::string_view opcode) {
        return text.find(StrCat("\t", opcode, ".global.v4.b32")) != text.npos ||
               text.find(StrCat("\t", opcode, ".global.v2.b64")) != text.npos;
      };
      EXPECT_TRUE(has("ld") || has("st")) << entry.name;
      const bool has_wide_results = stem == "binary" || stem == "fill" || entry.name == "exp_f16";
      EXPECT_TRUE(has("st") || !has_wide_results) << entry.name;
      EXPECT_TRUE(has("ld") || stem == "fill" || stem == "cast") << entry.name;
      ++kernels;
    }
  }
  EXPECT_TRUE(kernels > 400 || DeviceModules().empty()) << kernels;
}

class MemoryTrafficTest : public KernelTest {
 protected:
  void SetUp() override {
    KernelTest::SetUp();
    if (!IsSkipped()) moved_ = {};
  }

  template <typename T>
  Pointer Ones(int64_t count) {
    return runner_.In(std::vector<T>(static_cast<size_t>(count), Cast<T>(f32{1})));
  }
  template <typename T>
  Pointer Out(int64_t count) {
    return runner_.Out<T>(static_cast<size_t>(count));
  }

  template <typename... Args>
  void Run(const std::string& kernel, const DeviceLaunch& launch, Args... args) {
    ASSERT_TRUE(runner_.Run(kernel, launch, args...));
    Count();
  }
  void Count() {
    const KernelTraffic last = (*GetKernelMachine())->last_traffic();
    moved_.read_bytes += last.read_bytes;
    moved_.written_bytes += last.written_bytes;
    moved_.moved_bytes += last.moved_bytes;
  }

  // Kernels moved so many bytes since the last call, and up to a twentieth more. In whole
  // pieces of 32 bytes, too, unless `in_cache`: then neighbours are read by later instructions.
  void ExpectMoved(const std::string& what, int64_t read, int64_t written, bool in_cache = false) {
    const auto bytes = [](uint64_t count) { return static_cast<double>(count); };
    const double least_read = static_cast<double>(read),
                 least_written = static_cast<double>(written);
    EXPECT_GE(bytes(moved_.read_bytes), least_read) << what;
    EXPECT_GE(bytes(moved_.written_bytes), least_written) << what;
    const double least = least_read + least_written;
    EXPECT_LE(bytes(moved_.read_bytes + moved_.written_bytes), 1.05 * least) << what;
    if (!in_cache) EXPECT_LE(bytes(moved_.moved_bytes), 1.05 * least) << what;
    moved_ = {};
    runner_.Clear();
  }

  template <typename T>
  void CheckElementwise(const std::string& op) {
    const int64_t bytes = kSize * int64_t{sizeof(T)};
    const std::string name = op + "_" + TypeName<T>();
    Run(name, ElementwiseLaunch(kSize), Out<T>(kSize), Ones<T>(kSize), kSize);
    ExpectMoved(name, bytes, bytes);
  }
  template <typename T, typename R>
  void CheckPairs(const std::string& op) {
    const int64_t one = 1, none = 0, rows = 64, columns = kSize / rows;
    const int64_t bytes = kSize * int64_t{sizeof(T)}, out_bytes = kSize * int64_t{sizeof(R)};
    const std::string name = op + "_" + TypeName<T>(), broadcast = "broadcast_" + name;
    const DeviceLaunch launch = ElementwiseLaunch(kSize);
    Run(name, launch, Out<R>(kSize), Ones<T>(kSize), Ones<T>(kSize), kSize, one, one);
    ExpectMoved(name, 2 * bytes, out_bytes);
    // A row that repeats is read for each row of the result, out of a cache.
    Run(broadcast, launch, Out<R>(kSize), Ones<T>(kSize), Ones<T>(columns), one, one, rows, columns,
        none, none, columns, one, none, none, none, one);
    ExpectMoved(broadcast, 2 * bytes, out_bytes);
  }

  template <typename T>
  void CheckReductions(const std::string& op, const std::string& suffix, int64_t result_bytes) {
    struct Shape {
      int64_t outer, size, inner;
      bool in_cache = false;
    };
    for (const Shape& shape : {Shape{kSize / 8, 8, 1, true},
                               {64, 1024, 1},
                               {16, 4096, 1},
                               {1, kSize, 1},
                               {1, 2 * kSize, 1},
                               {4, 16, 1024},
                               {16, 64, 64},
                               {1, 4096, 32},
                               {1, 2048, 64}}) {
      const auto [outer, size, inner, in_cache] = shape;
      const int64_t elements = outer * size * inner, results = outer * inner;
      const ReductionLaunch plan = PlanReduction(outer, size, inner);
      const Pointer in = Ones<T>(elements), out = runner_.Scratch(results * result_bytes);
      const Pointer first = plan.parts > 1 ? runner_.Scratch(plan.scratch_bytes) : out;
      Run(op + "_" + suffix, plan.first, first, in, outer, size, inner, plan.parts);
      if (plan.parts > 1) {
        Run(op + "_parts_" + suffix, plan.combine, out, first, outer, size, inner, plan.parts);
      }
      ExpectMoved(StrCat(op, "_", suffix, " of ", outer, "x", size, "x", inner),
                  elements * int64_t{sizeof(T)}, results * result_bytes, in_cache);
    }
  }
  template <typename T>
  void CheckAllReductions() {
    for (const char* op : {"sum", "prod", "max"}) CheckReductions<T>(op, TypeName<T>(), sizeof(T));
    CheckReductions<T>("argmax", TypeName<T>() + "_i32", 4);
  }

  template <typename T>
  void CheckSoftmax() {
    const int64_t bytes = kSize * int64_t{sizeof(T)};
    for (int64_t columns : {256, 1024, 4096}) {
      const int64_t rows = kSize / columns;
      Run("log_softmax_" + TypeName<T>(), SoftmaxLaunch(rows, columns), Out<T>(kSize),
          Ones<T>(kSize), rows, columns);
      ExpectMoved(StrCat("log_softmax_", TypeName<T>(), " of ", columns), bytes, bytes);
    }
    // Rows that a block does not hold are read once more.
    Run("softmax_" + TypeName<T>(), SoftmaxLaunch(4, kSize / 4), Out<T>(kSize), Ones<T>(kSize),
        int64_t{4}, kSize / 4);
    ExpectMoved("softmax_" + TypeName<T>() + " of long rows", 2 * bytes, bytes);
  }

  template <typename T>
  void CheckMovements(const std::string& width) {
    const int64_t bytes = kSize * int64_t{sizeof(T)}, side = 256, one = 1;
    Run("fill_" + width, ElementwiseLaunch(kSize), Out<T>(kSize), T{1}, kSize);
    ExpectMoved("fill_" + width, 0, bytes);
    Run("transpose_" + width, TransposeLaunch(1, side, side), Out<T>(kSize), Ones<T>(kSize), one,
        side, side);
    ExpectMoved("transpose_" + width, bytes, bytes);
    Run("permute_" + width, ElementwiseLaunch(kSize), Out<T>(kSize), Ones<T>(kSize), one,
        int64_t{16}, int64_t{16}, side, int64_t{0}, side, 16 * side, one);
    ExpectMoved("permute_" + width, bytes, bytes);
  }

  // b once, and all else: little beside it.
  template <typename T>
  void CheckFewRows(int64_t m, int32_t transposed) {
    const int64_t n = 512, k = 2048, one = 1, none = 0;
    const MatMulLaunch plan = PlanMatMul(1, m, n, k);
    const Pointer a = Ones<T>(m * k), b = Ones<T>(k * n), out = Out<T>(m * n);
    const Pointer first = plan.parts > 1 ? runner_.Scratch(plan.scratch_bytes) : out;
    Run("matmul_few_rows_" + TypeName<T>(), plan.first, first, a, b, Pointer(), one, m, n, k, none,
        none, transposed, int32_t{0}, plan.parts);
    if (plan.parts > 1) {
      Run("matmul_parts_" + TypeName<T>(), plan.combine, out, first, Pointer(), one, m, n,
          int32_t{0}, plan.parts);
    }
    ExpectMoved(StrCat("matmul_few_rows_", TypeName<T>(), " of ", m, " rows, ", transposed),
                (m * k + k * n) * int64_t{sizeof(T)}, m * n * int64_t{sizeof(T)});
  }
  // An operand once for each tile of the other.
  template <typename T>
  void CheckTiles(int32_t transposed) {
    const int64_t side = 256, tiles = side / 64, one = 1, none = 0;
    Run("matmul_" + TypeName<T>(), {16, 64}, Out<T>(side * side), Ones<T>(side * side),
        Ones<T>(side * side), Pointer(), one, side, side, side, none, none, transposed, int32_t{0},
        one);
    const int64_t bytes = side * side * int64_t{sizeof(T)};
    ExpectMoved(StrCat("matmul_", TypeName<T>(), ", ", transposed), 2 * tiles * bytes, bytes);
  }

  template <typename From, typename To>
  void CheckCast() {
    const std::string name = "cast_" + TypeName<From>() + "_" + TypeName<To>();
    Run(name, ElementwiseLaunch(kSize), Out<To>(kSize), Ones<From>(kSize), kSize);
    ExpectMoved(name, kSize * int64_t{sizeof(From)}, kSize * int64_t{sizeof(To)});
  }

  KernelTraffic moved_;
};

TEST_F(MemoryTrafficTest, Unary) {
  for (const char* op : {"relu", "exp"}) {
    CheckElementwise<f16>(op);
    CheckElementwise<bf16>(op);
    CheckElementwise<f32>(op);
    CheckElementwise<f64>(op);
  }
  CheckElementwise<i32>("neg");
  CheckElementwise<i64>("neg");
  CheckElementwise<i1>("logical_not");
}

TEST_F(MemoryTrafficTest, Binary) {
  for (const char* op : {"add", "div"}) {
    CheckPairs<f16, f16>(op);
    CheckPairs<bf16, bf16>(op);
    CheckPairs<f32, f32>(op);
    CheckPairs<f64, f64>(op);
    CheckPairs<i32, i32>(op);
    CheckPairs<i64, i64>(op);
  }
}

TEST_F(MemoryTrafficTest, Compare) {
  CheckPairs<f16, i1>("less");
  CheckPairs<bf16, i1>("less");
  CheckPairs<f32, i1>("less");
  CheckPairs<f64, i1>("less");
  CheckPairs<i32, i1>("less");
  CheckPairs<i64, i1>("less");
  CheckPairs<u8, i1>("less");
  CheckPairs<i1, i1>("logical_and");
}

TEST_F(MemoryTrafficTest, Casts) {
  CheckCast<f32, f16>();
  CheckCast<f16, f32>();
  CheckCast<f32, bf16>();
  CheckCast<u8, f32>();
  CheckCast<f64, i1>();
  CheckCast<u8, u8>();
  CheckCast<i64, i32>();
}

// Queries of one block: no scores, and all else once.
TEST_F(MemoryTrafficTest, Attention) {
  const int32_t batch = 2, heads = 2, queries = 64, keys = 256, size = 64;
  const int64_t none = 0;
  Run("attention_f16", AttentionLaunch(batch, heads, queries, size),
      Out<f16>(batch * heads * queries * size), Ones<f16>(batch * heads * queries * size),
      Ones<f16>(batch * heads * keys * size), Ones<f16>(batch * heads * keys * size), Pointer(),
      Pointer(), batch, heads, heads, queries, keys, size, size, none, none, none, none, 0.125f,
      int32_t{0}, int32_t{0}, int32_t{0});
  ExpectMoved("attention_f16", 2 * batch * heads * (4 * queries + 2 * keys) * size,
              2 * batch * heads * queries * size);
}

// With one scale; sums of products with an addend; bytes with one zero point. Each thread has many
// elements, and reads what there is one of once.
TEST_F(MemoryTrafficTest, NumbersOfOtherTypes) {
  const int64_t one = 1, none = 0;
  const DeviceLaunch launch = {4, 256};
  Run("quantize_f32_u8", launch, Out<u8>(kSize), Ones<f32>(kSize), Ones<f32>(1), Ones<u8>(1), one,
      one, kSize, none);
  ExpectMoved("quantize_f32_u8", 4 * kSize, kSize);
  Run("dequantize_f16_i32", launch, Out<f16>(kSize), Ones<i32>(kSize), Ones<f16>(1), Pointer(), one,
      one, kSize, none);
  ExpectMoved("dequantize_f16_i32", 4 * kSize, 2 * kSize);
  const Pointer limits = runner_.Scratch(8 * 8);
  Run("quantization_limits", BlocksLaunch(8), limits, Ones<f32>(kSize), kSize, int64_t{8});
  ExpectMoved("quantization_limits", 4 * kSize, 8 * 8);
  Run("epilogue_f16", launch, Out<f16>(kSize), Ones<f32>(kSize), Pointer(), Ones<f16>(kSize), 2.0f,
      kSize, kSize, int32_t{1});
  ExpectMoved("epilogue_f16", 6 * kSize, 2 * kSize);
  Run("widen_u8", launch, Out<i32>(kSize), Ones<u8>(kSize), Ones<u8>(1), kSize, kSize, one);
  ExpectMoved("widen_u8", kSize, 4 * kSize);
}

TEST_F(MemoryTrafficTest, Movements) {
  CheckMovements<uint8_t>("b8");
  CheckMovements<uint16_t>("b16");
  CheckMovements<uint32_t>("b32");
  CheckMovements<uint64_t>("b64");
}

TEST_F(MemoryTrafficTest, Reductions) {
  CheckAllReductions<f16>();
  CheckAllReductions<f32>();
  CheckAllReductions<f64>();
  CheckAllReductions<i32>();
}

TEST_F(MemoryTrafficTest, Softmax) {
  CheckSoftmax<f16>();
  CheckSoftmax<bf16>();
  CheckSoftmax<f32>();
  CheckSoftmax<f64>();
}

TEST_F(MemoryTrafficTest, ProductsWithFewRows) {
  for (int32_t transposed : {0, 2}) {
    for (int64_t m : {1, 8}) {
      CheckFewRows<f16>(m, transposed);
      CheckFewRows<f32>(m, transposed);
    }
    CheckFewRows<f64>(1, transposed);
  }
}

TEST_F(MemoryTrafficTest, Products) {
  for (int32_t transposed : {0, 1, 2, 3}) CheckTiles<f32>(transposed);
  CheckTiles<f16>(0);
  CheckTiles<f16>(2);
  CheckTiles<f64>(0);
}

// Operands and results may begin at any element, where no access of 128 bits may.
class UnalignedTest : public KernelTest {
 protected:
  static Pointer Next(Pointer pointer, size_t bytes) { return {pointer.address + bytes}; }
};

TEST_F(UnalignedTest, ElementwiseKernels) {
  const int64_t size = 101, one = 1, none = 0;
  std::vector<f32> in(size + 1);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<f32>(i);
  auto expect = [&](Pointer out, auto exact) {
    const std::vector<f32> results = runner_.Read<f32>(out);
    for (size_t i = 1; i < results.size(); ++i) ASSERT_EQ(results[i], exact(in[i])) << i;
  };
  auto out = [&] { return runner_.In(std::vector<f32>(in.size(), -1)); };
  const Pointer x = Next(runner_.In(in), 4);
  Pointer y = out();
  ASSERT_TRUE(runner_.Run("neg_f32", ElementwiseLaunch(size), Next(y, 4), x, size));
  expect(y, [](f32 value) { return -value; });
  y = out();
  ASSERT_TRUE(runner_.Run("sqrt_f32", ElementwiseLaunch(size), Next(y, 4), x, size));
  expect(y, [](f32 value) { return std::sqrt(value); });
  y = out();
  ASSERT_TRUE(runner_.Run("mul_f32", ElementwiseLaunch(size), Next(y, 4), x, x, size, one, one));
  expect(y, [](f32 value) { return value * value; });
  y = out();
  ASSERT_TRUE(runner_.Run("broadcast_mul_f32", ElementwiseLaunch(size - 1), Next(y, 4), x, x, one,
                          one, int64_t{25}, int64_t{4}, none, none, int64_t{4}, one, none, none,
                          int64_t{4}, one));
  runner_.Read<f32>(y);
  y = out();
  ASSERT_TRUE(runner_.Run("fill_b32", ElementwiseLaunch(size), Next(y, 4), 2.0f, size));
  expect(y, [](f32) { return 2.0f; });
  const Pointer whole = runner_.In(std::vector<i32>(in.size(), -1));
  ASSERT_TRUE(runner_.Run("cast_f32_i32", ElementwiseLaunch(size), Next(whole, 4), x, size));
  EXPECT_EQ(runner_.Read<i32>(whole)[101], 101);
  EXPECT_EQ(runner_.Read<i32>(whole)[0], -1);
}

TEST_F(UnalignedTest, RowKernels) {
  for (int64_t size : {100, 3000, 20'000}) {
    std::vector<f32> in(static_cast<size_t>(size) + 1, 1);
    const Pointer x = Next(runner_.In(in), 4), sum = runner_.Out<f32>(1);
    ASSERT_TRUE(runner_.Reduce("sum", "f32", sum, x, 1, size, 1));
    EXPECT_EQ(runner_.Read<f32>(sum)[0], static_cast<f32>(size));
    const Pointer y = runner_.In(in);
    ASSERT_TRUE(
        runner_.Run("softmax_f32", SoftmaxLaunch(1, size), Next(y, 4), x, int64_t{1}, size));
    EXPECT_FLOAT_EQ(runner_.Read<f32>(y).back(), 1 / static_cast<f32>(size));
  }
}

}  // namespace
}  // namespace tfrt::gpu
