#ifndef TFRT_LIB_PROFILER_PERFETTO_PACKET_SOURCE_H_
#define TFRT_LIB_PROFILER_PERFETTO_PACKET_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/profiler/source/profile_source.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Reads the packets of a file, one after the other.
class PacketSource {
 public:
  explicit PacketSource(ProfileSource& source) : source_(source), window_(kWindowBytes) {}

  enum class Next : uint8_t { kPacket, kEnd, kTruncated, kUnreadable };
  // Returns the next packet's fields, valid until the next call. kUnreadable: the next bytes are no
  // field.
  StatusOr<Next> NextPacket(std::string_view* fields);
  // Returns where the last packet, or the unreadable part, begins.
  uint64_t offset() const { return offset_; }

 private:
  static constexpr size_t kWindowBytes = size_t{256} << 10;

  // Returns whether so many bytes exist from begin_ on. The window grows only with existing bytes.
  StatusOr<bool> Need(size_t size);
  StatusOr<bool> Skip(uint64_t size);
  // Reads a number at begin_ + *at. Nothing changes if it is not complete.
  StatusOr<Next> Number(size_t* at, uint64_t* value);
  void Take(size_t size) {
    begin_ += size;
    position_ += size;
  }

  ProfileSource& source_;
  std::vector<char> window_;
  size_t begin_ = 0, end_ = 0;
  uint64_t position_ = 0;  // of begin_ in the file
  uint64_t offset_ = 0;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_PACKET_SOURCE_H_
