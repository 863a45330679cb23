// Arrays of random numbers: the same ones for the same seed, on every machine.
#ifndef TFRT_EXAMPLES_EAGER_MODELS_RANDOM_ARRAYS_H_
#define TFRT_EXAMPLES_EAGER_MODELS_RANDOM_ARRAYS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "tfrt/eager/tensor.h"

namespace eager_models {

// A linear congruential generator: enough for weights that nobody trains.
class RandomArrays {
 public:
  explicit RandomArrays(uint32_t seed) : state_(seed) {}

  // f32, evenly from `least` to `most`.
  tfrt::eager::HostArray Uniform(std::initializer_list<int64_t> dims, float least, float most) {
    std::vector<float> numbers(NumElements(dims));
    for (float& number : numbers) number = least + (most - least) * Next();
    return tfrt::eager::HostArray::Take(dims, std::move(numbers));
  }
  // i32, from 0 to `limit` - 1.
  tfrt::eager::HostArray Indices(std::initializer_list<int64_t> dims, int32_t limit) {
    std::vector<int32_t> numbers(NumElements(dims));
    for (int32_t& number : numbers) {
      number = static_cast<int32_t>(Next() * static_cast<float>(limit));
    }
    return tfrt::eager::HostArray::Take(dims, std::move(numbers));
  }
  // A weight whose products with `num_inputs` numbers of variance 1, of which relu takes half, have
  // variance 1, too.
  tfrt::eager::Tensor Weight(std::initializer_list<int64_t> dims, int64_t num_inputs) {
    const float bound = std::sqrt(6.0f / static_cast<float>(num_inputs));
    return Vector(dims, -bound, bound);
  }
  tfrt::eager::Tensor Vector(std::initializer_list<int64_t> dims, float least, float most) {
    return tfrt::eager::Tensor::FromArray(Uniform(dims, least, most));
  }

 private:
  static size_t NumElements(std::initializer_list<int64_t> dims) {
    size_t count = 1;
    for (int64_t dim : dims) count *= static_cast<size_t>(dim);
    return count;
  }
  // From 0 to less than 1.
  float Next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) / 16777216.0f;
  }

  uint32_t state_;
};

}  // namespace eager_models

#endif  // TFRT_EXAMPLES_EAGER_MODELS_RANDOM_ARRAYS_H_
