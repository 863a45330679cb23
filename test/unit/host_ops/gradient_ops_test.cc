// Gradients and batch normalisation on batches of several blocks, against their definitions in
// double; results are the same bits whatever the number of threads. Small ones are NumPy's cases.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "test/unit/host_ops/host_op_runner.h"

namespace tfrt {
namespace {

// Several parts of rows (RowParts), the last one short.
constexpr int64_t kRows = 3000, kColumns = 67;
constexpr float kEpsilon = 1e-3f;

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

Floats Numbers(size_t size, int seed) {
  Floats numbers(size);
  for (size_t i = 0; i < size; ++i) {
    numbers[i] =
        std::sin(static_cast<float>(i % 9973) * 0.7f + static_cast<float>(seed)) * 2 + 0.5f;
  }
  return numbers;
}

struct Batch {
  Floats dy = Numbers(kRows * kColumns, 1), x = Numbers(kRows * kColumns, 2),
         scale = Numbers(kColumns, 3), offset = Numbers(kColumns, 4);
};

void ExpectNear(const TensorHandle& result, const Doubles& expected, double tolerance) {
  ASSERT_FALSE(result.IsError());
  auto* data = static_cast<const float*>(DenseOf(result).data());
  ASSERT_EQ(DenseOf(result).num_elements(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(data[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

// Calls with one thread and with two, and compares the results' bits; returns them.
Handles RunBoth(const char* op, const OpAttrsRef& attrs, size_t num_results,
                const std::function<Handles(HostOpRunner&)>& arguments) {
  static HostOpRunner& one = *new HostOpRunner("s");
  static HostOpRunner& two = *new HostOpRunner("mstd:2");
  Handles first = one.Run(op, arguments(one), attrs, num_results);
  Handles second = two.Run(op, arguments(two), attrs, num_results);
  for (size_t i = 0; i < num_results; ++i) {
    EXPECT_FALSE(first[i].IsError()) << first[i].ToString();
    EXPECT_FALSE(second[i].IsError()) << second[i].ToString();
    const DenseHostTensor &a = DenseOf(first[i]), &b = DenseOf(second[i]);
    EXPECT_EQ(a.metadata(), b.metadata());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << op << ", result " << i;
  }
  return first;
}

TEST(GradientOpsTest, LayerNormInBlocks) {
  const Batch batch;
  OpAttrs attrs;
  attrs.Set("epsilon", kEpsilon);
  Handles results = RunBoth("tfrt.LayerNormGrad", attrs, 3, [&](HostOpRunner& runner) {
    return Handles{runner.Dense<float>({kRows, kColumns}, batch.dy),
                   runner.Dense<float>({kRows, kColumns}, batch.x),
                   runner.Dense<float>({kColumns}, batch.scale)};
  });
  Doubles dx(kRows * kColumns), scale_grad(kColumns), offset_grad(kColumns);
  for (int64_t row = 0; row < kRows; ++row) {
    const float *x = &batch.x[row * kColumns], *dy = &batch.dy[row * kColumns];
    double mean = 0, variance = 0, g_mean = 0, slope = 0;
    for (int64_t i = 0; i < kColumns; ++i) mean += x[i] / double{kColumns};
    for (int64_t i = 0; i < kColumns; ++i) {
      variance += (x[i] - mean) * (x[i] - mean) / double{kColumns};
    }
    const double r = 1 / std::sqrt(variance + kEpsilon);
    for (int64_t i = 0; i < kColumns; ++i) {
      const double g = double{dy[i]} * batch.scale[i], normal = (x[i] - mean) * r;
      g_mean += g / kColumns;
      slope += g * normal / kColumns;
      scale_grad[i] += dy[i] * normal;
      offset_grad[i] += dy[i];
    }
    for (int64_t i = 0; i < kColumns; ++i) {
      const double g = double{dy[i]} * batch.scale[i];
      dx[row * kColumns + i] = r * (g - g_mean - (x[i] - mean) * r * slope);
    }
  }
  ExpectNear(results[0], dx, 2e-5);
  ExpectNear(results[1], scale_grad, 2e-5);
  ExpectNear(results[2], offset_grad, 2e-5);
}

TEST(GradientOpsTest, BatchNormInBlocks) {
  const Batch batch;
  Doubles mean(kColumns), variance(kColumns), sums(kColumns), products(kColumns);
  for (int64_t i = 0; i < kRows * kColumns; ++i) mean[i % kColumns] += batch.x[i] / double{kRows};
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const double d = batch.x[i] - mean[i % kColumns];
    variance[i % kColumns] += d * d / kRows;
  }
  Doubles y(kRows * kColumns), dx(kRows * kColumns), population(kColumns), scale_grad(kColumns);
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const int64_t c = i % kColumns;
    const double normal = (batch.x[i] - mean[c]) / std::sqrt(variance[c] + kEpsilon);
    y[i] = normal * batch.scale[c] + batch.offset[c];
    sums[c] += batch.dy[i];
    products[c] += batch.dy[i] * normal;
  }
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const int64_t c = i % kColumns;
    const double r = 1 / std::sqrt(variance[c] + kEpsilon), normal = (batch.x[i] - mean[c]) * r;
    dx[i] = batch.scale[c] * r * (batch.dy[i] - sums[c] / kRows - normal * products[c] / kRows);
  }
  for (int64_t c = 0; c < kColumns; ++c) population[c] = variance[c] * kRows / (kRows - 1.0);

  OpAttrs attrs;
  attrs.Set("epsilon", kEpsilon);
  attrs.Set("is_training", true);
  auto x = [&](HostOpRunner& runner) { return runner.Dense<float>({kRows, kColumns}, batch.x); };
  auto vector = [&](HostOpRunner& runner, const Floats& values) {
    return runner.Dense<float>({kColumns}, values);
  };
  for (size_t num_results : {1, 6}) {
    Handles results = RunBoth("tf.FusedBatchNormV3", attrs, num_results, [&](HostOpRunner& runner) {
      return Handles{x(runner), vector(runner, batch.scale), vector(runner, batch.offset),
                     runner.Floats({0}), runner.Floats({0})};
    });
    ExpectNear(results[0], y, 2e-5);
    if (num_results == 1) continue;
    ExpectNear(results[1], mean, 1e-6);
    ExpectNear(results[2], population, 1e-6);
    ExpectNear(results[3], mean, 1e-6);
    ExpectNear(results[4], variance, 1e-6);
    EXPECT_EQ(DenseOf(results[5]).num_elements(), 0);
  }
  const Floats saved_mean(mean.begin(), mean.end()),
      saved_variance(variance.begin(), variance.end());
  Handles results = RunBoth("tf.FusedBatchNormGradV3", attrs, 5, [&](HostOpRunner& runner) {
    return Handles{runner.Dense<float>({kRows, kColumns}, batch.dy),
                   x(runner),
                   vector(runner, batch.scale),
                   vector(runner, saved_mean),
                   vector(runner, saved_variance),
                   runner.Floats({0})};
  });
  ExpectNear(results[0], dx, 2e-5);
  ExpectNear(results[1], products, 2e-5);
  ExpectNear(results[2], sums, 2e-5);
}

TEST(GradientOpsTest, ManyRowsWithoutElementsCostNoTime) {
  HostOpRunner runner;
  const TensorShape many = {int64_t{1} << 60, 0};
  OpAttrs attrs;
  attrs.Set("epsilon", kEpsilon);
  attrs.Set("is_training", true);
  const TensorHandle x = runner.Floats(many), none = runner.Floats({0});
  for (const TensorHandle& result :
       runner.Run("tf.FusedBatchNormV3", {x, none, none, none, none}, attrs, 6)) {
    EXPECT_FALSE(result.IsError()) << result.ToString();
  }
  for (const TensorHandle& result :
       runner.Run("tf.FusedBatchNormGradV3", {x, x, none, none, none, none}, attrs, 5)) {
    EXPECT_FALSE(result.IsError()) << result.ToString();
  }
  for (const TensorHandle& result : runner.Run("tfrt.LayerNormGrad", {x, x, none}, {}, 3)) {
    EXPECT_FALSE(result.IsError()) << result.ToString();
  }
}

TEST(GradientOpsTest, ElementsAndRowsInBlocks) {
  const Batch batch;
  auto two = [&](HostOpRunner& runner) {
    return Handles{runner.Dense<float>({kRows, kColumns}, batch.dy),
                   runner.Dense<float>({kRows, kColumns}, batch.x)};
  };
  Doubles gelu(kRows * kColumns), softmax(kRows * kColumns), log_softmax(kRows * kColumns);
  for (int64_t row = 0; row < kRows; ++row) {
    double sum = 0, product = 0;
    for (int64_t i = row * kColumns; i < (row + 1) * kColumns; ++i) {
      sum += batch.dy[i];
      product += double{batch.dy[i]} * batch.x[i];
    }
    for (int64_t i = row * kColumns; i < (row + 1) * kColumns; ++i) {
      const double x = batch.x[i], dy = batch.dy[i];
      gelu[i] = dy * (0.5 * std::erfc(-x / std::sqrt(2)) +
                      x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI));
      softmax[i] = (dy - product) * x;  // of what would be the softmax
      log_softmax[i] = dy - std::exp(x) * sum;
    }
  }
  ExpectNear(RunBoth("tfrt.GeluGrad", {}, 1, two)[0], gelu, 2e-6);
  ExpectNear(RunBoth("tfrt.SoftmaxGrad", {}, 1, two)[0], softmax, 1e-5);
  ExpectNear(RunBoth("tfrt.LogSoftmaxGrad", {}, 1, two)[0], log_softmax, 1e-4);
}

}  // namespace
}  // namespace tfrt
