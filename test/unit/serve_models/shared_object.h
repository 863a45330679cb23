// An object of POSIX shared memory, as a client makes it.
#ifndef TFRT_TEST_UNIT_SERVE_MODELS_SHARED_OBJECT_H_
#define TFRT_TEST_UNIT_SERVE_MODELS_SHARED_OBJECT_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <string_view>

#include "tfrt/support/str_cat.h"

namespace tfrt::serve {

class SharedObject {
 public:
  explicit SharedObject(size_t size_bytes) : key_(StrCat("/tfrt-", getpid(), '-', NextNumber())) {
    fd_ = shm_open(key_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    EXPECT_GE(fd_, 0) << key_;
    Resize(size_bytes);
  }
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;
  ~SharedObject() {
    close(fd_);
    shm_unlink(key_.c_str());
  }

  const std::string& key() const { return key_; }
  void Resize(size_t size_bytes) { EXPECT_EQ(ftruncate(fd_, static_cast<off_t>(size_bytes)), 0); }
  void Write(size_t offset, std::string_view bytes) {
    EXPECT_EQ(pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
  }
  std::string Read(size_t offset, size_t size) const {
    std::string bytes(size, '\0');
    EXPECT_EQ(pread(fd_, bytes.data(), size, static_cast<off_t>(offset)),
              static_cast<ssize_t>(size));
    return bytes;
  }

 private:
  // relaxed: only the numbers must differ.
  static int NextNumber() {
    static std::atomic<int> count{0};
    return count.fetch_add(1, std::memory_order_relaxed);
  }

  const std::string key_;
  int fd_;
};

}  // namespace tfrt::serve

#endif  // TFRT_TEST_UNIT_SERVE_MODELS_SHARED_OBJECT_H_
