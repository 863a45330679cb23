#include "read_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tfrt/support/str_cat.h"

namespace tfrt {

// Not a stream: those throw when a directory is read, whatever they are told.
StatusOr<std::string> ReadFile(const std::string& path) {
  auto error = [&] {
    return InternalError(StrCat("cannot read '", path, "': ", std::strerror(errno)));
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return error();
  std::string bytes;
  char block[4096];
  while (size_t size = std::fread(block, 1, sizeof(block), file.get())) bytes.append(block, size);
  if (std::ferror(file.get())) return error();
  return bytes;
}

}  // namespace tfrt
