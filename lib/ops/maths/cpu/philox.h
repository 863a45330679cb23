// Philox 4x32-10, the counter-based generator of Random123: words follow from their place alone.
#ifndef TFRT_LIB_OPS_MATHS_CPU_PHILOX_H_
#define TFRT_LIB_OPS_MATHS_CPU_PHILOX_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace tfrt::cpu {

// Returns the four words of the block with this counter, under this key.
std::array<uint32_t, 4> PhiloxBlock(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

// Writes words [begin, end) of a stream to out + begin. Word i is word i % 4 of a block. The
// block's counter is i / 4 in its low half and `stream` in its high half, and the key is `seed`.
void PhiloxWords(uint64_t seed, uint64_t stream, uint32_t* out, size_t begin, size_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_PHILOX_H_
