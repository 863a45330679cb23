// Copies between layouts and paddings, as PTX, against the host's.

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device_code/copy_plan.h"
#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "lib/ops/maths/cpu/pick.h"
#include "lib/ops/maths/cpu/strided_copy.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using device::PadMode;
using Bytes = std::vector<uint8_t>;

Bytes SomeBytes(int64_t count) {
  Bytes bytes(static_cast<size_t>(count));
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>((i * 0x9E3779B1) >> 16);
  return bytes;
}

std::string Width(int64_t bytes) { return "b" + std::to_string(8 * bytes); }

class CopyKernelsTest : public KernelTest {
 protected:
  // Buffers, in which the tensors begin `shift` bytes after the start.
  bool RunCopy(const CopyPlan& plan, Pointer out, Pointer in) {
    const auto &n = plan.sizes, &x = plan.in_steps, &y = plan.out_steps;
    const std::string width = Width(plan.unit_bytes);
    const DeviceLaunch launch = ThreadsLaunch(plan.num_units());
    if (plan.has_four_dims) {
      return runner_.Run("copy_" + width, launch, out, in, n[4], n[5], n[6], n[7], x[4], x[5], x[6],
                         x[7], y[4], y[5], y[6], y[7]);
    }
    return runner_.Run("copy_eight_" + width, launch, out, in, n[0], n[1], n[2], n[3], n[4], n[5],
                       n[6], n[7], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], y[0], y[1], y[2],
                       y[3], y[4], y[5], y[6], y[7]);
  }

  // Runs the copy on the device and on the host. The input's element 0 is its element `first`.
  void Check(const std::vector<CopyDim>& dims, int64_t element_bytes, int64_t in_elements,
             int64_t first = 0, int64_t shift = 0) {
    cpu::CopyDims host_dims;
    int64_t out_elements = 1;
    for (const CopyDim& dim : dims) {
      host_dims.push_back({dim.size, {dim.in_step, dim.out_step}});
      out_elements *= dim.size;
    }
    const int64_t in_bytes = in_elements * element_bytes, out_bytes = out_elements * element_bytes;
    const Bytes in = SomeBytes(in_bytes + shift);
    Bytes expected(static_cast<size_t>(out_bytes));
    const cpu::CopyPlan host(host_dims);
    cpu::Copy(host, static_cast<size_t>(element_bytes), in.data() + shift + first * element_bytes,
              expected.data(), 0, host.num_units());

    const Pointer x = runner_.In(in);
    const Pointer from = x + static_cast<uint64_t>(shift + first * element_bytes);
    const Pointer to = runner_.Out<uint8_t>(expected.size());
    const auto plan = PlanCopy(dims, element_bytes, from.address | to.address);
    ASSERT_TRUE(plan);
    ASSERT_TRUE(RunCopy(*plan, to, from));
    EXPECT_EQ(runner_.Read<uint8_t>(to), expected) << element_bytes;
    runner_.Clear();
  }
};

TEST_F(CopyKernelsTest, Permutations) {
  for (int64_t bytes : {1, 2, 4, 8, 16}) {
    // [3,4,5] to [5,3,4], and [7,2,8] to [2,7,8], whose rows stay together.
    Check({{5, 1, 12}, {3, 20, 4}, {4, 5, 1}}, bytes, 60);
    Check({{2, 8, 56}, {7, 16, 8}, {8, 1, 1}}, bytes, 112);
  }
}

// Five and more dimensions, all of which are in another order.
TEST_F(CopyKernelsTest, PermutationsOfManyDimensions) {
  const int64_t sizes[] = {2, 3, 2, 3, 2, 2, 3, 2};
  for (size_t rank : {5, 8}) {
    std::vector<CopyDim> dims(rank);
    int64_t elements = 1;
    for (size_t i = rank; i-- > 0;) {
      dims[i] = {sizes[i], 0, elements};
      elements *= sizes[i];
    }
    int64_t step = 1;  // the input has them the other way round
    for (CopyDim& dim : dims) {
      dim.in_step = step;
      step *= dim.size;
    }
    Check(dims, 4, elements);
    Check(dims, 2, elements);
  }
}

TEST_F(CopyKernelsTest, Broadcasts) {
  Check({{3, 0, 40}, {5, 8, 8}, {8, 1, 1}}, 4, 40);
  Check({{3, 4, 20}, {4, 1, 5}, {5, 0, 1}}, 2, 12);
  Check({{1000, 0, 1}}, 8, 1);
}

TEST_F(CopyKernelsTest, SlicesAndReversals) {
  // x[1:4, ::-2] and x[::-1, 2:6] of [5,9].
  Check({{3, 9, 5}, {5, -2, 1}}, 4, 45, 9 + 8);
  Check({{5, -9, 4}, {4, 1, 1}}, 8, 45, 4 * 9 + 2);
}

// Pointers that are aligned to elements only.
TEST_F(CopyKernelsTest, Unaligned) {
  Check({{100, 1, 1}}, 2, 100, 0, 6);
  Check({{64, 1, 1}}, 1, 64, 0, 3);
}

// Parts of a larger output, one after the other.
TEST_F(CopyKernelsTest, Concatenation) {
  const std::vector<uint32_t> a = {1, 2, 3, 4, 5, 6, 7, 8}, b = {11, 12, 13, 14};
  const Pointer out = runner_.In(std::vector<uint32_t>(12));
  const auto first = PlanCopy(std::vector<CopyDim>{{2, 4, 6}, {4, 1, 1}}, 4, 0);
  const auto second = PlanCopy(std::vector<CopyDim>{{2, 2, 6}, {2, 1, 1}}, 4, 16);
  EXPECT_EQ(first->unit_bytes, 8);
  ASSERT_TRUE(RunCopy(*first, out, runner_.In(a)));
  ASSERT_TRUE(RunCopy(*second, out + 16, runner_.In(b)));
  EXPECT_EQ(runner_.Read<uint32_t>(out),
            (std::vector<uint32_t>{1, 2, 3, 4, 11, 12, 5, 6, 7, 8, 13, 14}));
}

class PadKernelsTest : public CopyKernelsTest {
 protected:
  void CheckPad(const std::vector<int64_t>& dims, const std::vector<int64_t>& paddings,
                PadMode mode, int64_t element_bytes, int64_t shift = 0) {
    static constexpr cpu::PadMode kModes[] = {cpu::PadMode::kConstant, cpu::PadMode::kReflect,
                                              cpu::PadMode::kEdge, cpu::PadMode::kWrap};
    const TensorShape shape = *TensorShape::Create(dims);
    std::vector<cpu::PickedDim> picked;
    int64_t elements = 1;
    for (size_t i = 0; i < dims.size(); ++i) {
      auto dim = cpu::PaddedDim(dims[i], paddings[2 * i], paddings[2 * i + 1],
                                kModes[static_cast<size_t>(mode)]);
      ASSERT_TRUE(dim.ok()) << dim.status().ToString();
      elements *= dim->size();
      picked.push_back(*std::move(dim));
    }
    const Bytes in = SomeBytes(shape.num_elements() * element_bytes + shift);
    const uint64_t value = 0x8877665544332211;
    Bytes expected(static_cast<size_t>(elements * element_bytes));
    const cpu::PickPlan host(shape, std::move(picked), static_cast<size_t>(element_bytes));
    cpu::Pick(host, in.data() + shift, &value, expected.data(), 0, host.num_rows);

    const Pointer from = runner_.In(in) + static_cast<uint64_t>(shift);
    const Pointer to = runner_.Out<uint8_t>(expected.size());
    const uint64_t mask = ~uint64_t{0} >> (64 - 8 * element_bytes);
    const auto plan =
        PlanPad(dims, paddings, mode, element_bytes, value & mask, from.address | to.address);
    ASSERT_TRUE(plan);
    auto run = [&](auto unit) {
      const auto &n = plan->sizes, &k = plan->kept, &b = plan->before, &s = plan->steps;
      return runner_.Run("pad_" + Width(plan->unit_bytes), ThreadsLaunch(plan->num_units()), to,
                         from + static_cast<uint64_t>(plan->in_offset), unit,
                         static_cast<int32_t>(mode), n[0], n[1], n[2], n[3], n[4], k[0], k[1], k[2],
                         k[3], k[4], b[0], b[1], b[2], b[3], b[4], s[0], s[1], s[2], s[3], s[4]);
    };
    const bool ran = plan->unit_bytes == 1   ? run(static_cast<uint8_t>(plan->value))
                     : plan->unit_bytes == 2 ? run(static_cast<uint16_t>(plan->value))
                     : plan->unit_bytes == 4 ? run(static_cast<uint32_t>(plan->value))
                                             : run(plan->value);
    ASSERT_TRUE(ran);
    EXPECT_EQ(runner_.Read<uint8_t>(to), expected)
        << "mode " << static_cast<int>(mode) << ", " << element_bytes << " bytes";
    runner_.Clear();
  }
};

TEST_F(PadKernelsTest, AllModes) {
  for (PadMode mode : {PadMode::kConstant, PadMode::kReflect, PadMode::kEdge, PadMode::kWrap}) {
    for (int64_t bytes : {1, 2, 4, 8}) CheckPad({3, 5}, {1, 2, 3, 4}, mode, bytes);
    CheckPad({2, 3, 5, 8}, {0, 0, 1, 2, 2, 1, 0, 0}, mode, 2);     // in larger units
    CheckPad({2, 3, 5, 8}, {0, 0, 1, 2, 2, 1, 0, 0}, mode, 2, 2);  // but not here
    CheckPad({2, 2, 3, 2, 3}, {1, 0, 0, 1, 1, 1, 1, 0, 2, 1}, mode, 4);
    CheckPad({4, 6}, {-1, 2, 1, -2}, mode, 4);
    CheckPad({3, 1}, {7, 8, 2, 2}, mode, 4);  // several times around
  }
}

TEST_F(PadKernelsTest, NothingIsLeft) { CheckPad({3, 4}, {0, 0, -5, 3}, PadMode::kConstant, 4); }

}  // namespace
}  // namespace tfrt::gpu
