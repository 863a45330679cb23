#include "global_memory.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tfrt::gpu::ptx {

GlobalMemory::Region* GlobalMemory::FindRegion(uint64_t address) {
  for (const std::unique_ptr<Region>& region : regions_) {
    if (address - region->begin < region->size) return region.get();
  }
  if (address >= kWindowsBegin && address < kWindowsEnd) return nullptr;
  std::optional<Memory::Region> found = memory_.Find(address);
  if (!found || address - found->begin >= found->end - found->begin) return nullptr;
  auto region = std::make_unique<Region>();
  region->begin = found->begin;
  region->size = found->end - found->begin;
  region->bytes = found->bytes;
  region->writable = found->writable;
  region->first_page = found->begin >> kPageBits;
  region->pages.resize(((found->end - 1) >> kPageBits) - region->first_page + 1);
  regions_.push_back(std::move(region));
  return regions_.back().get();
}

GlobalMemory::Page* GlobalMemory::MakePage(Region& region, uint64_t number) {
  auto page = std::make_unique<Page>();
  uint64_t page_begin = number << kPageBits;
  uint64_t begin = std::max(page_begin, region.begin);
  uint64_t end = std::min(page_begin + kPageBytes, region.begin + region.size);
  uint64_t bits[kPageBytes / 64] = {};
  memory_.ReadDefined(begin, end, bits);
  // The owner counts from `begin`, the page from its own beginning.
  uint64_t shift = begin - page_begin;
  for (uint64_t i = 0; i < end - begin; ++i) {
    uint64_t bit = bits[i / 64] >> (i % 64) & 1;
    page->defined[(i + shift) / 64] |= bit << ((i + shift) % 64);
  }
  std::unique_ptr<Page>& slot = region.pages[number - region.first_page];
  slot = std::move(page);
  return slot.get();
}

void GlobalMemory::ReportTouched() {
  std::sort(regions_.begin(), regions_.end(),
            [](const auto& a, const auto& b) { return a->begin < b->begin; });
  for (const std::unique_ptr<Region>& region : regions_) {
    for (size_t i = 0; i < region->pages.size(); ++i) {
      const Page* page = region->pages[i].get();
      if (page == nullptr) continue;
      uint64_t page_begin = (region->first_page + i) << kPageBits;
      for (Access access : {Access::kRead, Access::kWrite, Access::kAtomic}) {
        const uint64_t* bits = page->touched[static_cast<int>(access)];
        auto is_set = [bits](uint64_t bit) { return (bits[bit / 64] >> (bit % 64) & 1) != 0; };
        for (uint64_t bit = 0; bit < kPageBytes;) {
          if (bit % 64 == 0 && bits[bit / 64] == 0) {
            bit += 64;
            continue;
          }
          uint64_t begin = bit;
          while (bit < kPageBytes && is_set(bit)) {
            bit += bit % 64 == 0 && bits[bit / 64] == ~uint64_t{0} ? 64 : 1;
          }
          if (bit > begin) memory_.Touched(page_begin + begin, page_begin + bit, access);
          if (bit == begin) ++bit;
        }
      }
    }
  }
  regions_.clear();
  last_ = nullptr;
}

}  // namespace tfrt::gpu::ptx
