// Messages of protocol buffers, written field by field for tests, and found again in answers.
#ifndef TFRT_TEST_UNIT_RPC_WIRE_H_
#define TFRT_TEST_UNIT_RPC_WIRE_H_

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/rpc/pieces.h"
#include "lib/serve/rpc/transport.h"

namespace tfrt::serve::rpc {

inline std::string Varint(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  return text + static_cast<char>(value);
}
inline std::string Number(uint32_t field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}
inline std::string Bytes(uint32_t field, std::string_view bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + std::string(bytes);
}
inline std::string Varints(const std::vector<uint64_t>& values) {
  std::string text;
  for (uint64_t value : values) text += Varint(value);
  return text;
}
template <typename T>
std::string BitsOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// InferInputTensor. `contents` is empty for raw ones.
inline std::string Tensor(std::string_view name, std::string_view datatype,
                          const std::vector<uint64_t>& shape, std::string_view contents = "") {
  std::string tensor = Bytes(1, name) + Bytes(2, datatype) + Bytes(3, Varints(shape));
  return contents.empty() ? tensor : tensor + Bytes(5, contents);
}

// A received message whose pieces have `piece_bytes` each.
inline ReceivedMessage Received(std::string_view text, size_t piece_bytes = SIZE_MAX) {
  auto owner = std::make_shared<std::string>(text);
  ReceivedMessage message{.owner = owner, .size_bytes = owner->size()};
  std::span<const std::byte> rest = std::as_bytes(std::span(*owner));
  while (!rest.empty()) {
    const size_t size = std::min(piece_bytes, rest.size());
    message.pieces.push_back(rest.first(size));
    message.pieces.emplace_back();  // pieces may be empty
    rest = rest.subspan(size);
  }
  return message;
}

inline std::string TextOf(const SentMessage& message) {
  std::string text;
  for (const OwnedBytes& part : message) {
    text.append(reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size());
  }
  return text;
}

// The contents of all fields of a number: bytes as they are, numbers in decimal.
inline std::vector<std::string> FieldsOf(std::string_view text, uint32_t wanted) {
  std::vector<std::string> found;
  const std::span<const std::byte> piece = std::as_bytes(std::span(text));
  PieceReader reader({&piece, 1});
  while (!reader.at_end()) {
    uint32_t field;
    PieceReader::WireType type;
    if (!reader.ReadTag(&field, &type)) return {"malformed"};
    std::string scratch, value;
    if (type == PieceReader::kVarint) {
      uint64_t number;
      if (!reader.ReadVarint(&number)) return {"malformed"};
      value = std::to_string(number);
    } else {
      ByteRange range;
      if (type != PieceReader::kBytes || !reader.ReadBytes(&range)) return {"malformed"};
      value = range.Join(&scratch);
    }
    if (field == wanted) found.push_back(std::move(value));
  }
  return found;
}
inline std::string FieldOf(std::string_view text, uint32_t wanted) {
  const std::vector<std::string> found = FieldsOf(text, wanted);
  return found.empty() ? "" : found.back();
}

}  // namespace tfrt::serve::rpc

#endif  // TFRT_TEST_UNIT_RPC_WIRE_H_
