// Products of bytes by each kernel that this CPU has, against the definition.

#include <algorithm>
#include <cstring>
#include <random>

#include "lib/ops/maths/contraction/byte_product.h"
#include "maths_fixture.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::contraction {
namespace {

using Bytes = std::vector<uint8_t>;

// Some are the largest and the smallest, as u8 and as i8.
Bytes RandomBytes(int64_t count, unsigned seed) {
  constexpr uint8_t kExtreme[] = {0, 127, 128, 255};
  std::minstd_rand random(seed);
  Bytes bytes(static_cast<size_t>(count));
  for (uint8_t& byte : bytes) {
    byte = random() % 4 == 0 ? kExtreme[random() % 4] : static_cast<uint8_t>(random() % 256);
  }
  return bytes;
}

int32_t ValueOf(uint8_t byte, bool is_signed) {
  return is_signed ? int32_t{static_cast<int8_t>(byte)} : int32_t{byte};
}

class Rows final : public ByteRows {
 public:
  Rows(const Bytes& bytes, bool is_signed, int64_t depth)
      : bytes_(bytes), is_signed_(is_signed), depth_(depth) {}
  void Fill(int64_t row, int64_t count, uint8_t* to, int64_t stride) const override {
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t k = 0; k < depth_; ++k) {
        to[i * stride + k] =
            bytes_[static_cast<size_t>((row + i) * depth_ + k)] ^ (is_signed_ ? kOtherSign : 0);
      }
    }
  }

 private:
  const Bytes& bytes_;
  bool is_signed_;
  int64_t depth_;
};

struct Case {
  int64_t rows, columns, depth;
  bool a_signed = false, b_signed = true, transposed = false, packed = true;
  bool zeros_of_rows = false, zeros_of_columns = false;
};

class ByteKernelsTest : public maths::MathsTest {
 protected:
  void Check(const ByteKernel& kernel, const Case& c) {
    SCOPED_TRACE(StrCat(kernel.name, " ", c.rows, "x", c.depth, "x", c.columns, " ", c.a_signed,
                        c.b_signed, c.transposed, c.packed, c.zeros_of_rows, c.zeros_of_columns));
    const Bytes a = RandomBytes(c.rows * c.depth, 1), b = RandomBytes(c.columns * c.depth, 2);
    const int32_t a_shift = c.a_signed ? 128 : 0, b_shift = c.b_signed ? 0 : -128;
    std::vector<int32_t> a_zeros, b_zeros;
    for (uint8_t zero : RandomBytes(c.rows, 3)) a_zeros.push_back(ValueOf(zero, c.a_signed));
    for (uint8_t zero : RandomBytes(c.columns, 4)) b_zeros.push_back(ValueOf(zero, c.b_signed));
    if (!c.zeros_of_rows) std::ranges::fill(a_zeros, c.a_signed ? -7 : 200);
    if (!c.zeros_of_columns) std::ranges::fill(b_zeros, c.b_signed ? 0 : 128);
    std::vector<int32_t> expected;
    for (int64_t i = 0; i < c.rows; ++i) {
      for (int64_t j = 0; j < c.columns; ++j) {
        int64_t sum = 0;
        for (int64_t k = 0; k < c.depth; ++k) {
          const int64_t at = c.transposed ? j * c.depth + k : k * c.columns + j;
          sum += int64_t{ValueOf(a[size_t(i * c.depth + k)], c.a_signed) - a_zeros[size_t(i)]} *
                 (ValueOf(b[size_t(at)], c.b_signed) - b_zeros[size_t(j)]);
        }
        expected.push_back(static_cast<int32_t>(sum));
      }
    }
    for (int32_t& zero : a_zeros) zero += a_shift;
    for (int32_t& zero : b_zeros) zero += b_shift;
    const ByteColumns columns{.data = b.data(),
                              .is_signed = c.b_signed,
                              .depth = c.depth,
                              .columns = c.columns,
                              .inner = std::max<int64_t>(c.depth, 1),
                              .inner_stride = c.transposed ? 1 : c.columns,
                              .column_stride = c.transposed ? c.depth : 1};
    const auto packed = c.packed ? PackedBytes::Create(kernel, columns, 1, 0) : nullptr;
    const Rows rows(a, c.a_signed, c.depth);
    std::vector<int32_t> out(expected.size(), -1);
    AsyncValueRef<Chain> done = MultiplyBytes(
        exec_ctx_, 1, c.rows, c.columns, c.depth, {},
        [&](int64_t) {
          ByteProduct product;
          product.a = &rows;
          product.packed = packed.get();
          product.b = columns;
          product.a_zero = a_zeros.empty() ? 0 : a_zeros[0];
          if (c.zeros_of_rows) product.a_zeros = a_zeros.data();
          if (std::ranges::any_of(b_zeros, [](int32_t zero) { return zero != 0; })) {
            product.b_zeros = b_zeros.data();
          }
          product.tail.out = out.data();
          product.tail.row_stride = c.columns;
          return product;
        },
        kernel);
    AsyncValue* awaited[] = {done.GetAsyncValue()};
    host_.Await(awaited);
    ASSERT_FALSE(done.IsError());
    ASSERT_EQ(out, expected);
  }
};

TEST_F(ByteKernelsTest, AgreeWithTheDefinition) {
  int available = 0;
  for (const ByteKernel* kernel : ByteKernels()) {
    if (!kernel->is_available()) continue;
    ++available;
    for (int64_t depth : {0, 1, 3, 4, 5, 63, 64, 65, 200}) {
      for (int64_t rows : {1, 2, 5, 6, 7, 15, 16, 17, 31, 33, 70}) {
        const int64_t columns = (rows * 37 + depth) % 150 + 1;
        Case c{rows, columns, depth};
        c.a_signed = rows % 2 == 0;
        c.b_signed = depth % 2 == 0;
        c.transposed = (rows + depth) % 3 == 0;
        c.packed = rows % 4 != 1;
        c.zeros_of_rows = depth % 3 == 0;
        c.zeros_of_columns = rows % 3 == 0;
        Check(*kernel, c);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(available, 3);  // the plain ones
}

TEST_F(ByteKernelsTest, OfEachPairOfSigns) {
  for (const ByteKernel* kernel : ByteKernels()) {
    if (!kernel->is_available()) continue;
    for (int bits = 0; bits < 32; ++bits) {
      Check(*kernel, {.rows = 9,
                      .columns = 70,
                      .depth = 130,
                      .a_signed = (bits & 1) != 0,
                      .b_signed = (bits & 2) != 0,
                      .transposed = (bits & 4) != 0,
                      .zeros_of_rows = (bits & 8) != 0,
                      .zeros_of_columns = (bits & 16) != 0});
      if (HasFatalFailure()) return;
    }
  }
}

// Sums that saturating instructions would cut, and the largest that there are.
TEST_F(ByteKernelsTest, DoNotSaturate) {
  constexpr int64_t kDepth = 33'024;
  for (const ByteKernel* kernel : ByteKernels()) {
    if (!kernel->is_available()) continue;
    const Bytes a(static_cast<size_t>(kDepth), 255), b(static_cast<size_t>(kDepth), 0);
    const Rows rows(a, false, kDepth);
    const ByteColumns columns{.data = b.data(),
                              .is_signed = false,
                              .depth = kDepth,
                              .columns = 1,
                              .inner = kDepth,
                              .inner_stride = 1};
    const int32_t b_zero = 255 - 128;
    int32_t out = 0;
    AsyncValueRef<Chain> done = MultiplyBytes(
        exec_ctx_, 1, 1, 1, kDepth, {},
        [&](int64_t) {
          ByteProduct product;
          product.a = &rows;
          product.b = columns;
          product.b_zeros = &b_zero;
          product.tail.out = &out;
          product.tail.row_stride = 1;
          return product;
        },
        *kernel);
    AsyncValue* awaited[] = {done.GetAsyncValue()};
    host_.Await(awaited);
    EXPECT_EQ(out, -255 * 255 * int32_t{kDepth}) << kernel->name;
  }
}

// In parts, by several threads, and with several blocks of rows.
TEST_F(ByteKernelsTest, LargeOnes) {
  for (const ByteKernel* kernel : ByteKernels()) {
    if (!kernel->is_available()) continue;
    Check(*kernel, {.rows = 230, .columns = 70, .depth = 515, .zeros_of_columns = true});
    Check(*kernel, {.rows = 3, .columns = 500, .depth = 215, .b_signed = false, .packed = false});
    if (HasFatalFailure()) return;
  }
}

// The vectors of a kernel and the loops of its twin read the same layout.
TEST_F(ByteKernelsTest, HaveTwins) {
  const std::pair<const ByteKernel*, const ByteKernel*> twins[] = {
#if defined(__x86_64__)
      {&kAvx2Bytes, &kPlainWords},
      {&kAvx512VnniBytes, &kPlainBytes},
      {&kAmxBytes, &kPlainTiles},
#endif
  };
  for (auto [kernel, twin] : twins) {
    EXPECT_EQ(kernel->columns, twin->columns);
    EXPECT_EQ(kernel->together, twin->together);
    EXPECT_EQ(kernel->depth_unit, twin->depth_unit);
    EXPECT_EQ(kernel->widens, twin->widens);
    if (!kernel->is_available()) continue;
    const int64_t depth = 3 * kernel->depth_unit, rows = 37;
    const Bytes bytes = RandomBytes(rows * depth, 5);
    std::vector<int16_t> words(bytes.begin(), bytes.end());
    const Bytes panel = RandomBytes(kernel->columns * depth, 6);
    AlignedBuffer aligned;
    ASSERT_TRUE(aligned.Reserve(panel.size()));
    std::memcpy(aligned.data(), panel.data(), panel.size());
    std::vector<int32_t> sums[2];
    for (const ByteKernel* each : {kernel, twin}) {
      std::vector<int32_t>& out = sums[each == twin];
      out.resize(static_cast<size_t>(rows * 64));
      each->multiply({.a = each->widens ? static_cast<const void*>(words.data()) : bytes.data(),
                      .a_stride = depth,
                      .panel = static_cast<const int8_t*>(aligned.data()),
                      .depth = depth,
                      .out = out.data(),
                      .out_stride = 64,
                      .rows = rows});
    }
    EXPECT_EQ(sums[0], sums[1]) << kernel->name;
  }
}

TEST(BestByteKernelTest, IsTheFirstAvailable) {
  for (const ByteKernel* kernel : ByteKernels()) {
    if (!kernel->is_available()) continue;
    EXPECT_EQ(&BestByteKernel(), kernel);
    break;
  }
}

}  // namespace
}  // namespace tfrt::contraction
