// Writes protobuf messages for tests: field by field, in the order of the calls.
#ifndef TFRT_TEST_UNIT_ONNX_PROTO_WRITER_H_
#define TFRT_TEST_UNIT_ONNX_PROTO_WRITER_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace tfrt::onnx {

class Proto {
 public:
  Proto&& Int(uint32_t field, int64_t value) && {
    Varint(field << 3);
    Varint(static_cast<uint64_t>(value));
    return std::move(*this);
  }
  Proto&& Float(uint32_t field, float value) && {
    Varint(field << 3 | 5);
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    bytes_.append(bytes, 4);
    return std::move(*this);
  }
  Proto&& Text(uint32_t field, std::string_view value) && {
    Varint(field << 3 | 2);
    Varint(value.size());
    bytes_ += value;
    return std::move(*this);
  }
  Proto&& Message(uint32_t field, const Proto& value) && {
    return std::move(*this).Text(field, value.bytes_);
  }
  // A number without a field: part of a packed field.
  Proto&& Packed(uint64_t value) && {
    Varint(value);
    return std::move(*this);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

}  // namespace tfrt::onnx

#endif  // TFRT_TEST_UNIT_ONNX_PROTO_WRITER_H_
