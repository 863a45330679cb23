// What is known of a trace as a whole: the keys of TraceConsumer::AddProperty. All values are
// texts; numbers are written in decimal.
#ifndef TFRT_PROFILER_TRACE_PROPERTIES_H_
#define TFRT_PROFILER_TRACE_PROPERTIES_H_

#include <string_view>

namespace tfrt::profiler::property {

// Who recorded it, "tfrt 0.1.0", "onnxruntime"; and in what words its file is ("1").
inline constexpr std::string_view kProducer = "producer";
inline constexpr std::string_view kFormat = "format";
// "model", "layer", "kernel" or "metrics": nothing deeper was recorded.
inline constexpr std::string_view kLevel = "level";
// The program's arguments, separated by blanks; when it began, in nanoseconds since 1970; how far
// the trace's clock is behind that.
inline constexpr std::string_view kCommand = "command";
inline constexpr std::string_view kWallClockOffsetNs = "wall_clock_offset_ns";
// The machine: its processor's name, how many it has, and what they do at most in single precision
// (operations and bytes a second), with how that is known: "measured" or "computed".
inline constexpr std::string_view kProcessor = "processor";
inline constexpr std::string_view kNumProcessors = "num_processors";
inline constexpr std::string_view kNumThreads = "num_threads";  // that the program computes with
inline constexpr std::string_view kPeakFlops = "peak_flops";
inline constexpr std::string_view kPeakBandwidth = "peak_bandwidth";
inline constexpr std::string_view kPeakSource = "peak_source";
// The same in double precision and in 8 bits, and the threads that the peaks hold for.
inline constexpr std::string_view kPeakFlopsF64 = "peak_flops_f64";
inline constexpr std::string_view kPeakOpsInt8 = "peak_ops_int8";
inline constexpr std::string_view kPeakThreads = "peak_threads";
// What was run: a name, how many items a run takes, "sync" or "async", "cpu" or a device, and the
// number of this run among those that are alike.
inline constexpr std::string_view kModel = "model";
inline constexpr std::string_view kBatch = "batch";
inline constexpr std::string_view kMode = "mode";
inline constexpr std::string_view kTarget = "target";
inline constexpr std::string_view kRepetition = "repetition";

}  // namespace tfrt::profiler::property

#endif  // TFRT_PROFILER_TRACE_PROPERTIES_H_
