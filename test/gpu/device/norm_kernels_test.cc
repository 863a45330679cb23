// Normalisation, losses, their gradients and updates, as PTX, against formulas in higher precision.

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "host_types.h"
#include "kernel_runner.h"
#include "lib/ops/maths/cpu/channel_norm.h"
#include "lib/ops/maths/cpu/gradients.h"
#include "lib/ops/maths/cpu/normalization.h"
#include "lib/ops/maths/cpu/scan.h"
#include "lib/ops/maths/cpu/softmax.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

template <typename T>
std::vector<T> Numbers(int64_t count, unsigned seed, double mean = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> some(mean, 2);
  std::vector<T> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(Cast<T>(some(random)));
  return elements;
}

template <typename T>
std::vector<double> Doubles(const std::vector<T>& elements) {
  std::vector<double> result;
  for (const T& element : elements) result.push_back(ValueOf<double>(element));
  return result;
}

constexpr float kEpsilon = 1e-3f;

class NormKernelsTest : public KernelTest {
 protected:
  // Within `units` units of T of numbers of this size.
  template <typename T>
  void ExpectNear(Pointer out, const std::vector<double>& expected, double units, double size,
                  const std::string& name) {
    const std::vector<T> results = runner_.Read<T>(out);
    ASSERT_EQ(results.size(), expected.size()) << name;
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto value = ValueOf<double>(results[i]);
      if (std::isnan(expected[i])) {
        ASSERT_TRUE(std::isnan(value)) << name << " at " << i;
        continue;
      }
      // Sums of f64 are rounded here as often as there.
      const double more = sizeof(T) == 8 ? 8 : 1;
      const double unit =
          std::ldexp(more * std::max(std::fabs(expected[i]), size), -kFormatOf<T>.digits);
      ASSERT_LE(std::fabs(value - expected[i]), units * unit)
          << name << "_" << TypeName<T>() << " at " << i << " is " << value << ", not "
          << expected[i];
    }
  }

  struct Moments {
    double mean = 0, factor = 0;
  };
  static Moments MomentsOf(const std::vector<double>& x) {
    Moments result;
    for (double v : x) result.mean += v;
    result.mean /= static_cast<double>(x.size());
    double variance = 0;
    for (double v : x) variance += (v - result.mean) * (v - result.mean);
    result.factor =
        1 / std::sqrt(variance / static_cast<double>(x.size()) + static_cast<double>(kEpsilon));
    return result;
  }
  static std::vector<double> RowOf(const std::vector<double>& x, int64_t row, int64_t columns) {
    return {x.begin() + row * columns, x.begin() + (row + 1) * columns};
  }

  template <typename T>
  void CheckRows(int64_t rows, int64_t columns) {
    using C = Compute<T>;
    const auto in = Numbers<T>(rows * columns, 1, 5), out_grad = Numbers<T>(rows * columns, 2);
    const auto scale = Numbers<T>(columns, 3), offset = Numbers<T>(columns, 4);
    const auto x = Doubles(in), dy = Doubles(out_grad), s = Doubles(scale), b = Doubles(offset);
    std::vector<double> layer, rms, dx, ds(s.size()), db(s.size());
    for (int64_t row = 0; row < rows; ++row) {
      const Moments m = MomentsOf(RowOf(x, row, columns));
      double squares = 0, slope_mean = 0, product_mean = 0;
      for (int64_t i = 0; i < columns; ++i) {
        const auto at = static_cast<size_t>(row * columns + i), c = static_cast<size_t>(i);
        const double normal = (x[at] - m.mean) * m.factor;
        squares += x[at] * x[at];
        slope_mean += dy[at] * s[c];
        product_mean += dy[at] * s[c] * normal;
        ds[c] += dy[at] * normal;
        db[c] += dy[at];
      }
      const auto count = static_cast<double>(columns);
      for (int64_t i = 0; i < columns; ++i) {
        const auto at = static_cast<size_t>(row * columns + i), c = static_cast<size_t>(i);
        const double normal = (x[at] - m.mean) * m.factor;
        layer.push_back(normal * s[c] + b[c]);
        rms.push_back(x[at] / std::sqrt(squares / count + static_cast<double>(kEpsilon)) * s[c]);
        dx.push_back(m.factor *
                     (dy[at] * s[c] - slope_mean / count - normal * product_mean / count));
      }
    }
    const std::string type = TypeName<T>();
    const Pointer px = runner_.In(in), ps = runner_.In(scale), pb = runner_.In(offset);
    const Pointer y = runner_.Out<T>(in.size()), in_place = runner_.In(in);
    const DeviceLaunch launch = TeamRowsLaunch(rows, columns);
    ASSERT_TRUE(runner_.Run("layer_norm_" + type, launch, y, px, ps, pb, rows, columns, kEpsilon));
    ExpectNear<T>(y, layer, 8, 8, "layer_norm");
    ASSERT_TRUE(runner_.Run("layer_norm_" + type, {1, 256}, in_place, in_place, ps, pb, rows,
                            columns, kEpsilon));
    const auto first = runner_.Read<T>(y), second = runner_.Read<T>(in_place);
    for (size_t i = 0; i < first.size(); ++i) ASSERT_TRUE(IsSame(first[i], second[i])) << i;
    ASSERT_TRUE(runner_.Run("rms_norm_" + type, launch, y, px, ps, rows, columns, kEpsilon));
    ExpectNear<T>(y, rms, 8, 1, "rms_norm");

    const Pointer pdy = runner_.In(out_grad);
    const Pointer moments = runner_.Out<C>(static_cast<size_t>(2 * rows));
    ASSERT_TRUE(runner_.Run("layer_norm_grad_" + type, launch, y, moments, pdy, px, ps, rows,
                            columns, kEpsilon));
    ExpectNear<T>(y, dx, 20, 4, "layer_norm_grad");
    const int64_t parts = 3;
    const Pointer sums = runner_.Out<f64>(static_cast<size_t>(parts * 2 * columns));
    const Pointer pds = runner_.Out<T>(scale.size()), pdb = runner_.Out<T>(scale.size());
    ASSERT_TRUE(runner_.Run("layer_norm_grad_sums_" + type, {2, 256}, sums, pdy, px, moments, rows,
                            columns, parts));
    ASSERT_TRUE(runner_.Run("layer_norm_grad_vectors_" + type, ThreadsLaunch(columns), pds, pdb,
                            sums, columns, parts));
    ExpectNear<T>(pds, ds, 8, 8, "layer_norm_grad scale");
    ExpectNear<T>(pdb, db, 8, 8, "layer_norm_grad offset");
    runner_.Clear();
    CheckLosses<T>(rows, columns);
  }

  template <typename T>
  void CheckLosses(int64_t rows, int64_t columns) {
    const auto in = Numbers<T>(rows * columns, 5), out_grad = Numbers<T>(rows * columns, 6);
    const auto x = Doubles(in);
    std::vector<i32> labels;
    std::vector<T> dense;
    std::vector<double> softmax, loss, gradient, dense_loss, dense_gradient;
    std::vector<double> log_softmax;
    for (int64_t row = 0; row < rows; ++row) {
      labels.push_back(static_cast<i32>(row == 1 ? -1 : row * 7 % columns));
      double sum = 0;
      for (double v : RowOf(x, row, columns)) sum += std::exp(v);
      for (double v : RowOf(x, row, columns)) {
        log_softmax.push_back(v - std::log(sum));
        softmax.push_back(std::exp(v) / sum);
      }
    }
    for (int64_t i = 0; i < rows * columns; ++i) {
      // Powers of two add up to 1 in all types.
      const int64_t j = i % columns;
      const int64_t last = std::min<int64_t>(columns - 1, 5);
      dense.push_back(
          Cast<T>(j > last ? 0.0 : std::ldexp(1.0, static_cast<int>(-(j == last ? j : j + 1)))));
    }
    const auto t = Doubles(dense), dy = Doubles(out_grad);
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t label = labels[static_cast<size_t>(row)];
      loss.push_back(label < 0 ? NAN : -log_softmax[static_cast<size_t>(row * columns + label)]);
      dense_loss.push_back(0);
      for (int64_t i = 0; i < columns; ++i) {
        const auto at = static_cast<size_t>(row * columns + i);
        gradient.push_back(softmax[at] - (i == label ? 1 : 0));
        dense_loss.back() -= t[at] * log_softmax[at];
        dense_gradient.push_back(softmax[at] - t[at]);
      }
    }
    const std::string type = TypeName<T>();
    const DeviceLaunch launch = TeamRowsLaunch(rows, columns);
    const Pointer px = runner_.In(in), l = runner_.Out<T>(labels.size());
    const Pointer g = runner_.Out<T>(in.size());
    ASSERT_TRUE(runner_.Run("cross_entropy_i32_" + type, launch, l, g, px, runner_.In(labels), rows,
                            columns));
    ExpectNear<T>(l, loss, 16, 4, "cross_entropy");
    ExpectNear<T>(g, gradient, 16, 1, "cross_entropy");
    const Pointer l2 = runner_.Out<T>(labels.size()), g2 = runner_.Out<T>(in.size());
    ASSERT_TRUE(runner_.Run("cross_entropy_i64_" + type, launch, l2, g2, px,
                            runner_.In(std::vector<i64>(labels.begin(), labels.end())), rows,
                            columns));
    ExpectNear<T>(l2, loss, 16, 4, "cross_entropy");
    ExpectNear<T>(g2, gradient, 16, 1, "cross_entropy");
    ASSERT_TRUE(runner_.Run("dense_cross_entropy_" + type, launch, l, g, px, runner_.In(dense),
                            rows, columns));
    ExpectNear<T>(l, dense_loss, 16, 4, "dense_cross_entropy");
    ExpectNear<T>(g, dense_gradient, 16, 1, "dense_cross_entropy");

    // The host's functions are of the softmax as it is in T.
    std::vector<T> y, z;
    for (double v : softmax) y.push_back(Cast<T>(v));
    for (double v : log_softmax) z.push_back(Cast<T>(v));
    std::vector<double> soft_grad, log_grad;
    const auto yd = Doubles(y), zd = Doubles(z);
    for (int64_t row = 0; row < rows; ++row) {
      double product = 0, sum = 0;
      for (int64_t i = row * columns; i < (row + 1) * columns; ++i) {
        product += dy[static_cast<size_t>(i)] * yd[static_cast<size_t>(i)];
        sum += dy[static_cast<size_t>(i)];
      }
      for (int64_t i = row * columns; i < (row + 1) * columns; ++i) {
        const auto at = static_cast<size_t>(i);
        soft_grad.push_back((dy[at] - product) * yd[at]);
        log_grad.push_back(dy[at] - std::exp(zd[at]) * sum);
      }
    }
    const Pointer pdy = runner_.In(out_grad);
    ASSERT_TRUE(runner_.Run("softmax_grad_" + type, launch, g, pdy, runner_.In(y), rows, columns));
    ExpectNear<T>(g, soft_grad, 16, 1, "softmax_grad");
    ASSERT_TRUE(
        runner_.Run("log_softmax_grad_" + type, launch, g, pdy, runner_.In(z), rows, columns));
    ExpectNear<T>(g, log_grad, 40, 4, "log_softmax_grad");

    std::vector<T> ties = in;
    for (int64_t i = 0; i < rows * columns; ++i) {
      if (i % 3 == 1) ties[static_cast<size_t>(i)] = Cast<T>(f64{9});
    }
    if (columns > 4) ties[4] = Cast<T>(f64{NAN});
    const auto host_in = ToHost(ties);
    auto expected = host_in;
    cpu::HardmaxRows(columns, host_in.data(), expected.data(), 0, rows);
    ASSERT_TRUE(runner_.Run("hardmax_" + type, launch, g, runner_.In(ties), rows, columns));
    ExpectNear<T>(g, Doubles(ToDevice<T>(expected)), 0, 1, "hardmax");
    runner_.Clear();
  }

  // Against the host's kernel: it has f64 sums, too.
  template <typename T>
  void CheckGroups(int64_t images, int64_t groups, int64_t channels, int64_t places) {
    const int64_t size = images * groups * channels * places;
    const auto in = Numbers<T>(size, 7, 3);
    const auto scale = Numbers<T>(groups * channels, 8), offset = Numbers<T>(groups * channels, 9);
    const auto x = ToHost(in), s = ToHost(scale), b = ToHost(offset);
    for (bool last : {false, true}) {
      const cpu::ChannelLayout layout{groups * channels, places, last};
      auto expected = x;
      cpu::GroupNorm(layout, groups, s.data(), b.data(), kEpsilon, x.data(), expected.data(), 0,
                     images * groups);
      const Pointer y = runner_.Out<T>(in.size());
      ASSERT_TRUE(runner_.Run("group_norm_" + TypeName<T>(),
                              TeamRowsLaunch(images * groups, channels * places), y, runner_.In(in),
                              runner_.In(scale), runner_.In(offset), images, groups, channels,
                              places, int32_t{last}, kEpsilon));
      ExpectNear<T>(y, Doubles(ToDevice<T>(expected)), 8, 8, "group_norm");
      const cpu::LocalResponse response{3, 0.5f, 0.75f, 1};
      cpu::LocalResponseNorm(layout, response, x.data(), expected.data(), 0, images);
      ASSERT_TRUE(runner_.Run("lrn_" + TypeName<T>(), ThreadsLaunch(size), y, runner_.In(in),
                              images, groups * channels, places, int32_t{last}, response.size,
                              response.alpha, response.beta, response.bias));
      ExpectNear<T>(y, Doubles(ToDevice<T>(expected)), 12, 1, "lrn");
      runner_.Clear();
    }
  }

  template <typename T>
  void CheckBatchNorm(int64_t rows, int64_t channels) {
    using C = Compute<T>;
    const auto in = Numbers<T>(rows * channels, 10, 4), out_grad = Numbers<T>(rows * channels, 11);
    const auto scale = Numbers<C>(channels, 12), offset = Numbers<C>(channels, 13);
    const auto old_mean = Numbers<C>(channels, 14), old_variance = Numbers<C>(channels, 15, 9);
    const float factor = 0.25f;
    const auto x = Doubles(in), dy = Doubles(out_grad), s = Doubles(scale), b = Doubles(offset);
    const auto om = Doubles(old_mean), ov = Doubles(old_variance);
    const auto count = static_cast<double>(rows);
    const auto size = static_cast<size_t>(channels);
    std::vector<double> mean(size), variance(size), new_mean, new_variance, sum(size),
        product(size), ds, y(x.size()), relu(x.size()), dx(x.size()), fixed_dx(x.size());
    for (size_t i = 0; i < x.size(); ++i) mean[i % size] += x[i] / count;
    for (size_t i = 0; i < x.size(); ++i) {
      const double d = x[i] - mean[i % size];
      variance[i % size] += d * d / count;
      sum[i % size] += dy[i];
      product[i % size] += dy[i] * d;
    }
    for (size_t c = 0; c < size; ++c) {
      new_mean.push_back(0.75 * om[c] + 0.25 * mean[c]);
      const double population = rows > 1 ? variance[c] * count / (count - 1) : variance[c];
      new_variance.push_back(0.75 * ov[c] + 0.25 * population);
      ds.push_back(product[c] / std::sqrt(variance[c] + static_cast<double>(kEpsilon)));
    }
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t c = i % size;
      const double wide = variance[c] + static_cast<double>(kEpsilon), r = 1 / std::sqrt(wide);
      y[i] = (x[i] - mean[c]) * r * s[c] + b[c];
      relu[i] = std::max(0.0, y[i] + dy[i]);
      fixed_dx[i] = s[c] * r * dy[i];
      dx[i] = s[c] * r * (dy[i] - sum[c] / count - (x[i] - mean[c]) * product[c] / wide / count);
    }
    const std::string type = TypeName<T>();
    const int64_t parts = 3;
    const Pointer px = runner_.In(in), pdy = runner_.In(out_grad), ps = runner_.In(scale);
    const Pointer pb = runner_.In(offset);
    const Pointer sums = runner_.Out<f64>(static_cast<size_t>(parts * 2 * channels));
    auto vector = [&] { return runner_.Out<C>(size); };
    const Pointer m = vector(), v = vector(), bm = vector(), bv = vector();
    ASSERT_TRUE(runner_.Run("batch_moments_" + type, {2, 256}, sums, px, rows, channels, parts));
    ASSERT_TRUE(runner_.Run("batch_moments_vectors_" + type, ThreadsLaunch(channels), m, v, bm, bv,
                            runner_.In(old_mean), runner_.In(old_variance), sums, px, rows,
                            channels, parts, factor));
    ExpectNear<C>(bm, mean, 4, 4, "batch mean");
    ExpectNear<C>(bv, variance, 4, 4, "batch variance");
    ExpectNear<C>(m, new_mean, 4, 4, "mean");
    ExpectNear<C>(v, new_variance, 8, 8, "variance");
    const Pointer out = runner_.Out<T>(in.size());
    const DeviceLaunch launch = ThreadsLaunch(rows * channels);
    ASSERT_TRUE(runner_.Run("batch_norm_" + type, launch, out, px, ps, pb, bm, bv, Pointer(),
                            int32_t{0}, rows, channels, kEpsilon));
    ExpectNear<T>(out, y, 16, 8, "batch_norm");
    ASSERT_TRUE(runner_.Run("batch_norm_" + type, launch, out, px, ps, pb, bm, bv, pdy, int32_t{1},
                            rows, channels, kEpsilon));
    ExpectNear<T>(out, relu, 16, 8, "batch_norm with relu");

    const Pointer pds = vector(), pdb = vector(), means = runner_.Out<C>(2 * size);
    ASSERT_TRUE(runner_.Run("batch_norm_grad_sums_" + type, {2, 256}, sums, pdy, px, bm, rows,
                            channels, parts));
    ASSERT_TRUE(runner_.Run("batch_norm_grad_vectors_" + type, ThreadsLaunch(channels), pds, pdb,
                            means, sums, bv, rows, channels, parts, kEpsilon));
    ExpectNear<C>(pds, ds, 30, 8, "scale_grad");
    ExpectNear<C>(pdb, sum, 4, 4, "offset_grad");
    ASSERT_TRUE(runner_.Run("batch_norm_grad_" + type, launch, out, pdy, px, ps, bm, bv, means,
                            rows, channels, kEpsilon));
    ExpectNear<T>(out, dx, 30, 8, "batch_norm_grad");
    ASSERT_TRUE(runner_.Run("batch_norm_grad_" + type, launch, out, pdy, px, ps, bm, bv, Pointer(),
                            rows, channels, kEpsilon));
    ExpectNear<T>(out, fixed_dx, 16, 4, "batch_norm_grad");
    runner_.Clear();
  }

  template <typename T>
  void CheckElements() {
    std::vector<T> in = Numbers<T>(203, 16);
    for (double v : {0.0, -0.0, 50.0, -50.0, HUGE_VAL, -HUGE_VAL, 39.0, -39.0, -6.0}) {
      in.push_back(Cast<T>(v));
    }
    in.push_back(Cast<T>(f64{NAN}));
    const auto size = static_cast<int64_t>(in.size());
    const auto out_grad = Numbers<T>(size, 17);
    const auto x = ToHost(in), dy = ToHost(out_grad);
    const std::string type = TypeName<T>();
    // In packs, and one by one as a buffer is unaligned.
    std::vector<T> shifted = in;
    shifted.insert(shifted.begin(), in[0]);
    const Pointer px = runner_.In(in), unaligned = runner_.In(shifted) + sizeof(T);
    const Pointer pdy = runner_.In(out_grad), out = runner_.Out<T>(in.size());
    for (bool approximate : {false, true}) {
      auto expected = x;
      cpu::GeluGrad(approximate, dy.data(), x.data(), expected.data(), size);
      const auto wanted = Doubles(ToDevice<T>(expected));
      for (Pointer from : {px, unaligned}) {
        ASSERT_TRUE(runner_.Run("gelu_grad_" + type, ThreadsLaunch(size), out, pdy, from, size,
                                int32_t{approximate}));
        ExpectNear<T>(out, wanted, 64, 1, "gelu_grad");
      }
    }
    std::vector<double> updated;
    const T rate = Cast<T>(f64{0.125});
    for (size_t i = 0; i < in.size(); ++i) {
      updated.push_back(ValueOf<double>(in[i]) - 0.125 * ValueOf<double>(out_grad[i]));
    }
    for (Pointer from : {unaligned, px}) {  // the latter in place
      const Pointer to = from.address == px.address ? px : out;
      ASSERT_TRUE(runner_.Run("sgd_update_" + type, ThreadsLaunch(size), to, from, pdy,
                              runner_.In<T>({rate}), size));
      const std::vector<double>& wanted = updated;
      const std::vector<T> results = runner_.Read<T>(to);
      for (size_t i = 0; i < wanted.size(); ++i) {
        const auto value = ValueOf<double>(results[i]);
        if (std::isnan(wanted[i]) || std::isinf(wanted[i])) {
          ASSERT_TRUE(value == wanted[i] || (std::isnan(value) && std::isnan(wanted[i]))) << i;
        } else {
          ASSERT_LE(std::fabs(value - wanted[i]),
                    2 * std::ldexp(std::fabs(wanted[i]) + 1, -kFormatOf<T>.digits))
              << "sgd_update_" << type << " at " << i;
        }
      }
    }
    runner_.Clear();
  }
};

// Rows of a warp, with and without a rest, and rows of a block.
TEST_F(NormKernelsTest, RowsOfWarps) {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{9, 40}, {3, 1}, {10, 33}}) {
    CheckRows<f16>(rows, columns);
    CheckRows<bf16>(rows, columns);
    CheckRows<f32>(rows, columns);
    CheckRows<f64>(rows, columns);
  }
}
TEST_F(NormKernelsTest, RowsOfBlocks) {
  CheckRows<f16>(2, 1030);
  CheckRows<bf16>(2, 1030);
  CheckRows<f32>(2, 1030);
  CheckRows<f64>(2, 1030);
}

TEST_F(NormKernelsTest, Groups) {
  CheckGroups<f16>(2, 3, 4, 5);
  CheckGroups<bf16>(2, 3, 4, 5);
  CheckGroups<f32>(2, 3, 4, 5);
  CheckGroups<f64>(2, 3, 4, 5);
  CheckGroups<f32>(1, 4, 1, 9);    // each channel
  CheckGroups<f32>(1, 2, 5, 207);  // a block for each group
}

TEST_F(NormKernelsTest, BatchNorm) {
  CheckBatchNorm<f16>(20, 35);
  CheckBatchNorm<bf16>(20, 35);
  CheckBatchNorm<f32>(20, 35);
  CheckBatchNorm<f64>(20, 35);
  CheckBatchNorm<f32>(2, 3);
}

// A large mean does not swallow the variance.
TEST_F(NormKernelsTest, BatchMomentsOfNumbersFarFromZero) {
  const int64_t rows = 4, channels = 1, parts = 2;
  const Pointer in = runner_.In<f32>({10'000'000, 10'000'001, 10'000'002, 10'000'003});
  const Pointer sums = runner_.Out<f64>(4);
  const Pointer m = runner_.Out<f32>(1), v = runner_.Out<f32>(1), bm = runner_.Out<f32>(1),
                bv = runner_.Out<f32>(1);
  ASSERT_TRUE(runner_.Run("batch_moments_f32", ColumnPartsLaunch(rows, channels), sums, in, rows,
                          channels, parts));
  ASSERT_TRUE(runner_.Run("batch_moments_vectors_f32", ThreadsLaunch(channels), m, v, bm, bv,
                          Pointer(), Pointer(), sums, in, rows, channels, parts, 1.0f));
  EXPECT_EQ(runner_.Read<f32>(bv)[0], 1.25f);
  EXPECT_EQ(runner_.Read<f32>(v)[0], 5.0f / 3);
  EXPECT_EQ(runner_.Read<f32>(m), runner_.Read<f32>(bm));
}

TEST_F(NormKernelsTest, Elements) {
  CheckElements<f16>();
  CheckElements<bf16>();
  CheckElements<f32>();
  CheckElements<f64>();
}

}  // namespace
}  // namespace tfrt::gpu
