// Pairs of i16, whose products and their sum are exact in i32: no instruction here saturates.

#if defined(__x86_64__)

#include <immintrin.h>

#define TFRT_BYTE_TARGET __attribute__((target("avx2")))
#include "byte_panel_loops.h"

namespace tfrt::contraction {
namespace {

struct Words {
  using Element = int16_t;
  using Sums = __m256i;
  using Weights = __m256i;
  using Factor = __m256i;
  static constexpr int kTogether = 2, kLanes = 8, kVectors = 2, kMostRows = 6;

  TFRT_BYTE_INLINE static void Load(const int8_t* from, Weights& weights) {
    weights = _mm256_cvtepi8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(from)));
  }
  TFRT_BYTE_INLINE static void Broadcast(const int16_t* from, Factor& factor) {
    int32_t pair;
    __builtin_memcpy(&pair, from, sizeof(pair));
    factor = _mm256_set1_epi32(pair);
  }
  TFRT_BYTE_INLINE static void Add(const Factor& factor, const Weights& weights, Sums& sums) {
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(factor, weights));
  }
  TFRT_BYTE_INLINE static void Store(const Sums& sums, int32_t* out) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), sums);
  }
};

bool HasAvx2() { return __builtin_cpu_supports("avx2") != 0; }

}  // namespace

const ByteKernel kAvx2Bytes = {"AVX2", 16, 2, 2, true, &MultiplyPanel<Words>, &HasAvx2};

}  // namespace tfrt::contraction

#endif
