// Products of 8-bit integers: in i32, in f32, or in 8 bits again.

#include "conv_shapes.h"
#include "op_families.h"
#include "product_rules.h"

namespace tfrt {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;

struct Transposed : OpAttrReader {
  explicit Transposed(bool b) : b(b) {}
  std::optional<OpAttrValue> Get(std::string_view name) const override {
    if (name != "transpose_b") return std::nullopt;
    return OpAttrValue(b);
  }
  bool b;
};

bool MayBeByte(DType dtype) { return IsByte(dtype) || dtype == DType::kUnsupported; }

// The factor `index` is i8 or u8, as is its zero point.
Status CheckByte(const OpShapeCall& call, size_t index, size_t zero) {
  const DType dtype = call.argument(index).dtype;
  if (!MayBeByte(dtype)) {
    return ShapeError(call, "argument ", index, " is ", DTypeName(dtype), ", expected i8 or u8");
  }
  if (!call.has_argument(zero)) return OkStatus();
  return UnifyDTypes(call, dtype, call.argument(zero).dtype).status();
}
Status CheckBytes(const OpShapeCall& call, size_t zeros) {
  TFRT_RETURN_IF_ERROR(CheckByte(call, 0, zeros));
  return CheckByte(call, 1, zeros + 1);
}

Status ConvIntegerShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckBytes(call, 2));
  results[0].dtype = DType::kI32;
  return ConvSizes(call, results);
}

// The shape of a * b, of any dtypes.
Status ProductShape(const OpShapeCall& call, bool transpose_b, SymbolicShape& shape) {
  // The rule wants factors of one dtype.
  ValueType a = call.argument(0), b = call.argument(1);
  a.dtype = b.dtype = DType::kUI8;
  const ValueType* const factors[] = {&a, &b};
  const Transposed attrs(transpose_b);
  const OpShapeCall bytes(call.op(), call.op_name(), factors, attrs);
  ValueType result;
  Status status = BatchMatMulRule::Infer(SymbolicCall(bytes), {&result, 1});
  if (!status.ok()) return internal::NameOp(call, status);
  shape = std::move(result.shape);
  return OkStatus();
}

Status MatMulIntegerShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckBytes(call, 2));
  results[0].dtype = DType::kI32;
  return ProductShape(call, false, results[0].shape);
}

// The columns of a product, or the channels of a convolution.
struct Outputs {
  SymbolicShape& shape;
  size_t axis;
  Dim size() const { return shape.has_rank() ? shape.dim(axis) : Dim(); }
  // There are as many as elements of the vector.
  Status Unite(const OpShapeCall& call, Dim elements) {
    if (!shape.has_rank()) return OkStatus();
    std::vector<Dim> dims(shape.dims().begin(), shape.dims().end());
    TFRT_ASSIGN_OR_RETURN(dims[axis], UnifyDims(call, dims[axis], elements));
    shape = SymbolicShape(std::move(dims));
    return OkStatus();
  }
};

// The argument is f32.
Status CheckF32(const OpShapeCall& call, size_t index, std::string_view name) {
  if (!call.has_argument(index)) return OkStatus();
  const DType dtype = call.argument(index).dtype;
  if (dtype == DType::kF32 || dtype == DType::kUnsupported) return OkStatus();
  return ShapeError(call, "the ", name, " is ", DTypeName(dtype), ", expected f32");
}

// The argument has one element.
Status CheckOne(const OpShapeCall& call, size_t index, std::string_view name) {
  if (!call.has_argument(index)) return OkStatus();
  const SymbolicShape& shape = call.argument(index).shape;
  if (!NumElementsOf(call.argument(index)).Contradicts(1)) return OkStatus();
  return ShapeError(call, "the ", name, " has the shape ", shape.ToString(),
                    ", expected one element");
}

// The argument has one element, or one for each output.
Status CheckPerOutput(const OpShapeCall& call, size_t index, std::string_view name,
                      const Outputs& outputs) {
  if (!call.has_argument(index)) return OkStatus();
  const Dim elements = NumElementsOf(call.argument(index));
  if (!elements.Contradicts(1) || !elements.Contradicts(outputs.size())) return OkStatus();
  return ShapeError(call, "the ", name, " has the shape ", call.argument(index).shape.ToString(),
                    ", expected one element or ", outputs.size().ToString());
}

// The bias is f32, or i32 in units of both scales, one for each output.
Status UniteBias(const OpShapeCall& call, size_t index, bool may_be_i32, Outputs& outputs) {
  if (!call.has_argument(index)) return OkStatus();
  if (!may_be_i32 || call.argument(index).dtype != DType::kI32) {
    TFRT_RETURN_IF_ERROR(CheckF32(call, index, may_be_i32 ? "bias, if it is not i32," : "bias"));
  }
  TFRT_ASSIGN_OR_RETURN(SymbolicShape bias,
                        OfRank(call, call.argument(index).shape, 1, "the bias"));
  return outputs.Unite(call, bias.dim(0));
}

// Places of the arguments of quantised products and convolutions.
enum QuantizedArgument : size_t {
  kAScale = 2,
  kBScale,
  kAZero,
  kBZero,
  kBias,
  kAddend,
  kOutScale,
  kOutZero
};

// All but the sizes of the factors, and the addend's.
Status QuantizedTail(const OpShapeCall& call, Outputs outputs, ValueType& result) {
  TFRT_RETURN_IF_ERROR(CheckF32(call, kAScale, "scale of the first factor"));
  TFRT_RETURN_IF_ERROR(CheckOne(call, kAScale, "scale of the first factor"));
  TFRT_RETURN_IF_ERROR(CheckF32(call, kBScale, "scale of the second factor"));
  TFRT_RETURN_IF_ERROR(CheckPerOutput(call, kBScale, "scale of the second factor", outputs));
  TFRT_RETURN_IF_ERROR(CheckOne(call, kAZero, "zero point of the first factor"));
  TFRT_RETURN_IF_ERROR(CheckPerOutput(call, kBZero, "zero point of the second factor", outputs));
  TFRT_RETURN_IF_ERROR(UniteBias(call, kBias, true, outputs));
  TFRT_RETURN_IF_ERROR(CheckF32(call, kAddend, "addend"));
  TFRT_RETURN_IF_ERROR(CheckF32(call, kOutScale, "scale of the result"));
  TFRT_RETURN_IF_ERROR(CheckOne(call, kOutScale, "scale of the result"));
  TFRT_RETURN_IF_ERROR(CheckOne(call, kOutZero, "zero point of the result"));
  result.dtype = DType::kF32;
  if (!call.has_argument(kOutScale)) {
    if (!call.has_argument(kOutZero)) return OkStatus();
    return ShapeError(call, "the result has a zero point, but no scale");
  }
  if (call.has_argument(kOutZero)) {
    result.dtype = call.argument(kOutZero).dtype;
  } else {
    TFRT_ASSIGN_OR_RETURN(result.dtype, call.Attr<DType>("dtype"));
  }
  if (MayBeByte(result.dtype)) return OkStatus();
  return ShapeError(call, "a result with a scale is ", DTypeName(result.dtype),
                    ", expected i8 or u8");
}

Status QuantizedMatMulShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckBytes(call, kAZero));
  TFRT_ASSIGN_OR_RETURN(bool transpose_b, call.Attr<bool>("transpose_b"));
  SymbolicShape& shape = results[0].shape;
  TFRT_RETURN_IF_ERROR(ProductShape(call, transpose_b, shape));
  const size_t last = shape.has_rank() ? shape.rank() - 1 : 0;
  TFRT_RETURN_IF_ERROR(QuantizedTail(call, {shape, last}, results[0]));
  return UniteAddend(call, kAddend, shape);
}

Status QuantizedConvShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckBytes(call, kAZero));
  SymbolicShape& shape = results[0].shape;
  TFRT_RETURN_IF_ERROR(ConvSizes(call, results));
  TFRT_ASSIGN_OR_RETURN(bool channels_last, call.Attr<bool>("channels_last"));
  const size_t axis = channels_last && shape.has_rank() ? shape.rank() - 1 : 1;
  TFRT_RETURN_IF_ERROR(QuantizedTail(call, {shape, axis}, results[0]));
  if (!call.has_argument(kAddend)) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(shape, UnifyShapes(call, shape, call.argument(kAddend).shape));
  return OkStatus();
}

// Arguments: x, b, b_scale, b_zero, bias.
Status DynamicQuantizedMatMulShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckF32(call, 0, "first factor"));
  TFRT_RETURN_IF_ERROR(CheckByte(call, 1, 3));
  TFRT_ASSIGN_OR_RETURN(bool transpose_b, call.Attr<bool>("transpose_b"));
  SymbolicShape& shape = results[0].shape;
  TFRT_RETURN_IF_ERROR(ProductShape(call, transpose_b, shape));
  Outputs outputs{shape, shape.has_rank() ? shape.rank() - 1 : 0};
  TFRT_RETURN_IF_ERROR(CheckF32(call, 2, "scale of the second factor"));
  TFRT_RETURN_IF_ERROR(CheckPerOutput(call, 2, "scale of the second factor", outputs));
  TFRT_RETURN_IF_ERROR(CheckPerOutput(call, 3, "zero point of the second factor", outputs));
  TFRT_RETURN_IF_ERROR(UniteBias(call, 4, false, outputs));
  results[0].dtype = DType::kF32;
  return OkStatus();
}

constexpr OpArgumentSpec kConvInteger[] = {{"input"},
                                           {"filter"},
                                           {"input_zero", ArgumentKind::kOptional},
                                           {"filter_zero", ArgumentKind::kOptional}};
constexpr OpArgumentSpec kMatMulInteger[] = {
    {"a"}, {"b"}, {"a_zero", ArgumentKind::kOptional}, {"b_zero", ArgumentKind::kOptional}};

constexpr ArgumentKind kOptional = ArgumentKind::kOptional;
constexpr OpArgumentSpec kQuantizedMatMul[] = {{"a"},
                                               {"b"},
                                               {"a_scale"},
                                               {"b_scale"},
                                               {"a_zero", kOptional},
                                               {"b_zero", kOptional},
                                               {"bias", kOptional},
                                               {"addend", kOptional},
                                               {"out_scale", kOptional},
                                               {"out_zero", kOptional}};
constexpr OpArgumentSpec kQuantizedConv[] = {{"input"},
                                             {"filter"},
                                             {"input_scale"},
                                             {"filter_scale"},
                                             {"input_zero", kOptional},
                                             {"filter_zero", kOptional},
                                             {"bias", kOptional},
                                             {"addend", kOptional},
                                             {"out_scale", kOptional},
                                             {"out_zero", kOptional}};
constexpr OpArgumentSpec kDynamicQuantizedMatMul[] = {
    {"x"}, {"b"}, {"b_scale"}, {"b_zero", kOptional}, {"bias", kOptional}};

using AttrKind = OpAttrSpec::Kind;
constexpr OpAttrSpec kActivation = {"activation", AttrKind::kString, "\"none\""};
constexpr OpAttrSpec kAlpha = {"alpha", AttrKind::kF32, "0"};
constexpr OpAttrSpec kBeta = {"beta", AttrKind::kF32, "0"};
constexpr OpAttrSpec kDType = {"dtype", AttrKind::kType, "DType::kUI8"};
constexpr OpAttrSpec kTransposeB = {"transpose_b", AttrKind::kBool, "false"};
constexpr OpAttrSpec kQuantizedMatMulAttrs[] = {kActivation, kAlpha, kBeta, kDType, kTransposeB};
constexpr OpAttrSpec kQuantizedConvAttrs[] = {kActivation, kAlpha,  kBeta,   kChannelsLast,
                                              kDilations,  kDType,  kGroups, kPadding,
                                              kPads,       kStrides};
constexpr OpAttrSpec kDynamicAttrs[] = {kActivation, kAlpha, kBeta, kTransposeB};

constexpr OpDescription kIntegerProductOps[] = {
    {.name = "conv_integer",
     .summary = "`conv` of `input - input_zero` with `filter - filter_zero`, of i8 or u8, in i32; "
                "the filter's zero point is one, or one for each output channel.",
     .arguments = kConvInteger,
     .attrs = kConvAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .cost = PerFilterTap(1, OpCostFormula::kResult),
     .shape = ConvIntegerShape,
     .gradient = kNoFloats},
    {.name = "matmul_integer",
     .summary =
         "`batch_matmul` of `a - a_zero` with `b - b_zero`, of i8 or u8, in i32; zero points "
         "are one, or one for each row of a or column of b.",
     .arguments = kMatMulInteger,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .cost = {OpCostFormula::Kind::kMatMul, 0, 0, OpCostFormula::kResult},
     .shape = MatMulIntegerShape,
     .gradient = kNoFloats},
    {.name = "quantized_matmul",
     .summary =
         "`activation(matmul_integer * a_scale * b_scale + bias + addend)` in f32 or, with a scale "
         "of the result, quantised to its zero point's dtype, or `dtype`, with one rounding. "
         "b_scale "
         "and b_zero are one, or one for each column; a bias of i32 is added to the sums before "
         "the scales. b may be packed, if it is one matrix. Activations as those of `fused_conv`.",
     .arguments = kQuantizedMatMul,
     .attrs = kQuantizedMatMulAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .cost = {OpCostFormula::Kind::kMatMul, 0, 0, OpCostFormula::kResult},
     .shape = QuantizedMatMulShape,
     .gradient = kMadeByPasses},
    {.name = "quantized_conv",
     .summary =
         "`conv_integer` with scales, bias, addend, activation and result as `quantized_matmul` "
         "has them: filter_scale and filter_zero are one, or one for each output channel. The "
         "addend is like the result. The filter may be packed.",
     .arguments = kQuantizedConv,
     .attrs = kQuantizedConvAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .cost = PerFilterTap(1, OpCostFormula::kResult),
     .shape = QuantizedConvShape,
     .gradient = kMadeByPasses},
    {.name = "dynamic_quantized_matmul",
     .summary = "`activation(product + bias)` in f32: `quantized_matmul` of x as "
                "`dynamic_quantize` gives it, with b. b may be packed, if it is one matrix.",
     .arguments = kDynamicQuantizedMatMul,
     .attrs = kDynamicAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsPacked,
     .cost = {OpCostFormula::Kind::kMatMul, 0, 0, OpCostFormula::kResult},
     .shape = DynamicQuantizedMatMulShape,
     .gradient = kMadeByPasses},
};

}  // namespace

OpFamily IntegerProductOps() { return {kIntegerProductOps, {}}; }

}  // namespace tfrt
