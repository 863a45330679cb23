#include "progress.h"

#include <algorithm>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {

Progress::Progress(std::string program, std::FILE* stream, Duration interval)
    : program_(std::move(program)), stream_(stream), interval_(interval) {
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    TimePoint next = begin_ + interval_;
    while (!is_over_changed_.wait_until(lock, next, [this] { return is_over_; })) {
      next += interval_;
      if (!phase_.empty()) Write();
    }
  });
}

Progress::~Progress() {
  {
    std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  is_over_changed_.notify_one();
  thread_.join();
  if (line_size_ == 0) return;
  std::fputc('\n', stream_);
  std::fflush(stream_);
}

void Progress::Begin(std::string phase) {
  std::lock_guard lock(mutex_);
  phase_ = std::move(phase);
  done_ = total_ = 0;
}

void Progress::Count(size_t done, size_t total) {
  std::lock_guard lock(mutex_);
  done_ = done;
  total_ = total;
}

void Progress::Write() {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
  std::string line = StrCat(program_, ": ", phase_);
  if (done_ > 0) line += StrCat(": ", done_);
  if (done_ > 0 && total_ > 0) line += StrCat(" of ", total_);
  line += StrCat(", ", seconds.count(), " s");
  // Blanks over what is left of a longer one.
  const size_t size = std::max(line_size_, line.size());
  line_size_ = line.size();
  line.resize(size, ' ');
  std::fprintf(stream_, "\r%s", line.c_str());
  std::fflush(stream_);
}

}  // namespace tfrt
