#include "plan_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

// The first line has this word, and the sizes and the checksum of what follows, all of one length.
constexpr std::string_view kWord = "tfrt_cudnn_plan_1";
constexpr size_t kHeaderBytes = 17 + 3 * 17 + 1;
constexpr size_t kMaxFileBytes = size_t{64} << 20;

// FNV-1a. It finds damage; whoever may write the file could make another plan anyway.
uint64_t Hash(uint64_t hash, std::string_view bytes) {
  for (char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3;
  return hash;
}
constexpr uint64_t kSeed = 0xcbf29ce484222325;

std::string Hex(uint64_t number) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; number >>= 4) text[i] = "0123456789abcdef"[number & 15];
  return text;
}

std::string Header(std::string_view key, std::string_view plan) {
  return StrCat(kWord, " ", Hex(key.size()), " ", Hex(plan.size()), " ",
                Hex(Hash(Hash(kSeed, key), plan)), "\n");
}

Status SystemError(const std::string& path, int code) {
  return Status(code == ENOENT || code == ENOTDIR ? StatusCode::kNotFound : StatusCode::kInternal,
                StrCat("cannot read '", path, "': ", std::strerror(code)));
}

Status WriteError(const std::string& path, int code) {
  return InternalError(StrCat("cannot write '", path, "': ", std::strerror(code)));
}

// A file or a folder that was opened; closes it.
struct OpenFile {
  int descriptor;
  ~OpenFile() {
    if (descriptor >= 0) (void)close(descriptor);
  }
};

// A plan is code: only this user and the system's may write it.
bool IsForeign(const struct stat& facts) {
  return (facts.st_uid != geteuid() && facts.st_uid != 0) ||
         (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

// Makes a file of a new name in the folder. Returns a descriptor, or -1 and errno.
int CreateInFolder(int folder, const std::string& start, std::string* name) {
  constexpr int kTries = 100;
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    *name = StrCat(start, ".", random());
    const int descriptor =
        openat(folder, name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

// Returns 0 or the system's error.
int WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

}  // namespace

std::string PlanPath(std::string_view folder, std::string_view key) {
  return StrCat(folder, "/", Hex(Hash(kSeed, key)), Hex(Hash(~kSeed, key)), ".plan");
}

StatusOr<std::string> ReadPlanFile(const std::string& path, std::string_view key) {
  // Nonblocking: a pipe in place of the file would wait for a writer.
  OpenFile file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.descriptor < 0) return SystemError(path, errno);
  struct stat facts;
  if (fstat(file.descriptor, &facts) != 0) return SystemError(path, errno);
  if (!S_ISREG(facts.st_mode)) return DataLossError(StrCat("'", path, "' is no regular file"));
  if (IsForeign(facts)) {
    return Status(StatusCode::kPermissionDenied,
                  StrCat("'", path, "' could have been written by another user"));
  }
  const auto size = static_cast<uint64_t>(facts.st_size);
  if (size < kHeaderBytes || size > kMaxFileBytes) {
    return DataLossError(StrCat("'", path, "' is damaged: it has ", size, " bytes"));
  }
  std::string bytes(size, '\0');
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = read(file.descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path, errno);
    if (count == 0) return DataLossError(StrCat("'", path, "' is damaged: it became shorter"));
    done += static_cast<size_t>(count);
  }
  const std::string_view rest = std::string_view(bytes).substr(kHeaderBytes);
  if (bytes.compare(0, kWord.size(), kWord) != 0) {
    return DataLossError(StrCat("'", path, "' is not a plan of this version"));
  }
  if (rest.substr(0, key.size()) != key) {
    return DataLossError(StrCat("'", path, "' is damaged, or the plan of another graph"));
  }
  std::string plan(rest.substr(key.size()));
  if (bytes.compare(0, kHeaderBytes, Header(key, plan)) != 0) {
    return DataLossError(StrCat("'", path, "' is damaged: its checksum does not fit"));
  }
  return plan;
}

Status WritePlanFile(const std::string& path, std::string_view key, std::string_view plan) {
  const size_t folder_size = path.rfind('/');
  const std::string folder = path.substr(0, folder_size), file_name = path.substr(folder_size + 1);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return InternalError(StrCat("cannot make '", folder, "': ", std::strerror(errno)));
  }
  // All that follows is in the folder that is checked here, whatever its path leads to later.
  OpenFile opened{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  struct stat facts;
  if (opened.descriptor < 0 || fstat(opened.descriptor, &facts) != 0) {
    return WriteError(path, errno);
  }
  if (IsForeign(facts)) {
    return Status(StatusCode::kPermissionDenied,
                  StrCat("the folder '", folder, "' could be written by another user"));
  }
  std::string name;
  OpenFile file{CreateInFolder(opened.descriptor, file_name, &name)};
  if (file.descriptor < 0) return WriteError(path, errno);
  int error = WriteAll(file.descriptor, StrCat(Header(key, plan), key, plan));
  // This replaces the name: a link and not its target, a pipe without a wait, and a file with its
  // mode.
  if (error == 0 &&
      renameat(opened.descriptor, name.c_str(), opened.descriptor, file_name.c_str()) != 0) {
    error = errno;
  }
  if (error == 0) return OkStatus();
  (void)unlinkat(opened.descriptor, name.c_str(), 0);
  return WriteError(path, error);
}

}  // namespace tfrt::gpu::dnn
