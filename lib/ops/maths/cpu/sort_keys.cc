// Highway includes this file once for each instruction set; the last time is the file itself.
#if TFRT_HAS_VQSORT
#define HWY_DISABLE_PCLMUL_AES  // what sorting does not need
// Those of isa_clones.h, without that of the build: vqsort is slow there.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSE4 | HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/ops/maths/cpu/sort_keys.cc"
#include "hwy/foreach_target.h"  // before highway.h
//
#include "hwy/contrib/sort/traits-inl.h"
#include "hwy/contrib/sort/traits128-inl.h"
#include "hwy/contrib/sort/vqsort-inl.h"
#include "hwy/highway.h"
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sort_keys.h"

#if TFRT_HAS_VQSORT
HWY_BEFORE_NAMESPACE();
namespace tfrt::cpu::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
namespace vq = hwy::HWY_NAMESPACE;

template <typename Key>
[[maybe_unused]] void VectorSort(Key* keys, size_t count) {
  const vq::SortTag<Key> tag;
  const vq::detail::SharedTraits<vq::detail::TraitsLane<vq::detail::OrderAscending<Key>>> traits;
  vq::Sort(tag, traits, keys, count, static_cast<Key*>(nullptr));
}
[[maybe_unused]] void VectorSort(WideKey* keys, size_t count) {
  const vq::SortTag<uint64_t> tag;
  const vq::detail::SharedTraits<vq::detail::Traits128<vq::detail::OrderAscending128>> traits;
  vq::Sort(tag, traits, &keys->low, 2 * count, static_cast<uint64_t*>(nullptr));
}
#endif

}  // namespace
}  // namespace tfrt::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !TFRT_HAS_VQSORT || HWY_ONCE
#if TFRT_HAS_VQSORT
// The two functions of the library that the headers call.
namespace hwy {
// An assertion of theirs, in builds that check them.
void Abort(const char*, int, const char*, ...) { std::abort(); }
// The state of the choice of pivots, which no result depends on.
void Sorter::Fill24Bytes(const void*, size_t seed_num, void* bytes) {
  const uint64_t state[3] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, seed_num};
  std::memcpy(bytes, state, sizeof(state));
}
}  // namespace hwy
#endif

namespace tfrt::cpu {
namespace {

// Vectors do not help so few.
constexpr size_t kFew = 16;

bool ComesBefore(int32_t a, int32_t b) { return a < b; }
bool ComesBefore(int64_t a, int64_t b) { return a < b; }
bool ComesBefore(const WideKey& a, const WideKey& b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

template <typename Key>
void Sort(Key* keys, size_t count) {
#if TFRT_HAS_VQSORT
  if (count > kFew) {
#if defined(__x86_64__)
    static const bool has_avx512 =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                                 __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    if (has_avx2) {
      return has_avx512 ? N_AVX3::VectorSort(keys, count) : N_AVX2::VectorSort(keys, count);
    }
#elif defined(__aarch64__)
    return N_NEON::VectorSort(keys, count);
#endif
  }
#endif
  std::sort(keys, keys + count, [](const Key& a, const Key& b) { return ComesBefore(a, b); });
}

}  // namespace

void SortKeys(int32_t* keys, size_t count) { Sort(keys, count); }
void SortKeys(int64_t* keys, size_t count) { Sort(keys, count); }
void SortKeys(WideKey* keys, size_t count) { Sort(keys, count); }

}  // namespace tfrt::cpu
#endif
