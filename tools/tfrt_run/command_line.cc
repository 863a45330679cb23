#include "command_line.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string_view>

namespace tfrt {
namespace {

bool ParseSize(std::string_view text, int64_t* size) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *size);
  return error == std::errc() && end == text.data() + text.size() && *size >= 0;
}

// "1,3,224"; nothing for rank 0.
bool ParseSizes(std::string_view text, std::vector<int64_t>* sizes) {
  while (!text.empty()) {
    size_t comma = text.find(',');
    int64_t size;
    if (!ParseSize(text.substr(0, comma), &size)) return false;
    sizes->push_back(size);
    if (comma == text.npos) return true;
    text.remove_prefix(comma + 1);
    if (text.empty()) return false;
  }
  return true;
}

void AddFiles(CLI::App& app, const char* name, std::vector<std::string>* files, const char* help) {
  app.add_option(name, *files, help)->type_name("[NAME=]FILE")->allow_extra_args(false)->take_all();
}

// An option of the form NAME=VALUE, where names may have equals signs in them and values have none;
// `add` says whether it took them.
template <typename F>
void AddSetting(CLI::App& app, const char* name, const char* form, const char* help, F add) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [=](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             size_t equals = text.rfind('=');
             if (equals != text.npos && equals > 0 &&
                 add(text.substr(0, equals), text.substr(equals + 1))) {
               continue;
             }
             throw CLI::ValidationError(name, "'" + text + "' is not " + form);
           }
         },
         help)
      ->type_name(form)
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace

std::optional<CommandLine> ParseCommandLine(int argc, const char* const* argv, int* exit_code) {
  CommandLine line;
  CLI::App app(
      "Runs a model that tfrt_import wrote, on tensors in NPY files or on random ones.\n"
      "Without further options it prints what the model takes and gives.",
      "tfrt_run");
  app.add_option("MODEL", line.model, "BEF file of the model")->required()->type_name("");
  AddFiles(app, "--input", &line.inputs,
           "Tensor for an input; the name may be left out of the only one");
  AddFiles(app, "--output", &line.outputs, "Write a result to this file; the same");
  AddFiles(app, "--expect", &line.expected,
           "Compare a result with this file; exit code 1 if they differ");
  app.add_option("--compare", line.compared,
                 "Run this model on the same inputs and print how far its results are; exit code 1 "
                 "only with --atol or --rtol, for results that differ by more")
      ->type_name("MODEL");
  const CLI::Option* atol =
      app.add_option("--atol", line.absolute_tolerance,
                     "Differences up to atol + rtol * |expected| are none (1e-5)");
  const CLI::Option* rtol = app.add_option("--rtol", line.relative_tolerance, "The same (1e-4)");
  app.add_flag("--random", line.random,
               "Random tensors for inputs without a file: numbers from -1 to 1, integers 0 and 1");
  app.add_option("--seed", line.seed, "For other random tensors (1)");
  AddSetting(app, "--dim", "NAME=SIZE", "Size of random inputs where the model has a name (1)",
             [&](const std::string& name, const std::string& value) {
               return ParseSize(value, &line.dims[name]);
             });
  AddSetting(app, "--shape", "INPUT=SIZE,...", "All sizes of a random input",
             [&](const std::string& name, const std::string& value) {
               line.shapes[name].clear();
               return ParseSizes(value, &line.shapes[name]);
             });
  app.add_flag("--bench", line.bench, "Print times and memory: of loading and of many runs");
  app.add_flag("--profile", line.profile, "Print the time of each layer");
  app.add_option("--record", line.record,
                 "Record runs into this file, for tfrt_prof and ui.perfetto.dev")
      ->type_name("FILE");
  app.add_option("--level", line.level,
                 "How deep --record looks: model, layer, kernel (default) or metrics")
      ->type_name("NAME");
  app.add_option("--runs", line.num_runs,
                 "How many runs --bench, --profile and --record make; else as many as take a "
                 "second, at least 10")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", line.num_threads, "Threads that compute (1)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--shared_libs", line.shared_libs, "Load kernels from these libraries")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,...");
  const std::map<std::string, ComputeBackend> backends = {{"auto", ComputeBackend::kAuto},
                                                          {"eigen", ComputeBackend::kEigen},
                                                          {"onednn", ComputeBackend::kOneDnn}};
  app.add_option("--compute_backend", line.compute_backend,
                 "Who multiplies matrices and convolves: auto (default), eigen or onednn")
      ->transform(CLI::CheckedTransformer(backends).description(""))
      ->type_name("NAME");
  app.add_flag("--paths", line.paths,
               "Print how this processor multiplies numbers of each precision");
  app.set_version_flag("--version", "tfrt version " TFRT_VERSION);
  app.footer(
      "Examples:\n"
      "  tfrt_run model.bef                                   inputs and results\n"
      "  tfrt_run model.bef --input x=x.npy --output y=y.npy  one run\n"
      "  tfrt_run model.bef --random --dim batch=8 --bench --threads 2\n"
      "  tfrt_run model.bef --random --profile                where the time goes\n"
      "  tfrt_run model.bef --random --compare other.bef      how far two models are apart\n"
      "  tfrt_run model.bef --random --record run.pftrace      the same for tfrt_prof");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = app.exit(error);
    return std::nullopt;
  }
  line.has_tolerance = atol->count() > 0 || rtol->count() > 0;
  return line;
}

}  // namespace tfrt
