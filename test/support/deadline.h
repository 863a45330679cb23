// Deadline: makes a test fail that could otherwise only hang.
#ifndef TFRT_TEST_SUPPORT_DEADLINE_H_
#define TFRT_TEST_SUPPORT_DEADLINE_H_

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace tfrt {

// Ends the program, naming `what`, if it lives longer than `limit`. The limit is far above what the
// test takes on a slow machine under a sanitizer, so that nothing depends on time unless the test
// hangs.
class Deadline {
 public:
  explicit Deadline(std::string what, std::chrono::seconds limit = std::chrono::seconds(60))
      : thread_([this, what = std::move(what), limit] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_for(lock, limit, [this] { return over_; })) return;
          std::fprintf(stderr, "%s has not ended after %lld seconds\n", what.c_str(),
                       static_cast<long long>(limit.count()));
          std::abort();
        }) {}
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;  // last: uses the others
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_DEADLINE_H_
