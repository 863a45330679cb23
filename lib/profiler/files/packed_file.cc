#include "packed_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "lib/profiler/source/profile_source.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr size_t kBufferBytes = 1 << 17;
// zlib: a gzip header, the largest window.
constexpr int kGzipWindow = 15 + 16;

}  // namespace

StatusOr<std::string> ReadPackedFile(const std::string& path, size_t max_bytes) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileSource> source, ProfileSource::Open(path));
  std::string bytes;
  std::string part(kBufferBytes, '\0');
  while (true) {
    TFRT_ASSIGN_OR_RETURN(const size_t size, source->Read(part.data(), part.size()));
    if (size == 0) break;
    if (size > max_bytes - bytes.size()) {
      return ResourceExhaustedError(
          StrCat(path, ": more than the ", max_bytes >> 20, " MiB that such a file may have"));
    }
    bytes.append(part, 0, size);
  }
  if (!source->damage().empty()) {
    return DataLossError(StrCat(path, ": what gzip packed ends or is broken behind byte ",
                                bytes.size(), " of the unpacked file"));
  }
  return bytes;
}

std::string GzipOf(std::string_view bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::string packed(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  size_t in_left = bytes.size(), out_left = packed.size();
  // zlib counts with 32 bits.
  auto take = [](size_t& left) {
    const uInt part = static_cast<uInt>(std::min<size_t>(left, 1u << 30));
    left -= part;
    return part;
  };
  int result = Z_OK;
  while (result == Z_OK) {
    if (stream.avail_in == 0) stream.avail_in = take(in_left);
    if (stream.avail_out == 0) stream.avail_out = take(out_left);
    result = deflate(&stream, in_left == 0 ? Z_FINISH : Z_NO_FLUSH);
  }
  packed.resize(packed.size() - out_left - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

bool LooksPacked(std::string_view first_bytes) { return first_bytes.starts_with("\x1f\x8b"); }

std::string FirstUnpacked(std::string_view first_bytes) {
  if (!LooksPacked(first_bytes)) return std::string(first_bytes);
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return {};
  std::array<char, 4096> bytes;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(first_bytes.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(first_bytes.size(), 1u << 20));
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = bytes.size();
  inflate(&stream, Z_SYNC_FLUSH);
  const size_t size = bytes.size() - stream.avail_out;
  inflateEnd(&stream);
  return std::string(bytes.data(), size);
}

}  // namespace tfrt::profiler
