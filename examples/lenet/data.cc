#include "data.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "tfrt/support/str_cat.h"

namespace lenet {
namespace {

using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::TensorShape;

// Reads `count` little-endian values; the file must hold exactly those.
template <typename T>
StatusOr<std::vector<T>> ReadValues(const std::string& path, size_t count) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  auto size = static_cast<size_t>(file.tellg());
  if (size != count * sizeof(T)) {
    return tfrt::DataLossError(StrCat(path, " has ", size, " bytes, expected ", count * sizeof(T)));
  }
  std::vector<T> values(count);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size));
  if (!file) return tfrt::DataLossError(StrCat("cannot read ", path));
  return values;
}

// [N,8,8] with grey levels 0 to 16 -> [N,28,28], 0 to 1: each pixel becomes 3x3, with a margin
// of 2.
std::vector<float> Enlarge(const std::vector<uint8_t>& images, size_t count) {
  std::vector<float> large(count * kPixels);
  for (size_t n = 0; n < count; ++n) {
    for (size_t y = 0; y < 24; ++y) {
      for (size_t x = 0; x < 24; ++x) {
        large[n * kPixels + (y + 2) * kSide + x + 2] =
            static_cast<float>(images[n * 64 + y / 3 * 8 + x / 3]) / 16;
      }
    }
  }
  return large;
}

}  // namespace

std::span<const TensorShape> WeightShapes() {
  static const TensorShape shapes[] = {{5, 5, 1, 6}, {6},       {5, 5, 6, 16}, {16},     {400, 120},
                                       {120},        {120, 84}, {84},          {84, 10}, {10}};
  return shapes;
}

StatusOr<Data> ReadData(const std::string& folder, const std::string& digits_folder) {
  Data data;
  TFRT_ASSIGN_OR_RETURN(auto images,
                        ReadValues<uint8_t>(digits_folder + "/images.u8", kNumImages * 64));
  data.images = Enlarge(images, kNumImages);
  TFRT_ASSIGN_OR_RETURN(data.labels,
                        ReadValues<int32_t>(digits_folder + "/labels.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.classes, ReadValues<int32_t>(folder + "/classes.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.logits,
                        ReadValues<float>(folder + "/logits.f32", kNumImages * kNumClasses));
  TFRT_ASSIGN_OR_RETURN(data.weights, ReadValues<float>(folder + "/weights.f32", kNumWeights));
  TFRT_ASSIGN_OR_RETURN(data.losses, ReadValues<float>(folder + "/losses.f32", kTrainSteps));
  return data;
}

std::vector<float> InitialWeights() {
  std::vector<float> weights;
  uint32_t state = 1;
  for (const TensorShape& shape : WeightShapes()) {
    const int64_t count = shape.num_elements();
    if (shape.rank() == 1) {
      weights.resize(weights.size() + static_cast<size_t>(count));
      continue;
    }
    int64_t inputs = count / shape.dim(shape.rank() - 1);
    float bound = std::sqrt(6.0f / static_cast<float>(inputs));
    for (int64_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      weights.push_back((static_cast<float>(state >> 8) / 8388608.0f - 1.0f) * bound);
    }
  }
  return weights;
}

float LargestDifference(std::span<const float> a, std::span<const float> b) {
  float largest = a.size() == b.size() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    float difference = std::abs(a[i] - b[i]);
    largest = std::max(largest, std::isnan(difference) ? INFINITY : difference);
  }
  return largest;
}

}  // namespace lenet
