#include "lib/serve/rpc/pieces.h"

#include <algorithm>
#include <cstring>

namespace tfrt::serve::rpc {

void ByteRange::CopyTo(void* target) const {
  auto* to = static_cast<std::byte*>(target);
  for (std::span<const std::byte> part : parts) {
    if (!part.empty()) std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
}

std::string_view ByteRange::Join(std::string* scratch) const {
  if (parts.size() == 1) {
    return {reinterpret_cast<const char*>(parts[0].data()), parts[0].size()};
  }
  scratch->resize(size_bytes);
  CopyTo(scratch->data());
  return *scratch;
}

PieceReader::PieceReader(std::span<const std::span<const std::byte>> pieces) : pieces_(pieces) {
  for (std::span<const std::byte> piece : pieces) left_ += piece.size();
}

bool PieceReader::ReadByte(uint8_t* byte) {
  if (left_ == 0) return false;
  while (piece_.empty()) {
    piece_ = pieces_.front();
    pieces_ = pieces_.subspan(1);
  }
  *byte = static_cast<uint8_t>(piece_.front());
  piece_ = piece_.subspan(1);
  --left_;
  return true;
}

bool PieceReader::ReadVarint(uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    uint8_t byte;
    if (!ReadByte(&byte)) return false;
    if (shift == 63 && byte > 1) return false;  // more than 64 bits
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool PieceReader::ReadTag(uint32_t* field, WireType* type) {
  uint64_t tag;
  if (!ReadVarint(&tag) || tag > UINT32_MAX || tag >> 3 == 0) return false;
  *field = static_cast<uint32_t>(tag >> 3);
  *type = static_cast<WireType>(tag & 7);
  return *type == kVarint || *type == kFixed64 || *type == kBytes || *type == kFixed32;
}

bool PieceReader::Take(uint64_t size, ByteRange* range) {
  if (size > left_) return false;
  range->parts.clear();
  range->size_bytes = size;
  left_ -= size;
  while (size > 0) {
    if (piece_.empty()) {
      piece_ = pieces_.front();
      pieces_ = pieces_.subspan(1);
      continue;
    }
    const size_t taken = std::min<size_t>(size, piece_.size());
    range->parts.push_back(piece_.first(taken));
    piece_ = piece_.subspan(taken);
    size -= taken;
  }
  return true;
}

bool PieceReader::ReadBytes(ByteRange* range) {
  uint64_t size;
  return ReadVarint(&size) && Take(size, range);
}

bool PieceReader::ReadFixed(WireType type, ByteRange* range) {
  return Take(type == kFixed64 ? 8 : 4, range);
}

bool PieceReader::Skip(WireType type) {
  uint64_t value;
  ByteRange range;
  if (type == kVarint) return ReadVarint(&value);
  return type == kBytes ? ReadBytes(&range) : ReadFixed(type, &range);
}

}  // namespace tfrt::serve::rpc
