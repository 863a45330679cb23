#include "packet_source.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "schema.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

StatusOr<bool> PacketSource::Need(size_t size) {
  while (end_ - begin_ < size) {
    if (begin_ > 0 && end_ == window_.size()) {
      std::memmove(window_.data(), window_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (end_ == window_.size()) window_.resize(std::min(window_.size() * 2, size + kWindowBytes));
    StatusOr<size_t> count = source_.Read(window_.data() + end_, window_.size() - end_);
    if (!count.ok()) return count.status();
    if (*count == 0) return false;
    end_ += *count;
  }
  return true;
}

StatusOr<bool> PacketSource::Skip(uint64_t size) {
  while (size > 0) {
    if (begin_ == end_) {
      StatusOr<bool> more = Need(1);
      if (!more.ok() || !*more) return more;
    }
    const auto step = static_cast<size_t>(std::min<uint64_t>(size, end_ - begin_));
    Take(step);
    size -= step;
  }
  return true;
}

StatusOr<PacketSource::Next> PacketSource::Number(size_t* at, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (begin_ + *at >= end_) {
      StatusOr<bool> more = Need(*at + 1);
      if (!more.ok()) return more.status();
      if (!*more) return Next::kTruncated;
    }
    const auto byte = static_cast<uint8_t>(window_[begin_ + (*at)++]);
    *value |= shift < 64 ? uint64_t{byte & 0x7fu} << shift : 0;
    if (byte < 0x80) return Next::kPacket;
  }
  return Next::kUnreadable;
}

StatusOr<PacketSource::Next> PacketSource::NextPacket(std::string_view* fields) {
  for (;;) {
    offset_ = position_;
    StatusOr<bool> more = Need(1);
    if (!more.ok()) return more.status();
    if (!*more) return Next::kEnd;
    size_t at = 0;
    uint64_t tag = 0, size = 0;
    StatusOr<Next> next = Number(&at, &tag);
    if (!next.ok() || *next != Next::kPacket) return next;
    if (tag > std::numeric_limits<uint32_t>::max() || tag >> 3 == 0) return Next::kUnreadable;
    switch (tag & 7) {
      case 0:  // a number
      case 2:  // so many bytes
        next = Number(&at, &size);
        if (!next.ok() || *next != Next::kPacket) return next;
        if ((tag & 7) == 0) size = 0;
        break;
      case 1:
        size = 8;
        break;
      case 5:
        size = 4;
        break;
      default:
        return Next::kUnreadable;
    }
    if (tag != (schema::trace::kPacket << 3 | 2)) {
      Take(at);
      more = Skip(size);
      if (!more.ok()) return more.status();
      if (!*more) return Next::kTruncated;
      continue;
    }
    if (size > schema::kMaxPacketBytes) {
      return InvalidArgumentError(StrCat(source_.name(), ": offset ", offset_, ": a packet of ",
                                         size, " bytes, more than ", schema::kMaxPacketBytes));
    }
    more = Need(at + static_cast<size_t>(size));
    if (!more.ok()) return more.status();
    if (!*more) return Next::kTruncated;
    *fields = {window_.data() + begin_ + at, static_cast<size_t>(size)};
    Take(at + static_cast<size_t>(size));
    return Next::kPacket;
  }
}

}  // namespace tfrt::profiler
