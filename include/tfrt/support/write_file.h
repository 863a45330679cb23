// NewFile and WriteFile: a file is written completely or not at all.
#ifndef TFRT_SUPPORT_WRITE_FILE_H_
#define TFRT_SUPPORT_WRITE_FILE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "tfrt/support/status.h"

namespace tfrt {

// A file that replaces the one at a path when it is complete. The new file is made in the same
// folder. Programs that have the old file open or mapped keep it. Without Keep() the old file
// stays.
//
// A link is followed: its target is replaced. A path that is no regular file (a pipe, a device)
// cannot be replaced, nor can one of a descriptor (/dev/stdout, /dev/fd/3). Such paths are written
// in place.
//
// Not thread-safe. Two NewFiles of one path may be written at once; the last one kept stays.
class NewFile {
 public:
  // Makes an empty file with the permissions of the old one, or, without an old one, with those
  // that fopen gives. Fails with Internal "cannot write 'PATH': REASON", also if the old file may
  // not be written.
  static StatusOr<NewFile> Create(const std::string& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  // Removes the new file unless it was kept.
  ~NewFile();

  // The name under which the file is written until it is kept.
  const std::string& name() const { return name_; }

  // Returns a descriptor that writes to the file and that the caller owns. Returns -1 and sets
  // errno on failure.
  int Open() const;

  // Gives the file the path's name. Returns Internal if that fails. Called once, after the file is
  // closed.
  Status Keep();

  // Returns the error "cannot write 'PATH': REASON" of an errno.
  Status Error(int code) const;

 private:
  NewFile(std::string path, std::string target)
      : path_(std::move(path)), target_(std::move(target)) {}

  std::string path_;    // as given
  std::string target_;  // after all links
  std::string name_;    // target_ for a path that is written in place
};

// Takes the bytes of a file in order. Returns false if it cannot.
using ByteSink = std::function<bool(const void* data, size_t size_bytes)>;

// Replaces the file at `path` by what `write` passes to the sink, as a NewFile. The old file stays
// if `write` fails. Returns the error of `write`, or Internal "cannot write 'PATH': REASON". Bytes
// that a pipe or a device received before an error stay written.
Status WriteFile(const std::string& path, const std::function<Status(const ByteSink&)>& write);

// Returns InvalidArgument "'OUTPUT' is the file that is read" if both paths are one regular file.
// For programs whose output is of another kind than their input, which would be lost.
Status CheckIsNotInput(const std::string& output, const std::string& input);

}  // namespace tfrt

#endif  // TFRT_SUPPORT_WRITE_FILE_H_
