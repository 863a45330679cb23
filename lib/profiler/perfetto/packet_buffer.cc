#include "packet_buffer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "schema.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

PacketBuffer::PacketBuffer(int descriptor, bool owns_descriptor, std::string name,
                           size_t buffer_bytes)
    : descriptor_(descriptor),
      owns_descriptor_(owns_descriptor),
      name_(std::move(name)),
      capacity_(std::max(buffer_bytes, 2 * kReserved)),
      bytes_(new char[capacity_]) {}

PacketBuffer::~PacketBuffer() { Close(); }

void PacketBuffer::Write(const char* bytes, size_t size) {
  while (status_.ok() && size > 0) {
    const ssize_t written = write(descriptor_, bytes, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      Fail(InternalError(StrCat("cannot write '", name_, "': ", std::strerror(errno))));
      return;
    }
    bytes += written;
    size -= static_cast<size_t>(written);
    num_written_ += static_cast<uint64_t>(written);
  }
}

void PacketBuffer::Flush() {
  Write(bytes_.get(), size_);
  size_ = 0;
}

void PacketBuffer::AddPacket(std::string_view fields) {
  if (fields.size() > schema::kMaxPacketBytes) {
    Fail(InvalidArgumentError(StrCat("cannot write '", name_, "': a packet of ", fields.size(),
                                     " bytes, more than ", schema::kMaxPacketBytes)));
    return;
  }
  char head[16];
  char* end = head;
  *end++ =
      schema::trace::kPacket << 3 | static_cast<char>(protozero::pbf_wire_type::length_delimited);
  end += protozero::add_varint_to_buffer(end, fields.size());
  const auto head_size = static_cast<size_t>(end - head);
  if (size_ + head_size + fields.size() > capacity_) Flush();
  if (head_size + fields.size() > capacity_) {
    // Complete packets only, in one write.
    Write((std::string(head, head_size) += fields).data(), head_size + fields.size());
    return;
  }
  std::memcpy(bytes_.get() + size_, head, head_size);
  std::memcpy(bytes_.get() + size_ + head_size, fields.data(), fields.size());
  size_ += head_size + fields.size();
}

void PacketBuffer::Close() {
  Flush();
  if (!owns_descriptor_ || descriptor_ < 0) return;
  if (close(std::exchange(descriptor_, -1)) != 0) {
    Fail(InternalError(StrCat("cannot write '", name_, "': ", std::strerror(errno))));
  }
}

}  // namespace tfrt::profiler
