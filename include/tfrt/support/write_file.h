// NewFile and WriteFile: a file that is there whole or not at all.
#ifndef TFRT_SUPPORT_WRITE_FILE_H_
#define TFRT_SUPPORT_WRITE_FILE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "tfrt/support/status.h"

namespace tfrt {

// A file that replaces the one at a path when it is complete. The new file is made in the same
// folder. Whoever has the old one open or mapped keeps it, and without Keep() it stays.
// A link is followed: the file that it leads to is replaced. A path that is no regular file (a
// pipe, a device) and one of a descriptor (/dev/stdout, /dev/fd/3) cannot be replaced: these are
// written as they are.
// Not thread-safe. Two NewFiles of one path may be written at once; the last one kept stays.
class NewFile {
 public:
  // Makes an empty file with the permissions of the old one, else with those that fopen gives.
  // Internal "cannot write 'PATH': REASON"; also if the old one may not be written.
  static StatusOr<NewFile> Create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  // Removes the new file unless it was kept.
  ~NewFile();

  // The name under which the file is written until it is kept.
  const std::string& name() const { return name_; }

  // A descriptor that writes to it, of the caller; -1 and errno if there is none.
  int Open() const;

  // Gives the file the path's name. Internal if that fails. Called once, when it is closed.
  Status Keep();

  // "cannot write 'PATH': REASON" of an errno.
  Status Error(int code) const;

 private:
  NewFile(std::string path, std::string target)
      : path_(std::move(path)), target_(std::move(target)) {}

  std::string path_;    // as given
  std::string target_;  // behind all links
  std::string name_;    // target_ for what is written as it is
};

// Takes the bytes of a file in order; false if it cannot.
using ByteSink = std::function<bool(const void* data, size_t size_bytes)>;

// Replaces the file at `path` by what `write` hands to the sink, as a NewFile. Afterwards the old
// one is still there if `write` fails. The error of `write`, or Internal "cannot write 'PATH':
// REASON". Bytes that a pipe or a device got before an error stay written.
Status WriteFile(const std::string& path, const std::function<Status(const ByteSink&)>& write);

// InvalidArgument "'OUTPUT' is the file that is read" if both are one regular file: for programs
// whose output is of another kind than their input, which would be lost.
Status CheckIsNotInput(const std::string& output, const std::string& input);

}  // namespace tfrt

#endif  // TFRT_SUPPORT_WRITE_FILE_H_
