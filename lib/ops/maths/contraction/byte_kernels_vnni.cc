// Four products of u8 and i8 a lane and instruction, whose sum does not saturate.

#if defined(__x86_64__)

#include <immintrin.h>

// clang would cut the vectors into halves, of which there are not enough registers.
#if defined(__clang__)
#define TFRT_BYTE_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"), min_vector_width(512)))
#else
#define TFRT_BYTE_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#endif
#include "byte_panel_loops.h"

namespace tfrt::contraction {
namespace {

struct Quads {
  using Element = uint8_t;
  using Sums = __m512i;
  using Weights = __m512i;
  using Factor = __m512i;
  static constexpr int kTogether = 4, kLanes = 16, kVectors = 4, kMostRows = 6;

  TFRT_BYTE_INLINE static void Load(const int8_t* from, Weights& weights) {
    weights = _mm512_load_si512(from);
  }
  TFRT_BYTE_INLINE static void Broadcast(const uint8_t* from, Factor& factor) {
    int32_t four;
    __builtin_memcpy(&four, from, sizeof(four));
    factor = _mm512_set1_epi32(four);
  }
  TFRT_BYTE_INLINE static void Add(const Factor& factor, const Weights& weights, Sums& sums) {
    sums = _mm512_dpbusd_epi32(sums, factor, weights);
  }
  TFRT_BYTE_INLINE static void Store(const Sums& sums, int32_t* out) {
    _mm512_storeu_si512(out, sums);
  }
};

bool HasVnni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

}  // namespace

const ByteKernel kAvx512VnniBytes = {"AVX-512 VNNI",        64,      4, 4, false,
                                     &MultiplyPanel<Quads>, &HasVnni};

}  // namespace tfrt::contraction

#endif
