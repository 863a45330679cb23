// A cursor over untrusted bytes. Every read says whether there was enough to read.
#ifndef TFRT_LIB_FORMAT_BEF_BYTE_READER_H_
#define TFRT_LIB_FORMAT_BEF_BYTE_READER_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace tfrt::bef {

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes, size_t position = 0)
      : bytes_(bytes), position_(position) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  bool empty() const { return remaining() == 0; }

  [[nodiscard]] bool ReadByte(uint8_t* value) {
    if (empty()) return false;
    *value = bytes_[position_++];
    return true;
  }
  // A number of up to 64 bits without leading zero groups.
  [[nodiscard]] bool ReadVbr(uint64_t* value) {
    if (position_ < bytes_.size() && bytes_[position_] < 0x80) [[likely]] {
      *value = bytes_[position_++];
      return true;
    }
    return ReadLongVbr(value);
  }
  [[nodiscard]] bool ReadVbr32(uint32_t* value) {
    if (position_ < bytes_.size() && bytes_[position_] < 0x80) [[likely]] {
      *value = bytes_[position_++];
      return true;
    }
    // Two or three groups are frequent, too: offsets in tables.
    if (remaining() >= 3) [[likely]] {
      uint32_t first = bytes_[position_] & 0x7F, second = bytes_[position_ + 1];
      uint32_t third = bytes_[position_ + 2];
      if (second < 0x80 && first != 0) {
        *value = first << 7 | second;
        position_ += 2;
        return true;
      }
      if (second >= 0x80 && third < 0x80 && first != 0) {
        *value = first << 14 | (second & 0x7F) << 7 | third;
        position_ += 3;
        return true;
      }
    }
    uint64_t wide = 0;
    if (!ReadLongVbr(&wide) || wide > 0xFFFFFFFF) return false;
    *value = static_cast<uint32_t>(wide);
    return true;
  }
  // A count of things that take at least `size` bytes each: so no more than what remains has room
  // for.
  [[nodiscard]] bool ReadCount(uint32_t* value, size_t size = 1) {
    return ReadVbr32(value) && *value <= remaining() / size;
  }
  [[nodiscard]] bool ReadText(size_t size, std::string_view* text) {
    if (size > remaining()) return false;
    *text = {reinterpret_cast<const char*>(bytes_.data()) + position_, size};
    position_ += size;
    return true;
  }
  // A count of bytes, then the bytes.
  [[nodiscard]] bool ReadText(std::string_view* text) {
    uint32_t size;
    return ReadCount(&size) && ReadText(size, text);
  }
  [[nodiscard]] bool Skip(size_t size) {
    if (size > remaining()) return false;
    position_ += size;
    return true;
  }

 private:
  [[nodiscard]] bool ReadLongVbr(uint64_t* value) {
    uint64_t result = 0;
    for (int i = 0; i < 10; ++i) {
      uint8_t byte;
      if (!ReadByte(&byte)) return false;
      if (i == 0 && byte == 0x80) return false;
      if (result >> 57) return false;
      result = result << 7 | (byte & 0x7F);
      if (byte < 0x80) {
        *value = result;
        return true;
      }
    }
    return false;
  }

  std::span<const uint8_t> bytes_;
  size_t position_;
};

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_BYTE_READER_H_
