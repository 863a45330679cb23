// PieceReader: the wire format of protocol buffers, of a message that lies in several pieces.
#ifndef TFRT_LIB_SERVE_RPC_PIECES_H_
#define TFRT_LIB_SERVE_RPC_PIECES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::serve::rpc {

// Bytes of a message, maybe in several pieces. Valid as long as these.
struct ByteRange {
  std::vector<std::span<const std::byte>> parts;
  size_t size_bytes = 0;

  // `target` has size_bytes bytes.
  void CopyTo(void* target) const;
  // The bytes in one place: where they are, or in `scratch`.
  std::string_view Join(std::string* scratch) const;
};

// Reads fields one by one. The pieces must outlive it and its ranges. Every function returns false
// where the message ends too early or is malformed; what was read before stays valid.
class PieceReader {
 public:
  explicit PieceReader(std::span<const std::span<const std::byte>> pieces);
  bool at_end() const { return left_ == 0; }

  enum WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  // Field numbers are 1 to 2^29 - 1. Groups, which nothing writes, are malformed.
  bool ReadTag(uint32_t* field, WireType* type);
  bool ReadVarint(uint64_t* value);
  // The contents of a field of kBytes.
  bool ReadBytes(ByteRange* range);
  // The bytes of a field of kFixed64 or kFixed32.
  bool ReadFixed(WireType type, ByteRange* range);
  bool Skip(WireType type);

 private:
  bool ReadByte(uint8_t* byte);
  bool Take(uint64_t size, ByteRange* range);

  std::span<const std::span<const std::byte>> pieces_;
  std::span<const std::byte> piece_;  // the rest of the current one
  size_t left_ = 0;
};

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_PIECES_H_
