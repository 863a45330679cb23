// Buffer and FileWriter: bytes with a required alignment, and the sections of a BEF file made of
// them.
#ifndef TFRT_BEF_BEF_BUFFER_H_
#define TFRT_BEF_BEF_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/bef/bef_format.h"

namespace tfrt::bef {

// Growing bytes and the alignment that their start needs. All numbers are little endian.
class Buffer {
 public:
  size_t size() const { return bytes_.size(); }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  size_t required_alignment() const { return required_alignment_; }

  // Pads to a multiple of `alignment` (a power of two; 0 and 1 do nothing) relative to the start.
  void Align(size_t alignment) { AlignFor(alignment, 0); }
  // Pads so that the position `prefix` bytes further on is a multiple of `alignment`.
  void AlignFor(size_t alignment, size_t prefix);
  // Appends `count` padding bytes.
  void Pad(size_t count) { bytes_.insert(bytes_.end(), count, kPadding); }

  void EmitByte(uint8_t value) { bytes_.push_back(value); }
  void EmitVbr(uint64_t value) {
    if (value < 0x80) {
      bytes_.push_back(static_cast<uint8_t>(value));
    } else {
      EmitLongVbr(value);
    }
  }
  void EmitU16(uint16_t value) { EmitAligned(value, 2); }
  void EmitU32(uint32_t value) {
    if (bytes_.size() % 4 != 0) return EmitAligned(value, 4);
    required_alignment_ = std::max<size_t>(required_alignment_, 4);
    const uint8_t bytes[] = {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8),
                             static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 24)};
    bytes_.insert(bytes_.end(), bytes, bytes + 4);
  }
  void EmitU64(uint64_t value) { EmitAligned(value, 8); }
  // Aligns to `size` (1, 2, 4 or 8) and appends the low `size` bytes of `value`.
  void EmitAligned(uint64_t value, size_t size);
  void EmitBytes(std::span<const uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void EmitBytes(std::string_view bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  // Appends a count of bytes, then the bytes.
  void EmitText(std::string_view text) {
    EmitVbr(text.size());
    EmitBytes(text);
  }
  // Appends `size` bytes, all 0, and returns their start for the caller to fill. The pointer is
  // valid until the next call.
  uint8_t* Extend(size_t size) {
    bytes_.resize(bytes_.size() + size);
    return bytes_.data() + (bytes_.size() - size);
  }
  // Aligns to the required alignment of `other` and appends its bytes. Returns where they start.
  size_t Embed(const Buffer& other);

  // Overwrite bytes that were emitted before.
  void PatchByte(size_t position, uint8_t value) { bytes_[position] = value; }
  void PatchU32(size_t position, uint32_t value);

 private:
  void EmitLongVbr(uint64_t value);

  std::vector<uint8_t> bytes_;
  size_t required_alignment_ = 1;
};

// Returns the number of bytes of a vbr.
size_t VbrSize(uint64_t value);

// Collects a file: the magic number, then sections in the order of the calls.
class FileWriter {
 public:
  FileWriter();

  // Appends a section: id, length, padding if the payload's alignment requires it, and payload.
  void AppendSection(SectionId id, const Buffer& payload);
  // Appends a section without its payload, which the caller writes after the file.
  void AppendSectionHeader(SectionId id, uint64_t payload_size, size_t alignment);

  // Returns the file position of the payload of a section that is appended next.
  size_t PayloadPosition(size_t payload_size, size_t required_alignment) const;

  size_t size() const { return file_.size(); }
  std::vector<uint8_t> Take() && { return std::move(file_); }

 private:
  std::vector<uint8_t> file_;
};

}  // namespace tfrt::bef

#endif  // TFRT_BEF_BEF_BUFFER_H_
