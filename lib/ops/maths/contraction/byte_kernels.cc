// The list of kernels, and the plain ones.

#include "byte_kernels.h"

#define TFRT_BYTE_TARGET
#include "byte_panel_loops.h"

namespace tfrt::contraction {
namespace {

// The lanes of a vector that multiplies `together` neighbours at once.
template <typename RowElement, int together, int lanes, int vectors>
struct PlainLanes {
  using Element = RowElement;
  struct Sums {
    uint32_t lane[lanes];
  };
  using Weights = const int8_t*;
  using Factor = const RowElement*;
  static constexpr int kTogether = together, kLanes = lanes, kVectors = vectors, kMostRows = 6;

  static void Load(const int8_t* from, Weights& weights) { weights = from; }
  static void Broadcast(const Element* from, Factor& factor) { factor = from; }
  static void Add(Factor factor, Weights weights, Sums& sums) {
    for (int i = 0; i < lanes; ++i) {
      int32_t sum = 0;
      for (int k = 0; k < together; ++k) {
        sum += int32_t{factor[k]} * int32_t{weights[i * together + k]};
      }
      sums.lane[i] += static_cast<uint32_t>(sum);
    }
  }
  static void Store(const Sums& sums, int32_t* out) {
    for (int i = 0; i < lanes; ++i) out[i] = static_cast<int32_t>(sums.lane[i]);
  }
};

struct PlainTileOps {
  void Configure(int64_t low_rows, int64_t high_rows) { rows = low_rows + high_rows; }
  void Zero() {
    for (auto& row : sums) {
      for (uint32_t& sum : row) sum = 0;
    }
  }
  void Step(const uint8_t* a, int64_t a_stride, const int8_t* panel) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < kTilePanel; ++j) {
        int32_t sum = 0;
        for (int64_t k = 0; k < kTileDepth; ++k) {
          const int64_t at =
              (k / kTileTogether * kTilePanel + j) * kTileTogether + k % kTileTogether;
          sum += int32_t{a[r * a_stride + k]} * int32_t{panel[at]};
        }
        sums[r][j] += static_cast<uint32_t>(sum);
      }
    }
  }
  void Store(int32_t* out, int64_t stride) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < kTilePanel; ++j) {
        out[r * stride + j] = static_cast<int32_t>(sums[r][j]);
      }
    }
  }

  int64_t rows = 0;
  uint32_t sums[2 * kTileRows][kTilePanel];
};

bool Always() { return true; }

}  // namespace

const ByteKernel kPlainWords = {
    "plain words", 16, 2, 2, true, &MultiplyPanel<PlainLanes<int16_t, 2, 8, 2>>, &Always};
const ByteKernel kPlainBytes = {
    "plain bytes", 64, 4, 4, false, &MultiplyPanel<PlainLanes<uint8_t, 4, 16, 4>>, &Always};
const ByteKernel kPlainTiles = {"plain tiles", kTilePanel, kTileTogether,
                                kTileDepth,    false,      &MultiplyTiles<PlainTileOps>,
                                &Always};

std::span<const ByteKernel* const> ByteKernels() {
  static constexpr const ByteKernel* kAll[] = {
#if defined(__x86_64__)
      &kAmxBytes,   &kAvx512VnniBytes, &kAvxVnniBytes, &kAvx2Bytes,
#endif
      &kPlainWords, &kPlainBytes,      &kPlainTiles};
  return kAll;
}

const ByteKernel& BestByteKernel() {
  static const ByteKernel& best = [&]() -> const ByteKernel& {
    for (const ByteKernel* kernel : ByteKernels()) {
      if (kernel->is_available()) return *kernel;
    }
    return kPlainWords;
  }();
  return best;
}

}  // namespace tfrt::contraction
