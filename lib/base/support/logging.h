// TFRT_LOG(INFO) << ...: logs one line to standard error, "I 2026-01-31 12:00:00.000001 TID
// file.cc:12] text". One write(2) writes the line, so lines of different threads do not mix.
#ifndef TFRT_LIB_BASE_SUPPORT_LOGGING_H_
#define TFRT_LIB_BASE_SUPPORT_LOGGING_H_

#include <locale>
#include <sstream>

namespace tfrt {

enum class LogSeverity { kInfo, kWarning, kError, kFatal };

namespace internal {
class LogMessage {
 public:
  LogMessage(LogSeverity severity, const char* file, int line)
      : severity_(severity), file_(file), line_(line) {
    stream_.imbue(std::locale::classic());  // not the program's locale, which may write commas
  }
  ~LogMessage();  // writes the line; aborts for kFatal
  std::ostream& stream() { return stream_; }

 private:
  LogSeverity severity_;
  const char* file_;
  int line_;
  std::ostringstream stream_;
};
}  // namespace internal

#define TFRT_LOG_SEVERITY_INFO ::tfrt::LogSeverity::kInfo
#define TFRT_LOG_SEVERITY_WARNING ::tfrt::LogSeverity::kWarning
#define TFRT_LOG_SEVERITY_ERROR ::tfrt::LogSeverity::kError
#define TFRT_LOG_SEVERITY_FATAL ::tfrt::LogSeverity::kFatal
#define TFRT_LOG(severity) \
  ::tfrt::internal::LogMessage(TFRT_LOG_SEVERITY_##severity, __FILE__, __LINE__).stream()
#define TFRT_LOG_IF(severity, condition) \
  if (!(condition)) {                    \
  } else                                 \
    TFRT_LOG(severity)

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_LOGGING_H_
