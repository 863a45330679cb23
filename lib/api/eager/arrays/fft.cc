// The extension `fft` of the array API standard.

#include "tfrt/eager/arrays/fft.h"

#include <cmath>
#include <complex>

#include "array_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays::fft {
namespace {

// Where the division by the number of points is: in which transforms.
enum class Norm : uint8_t {
  kBackward,  // inverse ones
  kOrtho,     // both, by the root
  kForward,   // the others
};

StatusOr<Norm> NormOf(std::string_view name) {
  if (name == "backward") return Norm::kBackward;
  if (name == "ortho") return Norm::kOrtho;
  if (name == "forward") return Norm::kForward;
  return InvalidArgumentError(StrCat("norm is 'backward', 'ortho' or 'forward', not '", name, "'"));
}

Norm Swapped(Norm norm) {
  if (norm == Norm::kOrtho) return norm;
  return norm == Norm::kBackward ? Norm::kForward : Norm::kBackward;
}

bool IsComplex(DType dtype) { return ElementTypeOf(dtype).kind == NumberKind::kComplex; }

// The dtype of the parts of complex numbers.
DType PartOf(DType dtype) {
  if (dtype == DType::kComplex64) return DType::kF32;
  return dtype == DType::kComplex128 ? DType::kF64 : dtype;
}

Tensor NumberOf(ArrayCall& call, double number, DType part) {
  return part == DType::kF64 ? Tensor::Scalar<double>(number, call.where())
                             : Tensor::Scalar<float>(static_cast<float>(number), call.where());
}

Tensor ComplexNumberOf(ArrayCall& call, double number, DType part) {
  if (part == DType::kF64) return Tensor::Scalar<std::complex<double>>(number, call.where());
  return Tensor::Scalar<std::complex<float>>(static_cast<float>(number), call.where());
}

StatusOr<Array> Complex(ArrayCall& call, const Tensor& x) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  if (IsComplex(array.dtype)) return array;
  if (array.dtype != DType::kF32 && array.dtype != DType::kF64) {
    return InvalidArgumentError(StrCat("x has elements of f32, f64, complex64 or complex128, not ",
                                       DTypeName(array.dtype)));
  }
  array.tensor = ops::MakeComplex(x, ops::ZerosLike(x, array.dtype, call.where()), call.where());
  array.dtype = array.dtype == DType::kF32 ? DType::kComplex64 : DType::kComplex128;
  return array;
}

// Real numbers, as complex ones.
StatusOr<Array> OfReal(ArrayCall& call, const Tensor& x) {
  TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
  if (array.dtype == DType::kF32 || array.dtype == DType::kF64) return Complex(call, x);
  return InvalidArgumentError(StrCat("x has elements of f32 or f64, not ", DTypeName(array.dtype)));
}

Tensor Conjugate(ArrayCall& call, const Tensor& x) {
  const Location where = call.where();
  return ops::MakeComplex(ops::Real(x, where), ops::Neg(ops::Imag(x, where), where), where);
}

Size HalfOf(ArrayCall& call, const Size& size) {
  if (size.is_known()) return size.number() / 2;
  return ops::RealDiv(size.tensor(), call.Integer(2), call.where());
}

// How many points a transform has: n, or else the size of the axis.
StatusOr<Size> Points(std::optional<int64_t> n, const Size& size, size_t axis) {
  if (n) {
    if (*n < 1) return InvalidArgumentError(StrCat("n is 1 or more, not ", *n));
    return Size(*n);
  }
  if (size.is_known() && size.number() < 1) {
    return InvalidArgumentError(
        StrCat("a transform has 1 point or more, but of axis ", axis, " it has ", size.number()));
  }
  return size;
}

void SetSize(Array& x, size_t axis, const Size& size) {
  x.dims[axis] = size.is_known() ? Dim(size.number()) : Dim();
}

// Keeps the complex elements up to a size along an axis, with zeros after them.
void Resize(ArrayCall& call, Array& x, size_t axis, const Size& size) {
  const Location where = call.where();
  const Size given = call.SizeOf(x, axis);
  const bool is_known = size.is_known() && given.is_known();
  if (is_known && size.number() == given.number()) return;
  const bool is_longer = is_known && size.number() > given.number();
  if (!is_known || is_longer) {
    Sizes sizes = call.SizesOf(x);
    sizes[axis] = is_known ? Size(size.number() - given.number()) : size;
    Tensor part = ops::Fill(call.ShapeFrom(sizes), NumberOf(call, 0, PartOf(x.dtype)), where);
    const std::vector<Tensor> parts = {x.tensor, ops::MakeComplex(part, part, where)};
    x.tensor = ops::ConcatV2(parts, static_cast<int64_t>(axis), where);
  }
  if (!is_longer) x.tensor = call.Piece(x.tensor, axis, 0, size);
  SetSize(x, axis, size);
}

// A transform of so many points, divided as the norm says.
Tensor Scaled(ArrayCall& call, const Tensor& x, DType dtype, const Size& points, Norm norm,
              bool inverse) {
  const Location where = call.where();
  if (norm == (inverse ? Norm::kForward : Norm::kBackward)) return x;
  const DType part = PartOf(dtype);
  if (points.is_known()) {
    const auto count = static_cast<double>(points.number());
    const double factor = 1 / (norm == Norm::kOrtho ? std::sqrt(count) : count);
    return ops::Mul(
        x, IsComplex(dtype) ? ComplexNumberOf(call, factor, part) : NumberOf(call, factor, part),
        where);
  }
  Tensor count = ops::Cast(points.tensor(), part, where);
  Tensor factor = ops::Reciprocal(norm == Norm::kOrtho ? ops::Sqrt(count, where) : count, where);
  if (IsComplex(dtype)) factor = ops::MakeComplex(factor, NumberOf(call, 0, part), where);
  return ops::Mul(x, factor, where);
}

Status Transform(ArrayCall& call, Array& x, std::optional<int64_t> n, size_t axis, Norm norm,
                 bool inverse) {
  TFRT_ASSIGN_OR_RETURN(Size points, Points(n, call.SizeOf(x, axis), axis));
  Resize(call, x, axis, points);
  Tensor sums =
      ops::Dft(x.tensor, {.axis = static_cast<int64_t>(axis), .inverse = inverse}, call.where());
  x.tensor = Scaled(call, sums, x.dtype, points, norm, inverse);
  return OkStatus();
}

// Keeps the first n / 2 + 1 of n elements.
void Halve(ArrayCall& call, Array& x, size_t axis) {
  const Size count = call.Plus(HalfOf(call, call.SizeOf(x, axis)), 1);
  x.tensor = call.Piece(x.tensor, axis, 0, count);
  SetSize(x, axis, count);
}

// The real numbers whose transform begins with the elements.
StatusOr<Tensor> RealInverse(ArrayCall& call, Array x, std::optional<int64_t> n, size_t axis,
                             Norm norm) {
  const Location where = call.where();
  const Size whole = call.Times(2, call.Plus(call.SizeOf(x, axis), -1));
  TFRT_ASSIGN_OR_RETURN(Size points, Points(n, whole, axis));
  const Size count = call.Plus(HalfOf(call, points), 1);
  Resize(call, x, axis, count);
  // Each element stands for itself and its conjugate, but for the first and, of even sizes, the
  // last: 2 k is n there.
  const DType part = PartOf(x.dtype);
  Tensor zero = call.Integer(0);
  Tensor places = ops::Range(zero, call.TensorOf(count), call.Integer(1), where);
  Tensor twice = ops::Mul(places, call.Integer(2), where);
  Tensor is_one = ops::LogicalOr(ops::Equal(places, zero, where),
                                 ops::Equal(twice, call.TensorOf(points), where), where);
  Tensor weights = ops::Select(is_one, NumberOf(call, 1, part), NumberOf(call, 2, part), where);
  std::vector<int64_t> shape(x.rank() - axis, 1);
  shape[0] = -1;
  weights = ops::Reshape(weights, VectorOf(std::span<const int64_t>(shape)), where);
  weights = ops::MakeComplex(weights, ops::ZerosLike(weights, part, where), where);
  x.tensor = ops::Mul(x.tensor, weights, where);
  Resize(call, x, axis, points);
  Tensor sums = ops::Dft(x.tensor, {.axis = static_cast<int64_t>(axis), .inverse = true}, where);
  return Scaled(call, ops::Real(sums, where), part, points, norm, true);
}

Tensor Transformed(std::string_view name, const Tensor& x, const FftOptions& options, bool inverse,
                   Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, Complex(call, x));
    TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(options.axis, array.rank()));
    TFRT_RETURN_IF_ERROR(Transform(call, array, options.n, axis, norm, inverse));
    return array.tensor;
  });
}

// Axes, and how many points there are along each: none if it is the size.
struct Along {
  std::vector<size_t> axes;
  std::vector<std::optional<int64_t>> points;
};

StatusOr<Along> AlongOf(const FftnOptions& options, size_t rank) {
  Along along;
  if (options.axes.is_all()) {
    for (size_t axis = 0; axis < rank; ++axis) along.axes.push_back(axis);
  }
  for (int64_t each : options.axes.span()) {
    TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(each, rank, "axes"));
    along.axes.push_back(axis);
  }
  along.points.assign(options.s.begin(), options.s.end());
  if (along.points.empty()) along.points.resize(along.axes.size());
  if (options.axes.is_all() && along.points.size() < along.axes.size()) {
    const size_t left_out = along.axes.size() - along.points.size();
    along.axes.erase(along.axes.begin(),
                     along.axes.begin() + static_cast<std::ptrdiff_t>(left_out));
  }
  if (along.points.size() != along.axes.size()) {
    return InvalidArgumentError(
        StrCat("s has ", along.points.size(), " sizes for ", along.axes.size(), " axes"));
  }
  if (along.axes.empty()) return InvalidArgumentError("there is no axis");
  return along;
}

Tensor TransformedAlong(std::string_view name, const Tensor& x, const FftnOptions& options,
                        bool inverse, Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, Complex(call, x));
    TFRT_ASSIGN_OR_RETURN(Along along, AlongOf(options, array.rank()));
    for (size_t i = 0; i < along.axes.size(); ++i) {
      TFRT_RETURN_IF_ERROR(Transform(call, array, along.points[i], along.axes[i], norm, inverse));
    }
    return array.tensor;
  });
}

Tensor RangeOf(ArrayCall& call, int64_t begin, int64_t end) {
  return ops::Range(call.Integer(begin), call.Integer(end), call.Integer(1), call.where());
}

// Places divided by d n. `is_half`: the first n / 2 + 1 of them.
Tensor Frequencies(std::string_view name, int64_t n, const FftfreqOptions& options, bool is_half,
                   Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    const DType dtype = options.dtype.value_or(DType::kF32);
    if (n < 1) return InvalidArgumentError(StrCat("n is 1 or more, not ", n));
    if (options.d == 0) return InvalidArgumentError("d is a distance, not 0");
    if (!IsFloat(dtype)) {
      return InvalidArgumentError(StrCat("dtype is one of floats, not ", DTypeName(dtype)));
    }
    Tensor places;
    if (is_half) {
      places = RangeOf(call, 0, n / 2 + 1);
    } else {
      const std::vector<Tensor> parts = {RangeOf(call, 0, (n - 1) / 2 + 1),
                                         RangeOf(call, -(n / 2), 0)};
      places = ops::ConcatV2(parts, 0, where);
    }
    Tensor step = Tensor::Scalar<double>(1 / (static_cast<double>(n) * options.d), where);
    Tensor made = ops::Mul(ops::Cast(places, DType::kF64, where), step, where);
    made = call.CastTo(made, DType::kF64, dtype);
    return options.device.empty() ? made : made.CopyTo(options.device, where);
  });
}

// The tensor turned along axes, so that what is at a half of each size comes first. `is_up`: of odd
// sizes the larger half.
Tensor Shifted(std::string_view name, const Tensor& x, const FftshiftOptions& options, bool is_up,
               Location where) {
  return CallArrays(name, where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Array array, call.Read(x));
    TFRT_ASSIGN_OR_RETURN(std::vector<size_t> axes,
                          CountedAxes(options.axes, array.rank(), "axes"));
    for (size_t axis : axes) {
      const Size size = call.SizeOf(array, axis);
      const Size begin = HalfOf(call, is_up ? call.Plus(size, 1) : size);
      const std::vector<Tensor> parts = {call.Piece(array.tensor, axis, begin, std::nullopt),
                                         call.Piece(array.tensor, axis, 0, begin)};
      array.tensor = ops::ConcatV2(parts, static_cast<int64_t>(axis), where);
    }
    return array.tensor;
  });
}

}  // namespace

Tensor Fft(const Tensor& x, const FftOptions& options, Location where) {
  return Transformed("fft", x, options, false, where);
}

Tensor Ifft(const Tensor& x, const FftOptions& options, Location where) {
  return Transformed("ifft", x, options, true, where);
}

Tensor Rfft(const Tensor& x, const FftOptions& options, Location where) {
  return CallArrays("rfft", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, OfReal(call, x));
    TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(options.axis, array.rank()));
    TFRT_RETURN_IF_ERROR(Transform(call, array, options.n, axis, norm, false));
    Halve(call, array, axis);
    return array.tensor;
  });
}

Tensor Irfft(const Tensor& x, const FftOptions& options, Location where) {
  return CallArrays("irfft", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, Complex(call, x));
    TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(options.axis, array.rank()));
    return RealInverse(call, std::move(array), options.n, axis, norm);
  });
}

Tensor Hfft(const Tensor& x, const FftOptions& options, Location where) {
  return CallArrays("hfft", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, Complex(call, x));
    TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(options.axis, array.rank()));
    array.tensor = Conjugate(call, array.tensor);
    return RealInverse(call, std::move(array), options.n, axis, Swapped(norm));
  });
}

Tensor Ihfft(const Tensor& x, const FftOptions& options, Location where) {
  return CallArrays("ihfft", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, OfReal(call, x));
    TFRT_ASSIGN_OR_RETURN(size_t axis, CountedAxis(options.axis, array.rank()));
    TFRT_RETURN_IF_ERROR(Transform(call, array, options.n, axis, Swapped(norm), false));
    Halve(call, array, axis);
    return Conjugate(call, array.tensor);
  });
}

Tensor Fftn(const Tensor& x, const FftnOptions& options, Location where) {
  return TransformedAlong("fftn", x, options, false, where);
}

Tensor Ifftn(const Tensor& x, const FftnOptions& options, Location where) {
  return TransformedAlong("ifftn", x, options, true, where);
}

Tensor Rfftn(const Tensor& x, const FftnOptions& options, Location where) {
  return CallArrays("rfftn", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, OfReal(call, x));
    TFRT_ASSIGN_OR_RETURN(Along along, AlongOf(options, array.rank()));
    const size_t last = along.axes.size() - 1;
    TFRT_RETURN_IF_ERROR(Transform(call, array, along.points[last], along.axes[last], norm, false));
    Halve(call, array, along.axes[last]);
    for (size_t i = 0; i < last; ++i) {
      TFRT_RETURN_IF_ERROR(Transform(call, array, along.points[i], along.axes[i], norm, false));
    }
    return array.tensor;
  });
}

Tensor Irfftn(const Tensor& x, const FftnOptions& options, Location where) {
  return CallArrays("irfftn", where, [&](ArrayCall& call) -> StatusOr<Tensor> {
    TFRT_ASSIGN_OR_RETURN(Norm norm, NormOf(options.norm));
    TFRT_ASSIGN_OR_RETURN(Array array, Complex(call, x));
    TFRT_ASSIGN_OR_RETURN(Along along, AlongOf(options, array.rank()));
    const size_t last = along.axes.size() - 1;
    for (size_t i = 0; i < last; ++i) {
      TFRT_RETURN_IF_ERROR(Transform(call, array, along.points[i], along.axes[i], norm, true));
    }
    return RealInverse(call, std::move(array), along.points[last], along.axes[last], norm);
  });
}

Tensor Fftfreq(int64_t n, const FftfreqOptions& options, Location where) {
  return Frequencies("fftfreq", n, options, false, where);
}

Tensor Rfftfreq(int64_t n, const FftfreqOptions& options, Location where) {
  return Frequencies("rfftfreq", n, options, true, where);
}

Tensor Fftshift(const Tensor& x, const FftshiftOptions& options, Location where) {
  return Shifted("fftshift", x, options, true, where);
}

Tensor Ifftshift(const Tensor& x, const FftshiftOptions& options, Location where) {
  return Shifted("ifftshift", x, options, false, where);
}

}  // namespace tfrt::eager::arrays::fft
