// Peaks as they are measured. This file is optimised in all builds (CMakeLists.txt): it tells of
// the machine, not of the build.
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "lib/profiler/machine.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tfrt::profiler {
namespace {

// Enough chains of operations for two units with a latency of four cycles, and some; registers are
// 16 with AVX2.
constexpr int kChains = 12;
constexpr int kRounds = 256;

// Compilers do not know the one, and may not leave out what the other one is given.
volatile const double factor = 0.5;
void Keep(double value) { asm volatile("" : : "m"(value) : "memory"); }

// kRounds times kChains vectors are multiplied and added; how many operations that is.
template <typename Vector, typename Element>
[[gnu::always_inline]] inline double MultiplyAndAdd() {
  constexpr size_t kLanes = sizeof(Vector) / sizeof(Element);
  const Vector scale = Vector{} + static_cast<Element>(factor);
  const Vector offset = scale + static_cast<Element>(factor);
  Vector chains[kChains];
  for (int i = 0; i < kChains; ++i) chains[i] = scale + static_cast<Element>(i);
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chains[i] = chains[i] * scale + offset;
  }
  Vector sum{};
  for (int i = 0; i < kChains; ++i) sum += chains[i];
  double total = 0;
  for (size_t lane = 0; lane < kLanes; ++lane) total += static_cast<double>(sum[lane]);
  Keep(total);
  return 2.0 * kRounds * kChains * kLanes;
}

template <typename Element, int kBytes>
struct VectorOf {
  typedef Element Type __attribute__((vector_size(kBytes)));
};
template <typename Element>
double Multiply128() {
  return MultiplyAndAdd<typename VectorOf<Element, 16>::Type, Element>();
}

#if defined(__x86_64__)
template <typename Element>
__attribute__((target("avx2,fma"))) double Multiply256() {
  return MultiplyAndAdd<typename VectorOf<Element, 32>::Type, Element>();
}
template <typename Element>
__attribute__((target("avx512f,fma"))) double Multiply512() {
  return MultiplyAndAdd<typename VectorOf<Element, 64>::Type, Element>();
}

// The loops of sums of products. A vector has an accumulator for each four bytes of numbers.
constexpr double DotProductOps(int numbers) { return 2.0 * kRounds * kChains * numbers; }
#define TFRT_DOT_PRODUCT_LOOP(Vector, Zero, Step)                                    \
  Vector chains[kChains];                                                            \
  for (int i = 0; i < kChains; ++i) chains[i] = Zero;                                \
  for (int round = 0; round < kRounds; ++round) {                                    \
    _Pragma("GCC unroll 12") for (int i = 0; i < kChains; ++i) { chains[i] = Step; } \
  }                                                                                  \
  for (int i = 0; i < kChains; ++i) KeepValue(chains[i])

template <typename Vector>
[[gnu::always_inline]] inline void KeepValue(const Vector& value) {
  asm volatile("" : : "m"(value) : "memory");
}

__attribute__((target("avx512f,avx512vnni"))) double Int8Products512() {
  const __m512i scale = _mm512_set1_epi8(static_cast<char>(factor + 3));
  TFRT_DOT_PRODUCT_LOOP(__m512i, _mm512_set1_epi32(i),
                        _mm512_dpbusd_epi32(chains[i], scale, scale));
  return DotProductOps(64);
}
__attribute__((target("avx2,avxvnni"))) double Int8Products256() {
  const __m256i scale = _mm256_set1_epi8(static_cast<char>(factor + 3));
  TFRT_DOT_PRODUCT_LOOP(__m256i, _mm256_set1_epi32(i),
                        _mm256_dpbusd_avx_epi32(chains[i], scale, scale));
  return DotProductOps(32);
}
// Without such instructions: sums of two products in 16 bits, of two such sums in 32, and a sum.
__attribute__((target("avx2"))) double Int8ProductsInSteps() {
  const __m256i scale = _mm256_set1_epi8(static_cast<char>(factor + 3));
  const __m256i ones = _mm256_set1_epi16(static_cast<int16_t>(factor + 1));
  // A factor is its chain, so that no compiler moves the product out of the loop.
  TFRT_DOT_PRODUCT_LOOP(
      __m256i, _mm256_set1_epi32(i),
      _mm256_add_epi32(chains[i], _mm256_madd_epi16(_mm256_maddubs_epi16(chains[i], scale), ones)));
  return DotProductOps(32);
}
__attribute__((target("avx512f,avx512bf16"))) double Bf16Products512() {
  const __m512i bits = _mm512_set1_epi16(static_cast<int16_t>(factor + 0x3f80));
  const __m512bh scale = (__m512bh)bits;
  TFRT_DOT_PRODUCT_LOOP(__m512, _mm512_set1_ps(static_cast<float>(i)),
                        _mm512_dpbf16_ps(chains[i], scale, scale));
  return DotProductOps(32);
}
#undef TFRT_DOT_PRODUCT_LOOP

// The configuration of tiles (Intel SDM volume 1, 18.3): of palette 1, all of 16 rows of 64 bytes.
struct TileConfig {
  uint8_t palette = 1, start_row = 0;
  std::array<uint8_t, 14> reserved = {};
  std::array<uint16_t, 16> row_bytes = {64, 64, 64, 64, 64, 64, 64, 64};
  std::array<uint8_t, 16> rows = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);
// Four sums of four factors. GCC 12's _tile_loadconfig does not state that it reads memory:
// KeepValue has it written before.
#define TFRT_TILE_LOOP(Product)                   \
  const TileConfig config;                        \
  KeepValue(config);                              \
  _tile_loadconfig(&config);                      \
  _tile_zero(0);                                  \
  _tile_zero(1);                                  \
  _tile_zero(2);                                  \
  _tile_zero(3);                                  \
  _tile_zero(4);                                  \
  _tile_zero(5);                                  \
  _tile_zero(6);                                  \
  _tile_zero(7);                                  \
  for (int round = 0; round < kRounds; ++round) { \
    Product(0, 4, 6);                             \
    Product(1, 4, 7);                             \
    Product(2, 5, 6);                             \
    Product(3, 5, 7);                             \
  }                                               \
  _tile_release()

__attribute__((target("amx-tile,amx-int8"))) double Int8Tiles() {
  TFRT_TILE_LOOP(_tile_dpbssd);
  return 2.0 * kRounds * 4 * 16 * 16 * 64;
}
__attribute__((target("amx-tile,amx-bf16"))) double Bf16Tiles() {
  TFRT_TILE_LOOP(_tile_dpbf16ps);
  return 2.0 * kRounds * 4 * 16 * 16 * 32;
}
#undef TFRT_TILE_LOOP
#endif

using Loop = double (*)();

template <typename Element>
Loop FloatLoop(VectorUnits::Kind kind) {
#if defined(__x86_64__)
  if (kind == VectorUnits::Kind::kAvx512) return &Multiply512<Element>;
  if (kind == VectorUnits::Kind::kAvx2) return &Multiply256<Element>;
#endif
  return &Multiply128<Element>;
}

Loop Int8Loop(const VectorUnits& units) {
#if defined(__x86_64__)
  if (units.has_int8_tiles) return &Int8Tiles;
  const bool is_avx512 = units.kind == VectorUnits::Kind::kAvx512;
  if (units.has_int8_dot_products) return is_avx512 ? &Int8Products512 : &Int8Products256;
  if (is_avx512 || units.kind == VectorUnits::Kind::kAvx2) return &Int8ProductsInSteps;
#endif
  return nullptr;
}
Loop Bf16Loop(const VectorUnits& units) {
#if defined(__x86_64__)
  if (units.has_bf16_tiles) return &Bf16Tiles;
  if (units.has_bf16_dot_products) return &Bf16Products512;
#endif
  return nullptr;
}

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}
double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// By which clock a rate is taken: arithmetic by the time that each thread had a processor, so that
// other programs do not count; memory, which all threads share, by the time that passed.
enum class RateClock { kThreads, kWall };

// Returns the work of all threads together in a second. They begin together and work until the time
// is over.
template <typename Work>
double RateOf(RateClock clock, size_t num_threads, double seconds, const Work& work) {
  std::atomic<size_t> num_ready{0};
  std::vector<double> amounts(num_threads), busy(num_threads), begins(num_threads),
      ends(num_threads);
  auto run = [&](size_t thread) {
    num_ready.fetch_add(1);
    while (num_ready.load() < num_threads) std::this_thread::yield();
    const double begin = WallSeconds(), busy_before = ThreadSeconds();
    double amount = 0;
    do {
      amount += work(thread);
    } while (WallSeconds() < begin + seconds);
    busy[thread] = ThreadSeconds() - busy_before;
    amounts[thread] = amount;
    begins[thread] = begin;
    ends[thread] = WallSeconds();
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < num_threads; ++i) threads.emplace_back(run, i);
  run(0);
  for (std::thread& thread : threads) thread.join();
  double sum = 0, sum_of_rates = 0;
  for (size_t i = 0; i < num_threads; ++i) {
    sum += amounts[i];
    if (busy[i] > 0) sum_of_rates += amounts[i] / busy[i];
  }
  const double wall = *std::ranges::max_element(ends) - *std::ranges::min_element(begins);
  return clock == RateClock::kThreads ? sum_of_rates : wall > 0 ? sum / wall : 0;
}

// Returns the best rate of three tries: other programs may have disturbed one of them.
template <typename Work>
double BestRate(RateClock clock, size_t num_threads, double seconds, const Work& work) {
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    best = std::max(best, RateOf(clock, num_threads, seconds / 3, work));
  }
  return best;
}

// The three arrays of a triad, each thread's part touched first by itself.
class Triad {
 public:
  Triad(size_t bytes, size_t num_threads)
      : size_(std::max<size_t>(bytes / 3 / sizeof(double) / num_threads, 1024) * num_threads),
        part_(size_ / num_threads) {
    void* memory = mmap(nullptr, 3 * size_ * sizeof(double), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory_ = memory == MAP_FAILED ? nullptr : static_cast<double*>(memory);
  }
  Triad(const Triad&) = delete;
  Triad& operator=(const Triad&) = delete;
  ~Triad() {
    if (memory_) munmap(memory_, 3 * size_ * sizeof(double));
  }

  bool is_there() const { return memory_ != nullptr; }
  double Fill(size_t thread) {
    std::fill_n(memory_ + thread * part_, part_, 0.0);
    std::fill_n(memory_ + size_ + thread * part_, part_, 1.0);
    std::fill_n(memory_ + 2 * size_ + thread * part_, part_, 2.0);
    return 1;
  }
  // Returns the bytes.
  double Run(size_t thread) const {
    double* __restrict a = memory_ + thread * part_;
    const double* __restrict b = memory_ + size_ + thread * part_;
    const double* __restrict c = memory_ + 2 * size_ + thread * part_;
    const double scale = factor;
    for (size_t i = 0; i < part_; ++i) a[i] = b[i] + scale * c[i];
    Keep(a[part_ / 2]);
    return 3.0 * sizeof(double) * static_cast<double>(part_);
  }

 private:
  const size_t size_, part_;
  double* memory_ = nullptr;
};

// Returns ", of which a quota gives 1.50"; empty without a quota that matters.
std::string QuotaText(const Processor& processor) {
  if (UsableCores(processor) == static_cast<double>(processor.num_cores)) return "";
  return StrCat(", of which a quota gives ", FixedText(processor.cpu_quota, 2));
}

}  // namespace

Peaks MeasurePeaks(const Processor& processor, const MeasureOptions& options) {
  // Threads of one core share what multiplies: one thread a core, and no more than get time.
  const size_t num_fed = static_cast<size_t>(std::ceil(UsableCores(processor)));
  const size_t num_threads =
      std::clamp<size_t>(options.num_threads == 0 ? num_fed : options.num_threads, 1, 1024);
  // Each thread's own clock stands still while the quota is used up.
  const double fed = std::min(1.0, UsableCores(processor) / static_cast<double>(num_threads));
  const double seconds = std::clamp(options.seconds, 0.01, 0.5);
  Peaks peaks{.num_threads = num_threads, .source = "measured"};
  auto rate = [&](Loop loop) {
    if (!loop) return 0.0;
    return fed * BestRate(RateClock::kThreads, num_threads, seconds / 6,
                          [loop](size_t) { return loop(); });
  };
  peaks.f32 = rate(FloatLoop<float>(processor.units.kind));
  peaks.f64 = rate(FloatLoop<double>(processor.units.kind));
  peaks.int8 = rate(Int8Loop(processor.units));
  // Some processors are faster in f32 than by their products of bf16.
  if (const Loop loop = Bf16Loop(processor.units)) peaks.bf16 = std::max(rate(loop), peaks.f32);
  // Larger than the cache, but not so large that getting the memory takes longer than measuring.
  constexpr int64_t kLeast = 48 << 20, kMost = 256 << 20;
  const int64_t cache = processor.last_level_cache_bytes;
  const int64_t bytes =
      std::clamp(options.memory_bytes > 0 ? options.memory_bytes : std::max(4 * cache, kLeast),
                 int64_t{1} << 16, kMost);
  Triad triad(static_cast<size_t>(bytes), num_threads);
  if (triad.is_there()) {
    RateOf(RateClock::kWall, num_threads, 0, [&](size_t thread) { return triad.Fill(thread); });
    peaks.bandwidth = BestRate(RateClock::kWall, num_threads, seconds / 3,
                               [&](size_t thread) { return triad.Run(thread); });
  } else {
    peaks.notes.push_back(StrCat("no bandwidth: no memory for ", bytes, " bytes"));
  }
  peaks.notes.push_back(StrCat(num_threads, " threads", QuotaText(processor), ", ",
                               VectorUnitsName(processor.units.kind), "; triad over ",
                               FixedText(static_cast<double>(bytes) * 1e-6, 0, "MB")));
  if (bytes < 2 * cache) {
    peaks.notes.push_back(StrCat("the triad's memory is less than twice the last-level cache (",
                                 FixedText(static_cast<double>(cache) * 1e-6, 0, "MB"),
                                 "): its bandwidth is partly the cache's"));
  }
  return peaks;
}

}  // namespace tfrt::profiler
