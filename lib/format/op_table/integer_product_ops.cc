// Products of 8-bit integers, in i32.

#include "conv_shapes.h"
#include "op_families.h"
#include "product_rules.h"

namespace tfrt {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;

struct NoAttrs : OpAttrReader {
  std::optional<OpAttrValue> Get(std::string_view) const override { return std::nullopt; }
};

// Both factors are i8 or u8, and the zero point of each is of its dtype.
Status CheckBytes(const OpShapeCall& call) {
  for (size_t i = 0; i < 2; ++i) {
    const DType dtype = call.argument(i).dtype;
    if (dtype != DType::kI8 && dtype != DType::kUI8 && dtype != DType::kUnsupported) {
      return ShapeError(call, "argument ", i, " is ", DTypeName(dtype), ", expected i8 or u8");
    }
    if (call.has_argument(2 + i)) {
      TFRT_RETURN_IF_ERROR(UnifyDTypes(call, dtype, call.argument(2 + i).dtype).status());
    }
  }
  return OkStatus();
}

Status ConvIntegerShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckBytes(call));
  results[0].dtype = DType::kI32;
  return ConvSizes(call, results);
}

Status MatMulIntegerShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(CheckBytes(call));
  // The rule wants factors of one dtype.
  ValueType a = call.argument(0), b = call.argument(1);
  a.dtype = b.dtype = DType::kUI8;
  const ValueType* const factors[] = {&a, &b};
  const NoAttrs no_attrs;
  const OpShapeCall bytes(call.op(), call.op_name(), factors, no_attrs);
  Status status = BatchMatMulRule::Infer(SymbolicCall(bytes), results);
  if (!status.ok()) return internal::NameOp(call, status);
  results[0].dtype = DType::kI32;
  return OkStatus();
}

constexpr OpArgumentSpec kConvInteger[] = {{"input"},
                                           {"filter"},
                                           {"input_zero", ArgumentKind::kOptional},
                                           {"filter_zero", ArgumentKind::kOptional}};
constexpr OpArgumentSpec kMatMulInteger[] = {
    {"a"}, {"b"}, {"a_zero", ArgumentKind::kOptional}, {"b_zero", ArgumentKind::kOptional}};

constexpr OpDescription kIntegerProductOps[] = {
    {.name = "conv_integer",
     .summary = "`conv` of `input - input_zero` with `filter - filter_zero`, of i8 or u8, in i32; "
                "the filter's zero point is one, or one for each output channel.",
     .arguments = kConvInteger,
     .attrs = kConvAttrs,
     .results = kOutput,
     .cost = PerFilterTap(1, OpCostFormula::kResult),
     .shape = ConvIntegerShape,
     .gradient = kNoFloats},
    {.name = "matmul_integer",
     .summary =
         "`batch_matmul` of `a - a_zero` with `b - b_zero`, of i8 or u8, in i32; zero points "
         "are one, or one for each row of a or column of b.",
     .arguments = kMatMulInteger,
     .results = kOutput,
     .cost = {OpCostFormula::Kind::kMatMul, 0, 0, OpCostFormula::kResult},
     .shape = MatMulIntegerShape,
     .gradient = kNoFloats},
};

}  // namespace

OpFamily IntegerProductOps() { return {kIntegerProductOps, {}}; }

}  // namespace tfrt
