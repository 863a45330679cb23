// PackedFile: a file that is read from begin to end, unpacked if gzip has packed it.
#ifndef TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_
#define TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

class PackedFile {
 public:
  // NotFound if there is no such file, Internal with the system's reason if it cannot be opened or
  // is a folder.
  static StatusOr<PackedFile> Open(const std::string& path);
  PackedFile(PackedFile&& other) noexcept;
  PackedFile& operator=(PackedFile&&) = delete;
  ~PackedFile();

  // The next bytes, as many as there are room for; fewer at the end only. Of what is packed badly
  // the bytes until there: then is_cut_off().
  size_t Read(std::span<char> bytes);
  // The packed bytes end in the middle, or are not what they should be.
  bool is_cut_off() const { return is_cut_off_; }

 private:
  explicit PackedFile(void* file) : file_(file) {}
  void* file_;  // gzFile
  bool is_cut_off_ = false;
};

// The whole file, unpacked. ResourceExhausted if it has more than `max_bytes`, DataLoss if it is
// cut off.
StatusOr<std::string> ReadPackedFile(const std::string& path, size_t max_bytes);
// `bytes` packed by gzip, the same for the same bytes.
std::string GzipOf(std::string_view bytes);
bool LooksPacked(std::string_view first_bytes);
// What the first bytes of a file are when unpacked, as far as they say; else `first_bytes`.
std::string FirstUnpacked(std::string_view first_bytes);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_
