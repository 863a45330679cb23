// Several elements at a time: accesses of up to 128 bits, where addresses allow it.
#ifndef TFRT_GPU_DEVICE_CODE_VECTORS_H_
#define TFRT_GPU_DEVICE_CODE_VECTORS_H_

#include "element.h"
#include "grid.h"

namespace tfrt::gpu::device {

inline constexpr int kMostVectorBytes = 16;

// The elements of type T in an access of 128 bits.
template <typename T>
inline constexpr int kWholeVector = kMostVectorBytes / static_cast<int>(sizeof(T));

template <typename T, int count>
struct Vector {
  T at[count];
};

// Integers of so many bytes, which one instruction loads or stores.
template <int bytes>
struct WordsOf;
template <>
struct WordsOf<1> {
  using Type = uint8_t;
};
template <>
struct WordsOf<2> {
  using Type = uint16_t;
};
template <>
struct WordsOf<4> {
  using Type = uint32_t;
};
template <>
struct WordsOf<8> {
  using Type = uint32_t __attribute__((ext_vector_type(2)));
};
template <>
struct WordsOf<16> {
  using Type = uint32_t __attribute__((ext_vector_type(4)));
};

// Words of global memory in one access. The compiler would take some of a vector's elements out of
// memory once more, each by itself, where that looks simpler to it.
template <typename Words>
TFRT_DEVICE Words LoadWords(const Words* from) {
  [[maybe_unused]] const auto* in = (const __attribute__((address_space(1))) Words*)from;
  uint32_t x, y;
  if constexpr (sizeof(Words) == 16) {
    uint32_t z, w;
    __asm__ volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "l"(in)
                     : "memory");
    return {x, y, z, w};
  } else if constexpr (sizeof(Words) == 8) {
    __asm__ volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(in) : "memory");
    return {x, y};
  } else {
    return *from;
  }
}

// Whether vectors of `bytes` may begin at `pointer`.
template <typename T>
TFRT_DEVICE bool IsAligned(const T* pointer, int bytes) {
  return reinterpret_cast<uintptr_t>(pointer) % static_cast<unsigned>(bytes) == 0;
}

// Elements from `from` on, in one access.
template <int count, typename T>
TFRT_DEVICE Vector<T, count> LoadVector(const T* from) {
  using Words = typename WordsOf<sizeof(T) * count>::Type;
  return BitCast<Vector<T, count>>(LoadWords(reinterpret_cast<const Words*>(from)));
}
// The same from shared memory.
template <int count, typename T>
TFRT_DEVICE Vector<T, count> LoadSharedVector(const T* from) {
  using Words = typename WordsOf<sizeof(T) * count>::Type;
  return BitCast<Vector<T, count>>(*reinterpret_cast<const Words*>(from));
}
template <typename T, int count>
TFRT_DEVICE void StoreVector(T* to, const Vector<T, count>& vector) {
  using Words = typename WordsOf<sizeof(T) * count>::Type;
  *reinterpret_cast<Words*>(to) = BitCast<Words>(vector);
}

// The same for the first `size` elements; others are 0. In one access if `is_aligned` and these are
// all.
template <int count, typename T, typename Size>
TFRT_DEVICE Vector<T, count> LoadVector(const T* from, Size size, bool is_aligned) {
  if (is_aligned && size >= count) return LoadVector<count>(from);
  Vector<T, count> vector = {};
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (i < size) vector.at[i] = from[i];
  }
  return vector;
}
template <typename T, int count>
TFRT_DEVICE void StoreVector(T* to, const Vector<T, count>& vector, int64_t size, bool is_aligned) {
  if (is_aligned && size >= count) return StoreVector(to, vector);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (i < size) to[i] = vector.at[i];
  }
}

// The same element everywhere.
template <int count, typename T>
TFRT_DEVICE Vector<T, count> Repeat(T element) {
  Vector<T, count> vector;
#pragma unroll
  for (int i = 0; i < count; ++i) vector.at[i] = element;
  return vector;
}

// Drops the first element, and adds one at the end. Loops whose bodies are long are not unrolled,
// and reach the elements of registers so.
template <typename T, int count>
TFRT_DEVICE void Shift(Vector<T, count>& vector, T last) {
  if constexpr (sizeof(T) == 2 && count >= 2) {
    struct Words {
      uint32_t at[count / 2];
    };
    auto words = BitCast<Words>(vector);
#pragma unroll
    for (int i = 0; i < count / 2; ++i) {
      const uint32_t next = i + 1 < count / 2 ? words.at[i + 1] : BitCast<uint16_t>(last);
      words.at[i] = words.at[i] >> 16 | next << 16;
    }
    vector = BitCast<Vector<T, count>>(words);
  } else {
#pragma unroll
    for (int i = 0; i + 1 < count; ++i) vector.at[i] = vector.at[i + 1];
    vector.at[count - 1] = last;
  }
}

// --- Element-wise kernels: a thread computes a vector at a time.

// The elements of vectors of which the larger ones have 128 bits.
template <typename A, typename B>
inline constexpr int kSideBySide =
    kWholeVector<A> < kWholeVector<B> ? kWholeVector<A> : kWholeVector<B>;

// Calls of_vector(i) for i = 0, count, 2 count, ... as long as there are `count` elements, and
// of_element(i) for those that are left. Unless `in_vectors`, calls of_element(i) for all. Each
// call is in one thread of the grid, whatever its size.
template <int count, typename F, typename G>
TFRT_DEVICE void ForEachVector(int64_t size, bool in_vectors, F of_vector, G of_element) {
  const int64_t step = int64_t{NumBlocks()} * ThreadsPerBlock();
  const int64_t thread = int64_t{Block()} * ThreadsPerBlock() + ThreadInBlock();
  const int64_t vectors = in_vectors ? size / count : 0;
#pragma unroll 1
  for (int64_t i = thread; i < vectors; i += step) of_vector(i * count);
#pragma unroll 1
  for (int64_t i = vectors * count + thread; i < size; i += step) of_element(i);
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_VECTORS_H_
