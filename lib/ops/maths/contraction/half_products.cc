#include "half_products.h"

#include <cassert>

#include "panel_products.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tfrt::contraction {

#if defined(__x86_64__)

namespace {

#define TFRT_AVX2 __attribute__((target("avx2,fma,f16c")))
#define TFRT_INLINE __attribute__((always_inline)) inline

constexpr int kLanes = 8;

template <bool is_bf16>
TFRT_AVX2 TFRT_INLINE void Widen(const uint16_t* from, __m256& to) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  if constexpr (is_bf16) {
    to = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  } else {
    to = _mm256_cvtph_ps(halves);
  }
}

// Some columns of the panel. The sums stay in eight registers of sixteen, whatever the rows are.
template <bool is_bf16, int rows>
TFRT_AVX2 TFRT_INLINE void MultiplyColumns(const float* a, int64_t a_stride, const uint16_t* b,
                                           int64_t depth, float* sums) {
  constexpr int kVectors = 8 / rows;
  __m256 sum[rows][kVectors];
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm256_setzero_ps();
  }
  for (int64_t k = 0; k < depth; ++k, b += kPanelColumns) {
    __m256 weights[kVectors];
    for (int v = 0; v < kVectors; ++v) Widen<is_bf16>(b + v * kLanes, weights[v]);
    for (int r = 0; r < rows; ++r) {
      const __m256 x = _mm256_broadcast_ss(a + r * a_stride + k);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm256_fmadd_ps(x, weights[v], sum[r][v]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      _mm256_storeu_ps(sums + r * kPanelColumns + v * kLanes, sum[r][v]);
    }
  }
}

template <bool is_bf16, int rows>
TFRT_AVX2 void MultiplyRows(const float* a, int64_t a_stride, const uint16_t* b, int64_t depth,
                            float* sums) {
  constexpr int64_t kColumns = kPanelColumns / rows;
  for (int64_t column = 0; column < kPanelColumns; column += kColumns) {
    MultiplyColumns<is_bf16, rows>(a, a_stride, b + column, depth, sums + column);
  }
}

}  // namespace

bool CanMultiplyHalves() {
  static const bool can = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("f16c");
  return can;
}

void MultiplyHalfPanel(const float* a, int64_t a_stride, int64_t rows, const uint16_t* b,
                       int64_t depth, bool is_bf16, float* sums) {
  assert(rows <= kRowsAtOnce);
  using Function = void (*)(const float*, int64_t, const uint16_t*, int64_t, float*);
  // They take one, two and four rows.
  constexpr Function kFunctions[2][3] = {
      {MultiplyRows<false, 1>, MultiplyRows<false, 2>, MultiplyRows<false, 4>},
      {MultiplyRows<true, 1>, MultiplyRows<true, 2>, MultiplyRows<true, 4>}};
  const Function* functions = kFunctions[is_bf16 ? 1 : 0];
  if (rows == 4) return functions[2](a, a_stride, b, depth, sums);
  if (rows >= 2) functions[1](a, a_stride, b, depth, sums);
  if (rows != 2) {
    const int64_t done = rows - 1;
    functions[0](a + done * a_stride, a_stride, b, depth, sums + done * kPanelColumns);
  }
}

#else

bool CanMultiplyHalves() { return false; }
void MultiplyHalfPanel(const float*, int64_t, int64_t, const uint16_t*, int64_t, bool, float*) {
  __builtin_unreachable();
}

#endif

}  // namespace tfrt::contraction
