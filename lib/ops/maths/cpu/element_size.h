// From the size of an element to a type that is copied as one.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ELEMENT_SIZE_H_
#define TFRT_LIB_OPS_MATHS_CPU_ELEMENT_SIZE_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tfrt::cpu {

struct Bytes16 {
  uint64_t words[2];
};

// Calls fn(std::type_identity<T>()) for a type of 1, 2, 4, 8 or 16 bytes.
template <typename F>
void WithElementOfSize(size_t element_size, F&& fn) {
  switch (element_size) {
    case 1:
      return fn(std::type_identity<uint8_t>());
    case 2:
      return fn(std::type_identity<uint16_t>());
    case 4:
      return fn(std::type_identity<uint32_t>());
    case 8:
      return fn(std::type_identity<uint64_t>());
    case 16:
      return fn(std::type_identity<Bytes16>());
    default:
      assert(false && "no such element size");
  }
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ELEMENT_SIZE_H_
