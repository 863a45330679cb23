// Pooling over windows of images [N,H,W,C], f32. Rows are those of all images one after the other;
// calls for different rows may run at the same time.
#ifndef TFRT_LIB_OPS_MATHS_CPU_POOLING_H_
#define TFRT_LIB_OPS_MATHS_CPU_POOLING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lib/ops/maths/shapes/window_geometry.h"

namespace tfrt::cpu {

struct Pool2d {
  int64_t batch = 0;
  int64_t channels = 0;
  Window2d window;

  int64_t output_rows() const { return batch * window.rows.output; }
  int64_t output_row_size() const { return window.columns.output * channels; }
  int64_t input_image_size() const { return window.rows.input * window.columns.input * channels; }
  int64_t output_image_size() const { return window.rows.output * output_row_size(); }
  // Input elements that one output row reads, counted once per window; at most 2^40.
  size_t row_cost() const {
    double taps = static_cast<double>(std::min(window.rows.filter, window.rows.input)) *
                  static_cast<double>(std::min(window.columns.filter, window.columns.input));
    double cost = taps * static_cast<double>(output_row_size());
    return cost < double(int64_t{1} << 40) ? static_cast<size_t>(cost) : size_t{1} << 40;
  }
};

// The output must have elements. The largest element of each window, NaN if there is one; -infinity
// for a window that lies in padding.
void MaxPool2dRows(const Pool2d& pool, const float* in, float* out, int64_t begin, int64_t end);
// The same of bytes. The largest of none is the smallest that there is.
void MaxPool2dRowsU8(const Pool2d& pool, const uint8_t* in, uint8_t* out, int64_t begin,
                     int64_t end);
void MaxPool2dRowsI8(const Pool2d& pool, const int8_t* in, int8_t* out, int64_t begin, int64_t end);
// The mean of those elements of each window that exist; padding does not count. NaN for none.
void AveragePool2dRows(const Pool2d& pool, const float* in, float* out, int64_t begin, int64_t end);

// Computes the gradient of images [begin, end) with respect to the input. Every output's gradient
// is added to the first element of its window that is as large as the output.
void MaxPool2dGradImages(const Pool2d& pool, const float* in, const float* out,
                         const float* out_grad, float* in_grad, int64_t begin, int64_t end);

// in [N,positions,C] -> out [N,C] for images [begin, end): the mean over the positions. NaN for
// none.
void GlobalAveragePoolImages(int64_t positions, int64_t channels, const float* in, float* out,
                             int64_t begin, int64_t end);

// out[i] becomes the larger of out[i] and in[i], NaN if one is; or their sum.
void MaxLine(const float* in, float* out, int64_t count);
void AddLine(const float* in, float* out, int64_t count);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_POOLING_H_
