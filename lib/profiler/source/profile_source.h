// ProfileSource: the bytes of a profile file, one window after the other.
#ifndef TFRT_LIB_PROFILER_SOURCE_PROFILE_SOURCE_H_
#define TFRT_LIB_PROFILER_SOURCE_PROFILE_SOURCE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Files compressed by gzip give the uncompressed bytes; offsets in messages refer to these. One
// thread at a time.
class ProfileSource {
 public:
  static constexpr size_t kNumFirstBytes = 512;

  // Fails with "cannot read 'PATH': REASON": NotFound if the file is missing, otherwise
  // InvalidArgument.
  static StatusOr<std::unique_ptr<ProfileSource>> Open(const std::string& path);
  // Reads bytes in memory that outlive the source, without decompression; `name` is for messages.
  static std::unique_ptr<ProfileSource> OfBytes(std::string_view bytes, std::string name);
  ProfileSource(const ProfileSource&) = delete;
  ProfileSource& operator=(const ProfileSource&) = delete;
  virtual ~ProfileSource() = default;

  const std::string& name() const { return name_; }
  // Returns the beginning of the profile: kNumFirstBytes, or all if it has less. Consumes nothing.
  std::string_view first_bytes() const { return first_bytes_; }
  // Reads the next bytes, at most `size` of them; returns 0 only at the end.
  StatusOr<size_t> Read(char* out, size_t size);
  // Returns why the bytes end prematurely, "unexpected end of file"; empty if they do not.
  const std::string& damage() const { return damage_; }

 protected:
  explicit ProfileSource(std::string name) : name_(std::move(name)) {}
  virtual StatusOr<size_t> ReadMore(char* out, size_t size) = 0;
  Status ReadFirstBytes();
  void SetDamage(std::string_view why) { damage_ = why; }

 private:
  const std::string name_;
  std::string first_bytes_;
  size_t num_first_read_ = 0;
  std::string damage_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_SOURCE_PROFILE_SOURCE_H_
