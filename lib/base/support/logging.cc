#include "logging.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace tfrt {

internal::LogMessage::~LogMessage() {
  timeval now;
  gettimeofday(&now, nullptr);
  tm parts;
  localtime_r(&now.tv_sec, &parts);
  char time_text[32];
  strftime(time_text, sizeof(time_text), "%Y-%m-%d %H:%M:%S", &parts);
  const char* base = strrchr(file_, '/');
  char prefix[256];
  snprintf(prefix, sizeof(prefix), "%c %s.%06ld %ld %.100s:%d] ",
           "IWEF"[static_cast<int>(severity_)], time_text, static_cast<long>(now.tv_usec),
           syscall(SYS_gettid), base ? base + 1 : file_, line_);
  std::string text = prefix + stream_.str() + "\n";
  for (size_t done = 0; done < text.size();) {
    ssize_t n = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // nowhere left to report a failing standard error
    done += static_cast<size_t>(n);
  }
  if (severity_ == LogSeverity::kFatal) abort();
}

}  // namespace tfrt
