// Facts about a profile as a whole: the keys of ProfileConsumer::AddProperty. All values are texts;
// numbers are written in decimal.
#ifndef TFRT_PROFILER_PROFILE_PROPERTIES_H_
#define TFRT_PROFILER_PROFILE_PROPERTIES_H_

#include <string_view>

namespace tfrt::profiler::property {

// The recording program, "tfrt 0.1.0", "onnxruntime"; and the version of the file's format ("1").
inline constexpr std::string_view kProducer = "producer";
inline constexpr std::string_view kFormat = "format";
// "model", "layer", "kernel" or "metrics": nothing deeper was recorded.
inline constexpr std::string_view kLevel = "level";
// The program's arguments, separated by blanks; and the nanoseconds to add to the profile's clock
// to get the time since 1970.
inline constexpr std::string_view kCommand = "command";
inline constexpr std::string_view kWallClockOffsetNs = "wall_clock_offset_ns";
// The machine: its processor's name, the number of processors, and their peak rates in single
// precision, in operations and bytes per second. The source of the rates is "measured" or
// "computed".
inline constexpr std::string_view kProcessor = "processor";
inline constexpr std::string_view kNumProcessors = "num_processors";
inline constexpr std::string_view kNumThreads = "num_threads";  // that the program computes with
inline constexpr std::string_view kPeakFlops = "peak_flops";
inline constexpr std::string_view kPeakBandwidth = "peak_bandwidth";
inline constexpr std::string_view kPeakSource = "peak_source";
// The rates in double precision, in 8 bits and in bf16, and the threads that the peaks hold for.
inline constexpr std::string_view kPeakFlopsF64 = "peak_flops_f64";
inline constexpr std::string_view kPeakOpsInt8 = "peak_ops_int8";
inline constexpr std::string_view kPeakFlopsBf16 = "peak_flops_bf16";
inline constexpr std::string_view kPeakThreads = "peak_threads";
// The program that ran: a name, the number of items of a run, "sync" or "async", and "cpu" or a
// device. The repetition is the number of this run among equal ones.
inline constexpr std::string_view kModel = "model";
inline constexpr std::string_view kBatch = "batch";
inline constexpr std::string_view kMode = "mode";
inline constexpr std::string_view kTarget = "target";
inline constexpr std::string_view kRepetition = "repetition";

}  // namespace tfrt::profiler::property

#endif  // TFRT_PROFILER_PROFILE_PROPERTIES_H_
