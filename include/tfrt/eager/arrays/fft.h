// Fourier transforms: the extension `fft` of the array API standard.
//
//   Tensor spectrum = arrays::fft::Rfft(signal);                // complex64 of f32
//   Tensor half = arrays::fft::Fft(signal, {.n = 8, .axis = 0});
//
// Transforms of f32 and complex64 are complex64 or f32, those of f64 and complex128 complex128 or
// f64. Others are InvalidArgument, and so are transforms of no point. Gradients do not go through
// complex numbers.
#ifndef TFRT_EAGER_ARRAYS_FFT_H_
#define TFRT_EAGER_ARRAYS_FFT_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays::fft {

struct FftOptions {
  // The points: the axis is cut, or filled up with zeros, to so many. None: its size.
  std::optional<int64_t> n = std::nullopt;
  int64_t axis = -1;
  // "backward" divides inverse transforms by n, "forward" the others, "ortho" both by its root.
  std::string_view norm = "backward";
};
// The transform along an axis, and its inverse.
Tensor Fft(const Tensor& x, const FftOptions& options = {}, Location where = Here());
Tensor Ifft(const Tensor& x, const FftOptions& options = {}, Location where = Here());
// The first n / 2 + 1 elements of the transform of real numbers; the others are their conjugates.
Tensor Rfft(const Tensor& x, const FftOptions& options = {}, Location where = Here());
// The n real numbers whose transform begins with these elements. Without n they are 2 (size - 1).
Tensor Irfft(const Tensor& x, const FftOptions& options = {}, Location where = Here());
// The real transform, of n elements, of a signal of which the first half is given: the second one
// is conjugate to it. Without n they are 2 (size - 1). Then its inverse.
Tensor Hfft(const Tensor& x, const FftOptions& options = {}, Location where = Here());
Tensor Ihfft(const Tensor& x, const FftOptions& options = {}, Location where = Here());

struct FftnOptions {
  // The points along each axis; the last axes, if none are named. Empty: the sizes.
  std::vector<int64_t> s = {};
  Axes axes = {};  // none: all
  std::string_view norm = "backward";
};
// The transform along several axes, and its inverse.
Tensor Fftn(const Tensor& x, const FftnOptions& options = {}, Location where = Here());
Tensor Ifftn(const Tensor& x, const FftnOptions& options = {}, Location where = Here());
// Rfft along the last one of the axes, then Fft along the others.
Tensor Rfftn(const Tensor& x, const FftnOptions& options = {}, Location where = Here());
// The inverse of Rfftn. Without `s` the last axis has 2 (size - 1) elements.
Tensor Irfftn(const Tensor& x, const FftnOptions& options = {}, Location where = Here());

struct FftfreqOptions {
  double d = 1;                               // the distance of two points
  std::optional<DType> dtype = std::nullopt;  // a float; none: f32
  std::string_view device = {};               // empty: that of the scope
};
// The frequencies of the n elements of a transform: 0, 1, ..., then those below 0, divided by d n.
Tensor Fftfreq(int64_t n, const FftfreqOptions& options = {}, Location where = Here());
// Those of the n / 2 + 1 elements that Rfft gives.
Tensor Rfftfreq(int64_t n, const FftfreqOptions& options = {}, Location where = Here());

struct FftshiftOptions {
  Axes axes = {};  // none: all
};
// The tensor of any dtype turned along axes so that the frequency 0 is in the middle, and back.
Tensor Fftshift(const Tensor& x, const FftshiftOptions& options = {}, Location where = Here());
Tensor Ifftshift(const Tensor& x, const FftshiftOptions& options = {}, Location where = Here());

}  // namespace tfrt::eager::arrays::fft

#endif  // TFRT_EAGER_ARRAYS_FFT_H_
