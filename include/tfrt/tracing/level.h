// Level: how much sinks receive.
#ifndef TFRT_TRACING_LEVEL_H_
#define TFRT_TRACING_LEVEL_H_

namespace tfrt::tracing {

enum class Level : int { kNone = 0, kDefault = 1, kVerbose = 2, kDebug = 3 };

#ifndef TFRT_MAX_TRACING_LEVEL_VALUE
#define TFRT_MAX_TRACING_LEVEL_VALUE 3
#endif
// The limit for all sinks. With kNone there are no records either.
inline constexpr Level kMaxLevel = static_cast<Level>(TFRT_MAX_TRACING_LEVEL_VALUE);

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_LEVEL_H_
