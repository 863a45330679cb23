#include "philox.h"

namespace tfrt::cpu {

// Constants and rounds are those of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
// easy as 1, 2, 3" (2011).
std::array<uint32_t, 4> PhiloxBlock(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  constexpr uint64_t kFactors[] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t kSteps[] = {0x9E3779B9, 0xBB67AE85};
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t first = kFactors[0] * counter[0], second = kFactors[1] * counter[2];
    counter = {
        static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
        static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    for (int i = 0; i < 2; ++i) key[i] += kSteps[i];
  }
  return counter;
}

void PhiloxWords(uint64_t seed, uint64_t stream, uint32_t* out, size_t begin, size_t end) {
  const std::array<uint32_t, 2> key = {static_cast<uint32_t>(seed),
                                       static_cast<uint32_t>(seed >> 32)};
  size_t i = begin;
  while (i < end) {
    const uint64_t block = i / 4;
    const std::array<uint32_t, 4> words =
        PhiloxBlock({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                     static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32)},
                    key);
    do {
      out[i] = words[i % 4];
    } while (++i < end && i % 4 != 0);
  }
}

}  // namespace tfrt::cpu
