#include "address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace tfrt::gpu::cuda_double {
namespace {

void* Map(uint64_t size_bytes, int protection) {
  // Without reservation: most of it is never touched.
  void* begin =
      mmap(nullptr, size_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) {
    std::fprintf(stderr, "tfrt test double: cannot map %llu bytes of addresses\n",
                 static_cast<unsigned long long>(size_bytes));
    std::abort();
  }
  return begin;
}

}  // namespace

AddressSpace::AddressSpace(uint64_t size_bytes) : size_bytes_(size_bytes) {
  begin_ = reinterpret_cast<uint64_t>(Map(size_bytes, PROT_NONE));
  data_ = static_cast<std::byte*>(Map(size_bytes, PROT_READ | PROT_WRITE));
  next_ = begin_;
  free_[begin_] = begin_ + size_bytes_;
}

AddressSpace::~AddressSpace() {
  munmap(reinterpret_cast<void*>(begin_), size_bytes_);
  munmap(data_, size_bytes_);
}

uint64_t AddressSpace::Stride(uint64_t size_bytes) const {
  return (size_bytes + kGuard + kAlignment - 1) / kAlignment * kAlignment;
}

uint64_t AddressSpace::Reserve(uint64_t size_bytes) {
  if (size_bytes > size_bytes_) return 0;
  uint64_t stride = Stride(size_bytes);
  // Takes the block from the range if it has room at `from` or behind.
  auto take = [&](std::map<uint64_t, uint64_t>::iterator range, uint64_t from) {
    auto [begin, end] = *range;
    from = std::max(from, begin);
    if (from >= end || end - from < stride) return uint64_t{0};
    if (from == begin) {
      free_.erase(range);
    } else {
      range->second = from;
    }
    if (from + stride < end) free_[from + stride] = end;
    next_ = from + stride;
    return from;
  };
  auto start = free_.upper_bound(next_);
  if (start != free_.begin()) --start;
  for (auto range = start; range != free_.end(); ++range) {
    if (uint64_t address = take(range, next_)) return address;
  }
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (uint64_t address = take(range, 0)) return address;
  }
  return 0;
}

void AddressSpace::Release(uint64_t address, uint64_t size_bytes) {
  uint64_t end = address + Stride(size_bytes);
  // Whole pages only: a neighbour may have the rest of the first and the last.
  constexpr uint64_t kPage = 4096;
  uint64_t first_page = (address + kPage - 1) / kPage * kPage, last_page = end / kPage * kPage;
  if (first_page < last_page) {
    madvise(Data(first_page), last_page - first_page, MADV_DONTNEED);
  }
  auto next = free_.lower_bound(address);
  if (next != free_.end() && next->first == end) {
    end = next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin() && std::prev(next)->second == address) {
    std::prev(next)->second = end;
    return;
  }
  free_[address] = end;
}

}  // namespace tfrt::gpu::cuda_double
