// The parts of the encoding of traced graphs that its writer and its reader share.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_ENCODING_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_ENCODING_H_

#include <cstddef>
#include <cstdint>

namespace tfrt::function {

inline constexpr char kMagic[4] = {'T', 'F', 'R', 'G'};

// Bits of the options.
inline constexpr uint64_t kExact = 1, kFuse = 2, kPack = 4;

// Constants of more bytes are blobs.
inline constexpr size_t kMaxInlineBytes = 512;

// Bodies in bodies.
inline constexpr size_t kMaxDepth = 64;

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_ENCODING_H_
