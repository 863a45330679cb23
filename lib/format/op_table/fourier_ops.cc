// Fourier transforms, and complex numbers made of real ones.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// The dtype of the parts of complex numbers; of what is unknown nothing is known.
StatusOr<DType> PartOf(const OpShapeCall& call, const ValueType& value) {
  if (!value.has_dtype()) return DType::kUnsupported;
  if (value.dtype == DType::kComplex64) return DType::kF32;
  if (value.dtype == DType::kComplex128) return DType::kF64;
  return ShapeError(call, "elements of ", DTypeName(value.dtype), " are not complex");
}

Status DftShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(int64_t axis, call.Attr<int64_t>("axis"));
  TFRT_RETURN_IF_ERROR(call.Attr<bool>("inverse").status());
  TFRT_RETURN_IF_ERROR(PartOf(call, x).status());
  if (x.shape.has_rank()) {
    TFRT_RETURN_IF_ERROR(NormalizedAxis(call, axis, x.shape.rank()).status());
  }
  return SameAsFirst(call, results);
}

Status PartShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, PartOf(call, call.argument(0)));
  results[0].shape = call.argument(0).shape;
  return OkStatus();
}

Status ComplexShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &real = call.argument(0), &imag = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(DType part, UnifyDTypes(call, real.dtype, imag.dtype));
  TFRT_ASSIGN_OR_RETURN(results[0].shape, UnifyShapes(call, real.shape, imag.shape));
  if (part == DType::kUnsupported) return OkStatus();
  if (part != DType::kF32 && part != DType::kF64) {
    return ShapeError(call, "complex numbers are made of f32 or f64, not of ", DTypeName(part));
  }
  results[0].dtype = part == DType::kF32 ? DType::kComplex64 : DType::kComplex128;
  return OkStatus();
}

constexpr OpArgumentSpec kParts[] = {{"real"}, {"imag"}};
constexpr OpAttrSpec kDftAttrs[] = {{"axis", AttrKind::kI64, "-1"},
                                    {"inverse", AttrKind::kBool, "false"}};

constexpr OpGradient kThroughComplex("gradients do not go through complex numbers");

constexpr OpDescription kFourierOps[] = {
    {.name = "dft",
     .summary =
         "The sums of `x[j] exp(-2 pi i j k / n)` along an axis of n complex elements, or of "
         "`x[j] exp(2 pi i j k / n)` if `inverse`; neither is divided by n.",
     .arguments = kX,
     .attrs = kDftAttrs,
     .results = kY,
     .cost = UnknownCost("it depends on the factors of the size"),
     .shape = DftShape,
     .gradient = kThroughComplex},
    {.name = "make_complex",
     .summary = "The complex numbers with these parts.",
     .arguments = kParts,
     .results = kY,
     .cost = PerResultElement(0),
     .shape = ComplexShape,
     .gradient = kThroughComplex},
    {.name = "real",
     .summary = "The real parts of complex numbers.",
     .arguments = kX,
     .results = kY,
     .cost = PerResultElement(0),
     .shape = PartShape,
     .gradient = kThroughComplex},
    {.name = "imag",
     .summary = "The imaginary parts of complex numbers.",
     .arguments = kX,
     .results = kY,
     .cost = PerResultElement(0),
     .shape = PartShape,
     .gradient = kThroughComplex},
};

}  // namespace

OpFamily FourierOps() { return {kFourierOps, {}}; }

}  // namespace tfrt
