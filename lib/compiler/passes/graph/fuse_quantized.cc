// Products and convolutions of 8-bit integers, however a program writes them: as floats that are
// made of integers before and become integers behind, or as integer ops with a cast and scales.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "factors.h"
#include "graph_passes.h"
#include "products.h"
#include "quantized.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

// The arguments of `quantized_matmul` and `quantized_conv`, in their order.
struct QuantizedProduct {
  Value a, b, a_scale, b_scale, a_zero, b_zero, bias, addend, out_scale, out_zero;

  llvm::SmallVector<Value> arguments() const {
    return {a, b, a_scale, b_scale, a_zero, b_zero, bias, addend, out_scale, out_zero};
  }
};

// Both are `x * y`, or numbers that are as large.
bool isProductOf(Value value, Value x, Value y, ValueFacts& facts) {
  mlir::Operation* op = made<MulOp>(value);
  if (op && llvm::any_of(eitherOrder(op), [&](auto order) {
        return isSameNumber(order.first, x, facts) && isSameNumber(order.second, y, facts);
      })) {
    return true;
  }
  auto first = facts.scalarOf(x), second = facts.scalarOf(y), number = facts.scalarOf(value);
  return first && second && number &&
         static_cast<float>(*number) == static_cast<float>(*first) * static_cast<float>(*second);
}

// Sums of so many products of two bytes may need more than 32 bits.
constexpr int64_t kMaxDepth = (int64_t{1} << 31) / (256 * 256);

// The elements of b for one output, if they are known and not too many. The first dimensions of
// many matrices do not count.
std::optional<int64_t> depthOf(Value b, int64_t axis, bool is_conv, ValueFacts& facts) {
  auto sizes = facts.sizesOf(b);
  if (!sizes) return std::nullopt;
  int64_t depth = 1;
  for (size_t i = is_conv ? 0 : sizes->size() - 2; i < sizes->size(); ++i) {
    if (static_cast<int64_t>(i) == axis) continue;
    if (llvm::MulOverflow(depth, (*sizes)[i], depth)) return std::nullopt;
  }
  return depth < kMaxDepth ? std::optional(depth) : std::nullopt;
}

// A bias in units of both scales is one of i32, which is added to the sums if they have room.
Value biasInUnits(Value bias, const QuantizedProduct& product, int64_t depth, ValueFacts& facts) {
  mlir::Operation* op = made<DequantizeOp>(bias);
  if (!op || integerOf(op, "block") != 0 || facts.of(op->getOperand(0)).dtype != DType::kI32) {
    return bias;
  }
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  if (arguments.size() > 2 && arguments[2] && !facts.isScalar(arguments[2], 0)) return bias;
  auto numbers = numbersOf(arguments[0], facts);
  const auto room = static_cast<double>((int64_t{1} << 31) - depth * 255 * 255);
  if (!numbers || llvm::any_of(*numbers, [&](double each) { return std::abs(each) >= room; })) {
    return bias;
  }
  return isProductOf(arguments[1], product.a_scale, product.b_scale, facts) ? arguments[0] : bias;
}

// False if a kernel would refuse constants among the scales, or get sums times a product of both
// that is 0 or infinite.
bool fitScales(Value a_scale, Value b_scale, ValueFacts& facts) {
  auto numbers = [&](Value scale) {
    return numbersOf(scale, facts).value_or(std::vector<double>());
  };
  auto fits = [](double number) { return isScale(static_cast<float>(number)); };
  const std::vector<double> a = numbers(a_scale), b = numbers(b_scale);
  if (!llvm::all_of(a, fits) || !llvm::all_of(b, fits)) return false;
  return llvm::all_of(a, [&](double x) {
    return llvm::all_of(
        b, [&](double y) { return isScale(static_cast<float>(x) * static_cast<float>(y)); });
  });
}

// Takes both factors from where they become floats, and the bias. `b_axis`: that of the outputs in
// b.
bool takeFactors(Value a, Value b, Value bias, int64_t b_axis, bool is_conv,
                 QuantizedProduct& product, ValueFacts& facts) {
  mlir::Operation *of_a = dequantizeFor(a), *of_b = dequantizeFor(b);
  auto a_scaling = quantizationOf(of_a, facts), b_scaling = quantizationOf(of_b, facts);
  if (!a_scaling || !b_scaling || !a_scaling->is_one) return false;
  if (!b_scaling->is_one && b_scaling->axis != b_axis) return false;
  auto depth = depthOf(of_b->getOperand(0), b_axis, is_conv, facts);
  if (!depth) return false;
  if (!fitScales(a_scaling->scale, b_scaling->scale, facts)) return false;
  product.a = of_a->getOperand(0);
  product.b = of_b->getOperand(0);
  product.a_scale = a_scaling->scale;
  product.b_scale = b_scaling->scale;
  product.a_zero = a_scaling->zero;
  product.b_zero = b_scaling->zero;
  product.bias = biasInUnits(bias, product, *depth, facts);
  return true;
}

template <typename Op>
llvm::LogicalResult quantizeProduct(Op op, Replacement& make, ValueFacts& facts) {
  auto product = productOf(op, facts);
  if (!product || product->transpose_a || product->scale != 1) return mlir::failure();
  auto rank = facts.rankOf(product->b);
  if (!rank || *rank < 2) return mlir::failure();
  const auto axis = static_cast<int64_t>(*rank) - (product->transpose_b ? 2 : 1);
  QuantizedProduct result;
  if (!takeFactors(product->a, product->b, product->bias, axis, false, result, facts))
    return mlir::failure();
  result.addend = product->addend;
  GraphBuilder& graph = make.graph();
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  addActivation(product->activation, graph, attributes);
  if (product->transpose_b) attributes.push_back(graph.attribute("transpose_b", true));
  return make.finish(make.value("quantized_matmul", result.arguments(), attributes));
}

template <typename Op>
llvm::LogicalResult quantizeConvolution(Op op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments.resize(4);
  auto rank = facts.rankOf(arguments[1]);
  if (!rank || facts.of(op->getResult(0)).dtype != DType::kF32) return mlir::failure();
  const int64_t axis = boolOf(op, "channels_last") ? static_cast<int64_t>(*rank) - 1 : 0;
  QuantizedProduct result;
  if (!takeFactors(arguments[0], arguments[1], arguments[2], axis, true, result, facts))
    return mlir::failure();
  result.addend = arguments[3];
  return make.finish(
      make.value("quantized_conv", result.arguments(), tableAttributesOf(op).getAttrs()));
}

bool isQuantizedProduct(mlir::Operation* op) {
  return op && mlir::isa<QuantizedMatmulOp, QuantizedConvOp>(op);
}

constexpr size_t kAScale = 2, kBias = 6, kAddend = 7, kOutScale = 8, kOutZero = 9, kArguments = 10;

// The integers that a product in floats becomes.
llvm::LogicalResult takeQuantize(QuantizeOp op, Replacement& make, ValueFacts& facts) {
  auto to = quantizationOf(op, facts);
  mlir::Operation* product = op->getOperand(0).getDefiningOp();
  if (!to || !to->is_one || !isQuantizedProduct(product) || !op->getOperand(0).hasOneUse()) {
    return mlir::failure();
  }
  llvm::SmallVector<Value> arguments = argumentsOf(product);
  arguments.resize(kArguments);
  // The scale of numbers that are infinite or tiny is no positive number, which floats can have.
  if (arguments[kOutScale] || made<DynamicQuantizeOp>(arguments[kAScale])) return mlir::failure();
  arguments[kOutScale] = to->scale;
  arguments[kOutZero] = to->zero;
  mlir::NamedAttrList attributes = tableAttributesOf(product);
  if (!to->zero) {
    const mlir::Type type =
        mlir::cast<mlir::ShapedType>(op->getResult(0).getType()).getElementType();
    attributes.set("dtype", make.graph().attribute("dtype", type).getValue());
  }
  return make.finish(placedAt(
      product, make.value(product->getName().stripDialect(), arguments, attributes.getAttrs())));
}

// --- Integer ops with a cast and scales.

// True for one number, or a vector of `count` along the dimension so many from the end; it may have
// more dimensions, of size 1.
bool isVector(Value value, Dim count, size_t from_end, ValueFacts& facts,
              DType dtype = DType::kF32) {
  const ValueType& type = facts.of(value);
  if (type.dtype != dtype || !type.shape.has_rank()) return false;
  if (type.shape.num_elements().is(1)) return true;
  const size_t rank = type.shape.rank();
  if (from_end >= rank || !count.is_known()) return false;
  for (size_t i = 0; i < rank; ++i) {
    if (!type.shape.dim(i).is(i == rank - 1 - from_end ? count.value() : 1)) return false;
  }
  return true;
}

// The same with one dimension at most.
Value flat(Value vector, Replacement& make, ValueFacts& facts) {
  const SymbolicShape& shape = facts.of(vector).shape;
  if (shape.rank() <= 1) return vector;
  const int64_t count = shape.num_elements().value();
  return make.reshape(vector, {count});
}

bool isOne(Value value, ValueFacts& facts) { return facts.of(value).shape.num_elements().is(1); }

// Where the outputs of a product or a convolution are in its result, counted from the end.
size_t outputsFromEnd(mlir::Operation* op, size_t rank) {
  const bool is_conv = mlir::isa<ConvIntegerOp, QuantizedConvOp>(op);
  return is_conv && !boolOf(op, "channels_last") ? rank - 2 : 0;
}

// The sums of products of integers as floats, which nothing else uses.
struct Sums {
  mlir::Operation* op = nullptr;  // matmul_integer or conv_integer
  Value bias;                     // of i32, for each output, or null
};
std::optional<Sums> sumsOf(Value floats, ValueFacts& facts) {
  mlir::Operation* cast = madeForOne<CastOp>(floats);
  if (!cast) return std::nullopt;
  Value integers = cast->getOperand(0);
  if (mlir::Operation* op = madeForOne<MatmulIntegerOp, ConvIntegerOp>(integers)) return Sums{op};
  mlir::Operation* add = madeForOne<AddOp>(integers);
  if (!add) return std::nullopt;
  for (auto [value, bias] : eitherOrder(add)) {
    mlir::Operation* op = madeForOne<MatmulIntegerOp, ConvIntegerOp>(value);
    const SymbolicShape& shape = facts.of(value).shape;
    if (!op || !shape.has_rank() || shape.rank() < 2 || !facts.haveSameShape(value, integers))
      continue;
    const size_t from_end = outputsFromEnd(op, shape.rank());
    const Dim outputs = shape.dim(shape.rank() - 1 - from_end);
    if (isVector(bias, outputs, from_end, facts, DType::kI32) &&
        facts.of(bias).shape.num_elements().IsSameAs(outputs)) {
      return Sums{op, bias};
    }
  }
  return std::nullopt;
}

// cast(sums + bias) * a_scale * b_scale, in any order. A missing scale is a number.
struct ScaledSums : Sums {
  mlir::Operation* dynamic = nullptr;  // has made the first operand, and a_scale, or null
  Value a_scale, b_scale;
  double number = 1;
};

std::optional<ScaledSums> scaledSumsOf(MulOp op, ValueFacts& facts) {
  Value result = op->getResult(0);
  if (facts.of(result).dtype != DType::kF32) return std::nullopt;
  Factors factors = factorsOf(result, facts);
  ScaledSums sums;
  for (auto* each = factors.values.begin(); each != factors.values.end(); ++each) {
    auto found = sumsOf(*each, facts);
    if (!found) continue;
    if (!facts.haveSameShape(*each, result)) return std::nullopt;
    static_cast<Sums&>(sums) = *found;
    factors.values.erase(each);
    break;
  }
  // The product of both scales has other uses if a bias is divided by it.
  if (sums.op && factors.values.size() == 1 && made<MulOp>(factors.values[0])) {
    const Factors parts = factorsOf(factors.values[0], facts);
    factors = {factors.coefficient * parts.coefficient, parts.values};
  }
  sums.number = factors.coefficient;
  // Beside two values, a number would have to be multiplied with one of them.
  if (!sums.op || factors.values.size() > 2 || !(factors.coefficient > 0)) return std::nullopt;
  if (factors.values.size() == 2 && factors.coefficient != 1) return std::nullopt;
  const SymbolicShape& shape = facts.of(sums.op->getResult(0)).shape;
  if (!shape.has_rank() || shape.rank() < 2) return std::nullopt;
  const size_t from_end = outputsFromEnd(sums.op, shape.rank());
  const Dim outputs = shape.dim(shape.rank() - 1 - from_end);
  for (Value each : factors.values) {
    if (!isVector(each, outputs, from_end, facts)) return std::nullopt;
    auto dynamic = each.getDefiningOp<DynamicQuantizeOp>();
    const bool is_its_scale =
        dynamic && each == dynamic->getResult(1) && sums.op->getOperand(0) == dynamic->getResult(0);
    // A kernel refuses others that are not positive, normal and finite.
    if (is_its_scale ? sums.dynamic != nullptr : !numbersOf(each, facts)) return std::nullopt;
    const bool is_of_a = is_its_scale || (!sums.a_scale && isOne(each, facts));
    if (is_of_a && sums.a_scale) sums.b_scale = sums.a_scale;
    (is_of_a ? sums.a_scale : sums.b_scale) = each;
    if (is_its_scale) sums.dynamic = dynamic;
  }
  // Both are vectors.
  if (factors.values.size() == 2 && (!sums.a_scale || !sums.b_scale)) return std::nullopt;
  if (!fitScales(sums.a_scale, sums.b_scale, facts)) return std::nullopt;
  auto number = static_cast<float>(sums.number);
  auto fits = [&](double each) { return isScale(static_cast<float>(each) * number); };
  Value scale = sums.a_scale && !sums.dynamic ? sums.a_scale : sums.b_scale;
  auto numbers = numbersOf(scale, facts);
  if (!isScale(number) || (numbers && !llvm::all_of(*numbers, fits))) return std::nullopt;
  return sums;
}

// A zero point is one of the whole tensor, or one for each output; null is 0.
bool isZeroOf(Value zero, Dim outputs, ValueFacts& facts) {
  if (!zero || isOne(zero, facts)) return true;
  const SymbolicShape& shape = facts.of(zero).shape;
  return outputs.is_known() && shape.has_rank() && shape.rank() == 1 &&
         shape.dim(0).IsSameAs(outputs);
}

llvm::LogicalResult scaleSums(MulOp op, Replacement& make, ValueFacts& facts) {
  auto sums = scaledSumsOf(op, facts);
  if (!sums) return mlir::failure();
  llvm::SmallVector<Value> arguments = argumentsOf(sums->op);
  arguments.resize(4);
  const SymbolicShape& shape = facts.of(sums->op->getResult(0)).shape;
  const Dim outputs = shape.dim(shape.rank() - 1 - outputsFromEnd(sums->op, shape.rank()));
  if (!IsByte(facts.of(arguments[0]).dtype) || !IsByte(facts.of(arguments[1]).dtype) ||
      !isZeroOf(arguments[2], Dim(), facts) || !isZeroOf(arguments[3], outputs, facts)) {
    return mlir::failure();
  }
  // The number replaces what is missing, and then 1.
  double number = sums->number;
  for (Value* scale : {&sums->b_scale, &sums->a_scale}) {
    if (*scale) {
      *scale = flat(*scale, make, facts);
      continue;
    }
    auto type = mlir::RankedTensorType::get({}, make.rewriter().getF32Type());
    *scale = make.graph().constant(
        mlir::DenseElementsAttr::get(type, static_cast<float>(std::exchange(number, 1.0))));
  }
  const bool is_conv = mlir::isa<ConvIntegerOp>(sums->op);
  // Several products read what is quantised once.
  if (!is_conv && !sums->bias && sums->dynamic && arguments[2] == sums->dynamic->getResult(2) &&
      arguments[0].hasOneUse()) {
    return make.finish(placedAt(sums->op, make.value("dynamic_quantized_matmul",
                                                     {sums->dynamic->getOperand(0), arguments[1],
                                                      sums->b_scale, arguments[3]})));
  }
  QuantizedProduct product{arguments[0],
                           arguments[1],
                           sums->a_scale,
                           sums->b_scale,
                           arguments[2],
                           arguments[3],
                           sums->bias ? flat(sums->bias, make, facts) : Value(),
                           {},
                           {},
                           {}};
  return make.finish(
      placedAt(sums->op, make.value(is_conv ? "quantized_conv" : "quantized_matmul",
                                    product.arguments(), tableAttributesOf(sums->op).getAttrs())));
}

// An op of this pass that can still take a bias or an activation.
struct Tail {
  mlir::Operation* op = nullptr;
  llvm::SmallVector<Value> arguments;
  size_t bias = 0;
};
std::optional<Tail> tailOf(Value value, ValueFacts& facts) {
  mlir::Operation* op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || facts.of(value).dtype != DType::kF32) return std::nullopt;
  const bool is_dynamic = mlir::isa<DynamicQuantizedMatmulOp>(op);
  if (!is_dynamic && !isQuantizedProduct(op)) return std::nullopt;
  if (!activationAttributesOf(op).is_none()) return std::nullopt;
  Tail tail{op, argumentsOf(op), is_dynamic ? size_t{4} : kBias};
  tail.arguments.resize(is_dynamic ? 5 : kArguments);
  return tail;
}

Value put(const Tail& tail, const mlir::NamedAttrList& attributes, Replacement& make) {
  return placedAt(tail.op, make.value(tail.op->getName().stripDialect(), tail.arguments,
                                      attributes.getAttrs()));
}

// A bias behind it, for each output.
llvm::LogicalResult addBias(AddOp op, Replacement& make, ValueFacts& facts) {
  for (auto [value, summand] : laterFirst(op)) {
    auto tail = tailOf(value, facts);
    if (!tail || tail->arguments[tail->bias]) continue;
    if (tail->bias == kBias && tail->arguments[kAddend]) continue;
    if (!facts.haveSameShape(value, op->getResult(0))) continue;
    const SymbolicShape& shape = facts.of(value).shape;
    if (!shape.has_rank()) continue;
    const size_t from_end = outputsFromEnd(tail->op, shape.rank());
    const Dim outputs = shape.dim(shape.rank() - 1 - from_end);
    // One number for all outputs is no bias.
    if (!facts.rankOf(summand).value_or(0) || !isVector(summand, outputs, from_end, facts))
      continue;
    if (!facts.of(summand).shape.num_elements().IsSameAs(outputs)) continue;
    tail->arguments[tail->bias] = flat(summand, make, facts);
    return make.finish(put(*tail, tableAttributesOf(tail->op), make));
  }
  return mlir::failure();
}

llvm::LogicalResult addActivationBehind(mlir::Operation* op, Replacement& make, ValueFacts& facts) {
  if (op->getNumOperands() == 0) return mlir::failure();
  auto tail = tailOf(op->getOperand(0), facts);
  auto activation = tail ? activationOf(op, facts) : std::nullopt;
  if (!activation) return mlir::failure();
  llvm::SmallVector<mlir::NamedAttribute> attributes(plainAttributesOf(tail->op).getAttrs());
  addActivation(*activation, make.graph(), attributes);
  return make.finish(put(*tail, mlir::NamedAttrList(attributes), make));
}

}  // namespace

void addQuantizedFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, quantizeProduct<MatmulOp>);
  addRule(patterns, facts, quantizeProduct<BatchMatmulOp>);
  addRule(patterns, facts, quantizeProduct<FusedBatchMatmulOp>);
  addRule(patterns, facts, quantizeConvolution<ConvOp>);
  addRule(patterns, facts, quantizeConvolution<FusedConvOp>);
  addRule(patterns, facts, takeQuantize);
  addRule(patterns, facts, scaleSums);
  addRule(patterns, facts, addBias);
  addRule(patterns, facts, addActivationBehind);
}

}  // namespace tfrt::compiler::graph
