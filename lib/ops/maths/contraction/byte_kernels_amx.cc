// Tiles of 16 rows of 64 bytes: one instruction multiplies two of them.

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TFRT_BYTE_TARGET __attribute__((target("amx-tile,amx-int8")))
#include "byte_panel_loops.h"

namespace tfrt::contraction {
namespace {

// Palette 1 of the architecture. Tiles 0 to 3 hold sums, 4 and 5 rows, 6 and 7 columns.
struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

class AmxTiles {
 public:
  AmxTiles() = default;
  AmxTiles(const AmxTiles&) = delete;
  AmxTiles& operator=(const AmxTiles&) = delete;
  TFRT_BYTE_INLINE ~AmxTiles() { _tile_release(); }

  TFRT_BYTE_INLINE void Configure(int64_t low_rows, int64_t high_rows) {
    if (low_rows == low_ && high_rows == high_) return;
    low_ = low_rows;
    high_ = high_rows;
    const auto low = static_cast<uint8_t>(low_rows);
    // A tile without rows is an error, if it is used or not.
    const auto high = static_cast<uint8_t>(high_rows == 0 ? low_rows : high_rows);
    const uint8_t rows[] = {low, low, high, high, low, high, kTileRows, kTileRows};
    for (int i = 0; i < 8; ++i) config_.rows[i] = rows[i];
    // GCC 12's _tile_loadconfig reads one byte only, as far as the compiler sees, which then leaves
    // out what was written to the others.
    asm volatile("" ::"r"(&config_) : "memory");
    _tile_loadconfig(&config_);
  }
  TFRT_BYTE_INLINE void Zero() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  TFRT_BYTE_INLINE void Step(const uint8_t* a, int64_t a_stride, const int8_t* panel) {
    constexpr int kPanelStride = kTilePanel * kTileTogether, kHalf = kPanelStride / 2;
    _tile_loadd(6, panel, kPanelStride);
    _tile_loadd(7, panel + kHalf, kPanelStride);
    _tile_loadd(4, a, a_stride);
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
    if (high_ == 0) return;
    _tile_loadd(5, a + kTileRows * a_stride, a_stride);
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
  TFRT_BYTE_INLINE void Store(int32_t* out, int64_t stride) {
    constexpr int64_t kColumns = kTilePanel / 2;
    const int64_t bytes = stride * static_cast<int64_t>(sizeof(int32_t));
    _tile_stored(0, out, bytes);
    _tile_stored(1, out + kColumns, bytes);
    if (high_ == 0) return;
    _tile_stored(2, out + kTileRows * stride, bytes);
    _tile_stored(3, out + kTileRows * stride + kColumns, bytes);
  }

 private:
  int64_t low_ = 0, high_ = 0;
  TileConfig config_;
};

// The system saves tiles of threads that asked for them: once for the process. It may refuse.
bool MayUseTiles() {
#if defined(__linux__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

bool HasTiles() {
  constexpr unsigned kTile = 1u << 24, kInt8 = 1u << 25;  // of EDX, leaf 7
  unsigned a = 0, b = 0, c = 0, d = 0;
  static const bool has = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
                          (d & (kTile | kInt8)) == (kTile | kInt8) && MayUseTiles();
  return has;
}

}  // namespace

const ByteKernel kAmxBytes = {
    "AMX", kTilePanel, kTileTogether, kTileDepth, false, &MultiplyTiles<AmxTiles>, &HasTiles};

}  // namespace tfrt::contraction

#endif
