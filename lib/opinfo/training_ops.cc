// Losses and updates.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

// features [n,classes], labels [n]: the loss [n] and the gradient of the features.
Status CrossEntropyShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &features = call.argument(0), &labels = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(SymbolicShape logits, OfRank(call, features.shape, 2, "features"));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape classes, OfRank(call, labels.shape, 1, "labels"));
  TFRT_ASSIGN_OR_RETURN(Dim examples, UnifyDims(call, logits.dim(0), classes.dim(0)));
  results[0] = {features.dtype, {examples}};
  results[1] = {features.dtype, {examples, logits.dim(1)}};
  return OkStatus();
}

Status SgdUpdateShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &variable = call.argument(0), &gradient = call.argument(1);
  TFRT_RETURN_IF_ERROR(OneElement(call, call.argument(2), "the learning rate").status());
  results[0].dtype = variable.dtype;
  TFRT_ASSIGN_OR_RETURN(results[0].shape, UnifyShapes(call, variable.shape, gradient.shape));
  return OkStatus();
}

constexpr OpArgumentSpec kCrossEntropy[] = {{"features"}, {"labels"}};
constexpr OpArgumentSpec kSgdUpdate[] = {{"variable"}, {"gradient"}, {"learning_rate"}};
constexpr std::string_view kLosses[] = {"loss", "backprop"};
constexpr std::string_view kUpdated[] = {"updated"};

constexpr OpDescription kOps[] = {
    {.name = "softmax_cross_entropy",
     .summary = "The loss of each example, the cross entropy of its label and the softmax of its "
                "features, and the gradient of the loss.",
     .arguments = kCrossEntropy,
     .results = kLosses,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = CrossEntropyShape},
    {.name = "sgd_update",
     .summary = "`variable - learning_rate * gradient`; in the memory of the variable if nobody "
                "else needs it.",
     .arguments = kSgdUpdate,
     .results = kUpdated,
     .may_overwrite = 0b1,
     .cost = PerResultElement(2),
     .shape = SgdUpdateShape},
};

constexpr OpSpelling kSpellings[] = {
    {"tf.SparseSoftmaxCrossEntropyWithLogits", "softmax_cross_entropy"},
    {"tfrt.SgdUpdate", "sgd_update"},
};

}  // namespace

OpFamily TrainingOps() { return {kOps, kSpellings}; }

}  // namespace tfrt
