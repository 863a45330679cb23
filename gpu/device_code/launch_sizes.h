// Sizes that kernels and the code that launches them must agree on. Plain constants and functions
// of sizes: part of the host library, too.
#ifndef TFRT_GPU_DEVICE_CODE_LAUNCH_SIZES_H_
#define TFRT_GPU_DEVICE_CODE_LAUNCH_SIZES_H_

#include <stdint.h>  // the compiler's own: device code has no library

namespace tfrt::gpu::device {

constexpr int64_t CeilDiv(int64_t size, int64_t part) {
  return size / part + (size % part != 0 ? 1 : 0);
}

// a / b of numbers that are not negative. GPUs divide by code, and so much the longer the more bits
// there are. Almost all sizes have 32 bits. For others digit after digit is short code, while that
// of the vendor's assembler would be a call that takes registers of each kernel.
constexpr int64_t Divide(int64_t a, int64_t b) {
  if ((static_cast<uint64_t>(a | b) >> 32) == 0) {
    return static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
  }
  uint64_t quotient = 0, rest = 0;
#ifdef __CUDA__
#pragma unroll 1
#endif
  for (int bit = 63; bit >= 0; --bit) {
    rest = rest << 1 | (static_cast<uint64_t>(a) >> bit & 1);
    const bool fits = rest >= static_cast<uint64_t>(b);
    if (fits) rest -= static_cast<uint64_t>(b);
    quotient = quotient << 1 | (fits ? 1 : 0);
  }
  return static_cast<int64_t>(quotient);
}

// The elements of each part but the last, where `size` is cut into parts. They begin at multiples
// of 64: whole vectors.
constexpr int64_t PartSize(int64_t size, int64_t parts) {
  return parts == 1 ? size : (Divide(size - 1, parts) + 64) & -64;
}

// transpose: square tiles, and the threads of a block.
inline constexpr int kTransposeTile = 32;
inline constexpr int kTransposeThreads = 256;

// matmul: tiles of the output, and the threads of a block.
inline constexpr int kMatMulTile = 64;
inline constexpr int kMatMulThreads = 64;

// matmul_few_rows: the most rows, and the columns of a block.
inline constexpr int64_t kMatMulFewRows = 8;
inline constexpr int kMatMulFewColumns = 256;

// A sum of a part takes at most so many bytes until it is added to others.
inline constexpr int64_t kMatMulSumBytes = 8;

// reduce, softmax: threads of a block.
inline constexpr int kWarp = 32;
inline constexpr int kRowThreads = 256;

// softmax: elements of a row that a thread has at a time. A block computes a row that is too long
// for a warp.
inline constexpr int kSoftmaxSlots = 16;
inline constexpr int64_t kSoftmaxMostOfWarp = kWarp * kSoftmaxSlots;

// --- reduce: [outer,size,inner] -> [outer,inner], in parts of `size` where there are few results.
// All of it depends on sizes alone, and so does the order in which elements are combined.

// Names what computes one result of one part.
enum class ReductionWay {
  kThread,   // a thread: few elements
  kWarp,     // a warp, elements side by side
  kBlock,    // a block, elements side by side
  kColumns,  // a block, for up to kWarp columns side by side
};

constexpr ReductionWay ReductionWayOf(int64_t size, int64_t inner, int64_t parts) {
  constexpr int64_t kMostOfThread = 8, kMostOfThreadInColumns = 32, kMostOfWarp = 1024;
  if (parts == 1 && size <= (inner == 1 ? kMostOfThread : kMostOfThreadInColumns)) {
    return ReductionWay::kThread;
  }
  if (inner != 1) return ReductionWay::kColumns;
  return PartSize(size, parts) <= kMostOfWarp ? ReductionWay::kWarp : ReductionWay::kBlock;
}

// A block's columns in the way kColumns.
constexpr int64_t ReductionColumns(int64_t inner) { return inner < kWarp ? inner : kWarp; }

// A result of a part takes at most so many bytes until it is combined with others.
inline constexpr int64_t kReductionStateBytes = 16;

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_LAUNCH_SIZES_H_
