// The same with vectors of 256 bits, for CPUs without AVX-512.

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define TFRT_BYTE_TARGET __attribute__((target("avx2,avxvnni")))
#include "byte_panel_loops.h"

namespace tfrt::contraction {
namespace {

struct Quads {
  using Element = uint8_t;
  using Sums = __m256i;
  using Weights = __m256i;
  using Factor = __m256i;
  static constexpr int kTogether = 4, kLanes = 8, kVectors = 2, kMostRows = 6;

  TFRT_BYTE_INLINE static void Load(const int8_t* from, Weights& weights) {
    weights = _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
  }
  TFRT_BYTE_INLINE static void Broadcast(const uint8_t* from, Factor& factor) {
    int32_t four;
    __builtin_memcpy(&four, from, sizeof(four));
    factor = _mm256_set1_epi32(four);
  }
  TFRT_BYTE_INLINE static void Add(const Factor& factor, const Weights& weights, Sums& sums) {
    sums = _mm256_dpbusd_avx_epi32(sums, factor, weights);
  }
  TFRT_BYTE_INLINE static void Store(const Sums& sums, int32_t* out) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), sums);
  }
};

bool HasAvxVnni() {
  constexpr unsigned kAvxVnni = 1u << 4;  // of EAX, leaf 7, part 1
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 &&
         (a & kAvxVnni) != 0;
}

}  // namespace

const ByteKernel kAvxVnniBytes = {"AVX-VNNI", 16, 4, 4, false, &MultiplyPanel<Quads>, &HasAvxVnni};

}  // namespace tfrt::contraction

#endif
