// Attention, as PTX, against sums in higher precision.

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gpu/device_code/element.h"
#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of types

struct Problem {
  int64_t batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, size = 1, value_size = 1;
  bool heads_last = false, has_added = false, has_counts = false, hidden_is_zero = false;
  int32_t causal = 0;

  int64_t At(int64_t image, int64_t head, int64_t row, int64_t heads_of_it, int64_t rows,
             int64_t elements) const {
    return heads_last ? ((image * rows + row) * heads_of_it + head) * elements
                      : ((image * heads_of_it + head) * rows + row) * elements;
  }
  bool Sees(int64_t query, int64_t key) const {
    return causal == 0 || key <= query + (causal == 2 ? keys - queries : 0);
  }
};

class AttentionKernelsTest : public KernelTest {
 protected:
  template <typename T>
  std::vector<T> Numbers(int64_t count) {
    std::uniform_real_distribution<double> some(-2, 2);
    std::vector<T> elements;
    for (int64_t i = 0; i < count; ++i) elements.push_back(Cast<T>(some(random_)));
    return elements;
  }

  template <typename T>
  std::vector<T> Run(const Problem& p, const std::vector<T>& q, const std::vector<T>& k,
                     const std::vector<T>& v, const std::vector<T>& added,
                     const std::vector<i1>& counts, uint32_t blocks = 0) {
    DeviceLaunch launch = AttentionLaunch(p.batch, p.heads, p.queries, p.value_size);
    if (blocks != 0) launch.blocks = blocks;
    auto i = [](int64_t number) { return static_cast<int32_t>(number); };
    const Pointer out =
        runner_.Out<T>(static_cast<size_t>(p.batch * p.heads * p.queries * p.value_size));
    EXPECT_TRUE(runner_.Run("attention_" + TypeName<T>(), launch, out, runner_.In(q), runner_.In(k),
                            runner_.In(v), p.has_added ? runner_.In(added) : Pointer(),
                            p.has_counts ? runner_.In(counts) : Pointer(), i(p.batch), i(p.heads),
                            i(p.kv_heads), i(p.queries), i(p.keys), i(p.size), i(p.value_size),
                            int64_t{0}, p.queries * p.keys, p.keys, int64_t{1}, kScale,
                            int32_t{p.heads_last}, p.causal, int32_t{p.hidden_is_zero}));
    return runner_.Read<T>(out);
  }

  // The masks are those of [heads,queries,keys].
  template <typename T>
  void Check(const Problem& p) {
    const auto q = Numbers<T>(p.batch * p.heads * p.queries * p.size),
               k = Numbers<T>(p.batch * p.kv_heads * p.keys * p.size),
               v = Numbers<T>(p.batch * p.kv_heads * p.keys * p.value_size),
               added = Numbers<T>(p.heads * p.queries * p.keys);
    std::vector<i1> counts(added.size());
    for (i1& each : counts) each.byte = static_cast<uint8_t>(random_() % 2);
    const std::vector<T> results = Run(p, q, k, v, added, counts);
    auto value = [](const std::vector<T>& tensor, int64_t at) {
      return ValueOf<double>(tensor[static_cast<size_t>(at)]);
    };
    for (int64_t n = 0; n < p.batch; ++n)
      for (int64_t h = 0; h < p.heads; ++h)
        for (int64_t row = 0; row < p.queries; ++row) {
          const int64_t kv_head = h / (p.heads / p.kv_heads);
          std::vector<double> scores;
          std::vector<int64_t> seen;
          double most = -HUGE_VAL;
          for (int64_t key = 0; key < p.keys; ++key) {
            const int64_t mask = (h * p.queries + row) * p.keys + key;
            if (!p.Sees(row, key)) continue;
            if (p.has_counts && counts[static_cast<size_t>(mask)].byte == 0) continue;
            double sum = 0;
            for (int64_t i = 0; i < p.size; ++i) {
              sum += value(q, p.At(n, h, row, p.heads, p.queries, p.size) + i) *
                     value(k, p.At(n, kv_head, key, p.kv_heads, p.keys, p.size) + i);
            }
            scores.push_back(kScale * sum + (p.has_added ? value(added, mask) : 0));
            seen.push_back(key);
            most = std::fmax(most, scores.back());
          }
          for (int64_t i = 0; i < p.value_size; ++i) {
            double sum = 0, weights = 0, largest = 0;
            for (size_t j = 0; j < seen.size(); ++j) {
              const double weight = std::exp(scores[j] - most);
              const double x =
                  value(v, p.At(n, kv_head, seen[j], p.kv_heads, p.keys, p.value_size) + i);
              sum += weight * x;
              weights += weight;
              largest = std::fmax(largest, std::fabs(x));
            }
            const double result =
                value(results, p.At(n, h, row, p.heads, p.queries, p.value_size) + i);
            if (seen.empty()) {
              EXPECT_TRUE(p.hidden_is_zero ? result == 0 : std::isnan(result)) << result;
              continue;
            }
            const double exact = sum / weights;
            // Scores up to 4 * size are exact to some 2^-21 of that, which is a factor of weights.
            const double tolerance =
                largest * 0x1p-17 + std::fabs(exact) * std::ldexp(1.0, -kFormatOf<T>.digits);
            ASSERT_LE(std::fabs(result - exact), tolerance)
                << "attention_" << TypeName<T>() << " " << n << "," << h << "," << row << "," << i
                << " is " << result << ", not " << exact;
          }
        }
    runner_.Clear();
  }

  static constexpr f32 kScale = 0.25f;
  std::mt19937_64 random_{1};
};

constexpr Problem kProblem = {.batch = 2,
                              .heads = 4,
                              .kv_heads = 2,
                              .queries = 5,
                              .keys = 70,
                              .size = 18,
                              .value_size = 20,
                              .has_added = true};

TEST_F(AttentionKernelsTest, F16) { Check<f16>(kProblem); }
TEST_F(AttentionKernelsTest, Bf16) { Check<bf16>(kProblem); }
TEST_F(AttentionKernelsTest, F32) { Check<f32>(kProblem); }

TEST_F(AttentionKernelsTest, SeveralTilesAndSlices) {
  for (int32_t causal : {0, 1, 2}) {
    for (bool heads_last : {false, true}) {
      Check<f32>({.heads = 2,
                  .queries = 67,
                  .keys = 131,
                  .size = 33,
                  .value_size = 130,
                  .heads_last = heads_last,
                  .has_counts = causal == 1,
                  .hidden_is_zero = heads_last,
                  .causal = causal});
    }
  }
}

// With `causal` 2 and more queries than keys, the first ones see none.
TEST_F(AttentionKernelsTest, QueriesWithoutKeys) {
  for (bool is_zero : {false, true}) {
    Check<f32>({.queries = 5, .keys = 3, .hidden_is_zero = is_zero, .causal = 2});
    Check<f32>({.queries = 70, .keys = 2, .hidden_is_zero = is_zero, .causal = 2});
  }
  const Problem nothing = {.queries = 3, .keys = 0};
  EXPECT_EQ(Run<f32>(nothing, {1, 2, 3}, {}, {}, {}, {}), (std::vector<f32>{0, 0, 0}));
}

TEST_F(AttentionKernelsTest, ResultsDoNotDependOnTheGrid) {
  const Problem p = {
      .batch = 2, .heads = 2, .kv_heads = 2, .queries = 66, .keys = 80, .size = 4, .value_size = 3};
  const auto q = Numbers<f32>(2 * 2 * 66 * 4), k = Numbers<f32>(2 * 2 * 80 * 4),
             v = Numbers<f32>(2 * 2 * 80 * 3);
  const std::vector<f32> first = Run<f32>(p, q, k, v, {}, {});
  for (uint32_t blocks : {1u, 3u, 20u}) EXPECT_EQ(Run<f32>(p, q, k, v, {}, {}, blocks), first);
}

}  // namespace
}  // namespace tfrt::gpu
