// Dense attributes encoded by hand, as a BEF file holds them.
#ifndef TFRT_TEST_UNIT_TENSOR_TEST_CONSTANT_H_
#define TFRT_TEST_UNIT_TENSOR_TEST_CONSTANT_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "tfrt/host_context/attribute_views.h"

namespace tfrt {

// Owns the bytes of one dense attribute, 8-byte aligned.
class TestConstant {
 public:
  template <typename T>
  TestConstant(uint8_t element_code, std::vector<int64_t> dims, std::vector<T> elements)
      : TestConstant(
            element_code, std::move(dims), elements.size(),
            {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T)}) {}
  TestConstant(uint8_t element_code, std::vector<int64_t> dims, size_t num_elements,
               std::string_view data) {
    uint32_t prefix = 20 + 8 * dims.size();
    words_.resize((4 + prefix + data.size() + 7) / 8);
    uint8_t* out = bytes();
    out[0] = 8;
    out[1] = element_code;
    uint16_t short_prefix = prefix;
    std::memcpy(out + 2, &short_prefix, 2);
    uint32_t counts[] = {uint32_t(prefix + data.size()), prefix, uint32_t(num_elements),
                         uint32_t(dims.size())};
    std::memcpy(out + 4, counts, sizeof(counts));
    if (!dims.empty()) std::memcpy(out + 20, dims.data(), 8 * dims.size());
    if (!data.empty()) std::memcpy(out + prefix, data.data(), data.size());
  }

  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(words_.data()) + 4; }
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(words_.data()) + 4; }
  DenseAttribute attribute() const { return DenseAttribute(bytes()); }

 private:
  std::vector<uint64_t> words_;  // the dimensions, at 20, and the data start at a multiple of 8
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_TENSOR_TEST_CONSTANT_H_
