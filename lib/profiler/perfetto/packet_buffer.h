// PacketBuffer: collects packets for a file. Cursor: assembles one packet in place.
#ifndef TFRT_LIB_PROFILER_PERFETTO_PACKET_BUFFER_H_
#define TFRT_LIB_PROFILER_PERFETTO_PACKET_BUFFER_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Writes fields to memory that must be large enough. The length of a message is stored when the
// message is closed: in one byte, or, after moving the message by one, in two. The writer of
// protozero reserves five bytes per message and grows a string, which is four times as slow for
// messages of ten bytes. Passed by value, a cursor stays in a register.
class Cursor {
 public:
  explicit Cursor(char* at) : at_(at) {}
  char* at() const { return at_; }

  [[gnu::always_inline]] void Varint(uint32_t field, uint64_t value) {
    Tag(field, protozero::pbf_wire_type::varint);
    if (value < 0x80) {
      *at_++ = static_cast<char>(value);
    } else if (value < uint64_t{1} << 56) {
      LongVarint(value);
    } else {
      at_ += protozero::add_varint_to_buffer(at_, value);
    }
  }
  [[gnu::always_inline]] void Signed(uint32_t field, int64_t value) {
    Varint(field, protozero::encode_zigzag64(value));
  }
  [[gnu::always_inline]] void Fixed64(uint32_t field, uint64_t value) {
    Tag(field, protozero::pbf_wire_type::fixed64);
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  // A message of less than 16 KiB: from Open to Close, which takes the result of Open.
  [[gnu::always_inline]] char* Open(uint32_t field) {
    Tag(field, protozero::pbf_wire_type::length_delimited);
    return ++at_;
  }
  [[gnu::always_inline]] void Close(char* begin) {
    const auto size = static_cast<size_t>(at_ - begin);
    if (size >= 0x80) [[unlikely]] {
      std::memmove(begin + 1, begin, size);
      begin[0] = static_cast<char>(size >> 7);
      begin[-1] = static_cast<char>((size & 0x7f) | 0x80);
      ++at_;
    } else {
      begin[-1] = static_cast<char>(size);
    }
  }

 private:
  // Writes up to eight bytes at once: a loop over those of a timestamp takes three times as long.
  [[gnu::always_inline]] void LongVarint(uint64_t value) {
    const int last = (std::bit_width(value) - 1) / 7;
    // The 7 bits of each byte are moved to their place, by halves.
    value = (value & 0x000000000fffffff) | (value & 0x00fffffff0000000) << 4;
    value = (value & 0x00003fff00003fff) | (value & 0x0fffc0000fffc000) << 2;
    value = (value & 0x007f007f007f007f) | (value & 0x3f803f803f803f80) << 1;
    value |= 0x8080808080808080 & ((uint64_t{1} << (8 * last)) - 1);
    std::memcpy(at_, &value, sizeof value);
    at_ += last + 1;
  }

  [[gnu::always_inline]] void Tag(uint32_t field, protozero::pbf_wire_type type) {
    const uint32_t tag = field << 3 | static_cast<uint32_t>(type);
    // Fields are constants: this is one or two stores.
    if (tag < 0x80) {
      *at_++ = static_cast<char>(tag);
    } else if (tag < 0x4000) {
      *at_++ = static_cast<char>(tag | 0x80);
      *at_++ = static_cast<char>(tag >> 7);
    } else {
      *at_++ = static_cast<char>(tag | 0x80);
      *at_++ = static_cast<char>(tag >> 7 | 0x80);
      *at_++ = static_cast<char>(tag >> 14);
    }
  }

  char* at_;
};

class PacketBuffer {
 public:
  // The most bytes that may be written after a Reserve.
  static constexpr size_t kReserved = 2048;

  PacketBuffer(int descriptor, bool owns_descriptor, std::string name, size_t buffer_bytes);
  PacketBuffer(const PacketBuffer&) = delete;
  PacketBuffer& operator=(const PacketBuffer&) = delete;
  ~PacketBuffer();

  // Returns room for complete packets, up to `kReserved` bytes; Commit then takes their end.
  char* Reserve() {
    if (size_ + kReserved > capacity_) [[unlikely]]
      Flush();
    return bytes_.get() + size_;
  }
  void Commit(const char* end) { size_ = static_cast<size_t>(end - bytes_.get()); }
  // Adds the fields of a packet of any length.
  void AddPacket(std::string_view fields);
  void Flush();
  // Flushes, and closes the file if it is owned.
  void Close();

  void Fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }
  const Status& status() const { return status_; }
  const std::string& name() const { return name_; }
  uint64_t num_bytes() const { return num_written_ + size_; }

 private:
  void Write(const char* bytes, size_t size);

  int descriptor_;
  const bool owns_descriptor_;
  const std::string name_;
  const size_t capacity_;
  const std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  uint64_t num_written_ = 0;
  Status status_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_PACKET_BUFFER_H_
