#ifndef TFRT_TEST_GPU_VENDOR_PTX_GLOBAL_MEMORY_H_
#define TFRT_TEST_GPU_VENDOR_PTX_GLOBAL_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "memory.h"

namespace tfrt::gpu::ptx {

// The allocations that one launch touches, and the bytes of them that it read and wrote. It stands
// between the accesses of lanes and the owner of memory. An access to a page that it has seen costs
// a few operations on bits.
class GlobalMemory {
 public:
  enum class Verdict : uint8_t {
    kOk,
    kUndefined,
    kNonCoherent,  // a write of what the launch has read by a non-coherent load, or such a load of
                   // what it has written
    kNoAllocation,
    kReadOnly,
  };
  struct Result {
    Verdict verdict = Verdict::kOk;
    std::byte* bytes = nullptr;  // with the first three
  };

  explicit GlobalMemory(Memory& memory) : memory_(memory) {}
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // `size` is a power of two up to 16, and divides `address`. The owner is told of the access as
  // `noted`.
  Result Use(uint64_t address, uint32_t size, Access access, Access noted, bool non_coherent) {
    Region* region = last_;
    if (region == nullptr || address - region->begin >= region->size) {
      region = FindRegion(address);
      if (region == nullptr) return {Verdict::kNoAllocation, nullptr};
      last_ = region;
    }
    if (region->size - (address - region->begin) < size) return {Verdict::kNoAllocation, nullptr};
    if (access != Access::kRead && !region->writable) return {Verdict::kReadOnly, nullptr};
    Page* page = region->pages[(address >> kPageBits) - region->first_page].get();
    if (page == nullptr) page = MakePage(*region, address >> kPageBits);
    // Aligned bytes lie in one word of bits.
    uint64_t bit = address & (kPageBytes - 1);
    uint64_t mask = ((uint64_t{1} << size) - 1) << (bit % 64);
    uint64_t word = bit / 64;
    page->touched[static_cast<int>(noted)][word] |= mask;
    Verdict verdict = Verdict::kOk;
    if (access != Access::kWrite && (~page->defined[word] & mask) != 0)
      verdict = Verdict::kUndefined;
    if (access != Access::kRead) {
      page->defined[word] |= mask;
      if ((page->non_coherent[word] & mask) != 0) verdict = Verdict::kNonCoherent;
    } else if (non_coherent) {
      page->non_coherent[word] |= mask;
      if ((page->written(word) & mask) != 0) verdict = Verdict::kNonCoherent;
    }
    return {verdict, region->bytes + (address - region->begin)};
  }

  // For a launch that lets threads write what they alone have read by non-coherent loads before:
  // notes such a load, and finds out whether all of these bytes were by `thread`.
  void NoteNonCoherentRead(uint64_t address, uint32_t size, uint64_t thread) {
    for (uint64_t word = address / 4; word <= (address + size - 1) / 4; ++word) {
      auto [found, is_new] = readers_.try_emplace(word, thread);
      if (!is_new && found->second != thread) found->second = kSeveral;
    }
  }
  bool HasReadAlone(uint64_t address, uint32_t size, uint64_t thread) const {
    for (uint64_t word = address / 4; word <= (address + size - 1) / 4; ++word) {
      auto found = readers_.find(word);
      if (found != readers_.end() && found->second != thread) return false;
    }
    return true;
  }

  // Tells the owner which bytes were touched; once, at the end of the launch.
  void ReportTouched();

 private:
  static constexpr uint64_t kSeveral = UINT64_MAX;
  static constexpr uint32_t kPageBits = 12;
  static constexpr uint64_t kPageBytes = uint64_t{1} << kPageBits;

  // A bit for each byte.
  struct Page {
    uint64_t defined[kPageBytes / 64] = {};
    uint64_t touched[3][kPageBytes / 64] = {};    // by kind of access
    uint64_t non_coherent[kPageBytes / 64] = {};  // read so
    uint64_t written(uint64_t word) const {
      return touched[static_cast<int>(Access::kWrite)][word] |
             touched[static_cast<int>(Access::kAtomic)][word];
    }
  };
  struct Region {
    uint64_t begin;
    uint64_t size;
    std::byte* bytes;
    bool writable;
    uint64_t first_page;
    std::vector<std::unique_ptr<Page>> pages;
  };

  // Null if no live allocation holds the address.
  Region* FindRegion(uint64_t address);
  Page* MakePage(Region& region, uint64_t number);

  Memory& memory_;
  std::vector<std::unique_ptr<Region>> regions_;
  Region* last_ = nullptr;
  std::unordered_map<uint64_t, uint64_t> readers_;  // by .nc, of words of 4 bytes
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_GLOBAL_MEMORY_H_
