#include "tfrt/bef/bef_buffer.h"

#include <algorithm>
#include <cassert>

namespace tfrt::bef {

void Buffer::AlignFor(size_t alignment, size_t prefix) {
  if (alignment < 2) return;
  assert((alignment & (alignment - 1)) == 0);
  Pad((alignment - (size() + prefix) % alignment) % alignment);
  required_alignment_ = std::max(required_alignment_, alignment);
}

void Buffer::EmitLongVbr(uint64_t value) {
  size_t size = VbrSize(value);
  while (size-- > 0) {
    uint8_t group = (value >> (7 * size)) & 0x7F;
    bytes_.push_back(size > 0 ? group | 0x80 : group);
  }
}

void Buffer::EmitAligned(uint64_t value, size_t size) {
  Align(size);
  for (size_t i = 0; i < size; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

size_t Buffer::Embed(const Buffer& other) {
  Align(other.required_alignment());
  size_t start = size();
  EmitBytes(other.bytes());
  return start;
}

void Buffer::PatchU32(size_t position, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) bytes_[position + i] = static_cast<uint8_t>(value >> (8 * i));
}

size_t VbrSize(uint64_t value) {
  size_t size = 1;
  while (value >>= 7) ++size;
  return size;
}

namespace {
struct SectionHeader {
  bool aligned;    // an alignment byte and padding follow the length
  size_t payload;  // file position of the payload
};

SectionHeader PlanHeader(size_t file_size, size_t payload_size, size_t alignment) {
  uint64_t length = 2 * static_cast<uint64_t>(payload_size);
  size_t position = file_size + 1 + VbrSize(length);
  if (alignment <= 1 || position % alignment == 0) return {false, position};
  position = file_size + 1 + VbrSize(length + 1) + 1;
  return {true, (position + alignment - 1) / alignment * alignment};
}
}  // namespace

FileWriter::FileWriter() : file_{kMagic0, kMagic1, kVersion0} {}

size_t FileWriter::PayloadPosition(size_t payload_size, size_t required_alignment) const {
  return PlanHeader(file_.size(), payload_size, required_alignment).payload;
}

void FileWriter::AppendSectionHeader(SectionId id, uint64_t payload_size, size_t alignment) {
  SectionHeader plan = PlanHeader(file_.size(), payload_size, alignment);
  Buffer header;
  header.EmitByte(static_cast<uint8_t>(id));
  header.EmitVbr(2 * payload_size + plan.aligned);
  if (plan.aligned) header.EmitByte(static_cast<uint8_t>(alignment));
  header.Pad(plan.payload - file_.size() - header.size());
  file_.insert(file_.end(), header.bytes().begin(), header.bytes().end());
}

void FileWriter::AppendSection(SectionId id, const Buffer& payload) {
  file_.reserve(PayloadPosition(payload.size(), payload.required_alignment()) + payload.size());
  AppendSectionHeader(id, payload.size(), payload.required_alignment());
  file_.insert(file_.end(), payload.bytes().begin(), payload.bytes().end());
}

}  // namespace tfrt::bef
