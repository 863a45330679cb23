#ifndef TFRT_TEST_GPU_VENDOR_PTX_MEMORY_H_
#define TFRT_TEST_GPU_VENDOR_PTX_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tfrt::gpu::ptx {

enum class Access : uint8_t {
  kRead,
  kWrite,
  kAtomic,  // reads and writes at once; volatile and other strong accesses count as such
};

// Global memory as a launch sees it: each access of each lane uses this interface. The executor
// calls it once for an allocation and once for each page of 4,096 bytes in it that the launch
// touches. At the end it reports the bytes that were touched. Accesses themselves therefore cost no
// call.
//
// The interface is called by the launch's thread only. Launches on several threads have a Memory
// each, whose implementations lock what they share.
class Memory {
 public:
  // A live allocation, or any part of one. It and its bytes stay where they are until the launch
  // has returned.
  struct Region {
    uint64_t begin = 0;  // device addresses
    uint64_t end = 0;
    std::byte* bytes = nullptr;  // those of `begin`, for the host
    bool writable = true;
  };

  virtual ~Memory() = default;

  // The region that `address` lies in; nothing if no live allocation holds it.
  virtual std::optional<Region> Find(uint64_t address) = 0;

  // Sets bit i % 64 of bits[i / 64] if byte begin + i has a defined value, for all of [begin, end).
  // The range is at most 4,096 bytes of one region. The bits are clear before. Called before the
  // launch's first access to the bytes.
  virtual void ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) = 0;

  // The launch accessed the bytes [begin, end) of one region so. Called for maximal runs within
  // pages of 4,096 bytes, at the end of the launch, even of one that failed. Bytes written are
  // defined from now on.
  virtual void Touched(uint64_t begin, uint64_t end, Access access) = 0;
};

// Addresses that are no memory of the device's but windows of generic addresses; [kWindowsBegin,
// kWindowsEnd) is never asked for. No host address lies there.
inline constexpr uint64_t kWindowsBegin = uint64_t{1} << 48;
inline constexpr uint64_t kSharedWindow = kWindowsBegin;
inline constexpr uint64_t kLocalWindow = kWindowsBegin + (uint64_t{1} << 32);
inline constexpr uint64_t kParameterWindow = kWindowsBegin + (uint64_t{2} << 32);
inline constexpr uint64_t kFunctionWindow = kWindowsBegin + (uint64_t{3} << 32);
inline constexpr uint64_t kWindowsEnd = kWindowsBegin + (uint64_t{4} << 32);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_MEMORY_H_
