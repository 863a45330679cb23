// Losses, gradients of rows and of activations, and updates.
//
//   softmax_grad_TYPE(in_grad, out_grad, out, rows, columns)
//     (out_grad - sum(out_grad * out)) * out of each row; `out` is the softmax
//   log_softmax_grad_TYPE(in_grad, out_grad, out, rows, columns)
//     out_grad - exp(out) * sum(out_grad); `out` is the logarithm of the softmax
//   cross_entropy_INDEX_TYPE(loss, gradient, in, labels, rows, columns)
//     loss [rows]: -log(softmax(in)) at the label (INDEX: i32 or i64) of each row. gradient
//     [rows,columns]: softmax(in), less 1 at the label. A label outside of [0, columns) has the
//     loss NaN, and nothing to subtract.
//   dense_cross_entropy_TYPE(loss, gradient, in, labels, rows, columns)
//     loss [rows]: -sum(labels * log(softmax(in))), labels [rows,columns] whose sums are 1;
//     gradient: softmax(in) - labels
//   hardmax_TYPE(out, in, rows, columns)
//     1 at the largest element of each row, the first of several, or the first NaN; 0 elsewhere
//   gelu_grad_TYPE(in_grad, out_grad, in, size, approximate)
//     out_grad times the derivative of gelu at `in`, or of gelu_tanh with `approximate` (i32)
//   sgd_update_TYPE(out, variable, gradient, learning_rate, size)
//     variable - *learning_rate * gradient
//
// Rows are [rows,columns]; sizes are i64. Sums of rows are in f64, in an order that sizes alone
// decide. Results may be inputs of their size, except that loss, gradient and labels are apart.

#include "device_math.h"
#include "ops_by_type.h"
#include "packs.h"
#include "reductions.h"
#include "teams.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using C = Compute<Element>;

TFRT_DEVICE void SoftmaxGrad(Element* in_grad, const Element* out_grad, const Element* out,
                             int64_t rows, int64_t columns) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const int64_t first = row * columns;
    const f64 sum = team.SumOf(columns, [=](int64_t i) {
      return static_cast<f64>(Decode(out_grad[first + i])) *
             static_cast<f64>(Decode(out[first + i]));
    });
    team.ForEach(columns, [=](int64_t i) {
      in_grad[first + i] = Encode<Element>((Decode(out_grad[first + i]) - static_cast<C>(sum)) *
                                           Decode(out[first + i]));
    });
  });
}

TFRT_DEVICE void LogSoftmaxGrad(Element* in_grad, const Element* out_grad, const Element* out,
                                int64_t rows, int64_t columns) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const int64_t first = row * columns;
    const f64 sum = team.SumOf(columns, [=](int64_t i) { return Decode(out_grad[first + i]); });
    team.ForEach(columns, [=](int64_t i) {
      in_grad[first + i] = Encode<Element>(Decode(out_grad[first + i]) -
                                           Exp(Decode(out[first + i])) * static_cast<C>(sum));
    });
  });
}

// The largest element of a row and the sum of its exponentials, which make its softmax.
struct RowExp {
  C largest;
  f64 sum;  // of exp(x - largest)
};
template <typename Team>
TFRT_DEVICE RowExp RowExpOf(Team team, const Element* x, int64_t columns) {
  C largest = Max<Element>::None();
  team.ForEach(columns, [&](int64_t i) { largest = Max<Element>::Combine(largest, Decode(x[i])); });
  largest = team.Combined(largest, [](C a, C b) { return Max<Element>::Combine(a, b); });
  return {largest, team.SumOf(columns, [=](int64_t i) { return Exp(Decode(x[i]) - largest); })};
}

template <typename Index>
TFRT_DEVICE void CrossEntropy(Element* loss, Element* gradient, const Element* in,
                              const Index* labels, int64_t rows, int64_t columns) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const Element* x = in + row * columns;
    const RowExp exp = RowExpOf(team, x, columns);
    const int64_t label = labels[row];
    const auto factor = static_cast<C>(1 / exp.sum);
    team.ForEach(columns, [=](int64_t i) {
      const C softmax = Exp(Decode(x[i]) - exp.largest) * factor;
      gradient[row * columns + i] = Encode<Element>(softmax - C(i == label ? 1 : 0));
    });
    if (team.thread() != 0) return;
    const bool is_inside = label >= 0 && label < columns;
    loss[row] =
        Encode<Element>(is_inside ? static_cast<C>(Log(exp.sum)) - (Decode(x[label]) - exp.largest)
                                  : Format<C>::kNan);
  });
}

TFRT_DEVICE void DenseCrossEntropy(Element* loss, Element* gradient, const Element* in,
                                   const Element* labels, int64_t rows, int64_t columns) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const Element *x = in + row * columns, *label = labels + row * columns;
    const RowExp exp = RowExpOf(team, x, columns);
    const auto log_sum = static_cast<C>(Log(exp.sum)), factor = static_cast<C>(1 / exp.sum);
    const f64 sum = team.SumOf(columns, [=](int64_t i) {
      const C part = Decode(label[i]);
      return part == 0 ? C(0) : part * (log_sum - (Decode(x[i]) - exp.largest));
    });
    team.ForEach(columns, [=](int64_t i) {
      const C softmax = Exp(Decode(x[i]) - exp.largest) * factor;
      gradient[row * columns + i] = Encode<Element>(softmax - Decode(label[i]));
    });
    if (team.thread() == 0) loss[row] = Encode<Element>(static_cast<C>(sum));
  });
}

TFRT_DEVICE void Hardmax(Element* out, const Element* in, int64_t rows, int64_t columns) {
  using Arg = ArgExtreme<Element, i64, false>;
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const int64_t first = row * columns;
    auto best = Arg::None();
    team.ForEach(columns, [&](int64_t i) {
      best = Arg::Combine(best, Arg::State{Decode(in[first + i]), i});
    });
    best = team.Combined(best, [](auto a, auto b) { return Arg::Combine(a, b); });
    team.ForEach(columns,
                 [=](int64_t i) { out[first + i] = Encode<Element>(C(i == best.index ? 1 : 0)); });
  });
}

// The derivatives of Gelu and of GeluTanh; 0 and 1 far from 0, infinities, too.
TFRT_DEVICE C GeluSlope(C x) {
  if (Abs(x) > 40) return x < 0 ? C(0) : C(1);
  const C tail = NormalTail(x);
  constexpr C kRootOfTwoPi = C(0x1.9884533d43651p-2);  // 1 / sqrt(2 pi)
  return (x < 0 ? tail : 1 - tail) + x * Exp(C(-0.5) * x * x) * kRootOfTwoPi;
}
TFRT_DEVICE C GeluTanhSlope(C x) {
  if (Abs(x) > 40) return x < 0 ? C(0) : C(1);
  constexpr C kFactor = C(0x1.9884533d43651p+0);  // 2 sqrt(2 / pi)
  const C e = Exp(-kFactor * Abs(x + C(0.044715) * x * x * x));
  const C r = 1 / (1 + e);
  return (x < 0 ? e * r : r) + x * (e * r * r) * kFactor * (1 + C(0.134145) * x * x);
}

}  // namespace

TFRT_BLOCK_KERNEL TFRT_ENTRY(softmax_grad)(Element* in_grad, const Element* out_grad,
                                           const Element* out, int64_t rows, int64_t columns) {
  SoftmaxGrad(in_grad, out_grad, out, rows, columns);
}
TFRT_BLOCK_KERNEL TFRT_ENTRY(log_softmax_grad)(Element* in_grad, const Element* out_grad,
                                               const Element* out, int64_t rows, int64_t columns) {
  LogSoftmaxGrad(in_grad, out_grad, out, rows, columns);
}

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(cross_entropy_i32)(Element* loss, Element* gradient,
                                                      const Element* in, const i32* labels,
                                                      int64_t rows, int64_t columns) {
  CrossEntropy(loss, gradient, in, labels, rows, columns);
}
TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(cross_entropy_i64)(Element* loss, Element* gradient,
                                                      const Element* in, const i64* labels,
                                                      int64_t rows, int64_t columns) {
  CrossEntropy(loss, gradient, in, labels, rows, columns);
}
TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(dense_cross_entropy)(Element* loss, Element* gradient,
                                                        const Element* in, const Element* labels,
                                                        int64_t rows, int64_t columns) {
  DenseCrossEntropy(loss, gradient, in, labels, rows, columns);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(hardmax)(Element* out, const Element* in, int64_t rows,
                                      int64_t columns) {
  Hardmax(out, in, rows, columns);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(gelu_grad)(Element* in_grad, const Element* out_grad,
                                        const Element* in, int64_t size, int32_t approximate) {
  if (approximate != 0) {
    MapElements(
        size,
        [](Element dy, Element x) {
          return Encode<Element>(Decode(dy) * GeluTanhSlope(Decode(x)));
        },
        in_grad, out_grad, in);
  } else {
    MapElements(
        size,
        [](Element dy, Element x) { return Encode<Element>(Decode(dy) * GeluSlope(Decode(x))); },
        in_grad, out_grad, in);
  }
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(sgd_update)(Element* out, const Element* variable,
                                         const Element* gradient, const Element* learning_rate,
                                         int64_t size) {
  const C rate = Decode(*learning_rate);
  MapElements(
      size, [=](Element x, Element dx) { return Encode<Element>(Decode(x) - rate * Decode(dx)); },
      out, variable, gradient);
}

}  // namespace tfrt::gpu::device
