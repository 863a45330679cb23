#include "command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <vector>

namespace tfrt {
namespace {

// Thrown by the option callbacks; the text is what the tool prints.
struct BadOption {
  std::string message;
};

std::string BaseName(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

// "-flag" becomes "--flag"; "-" (standard input) and one-letter options stay.
std::vector<std::string> WithTwoDashes(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  bool only_files = false;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    bool one_dash = argument.size() > 2 && argument[0] == '-' && argument[1] != '-';
    if (!only_files && one_dash) argument.insert(0, "-");
    if (argument == "--") only_files = true;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

template <typename Enum>
void AddEnumOption(CLI::App& app, const std::string& name, const std::string& tool, Enum& target,
                   const std::map<std::string, Enum>& values, const std::string& help) {
  app.add_option_function<std::string>(
         "--" + name,
         [name, tool, &target, values](const std::string& text) {
           auto it = values.find(text);
           if (it == values.end()) {
             throw BadOption{tool + ": for the --" + name + " option: Cannot find option named '" +
                             text + "'!"};
           }
           target = it->second;
         },
         help)
      ->type_name("NAME");
}

}  // namespace

CommandLineResult ParseCommandLine(int argc, const char* const* argv) {
  CommandLineResult result;
  CommandLine& line = result.command_line;
  BefExecutorOptions& options = line.options;
  options.program_name = argv[0];
  const std::string tool = BaseName(options.program_name);

  CLI::App app("OVERVIEW: HostExecutor test driver", tool);
  app.add_option("FILE", options.input_file, "BEF file to run; - reads standard input")
      ->type_name("");
  app.add_option("--functions", options.functions, "Run these functions, in this order")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  app.add_option("--test_init_function", options.test_init_function, "Run this function first")
      ->type_name("NAME");
  app.add_option("--work_queue_type", options.work_queue_type,
                 "s (single-threaded) or mstd[:THREADS[,BLOCKING THREADS]]; default s")
      ->type_name("TYPE");
  AddEnumOption<HostAllocatorType>(
      app, "host_allocator_type", tool, options.host_allocator_type,
      {{"malloc", HostAllocatorType::kMalloc},
       {"test_fixed_size_1k", HostAllocatorType::kFixedSize1k},
       {"profiled_allocator", HostAllocatorType::kProfiled},
       {"leak_check_allocator", HostAllocatorType::kLeakCheck}},
      "malloc, profiled_allocator, test_fixed_size_1k or leak_check_allocator (default)");
  app.add_option("--shared_libs", options.shared_libs, "Load kernels from these libraries")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,...");
  app.add_flag(
      "--no_modules{false}", options.open_modules,
      "Open no module for kernels that the file names, such as tfrt_gpu.so: such files are "
      "refused");
  AddEnumOption<ComputeBackend>(
      app, "compute_backend", tool, line.compute_backend,
      {{"auto", ComputeBackend::kAuto},
       {"eigen", ComputeBackend::kEigen},
       {"onednn", ComputeBackend::kOneDnn}},
      "Who multiplies matrices and convolves: auto (default: oneDNN if it "
      "can be loaded), eigen or onednn");
  app.add_flag("--enable_tracing", line.enable_tracing, "Trace with the tool's own sink");
  AddEnumOption<tracing::Level>(app, "tracing_level", tool, line.tracing_level,
                                {{"default", tracing::Level::kDefault},
                                 {"verbose", tracing::Level::kVerbose},
                                 {"debug", tracing::Level::kDebug}},
                                "default, verbose or debug");
  app.add_option("--trace_file", line.trace_file, "Write a Chrome trace of the run to this file")
      ->type_name("FILE");
  app.add_option("--record", line.record,
                 "Record the run into this file, for tfrt_prof and ui.perfetto.dev")
      ->type_name("FILE");
  app.add_option("--level", line.level,
                 "How deep --record looks: model, layer, kernel (default) or metrics")
      ->type_name("NAME");
  app.add_flag("--print_error_code", options.print_error_code,
               "Print the codes of errors in results");
  app.add_option("--max_call_depth", options.max_call_depth,
                 "Calls may nest this deep in one request; default 100000")
      ->type_name("N");
  app.add_flag("--list_kernels", options.list_kernels,
               "List the kernels, with those of --shared_libs, and stop");
  app.set_version_flag("--version", "tfrt " TFRT_VERSION);
  app.footer(
      "Examples:\n"
      "  mlir_to_bef program.mlir | bef_executor           compile and run every function\n"
      "  bef_executor --functions=main program.bef         run one\n"
      "  bef_executor --work_queue_type=mstd:4 program.bef on four threads\n"
      "  bef_executor --trace_file=trace.json --tracing_level=debug program.bef\n"
      "                                                    see each kernel in chrome://tracing\n"
      "  bef_executor --record=run.pftrace program.bef      record it: tfrt_prof report "
      "run.pftrace\n"
      "\nExit code 0 if the file could be run and its diagnostics were those that its\n"
      "comments `expected-error {{...}}` announce. An error in a result is not a failure.");

  std::vector<std::string> arguments = WithTwoDashes(argc, argv);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(std::move(reversed));
  } catch (const BadOption& bad) {
    std::fprintf(stderr, "%s\n", bad.message.c_str());
    result.exit_code = 1;
  } catch (const CLI::CallForVersion& version) {
    std::printf("%s\n", version.what());
    result.exit_code = 0;
  } catch (const CLI::CallForHelp&) {
    std::printf("%s", app.help().c_str());
    result.exit_code = 0;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s; see '%s --help'\n", tool.c_str(), error.what(), tool.c_str());
    result.exit_code = 1;
  }
  return result;
}

}  // namespace tfrt
