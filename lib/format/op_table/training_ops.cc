// Losses and updates.

#include "op_families.h"
#include "row_rules.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

constexpr OpArgumentSpec kCrossEntropy[] = {{"features"}, IndexArgument("labels")};
constexpr OpArgumentSpec kSgdUpdate[] = {{"variable"}, {"gradient"}, {"learning_rate"}};
constexpr std::string_view kLosses[] = {"loss", "backprop"};
constexpr std::string_view kUpdated[] = {"updated"};

constexpr OpDescription kTrainingOps[] = {
    {.name = "softmax_cross_entropy",
     .summary = "The loss of each example, the cross entropy of its label and the softmax of its "
                "features, and the gradient of the loss.",
     .arguments = kCrossEntropy,
     .results = kLosses,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = ShapeOf<CrossEntropyRule>,
     .gradient = gradients::SoftmaxCrossEntropy},
    {.name = "sgd_update",
     .summary = "`variable - learning_rate * gradient`; in the memory of the variable if nobody "
                "else needs it.",
     .arguments = kSgdUpdate,
     .results = kUpdated,
     .may_overwrite = 0b1,
     .cost = PerResultElement(2),
     .shape = ShapeOf<SgdUpdateRule>,
     .gradient = gradients::SgdUpdate},
};

constexpr OpSpelling kTrainingSpellings[] = {
    {"tf.SparseSoftmaxCrossEntropyWithLogits", "softmax_cross_entropy"},
    {"tfrt.SgdUpdate", "sgd_update"},
};

}  // namespace

OpFamily TrainingOps() { return {kTrainingOps, kTrainingSpellings}; }

}  // namespace tfrt
