// bef_executor, bef_executor_lite and bef_executor_debug_tracing: they differ in the kernels that
// TfrtToolKernels registers and in the sink of --enable_tracing.

#include <cstdio>
#include <optional>
#include <string>

#include "command_line.h"
#include "lib/base/tracing/chrome_sink.h"
#include "lib/base/tracing/debug_sink.h"
#include "lib/base/tracing/simple_sink.h"
#include "lib/compat/bef_run/bef_executor.h"
#include "tfrt/profiler/session.h"
#include "tfrt/support/write_file.h"
#include "tool_kernels.h"

int main(int argc, char** argv) {
  tfrt::CommandLineResult parsed = tfrt::ParseCommandLine(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  tfrt::CommandLine& line = parsed.command_line;
  line.options.register_kernels = &tfrt::RegisterToolKernels;
  line.options.configure_host = [&line](tfrt::HostContext* host) {
    tfrt::ConfigureToolKernels(host, line.compute_backend);
  };

#ifdef TFRT_TOOL_DEBUG_TRACING
  tfrt::tracing::DebugSink sink(stdout);
#else
  tfrt::tracing::SimpleSink sink;
#endif
  if (line.enable_tracing) line.options.tracing.push_back({&sink, line.tracing_level});
  std::optional<tfrt::tracing::ChromeSink> chrome_sink;
  if (!line.trace_file.empty()) {
    chrome_sink.emplace();
    line.options.tracing.push_back({&*chrome_sink, line.tracing_level});
  }

  auto fail = [&](const tfrt::Status& status) {
    std::fprintf(stderr, "%s: %s\n", argv[0], std::string(status.message()).c_str());
    return 1;
  };
  for (const std::string& output : {line.record, line.trace_file}) {
    tfrt::Status status = tfrt::CheckIsNotInput(output, line.options.input_file);
    if (!status.ok()) return fail(status);
  }
  auto profile = tfrt::profiler::Session::StartFromFlags(line.record, line.level);
  if (profile.ok() && !*profile) profile = tfrt::profiler::Session::StartFromEnvironment();
  if (!profile.ok()) return fail(profile.status());

  int exit_code = tfrt::RunBefExecutor(line.options);
  if (*profile) {
    tfrt::Status status = (*profile)->Stop();
    if (!status.ok()) exit_code = fail(status);
  }
  if (chrome_sink) {
    tfrt::Status status = chrome_sink->WriteFile(line.trace_file);
    if (!status.ok()) exit_code = fail(status);
  }
  return exit_code;
}
