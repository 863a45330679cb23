// Makes the ops around convolutions part of them: pads before; factors, biases, summands and
// activations after.

#include <algorithm>

#include "activation.h"
#include "graph_passes.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;
using Integers = std::vector<int64_t>;

// A convolution, plain or fused, taken apart.
struct Convolution {
  Value input, filter, bias, addend;
  Activation activation;
  bool channels_last = false;
  size_t rank = 0;
  int64_t num_outputs = 0;
  mlir::NamedAttrList windows;  // the attributes that both rows have

  size_t channels() const { return channels_last ? rank - 1 : 1; }
};

// Accepts convolutions of f32 with known rank and channels.
std::optional<Convolution> convolutionOf(mlir::Operation* op, ValueFacts& facts) {
  if (!op || !mlir::isa<ConvOp, FusedConvOp>(op)) return std::nullopt;
  const ValueType& result = facts.of(op->getResult(0));
  if (result.dtype != DType::kF32 || !result.shape.has_rank()) return std::nullopt;
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments.resize(4);
  Convolution conv{arguments[0], arguments[1], arguments[2], arguments[3], {}};
  conv.channels_last = boolOf(op, "channels_last");
  conv.rank = result.shape.rank();
  Dim outputs = result.shape.dim(conv.channels());
  if (!outputs.is_known()) return std::nullopt;
  conv.num_outputs = outputs.value();
  if (mlir::isa<FusedConvOp>(op)) conv.activation = activationAttributesOf(op);
  conv.windows = plainAttributesOf(op);
  return conv;
}

// The one that makes a value which nothing else uses.
std::optional<Convolution> convolutionFor(Value value, ValueFacts& facts) {
  return convolutionOf(madeForOne<ConvOp, FusedConvOp>(value), facts);
}

Value put(const Convolution& conv, Replacement& make) {
  llvm::SmallVector<mlir::NamedAttribute> attributes(conv.windows.getAttrs());
  if (!conv.addend && conv.activation.is_none()) {
    return make.value("conv", {conv.input, conv.filter, conv.bias}, attributes);
  }
  addActivation(conv.activation, make.graph(), attributes);
  return make.value("fused_conv", {conv.input, conv.filter, conv.bias, conv.addend}, attributes);
}

// One number for each output channel, or one for all: the constant as a vector. Null if it is
// something else. Nothing is made before it is certain.
Value channelVector(Value constant, const Convolution& conv, Replacement& make, ValueFacts& facts) {
  auto sizes = facts.sizesOf(constant);
  if (!sizes || sizes->size() > conv.rank || !facts.isConstant(constant)) return {};
  if (facts.of(constant).dtype != DType::kF32) return {};
  const size_t missing = conv.rank - sizes->size();
  bool is_wide = false;
  for (size_t i = 0; i < sizes->size(); ++i) {
    if ((*sizes)[i] == 1) continue;
    if (i + missing != conv.channels() || (*sizes)[i] != conv.num_outputs) return {};
    is_wide = true;
  }
  if (is_wide) return make.reshape(constant, {conv.num_outputs});
  Value one = make.reshape(constant, {1});
  return make.value("broadcast_to", {one, make.graph().integers({conv.num_outputs})});
}

bool isPlain(const Convolution& conv) { return !conv.addend && conv.activation.is_none(); }

// (conv(x, f) + b) * c is conv(x, f * c) + b * c.
llvm::LogicalResult foldFactor(mlir::Operation* op, Value value, Value factor, bool divides,
                               Replacement& make, ValueFacts& facts) {
  auto conv = convolutionFor(value, facts);
  if (!conv || !isPlain(*conv) || !facts.isConstant(conv->filter)) return mlir::failure();
  if (conv->bias && !facts.isConstant(conv->bias)) return mlir::failure();
  if (!facts.haveSameShape(value, op->getResult(0))) return mlir::failure();
  Value vector = channelVector(factor, *conv, make, facts);
  if (!vector) return mlir::failure();
  Integers sizes(conv->rank, 1);
  sizes[conv->channels_last ? conv->rank - 1 : 0] = conv->num_outputs;
  llvm::StringRef apply = divides ? "div" : "mul";
  conv->filter = make.value(apply, {conv->filter, make.reshape(vector, sizes)});
  if (conv->bias) conv->bias = make.value(apply, {conv->bias, vector});
  return make.finish(put(*conv, make));
}
llvm::LogicalResult foldProduct(MulOp op, Replacement& make, ValueFacts& facts) {
  return mlir::success(llvm::any_of(eitherOrder(op), [&](auto order) {
    return mlir::succeeded(foldFactor(op, order.first, order.second, false, make, facts));
  }));
}
llvm::LogicalResult foldQuotient(DivOp op, Replacement& make, ValueFacts& facts) {
  return foldFactor(op, op.argument("x"), op.argument("y"), true, make, facts);
}

// A constant for each channel is a bias. `subtracts`: the constant from the convolution.
llvm::LogicalResult fuseBias(mlir::Operation* op, Value value, Value summand, bool subtracts,
                             bool exact, Replacement& make, ValueFacts& facts) {
  auto conv = convolutionFor(value, facts);
  if (!conv || !isPlain(*conv) || !facts.haveSameShape(value, op->getResult(0))) {
    return mlir::failure();
  }
  // Two sums become one.
  if (conv->bias && (exact || !facts.isConstant(conv->bias))) return mlir::failure();
  Value vector = channelVector(summand, *conv, make, facts);
  if (!vector) return mlir::failure();
  if (conv->bias) {
    vector = make.value(subtracts ? "sub" : "add", {conv->bias, vector});
  } else if (subtracts) {
    vector = make.value("neg", {vector});
  }
  conv->bias = vector;
  return make.finish(put(*conv, make));
}
template <bool exact>
llvm::LogicalResult fuseSum(AddOp op, Replacement& make, ValueFacts& facts) {
  for (auto [value, summand] : eitherOrder(op)) {
    if (mlir::succeeded(fuseBias(op, value, summand, false, exact, make, facts))) {
      return mlir::success();
    }
  }
  // A summand of the same shape: of two convolutions the later one takes the other.
  for (auto [value, addend] : laterFirst(op)) {
    auto conv = convolutionFor(value, facts);
    if (!conv || !isPlain(*conv) || !facts.haveSameShape(value, addend)) continue;
    // A value that the program computes once at its start needs no memory of its own.
    if (facts.isConstant(addend) && facts.sizesOf(addend)) continue;
    conv->addend = addend;
    return make.finish(put(*conv, make));
  }
  return mlir::failure();
}
template <bool exact>
llvm::LogicalResult fuseDifference(SubOp op, Replacement& make, ValueFacts& facts) {
  return fuseBias(op, op.argument("x"), op.argument("y"), true, exact, make, facts);
}

// Any op that is an activation.
template <bool exact>
llvm::LogicalResult fuseActivation(mlir::Operation* op, Replacement& make, ValueFacts& facts) {
  if (op->getNumOperands() == 0) return mlir::failure();
  mlir::Operation* before = madeForOne<ConvOp, FusedConvOp>(op->getOperand(0));
  auto activation = before ? activationOf(op, facts) : std::nullopt;
  if (!activation || (exact && !activation->is_exact())) return mlir::failure();
  auto conv = convolutionOf(before, facts);
  if (!conv || !conv->activation.is_none()) return mlir::failure();
  conv->activation = *activation;
  return make.finish(put(*conv, make));
}

// The paddings of images' spatial dimensions as pads has them; nothing if others are padded.
std::optional<Integers> spatialPads(Value paddings, bool channels_last, ValueFacts& facts) {
  auto rows = facts.elementsOf(paddings);
  if (!rows || rows->size() < 6) return std::nullopt;
  const size_t rank = rows->size() / 2, first = channels_last ? 1 : 2;
  Integers before, after;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t front = (*rows)[2 * i], back = (*rows)[2 * i + 1];
    if (i >= first && i < first + rank - 2) {
      before.push_back(front);
      after.push_back(back);
    } else if (front != 0 || back != 0) {
      return std::nullopt;
    }
  }
  llvm::append_range(before, after);
  return before;
}

// The op on what was padded, with these pads besides its own and further attributes.
llvm::LogicalResult takePads(mlir::Operation* op, Value input, Integers pads,
                             llvm::ArrayRef<mlir::NamedAttribute> more, Replacement& make) {
  Integers own = integersOf(op, "pads");
  for (size_t i = 0; i < own.size(); ++i) pads[i] += own[i];
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments[0] = input;
  mlir::NamedAttrList attributes = tableAttributesOf(op);
  attributes.append(op->getDiscardableAttrDictionary().getValue());
  attributes.set("pads", make.graph().attribute("pads", pads).getValue());
  for (mlir::NamedAttribute attribute : more) {
    attributes.set(attribute.getName(), attribute.getValue());
  }
  return make.finish(make.value(op->getName().stripDialect(), arguments, attributes.getAttrs()));
}

// Returns the op that pads the value, which must have no other use, and sets `fill` to the
// padding's value.
mlir::Operation* padOf(Value value, std::optional<double>& fill, ValueFacts& facts) {
  mlir::Operation* pad = madeForOne<PadOp, PadWithOp>(value);
  if (!pad) return nullptr;
  fill = mlir::isa<PadOp>(pad) ? std::optional(0.0) : facts.scalarOf(pad->getOperand(2));
  return pad;
}

template <typename Op>
llvm::LogicalResult padConvolution(Op op, Replacement& make, ValueFacts& facts) {
  std::optional<double> fill;
  mlir::Operation* pad = padOf(op.argument("input"), fill, facts);
  if (!pad || fill != 0 || textOf(op, "padding") != "explicit") return mlir::failure();
  auto pads = spatialPads(pad->getOperand(1), boolOf(op, "channels_last"), facts);
  return pads ? takePads(op, pad->getOperand(0), *pads, {}, make) : mlir::failure();
}

// Padded zeros count; those that the pool pads itself must too, if there are such.
llvm::LogicalResult padAveragePool(AveragePoolOp op, Replacement& make, ValueFacts& facts) {
  std::optional<double> fill;
  mlir::Operation* pad = padOf(op.argument("input"), fill, facts);
  if (!pad || fill != 0 || textOf(op, "padding") != "explicit" || boolOf(op, "ceil")) {
    return mlir::failure();
  }
  Integers own = integersOf(op, "pads");
  if (!boolOf(op, "count_padding") && std::ranges::any_of(own, [](int64_t n) { return n != 0; })) {
    return mlir::failure();
  }
  auto pads = spatialPads(pad->getOperand(1), boolOf(op, "channels_last"), facts);
  if (!pads) return mlir::failure();
  return takePads(op, pad->getOperand(0), *pads, {make.graph().attribute("count_padding", true)},
                  make);
}

// Where nothing is no number is larger.
llvm::LogicalResult padMaxPool(MaxPoolOp op, Replacement& make, ValueFacts& facts) {
  std::optional<double> fill;
  mlir::Operation* pad = padOf(op.argument("input"), fill, facts);
  if (!pad || !fill || *fill > -3.4e38 || textOf(op, "padding") != "explicit" ||
      boolOf(op, "ceil")) {
    return mlir::failure();
  }
  auto pads = spatialPads(pad->getOperand(1), boolOf(op, "channels_last"), facts);
  // A window in the padding alone has no element.
  Integers kernel = integersOf(op, "kernel"), own = integersOf(op, "pads");
  for (size_t i = 0; pads && i < pads->size(); ++i) {
    const int64_t all = (*pads)[i] + (own.empty() ? 0 : own[i]);
    if (all >= kernel[i % kernel.size()]) return mlir::failure();
  }
  return pads ? takePads(op, pad->getOperand(0), *pads, {}, make) : mlir::failure();
}

}  // namespace

void addConvolutionFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact) {
  if (!exact) {
    addRule(patterns, facts, foldProduct);
    addRule(patterns, facts, foldQuotient);
  }
  addRule(patterns, facts, exact ? fuseSum<true> : fuseSum<false>);
  addRule(patterns, facts, exact ? fuseDifference<true> : fuseDifference<false>);
  addRule(patterns, facts, exact ? fuseActivation<true> : fuseActivation<false>);
  addRule(patterns, facts, padConvolution<ConvOp>);
  addRule(patterns, facts, padConvolution<FusedConvOp>);
  addRule(patterns, facts, padAveragePool);
  addRule(patterns, facts, padMaxPool);
}

}  // namespace tfrt::compiler::graph
