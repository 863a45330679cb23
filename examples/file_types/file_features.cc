#include "file_features.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "tfrt/support/str_cat.h"

namespace file_types {
namespace {

using tfrt::StrCat;

// What Python's bytes.strip() takes away.
constexpr std::string_view kWhiteSpace = " \t\n\r\v\f";

int32_t Token(char byte) { return static_cast<unsigned char>(byte); }

}  // namespace

tfrt::StatusOr<FileEnds> ReadEnds(const std::string& path, size_t block_size) {
  struct stat info;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (stat(path.c_str(), &info) != 0 || !file) {
    return tfrt::NotFoundError(StrCat("cannot open ", path));
  }
  if (!S_ISREG(info.st_mode)) return tfrt::InvalidArgumentError(StrCat(path, " is not a file"));
  FileEnds ends;
  ends.size = static_cast<uint64_t>(file.tellg());
  size_t bytes = std::min<uint64_t>(ends.size, block_size);
  auto read = [&](uint64_t offset, std::string& part) {
    part.resize(bytes);
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(part.data(), static_cast<std::streamsize>(bytes));
  };
  read(0, ends.first);
  read(ends.size - bytes, ends.last);
  if (!file) return tfrt::DataLossError(StrCat("cannot read ", path));
  return ends;
}

std::vector<int32_t> ExtractFeatures(const FileEnds& ends, const FeatureSizes& sizes) {
  std::string_view first = ends.first;
  first.remove_prefix(std::min(first.find_first_not_of(kWhiteSpace), first.size()));
  if (ends.size < sizes.min_file_size || first.size() < sizes.min_file_size) return {};
  first = first.substr(0, sizes.begin_size);
  std::string_view last = ends.last;
  last = last.substr(0, last.find_last_not_of(kWhiteSpace) + 1);
  last.remove_prefix(last.size() - std::min(last.size(), sizes.end_size));

  std::vector<int32_t> tokens(sizes.begin_size + sizes.end_size, sizes.padding_token);
  std::transform(first.begin(), first.end(), tokens.begin(), Token);
  std::transform(last.begin(), last.end(), tokens.end() - static_cast<std::ptrdiff_t>(last.size()),
                 Token);
  return tokens;
}

bool IsUtf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    auto lead = static_cast<unsigned char>(bytes[i]);
    size_t more = lead < 0x80 ? 0 : lead < 0xC2 ? 4 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (lead > 0xF4 || more == 4 || bytes.size() - i <= more) return false;
    uint32_t code = lead & (more == 0 ? 0x7F : 0x3F >> more);
    for (size_t k = 1; k <= more; ++k) {
      auto byte = static_cast<unsigned char>(bytes[i + k]);
      if ((byte & 0xC0) != 0x80) return false;
      code = code << 6 | (byte & 0x3F);
    }
    constexpr uint32_t kSmallest[] = {0, 0x80, 0x800, 0x10000};
    if (code < kSmallest[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      return false;
    }
    i += more + 1;
  }
  return true;
}

}  // namespace file_types
