// Heat that spreads on a plate whose edges meet, by finite differences. No heat is lost, so that
// its sum is a figure to check; and a wave fades at a rate that is known exactly.

#include <cmath>
#include <cstdio>
#include <numbers>

#include "tfrt/eager/arrays.h"

using namespace tfrt::eager;
using arrays::Slice;

namespace {

constexpr int kSize = 48;  // places along each side of the plate
constexpr int kSteps = 400;
constexpr double kRate = 0.2;  // of the difference to a neighbour that flows in a step

// The heat [N,M] of all places one step later.
Tensor Later(const Tensor& heat) {
  Tensor around = arrays::Roll(heat, 1, 0) + arrays::Roll(heat, -1, 0) +  //
                  arrays::Roll(heat, 1, 1) + arrays::Roll(heat, -1, 1);
  return heat + kRate * (around - 4 * heat);
}

// The only element of a tensor of f64; NaN, and a message, for an error.
double NumberOf(const Tensor& tensor) {
  StatusOr<double> number = tensor.Item<double>();
  if (number.ok()) return *number;
  std::fprintf(stderr, "%s\n", number.status().ToString().c_str());
  return NAN;
}

// A square of 100 degrees on a plate of 20: its heat after all steps, and how much of it is lost.
bool SpreadsSquare() {
  Tensor heat = arrays::Full({kSize, kSize}, 20, {.dtype = DType::kF64});
  heat.SetAt({Slice(16, 32), Slice(16, 32)}, 100);
  const double before = NumberOf(arrays::Mean(heat));
  for (int step = 0; step <= kSteps; ++step) {
    if (step % 100 == 0) {
      Tensor warm = arrays::CountNonzero(heat > 40);
      std::printf("%3d steps: %.2f to %.2f degrees, deviation %.2f, %lld places above 40\n", step,
                  NumberOf(arrays::Min(heat)), NumberOf(arrays::Max(heat)),
                  NumberOf(arrays::Std(heat)), static_cast<long long>(*warm.Item<int64_t>()));
    }
    if (step < kSteps) heat = Later(heat);
  }
  const double lost = std::abs(NumberOf(arrays::Mean(heat)) - before);
  std::printf("mean %.6f degrees, of which %s\n", before,
              lost < 1e-10 ? "none is lost" : "some is lost");
  return lost < 1e-10;
}

// One wave along the columns: each step shrinks it by a factor that follows from its length.
bool FadesWave() {
  const double angle = 2 * std::numbers::pi / kSize;
  Tensor angles = angle * arrays::Arange(kSize, {.dtype = DType::kF64});
  Tensor wave = arrays::BroadcastTo(arrays::Cos(angles), {kSize, kSize});
  Tensor heat = wave;
  for (int step = 0; step < kSteps; ++step) heat = Later(heat);
  const double factor = std::pow(1 - 2 * kRate * (1 - std::cos(angle)), kSteps);
  const double error = NumberOf(arrays::Max(arrays::Abs(heat - factor * wave)));
  std::printf("a wave fades to %.6f, as computed: %s\n", NumberOf(heat.At({0, 0})),
              error < 1e-12 ? "yes" : "no");
  return error < 1e-12;
}

}  // namespace

int main() {
  auto context = *Context::Create();
  Scope scope(*context);
  const bool is_kept = SpreadsSquare();
  return FadesWave() && is_kept ? 0 : 1;
}
