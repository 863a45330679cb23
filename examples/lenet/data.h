// What the networks are tried on: digits, weights, and JAX's answers (train.py made them).
#ifndef TFRT_EXAMPLES_LENET_DATA_H_
#define TFRT_EXAMPLES_LENET_DATA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace lenet {

inline constexpr size_t kNumImages = 450;
inline constexpr size_t kSide = 28;
inline constexpr size_t kPixels = kSide * kSide;
inline constexpr size_t kNumClasses = 10;
inline constexpr size_t kNumWeights = 61706;
inline constexpr size_t kTrainBatch = 64;
inline constexpr size_t kTrainSteps = 10;

struct Data {
  std::vector<float> images;     // [450,28,28], 0 to 1, not trained on
  std::vector<int32_t> labels;   // [450], the truth
  std::vector<int32_t> classes;  // [450], JAX's answers
  std::vector<float> logits;     // [450,10], JAX's
  std::vector<float> weights;    // trained
  std::vector<float> losses;     // [10], JAX's, of ten steps from InitialWeights
};
// Reads what train.py wrote to `folder`, and images and labels from `digits_folder`. NotFound, or
// DataLoss for a file of the wrong size.
tfrt::StatusOr<Data> ReadData(const std::string& folder, const std::string& digits_folder);

// The shapes of the ten weights, in the order in which Data::weights has them.
std::span<const tfrt::TensorShape> WeightShapes();

// The weights from which train.py's ten steps start.
std::vector<float> InitialWeights();

// How far results may be from JAX's.
inline constexpr float kLogitTolerance = 1e-4f;
inline constexpr float kLossTolerance = 1e-5f;

// Infinity if there are not as many, or for a NaN.
float LargestDifference(std::span<const float> a, std::span<const float> b);

}  // namespace lenet

#endif  // TFRT_EXAMPLES_LENET_DATA_H_
