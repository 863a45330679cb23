// The description of a matrix product or a convolution, without its data: the key of prepared
// plans.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_PROBLEM_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_PROBLEM_H_

#include <cstddef>
#include <cstdint>

#include "activation.h"

namespace tfrt::contraction {

using maths::Activation;

// Computes out[b] = activation(alpha * A[b] B[b] + bias + beta * out[b]) for every b < batch,
// row-major f32. A[b] is [m,k], or [k,m] in memory if transpose_a; B[b] is [k,n], or [n,k] if
// transpose_b. The optional bias is [n] and added to every row. The output out[b] is [m,n]. With
// beta 0 the old contents of out are ignored.
struct MatMulProblem {
  int64_t batch = 1;
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  // Elements from one row in memory to the next, of A, B and out: at least the row's length.
  int64_t a_row_stride = 1;
  int64_t b_row_stride = 1;
  int64_t out_row_stride = 1;
  float alpha = 1;
  float beta = 0;
  bool transpose_a = false;
  bool transpose_b = false;
  bool has_bias = false;
  bool packed_b = false;  // B comes as PackedWeights; batch is 1
  // B is packed from bf16, and A is rounded to bf16 before it is multiplied. Sums are f32.
  bool in_bf16 = false;
  // If not 0: the columns are some of so many, and the packed B is for all of them.
  int64_t all_columns = 0;
  int64_t first_column = 0;
  // The factors are data of the program, other ones at each call perhaps, or no numbers: a plan is
  // not worth keeping.
  bool is_transient = false;
  Activation activation = Activation::kNone;
  float activation_alpha = 0, activation_beta = 0;

  friend bool operator==(const MatMulProblem&, const MatMulProblem&) = default;
  double flops() const { return 2.0 * batch * m * n * k; }
  // The cost in flops: reading B from memory takes as long as the products of a few rows.
  double work() const {
    constexpr int64_t kRowsOfReading = 6;
    return 2.0 * batch * (m < kRowsOfReading ? kRowsOfReading : m) * n * k;
  }
  bool has_output() const { return batch > 0 && m > 0 && n > 0; }
  // False if the output is made of bias and its old contents alone.
  bool has_products() const { return k > 0; }
  maths::ActivationWithParameters function() const {
    return {activation, activation_alpha, activation_beta};
  }
};

// Computes out = activation(conv(in, filter) + bias + beta * out), f32, of images with up to three
// spatial dimensions. Missing dimensions have the size 1. All arrays are dense and row-major. The
// input is [batch, in_depth, in_height, in_width, in_channels] or, with channels_first, [batch,
// in_channels, in_depth, ...]. The output has the same layout; the bias is [out_channels]. The
// filter is [filter_depth, filter_height, filter_width, in_channels / groups, out_channels] or,
// with filter_first, [out_channels, in_channels / groups, filter_depth, ...]. Channels are in
// groups: the outputs of a group see the inputs of that group. As in machine learning, the filter
// is not mirrored. Outside of the input there are zeros.
struct ConvolutionProblem {
  int64_t batch = 1;
  int64_t in_depth = 1, in_height = 1, in_width = 1, in_channels = 1;
  int64_t filter_depth = 1, filter_height = 1, filter_width = 1;
  int64_t out_depth = 1, out_height = 1, out_width = 1, out_channels = 1;
  int64_t groups = 1;
  int64_t stride_depth = 1, stride_height = 1, stride_width = 1;
  int64_t dilation_depth = 1, dilation_height = 1, dilation_width = 1;  // 1: neighbouring elements
  int64_t pad_front = 0, pad_back = 0;
  int64_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  // If not 0: the outputs are a part of this many. The pixels of out are as far apart as all of
  // them, and the packed filter is for all. Only with channels last, in one group.
  int64_t all_outputs = 0;
  int64_t first_output = 0;
  float beta = 0;
  float activation_alpha = 0, activation_beta = 0;
  bool has_bias = false;
  bool packed_filter = false;  // the filter comes as PackedWeights
  // The filter is packed from bf16. Plans of the backend that packed it round the input to bf16.
  bool in_bf16 = false;
  bool channels_first = false;
  bool filter_first = false;
  Activation activation = Activation::kNone;

  friend bool operator==(const ConvolutionProblem&, const ConvolutionProblem&) = default;
  int64_t in_pixels() const { return in_depth * in_height * in_width; }
  int64_t out_pixels() const { return out_depth * out_height * out_width; }
  int64_t taps() const { return filter_depth * filter_height * filter_width; }
  int64_t out_stride() const { return all_outputs != 0 ? all_outputs : out_channels; }
  int64_t group_inputs() const { return in_channels / groups; }
  int64_t group_outputs() const { return out_channels / groups; }
  double flops() const {
    return 2.0 * batch * out_pixels() * out_channels * taps() * group_inputs();
  }
  // The cost that decides on splitting. An output that sees one channel takes three times as long
  // per operation as one of many channels, because its data is not reused.
  double work() const { return group_inputs() == 1 ? 3 * flops() : flops(); }
  // Whether a window may see nothing of the input: it ends before it, begins behind it or has the
  // whole of it between two taps.
  bool may_miss_input() const {
    auto misses = [](int64_t in, int64_t filter, int64_t out, int64_t stride, int64_t dilation,
                     int64_t pad) {
      return pad > (filter - 1) * dilation || (out - 1) * stride - pad >= in ||
             (filter > 1 && dilation > in);
    };
    return misses(in_depth, filter_depth, out_depth, stride_depth, dilation_depth, pad_front) ||
           misses(in_height, filter_height, out_height, stride_height, dilation_height, pad_top) ||
           misses(in_width, filter_width, out_width, stride_width, dilation_width, pad_left);
  }
  bool has_output() const { return batch > 0 && out_pixels() > 0 && out_channels > 0; }
  bool has_products() const { return in_pixels() > 0 && in_channels > 0; }
  maths::ActivationWithParameters function() const {
    return {activation, activation_alpha, activation_beta};
  }
};

namespace internal {
inline void Mix(uint64_t& hash, uint64_t value) {  // multiplicative, as in Fibonacci hashing
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 29;
}
inline uint64_t FloatBits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}
}  // namespace internal

inline size_t Hash(const MatMulProblem& p) {
  uint64_t hash = 0;
  for (int64_t x :
       {p.batch, p.m, p.n, p.k, p.a_row_stride, p.b_row_stride, p.out_row_stride, p.first_column}) {
    internal::Mix(hash, static_cast<uint64_t>(x));
  }
  internal::Mix(hash, internal::FloatBits(p.alpha) << 32 | internal::FloatBits(p.beta));
  internal::Mix(hash, uint64_t{p.transpose_a} | uint64_t{p.transpose_b} << 1 |
                          uint64_t{p.has_bias} << 2 | uint64_t{p.packed_b} << 3 |
                          uint64_t{p.in_bf16} << 4 | static_cast<uint64_t>(p.activation) << 8);
  return hash;
}

// Hashes members that distinguish the problems of a program; these are not all members.
inline size_t Hash(const ConvolutionProblem& p) {
  uint64_t hash = 1;
  for (int64_t x :
       {p.batch, p.in_depth, p.in_height, p.in_width, p.in_channels, p.filter_height,
        p.filter_width, p.out_channels, p.first_output, p.groups, p.pad_top, p.pad_left}) {
    internal::Mix(hash, static_cast<uint64_t>(x));
  }
  internal::Mix(
      hash, static_cast<uint64_t>(p.stride_height) << 32 ^ static_cast<uint64_t>(p.stride_width));
  internal::Mix(hash,
                static_cast<uint64_t>(p.out_height) << 32 ^ static_cast<uint64_t>(p.out_width));
  internal::Mix(hash, internal::FloatBits(p.beta) << 32 | uint64_t{p.has_bias} |
                          uint64_t{p.packed_filter} << 1 | uint64_t{p.channels_first} << 2 |
                          uint64_t{p.in_bf16} << 3 | static_cast<uint64_t>(p.activation) << 8);
  return hash;
}

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_PROBLEM_H_
