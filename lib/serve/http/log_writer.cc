#include "lib/serve/http/log_writer.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

bool WriteWhole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

}  // namespace

StatusOr<std::unique_ptr<LogWriter>> LogWriter::Open(const std::string& path,
                                                     size_t max_waiting_bytes) {
  const int fd = path.empty() ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
                              : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
  if (fd < 0) {
    return UnavailableError(StrCat("cannot open the log '", path, "': ",
                                   strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
  }
  std::unique_ptr<LogWriter> log(new LogWriter(fd, max_waiting_bytes));
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool is_started = log->thread_.Start(TaskFunction([raw = log.get()] { raw->Run(); }));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!is_started) return UnavailableError("cannot start the thread of the log");
  return log;
}

LogWriter::~LogWriter() {
  {
    std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.Join();
  close(fd_);
}

void LogWriter::Add(std::string_view line) {
  bool was_empty = false;
  {
    std::lock_guard lock(mutex_);
    if (waiting_.size() + line.size() > max_waiting_bytes_) {
      ++num_dropped_;
      return;
    }
    was_empty = waiting_.empty();
    waiting_ += line;
    ++num_waiting_;
  }
  if (was_empty) changed_.notify_one();
}

uint64_t LogWriter::num_dropped() {
  std::lock_guard lock(mutex_);
  return num_dropped_;
}

void LogWriter::Run() {
  std::string lines;
  for (;;) {
    uint64_t count = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      lines.clear();
      lines.swap(waiting_);
      count = std::exchange(num_waiting_, 0);
    }
    // A full disk costs lines and nothing else.
    if (!WriteWhole(fd_, lines)) {
      std::lock_guard lock(mutex_);
      num_dropped_ += count;
    }
  }
}

}  // namespace tfrt::serve::http
