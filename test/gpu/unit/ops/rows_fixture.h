// RowsTest: the fixture of tests that run rows on a GPU, or its double, beside the CPU.
#ifndef TFRT_TEST_GPU_UNIT_OPS_ROWS_FIXTURE_H_
#define TFRT_TEST_GPU_UNIT_OPS_ROWS_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lib/ops/host_ops/graph_ops.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/cast.h"
#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "test/unit/host_ops/eager_op_of_case.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

using SetAttrs = std::function<void(OpAttrs& attrs)>;

class RowsTest : public GpuOpsTest {
 protected:
  void SetUp() override { Init({.soft_placement = false}); }

  // A tensor of any dtype but i1; floats may be NaN.
  eager::HostArray RandomBytes(DType dtype, std::vector<int64_t> dims) {
    size_t size = DTypeSize(dtype);
    for (int64_t dim : dims) size *= static_cast<size_t>(dim);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return eager::HostArray(dtype, dims, bytes);
  }
  eager::HostArray Random(std::vector<int64_t> dims) {
    int64_t size = 1;
    for (int64_t dim : dims) size *= dim;
    std::vector<float> values(static_cast<size_t>(size));
    for (float& value : values) value = static_cast<float>(random_() % 1000) / 8;
    return eager::HostArray(std::span<const int64_t>(dims), values);
  }
  // Numbers around 0 of a real dtype.
  eager::HostArray RandomOf(DType dtype, std::vector<int64_t> dims, double largest = 1) {
    return RandomBetween(dtype, std::move(dims), -largest, largest);
  }
  // Scales of integers, which are positive.
  eager::HostArray ScalesOf(DType dtype, std::vector<int64_t> dims) {
    return RandomBetween(dtype, std::move(dims), 0.01, 3);
  }
  eager::HostArray RandomBetween(DType dtype, std::vector<int64_t> dims, double least,
                                 double largest) {
    size_t size = 1;
    for (int64_t dim : dims) size *= static_cast<size_t>(dim);
    std::uniform_real_distribution<double> some(least, largest);
    std::vector<std::byte> bytes(size * DTypeSize(dtype));
    DispatchReal(dtype, [&]<typename T>(std::type_identity<T>) {
      for (size_t i = 0; i < size; ++i) {
        const T value = CastElement<T>(some(random_));
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
      }
    });
    return eager::HostArray(dtype, dims, bytes);
  }
  eager::HostArray RandomTruths(std::vector<int64_t> dims) {
    size_t size = 1;
    for (int64_t dim : dims) size *= static_cast<size_t>(dim);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_() % 2);
    return eager::HostArray(DType::kI1, dims, bytes);
  }
  static eager::HostArray Integers(std::vector<int64_t> values) {
    return eager::HostArray({static_cast<int64_t>(values.size())}, values);
  }
  static eager::HostArray Integer(int64_t value) { return eager::HostArray({}, {value}); }

  StatusOr<std::vector<eager::Tensor>> Run(const char* device, std::string_view row,
                                           const std::vector<eager::HostArray>& arrays,
                                           const SetAttrs& set_attrs, size_t num_results) {
    eager::Scope scope(*context_, {.device = device});
    // A row, or a name with a dot as programs have it.
    const std::string_view prefix = row.find('.') != row.npos ? "" : kGraphOpPrefix;
    const OpDefinition* op = FindEagerOp(StrCat(prefix, row), *context_);
    if (!op) return NotFoundError(row);
    std::vector<eager::TensorArgument> arguments;
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (op->description->is_host_value(i, arrays.size())) {
        arguments.emplace_back(arrays[i]);
      } else {
        arguments.emplace_back(eager::Tensor::FromArray(arrays[i]).To(device));
      }
    }
    OpAttrs attrs;
    if (set_attrs) set_attrs(attrs);
    std::vector<eager::Tensor> results(num_results);
    TFRT_RETURN_IF_ERROR(eager::Execute(*op, arguments, attrs, results));
    for (const eager::Tensor& result : results) EXPECT_EQ(result.device(), device);
    return results;
  }

  static std::string Bytes(const eager::Tensor& tensor) {
    auto elements = tensor.HostElements(Location());
    EXPECT_TRUE(elements.ok()) << elements.status().message();
    if (!elements.ok()) return "";
    return StrCat(
        (*elements)->metadata().ToString(), " ",
        std::string_view(static_cast<const char*>((*elements)->data()), (*elements)->size_bytes()));
  }

  // Both devices give the same bytes.
  void Expect(std::string_view row, const std::vector<eager::HostArray>& arrays,
              const SetAttrs& attrs = {}, size_t num_results = 1) {
    SCOPED_TRACE(row);
    auto host = Run("cpu:0", row, arrays, attrs, num_results);
    auto gpu = Run("gpu:0", row, arrays, attrs, num_results);
    ASSERT_TRUE(host.ok()) << host.status().message();
    ASSERT_TRUE(gpu.ok()) << gpu.status().message();
    for (size_t i = 0; i < num_results; ++i) {
      EXPECT_TRUE(Bytes((*host)[i]) == Bytes((*gpu)[i])) << "result " << i;
    }
  }

  // The elements of real dtypes, as f64.
  static std::vector<double> Numbers(const eager::Tensor& tensor) {
    auto elements = tensor.HostElements(Location());
    EXPECT_TRUE(elements.ok()) << elements.status().message();
    std::vector<double> numbers;
    if (!elements.ok()) return numbers;
    DispatchReal((*elements)->dtype(), [&]<typename T>(std::type_identity<T>) {
      const auto* data = static_cast<const T*>((*elements)->data());
      for (int64_t i = 0; i < (*elements)->num_elements(); ++i) {
        numbers.push_back(CastElement<double>(data[i]));
      }
    });
    return numbers;
  }

  // Both devices give the same numbers, but for so much of each, or of 1, and NaN in the same
  // places.
  void ExpectNear(std::string_view row, const std::vector<eager::HostArray>& arrays,
                  double tolerance, const SetAttrs& attrs = {}) {
    SCOPED_TRACE(row);
    auto host = Run("cpu:0", row, arrays, attrs, 1);
    auto gpu = Run("gpu:0", row, arrays, attrs, 1);
    ASSERT_TRUE(host.ok()) << host.status().message();
    ASSERT_TRUE(gpu.ok()) << gpu.status().message();
    const std::vector<double> expected = Numbers((*host)[0]), got = Numbers((*gpu)[0]);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (std::isnan(expected[i]) && std::isnan(got[i])) continue;
      if (expected[i] == got[i]) continue;
      ASSERT_LE(std::fabs(got[i] - expected[i]), tolerance * std::fmax(1, std::fabs(expected[i])))
          << "at " << i << ": " << got[i] << ", not " << expected[i];
    }
  }

  // A few last digits of sums of products up to 1.
  static double Tolerance(DType dtype) {
    switch (dtype) {
      case DType::kF16:
        return 0x1p-9;
      case DType::kBF16:
        return 0x1p-6;
      case DType::kF64:
        return 0x1p-44;
      default:
        return 0x1p-17;
    }
  }
  std::string ErrorOf(std::string_view row, const std::vector<eager::HostArray>& arrays,
                      const SetAttrs& attrs = {}) {
    auto results = Run("gpu:0", row, arrays, attrs, 1);
    EXPECT_FALSE(results.ok());
    return std::string(results.status().message());
  }

  std::vector<float> Floats(std::string_view row, const std::vector<eager::HostArray>& arrays,
                            const SetAttrs& attrs = {}) {
    auto results = Run("gpu:0", row, arrays, attrs, 1);
    EXPECT_TRUE(results.ok()) << results.status().message();
    if (!results.ok()) return {};
    auto values = (*results)[0].Values<float>();
    EXPECT_TRUE(values.ok()) << values.status().message();
    return values.ok() ? std::vector<float>(values->begin(), values->end()) : std::vector<float>();
  }

 private:
  std::mt19937 random_{1};
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_OPS_ROWS_FIXTURE_H_
