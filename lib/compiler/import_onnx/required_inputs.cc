// How many inputs ONNX ops cannot do without.

#include <algorithm>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

struct RequiredInputs {
  llvm::StringRef op;
  int since;  // the version of the opset
  int count;  // the first so many
};
// Ops of any number of inputs, of which none may be left out.
constexpr int kAll = -1;

// In the order of names and versions; ops that are not here need one. After the schemas of ONNX,
// but for what writers leave out nevertheless: the regions of Resize 11, the summand of Gemm.
constexpr RequiredInputs kRequiredInputs[] = {
    {"Add", 1, 2},
    {"AffineGrid", 20, 2},
    {"And", 1, 2},
    {"Attention", 23, 3},
    {"BatchNormalization", 1, 5},
    {"BitShift", 11, 2},
    {"BitwiseAnd", 18, 2},
    {"BitwiseOr", 18, 2},
    {"BitwiseXor", 18, 2},
    {"CastLike", 15, 2},
    {"CenterCropPad", 18, 2},
    {"Col2Im", 18, 3},
    {"Compress", 9, 2},
    {"Concat", 1, kAll},
    {"Constant", 1, 0},
    {"Conv", 1, 2},
    {"ConvInteger", 10, 2},
    {"ConvTranspose", 1, 2},
    {"CumSum", 11, 2},
    {"DequantizeLinear", 10, 2},
    {"Div", 1, 2},
    {"Einsum", 1, kAll},
    {"Equal", 1, 2},
    {"Expand", 8, 2},
    {"GRU", 1, 3},
    {"Gather", 1, 2},
    {"GatherElements", 11, 2},
    {"GatherND", 11, 2},
    {"Gemm", 1, 2},
    {"Greater", 1, 2},
    {"GreaterOrEqual", 12, 2},
    {"GridSample", 16, 2},
    {"GroupNormalization", 18, 3},
    {"InstanceNormalization", 1, 3},
    {"LSTM", 1, 3},
    {"LayerNormalization", 17, 2},
    {"Less", 1, 2},
    {"LessOrEqual", 12, 2},
    {"Loop", 1, 0},
    {"MatMul", 1, 2},
    {"MatMulInteger", 10, 2},
    {"Max", 1, kAll},
    {"MaxUnpool", 9, 2},
    {"Mean", 1, kAll},
    {"Min", 1, kAll},
    {"Mod", 10, 2},
    {"Mul", 1, 2},
    {"NegativeLogLikelihoodLoss", 12, 2},
    {"NonMaxSuppression", 10, 2},
    {"OneHot", 9, 3},
    {"Or", 1, 2},
    {"PRelu", 1, 2},
    {"Pad", 11, 2},
    {"Pow", 1, 2},
    {"QLinearConv", 10, 8},
    {"QLinearMatMul", 10, 8},
    {"QuantizeLinear", 10, 2},
    {"RMSNormalization", 23, 2},
    {"RNN", 1, 3},
    {"Range", 11, 3},
    {"Reshape", 5, 2},
    {"Resize", 10, 2},
    {"Resize", 11, 1},
    {"ReverseSequence", 10, 2},
    {"RoiAlign", 10, 3},
    {"RotaryEmbedding", 23, 3},
    {"STFT", 17, 2},
    {"Scan", 1, 0},
    {"Scatter", 9, 3},
    {"ScatterElements", 11, 3},
    {"ScatterND", 11, 3},
    {"Slice", 10, 3},
    {"SoftmaxCrossEntropyLoss", 12, 2},
    {"Sub", 1, 2},
    {"Sum", 1, kAll},
    {"SwiGLU", 28, 2},
    {"TensorScatter", 24, 2},
    {"Tile", 6, 2},
    {"TopK", 10, 2},
    {"Unsqueeze", 13, 2},
    {"Upsample", 9, 2},
    {"Where", 9, 3},
    {"Xor", 1, 2},
};

}  // namespace

llvm::LogicalResult checkCounts(Node& node) {
  int count = 1;
  for (const RequiredInputs& row : kRequiredInputs) {
    if (row.op == node.op() && row.since <= node.version()) count = row.count;
  }
  const size_t given = node.num_inputs();
  const size_t required = count == kAll ? std::max<size_t>(given, 1) : static_cast<size_t>(count);
  if (given < required) {
    return node.fail("there are " + llvm::Twine(given) + " inputs, expected " +
                     llvm::Twine(required));
  }
  for (size_t i = 0; i < required; ++i) {
    if (!node.input(i)) return node.fail("input " + llvm::Twine(i) + " is left out");
  }
  if (node.num_outputs() == 0) return node.fail("there are no outputs");
  return mlir::success();
}

}  // namespace tfrt::compiler::import
