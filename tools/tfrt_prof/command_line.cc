#include "command_line.h"

#include <CLI/CLI.hpp>
#include <string_view>

namespace tfrt::profiler {
namespace {

void AddJson(CLI::App* app, CommandLine* line) {
  app->add_flag("--json", line->json, "Print JSON instead of text");
}

void AddInputs(CLI::App* app, CommandLine* line, const char* help) {
  app->add_option("PROFILE", line->inputs, help)->required()->type_name("");
}

// Exactly one.
CLI::Option* AddOne(CLI::App* app, const char* name, std::vector<std::string>* to,
                    const char* help) {
  return app
      ->add_option_function<std::string>(
          name, [to](const std::string& text) { to->push_back(text); }, help)
      ->required()
      ->type_name("");
}

// Adds the options of all commands that make figures.
void AddFigures(CLI::App* app, CommandLine* line) {
  AddJson(app, line);
  app->add_option("-o,--output", line->output, "Write a page for browsers to this file")
      ->type_name("FILE.html");
  app->add_flag("--all-rows", line->all_rows, "Print long tables whole");
}

void AddSelection(CLI::App* app, CommandLine* line) {
  app->add_option("--model", line->model, "Only this model");
  app->add_option("--system", line->system, "Only this system, as \"tfrt 0.1.0, cpu\"");
  app->add_option("--batch", line->batch, "Only this batch")->check(CLI::PositiveNumber);
  app->add_option("--top", line->top, "Rows of long tables (10)");
  app->add_option("--latency-target", line->latency_target_ms,
                  "Find the largest batch that takes at most so long")
      ->type_name("MS");
  app->add_option("--baseline", line->baseline, "The system that others are compared with");
}

// "model,layer" or "all".
std::string ParseLevels(const std::string& text, std::vector<Level>* levels) {
  levels->clear();
  if (text == "all") {
    *levels = {Level::kModel, Level::kLayer, Level::kKernel};
    return "";
  }
  std::string_view rest = text;
  while (true) {
    const size_t comma = rest.find(',');
    StatusOr<Level> level = ParseLevel(rest.substr(0, comma));
    if (!level.ok()) return std::string(level.status().message());
    levels->push_back(*level);
    if (comma == rest.npos) return "";
    rest.remove_prefix(comma + 1);
  }
}

// CLI11's subcommands and where what they are told goes.
class Parser {
 public:
  explicit Parser(CommandLine* line) : line_(*line) {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "tfrt version " TFRT_VERSION);
    AddRecord();
    AddAnalyses();
    AddFiles();
    AddFleet();
    AddMachine();
    app_.footer(
        "Examples:\n"
        "  tfrt_prof record -o run.pftrace -- bef_executor program.bef\n"
        "  tfrt_prof report run.pftrace -o report.html\n"
        "  tfrt_prof record --level all --batches 1,2,4 --runs 3 -o profiles --\n"
        "      tfrt_run model.bef --random --runs 10 --dim batch={batch}\n"
        "  tfrt_prof xsp profiles -o model.html\n"
        "  tfrt_prof query run.pftrace \"SELECT name, sum(end_ns - begin_ns) FROM span GROUP BY "
        "1\"");
  }
  CLI::App& app() { return app_; }

 private:
  CLI::App* Add(const char* name, const char* help, Command command, CLI::App* parent = nullptr) {
    CLI::App* app = (parent ? parent : &app_)->add_subcommand(name, help);
    app->callback([this, command] { line_.command = command; });
    return app;
  }

  void AddRecord() {
    CLI::App* app =
        Add("record", "Run a program and record it, once or at several levels and batches",
            Command::kRecord);
    app->add_option("PROGRAM", line_.program, "The program and its arguments, behind --")
        ->required()
        ->type_name("");
    app->add_option("-o,--output", line_.output,
                    "The profile file, or a folder for several (profiles)")
        ->type_name("PATH");
    app->add_option_function<std::string>(
           "--level",
           [this](const std::string& text) {
             std::string error = ParseLevels(text, &line_.levels);
             if (!error.empty()) throw CLI::ValidationError("--level", error);
           },
           "How deep to look: model, layer, kernel (default), metrics, several with commas, or "
           "all for the first three")
        ->type_name("LEVEL,...");
    app->add_option("--batches", line_.batches, "Runs with these in place of {batch}")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app->add_option("--runs", line_.runs, "How often the program runs at each level and batch (1)")
        ->check(CLI::Range(1, 1000));
    app->add_option("--buffer", line_.buffer_megabytes, "Room for records in MB (64)")
        ->check(CLI::Range(1, 1024));
    app->add_flag("!--no-peaks", line_.measures_peaks,
                  "Do not measure what the processor can do, which takes half a second");
    AddJson(app, &line_);
  }

  void AddAnalyses() {
    CLI::App* eager = Add("eager", "Where the time of eager execution went", Command::kEager);
    AddInputs(eager, &line_, "Profiles of eager programs, or folders of them");
    AddFigures(eager, &line_);
    CLI::App* xsp = Add("xsp", "Analyses of models from the whole to its kernels", Command::kXsp);
    AddInputs(xsp, &line_, "Profiles of one or more models, or folders of them");
    xsp->add_option("--analysis", line_.analyses,
                    "Only these: 1 to 15, and from 16 on further ones")
        ->delimiter(',')
        ->type_name("N,...");
    AddSelection(xsp, &line_);
    AddFigures(xsp, &line_);
    CLI::App* report =
        Add("report", "All that can be said of profiles, as a page for browsers", Command::kReport);
    AddInputs(report, &line_, "Profiles, or folders of them");
    AddSelection(report, &line_);
    AddFigures(report, &line_);
    CLI::App* compare =
        Add("compare", "Models, batches and systems side by side", Command::kCompare);
    AddInputs(compare, &line_, "Profiles, also of ONNX Runtime, PyTorch and TensorFlow");
    AddSelection(compare, &line_);
    AddFigures(compare, &line_);
    CLI::App* diff = Add("diff", "What changed between two recordings", Command::kDiff);
    AddOne(diff, "BEFORE", &line_.before, "Profile or folder");
    AddOne(diff, "AFTER", &line_.inputs, "Profile or folder");
    diff->add_option("--top", line_.top, "Rows of long tables (10)");
    AddFigures(diff, &line_);
  }

  void AddFiles() {
    CLI::App* query = Add("query", "Ask a profile in SQL", Command::kQuery);
    AddOne(query, "PROFILE", &line_.inputs, "A profile of any format");
    query->add_option("SQL", line_.sql, "One SELECT; tables and views: docs/profiling.md")
        ->required()
        ->type_name("");
    query->add_option("--timeout", line_.timeout_ms, "Give up after so long")->type_name("MS");
    query->add_flag("--all-rows", line_.all_rows, "Print all rows, not the first 100");
    AddJson(query, &line_);
    CLI::App* exported = Add("export", "Write a profile in another format", Command::kExport);
    AddOne(exported, "PROFILE", &line_.inputs, "A profile of any format");
    exported->add_option("-o,--output", line_.output, "The new file")
        ->required()
        ->type_name("FILE");
    exported
        ->add_option("--format", line_.format,
                     "perfetto, chrome, sqlite or pprof; else by the file's ending (.pftrace, "
                     ".json, .db, .pb.gz)")
        ->check(CLI::IsMember({"perfetto", "chrome", "sqlite", "pprof"}));
    exported
        ->add_option(
            "--set", line_.properties,
            "A fact that the profile does not hold, or not rightly: model, batch, producer, "
            "level, ...; may be given several times")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->check([](const std::string& text) {
          const size_t equals = text.find('=');
          return equals == 0 || equals == text.npos ? "'" + text + "' is not KEY=VALUE" : "";
        });
    AddJson(exported, &line_);
  }

  void AddFleet() {
    CLI::App* fleet = app_.add_subcommand("fleet", "Profiles of many machines (profile.proto)");
    fleet->require_subcommand(1);
    CLI::App* merge = Add("merge", "Add up profiles", Command::kFleetMerge, fleet);
    merge->add_option("FILE", line_.inputs, "Files of pprof, or profiles")
        ->required()
        ->type_name("");
    merge->add_option("-o,--output", line_.output, "The sum")->required()->type_name("FILE.pb.gz");
    CLI::App* diff =
        Add("diff", "What differs from the first to the last", Command::kFleetDiff, fleet);
    diff->add_option("FILE", line_.inputs, "Files of pprof, or profiles; two or more")
        ->required()
        ->type_name("");
    CLI::App* top = Add("top", "Functions by their own time, and the executor's share",
                        Command::kFleetTop, fleet);
    AddOne(top, "FILE", &line_.inputs, "A file of pprof, or a profile");
    for (CLI::App* app : {merge, diff, top}) AddJson(app, &line_);
    for (CLI::App* app : {diff, top}) {
      app->add_flag("--all-rows", line_.all_rows, "Print long tables whole");
    }
  }

  void AddMachine() {
    CLI::App* metrics =
        Add("metrics", "Counters that a GPU's chip has, also without one", Command::kMetrics);
    metrics->add_option("--chip", line_.chip, "As NVIDIA calls it: GH100, AD102")
        ->required()
        ->type_name("NAME");
    AddJson(metrics, &line_);
    AddJson(
        Add("doctor", "What can be recorded on this machine, and why not more", Command::kDoctor),
        &line_);
  }

  CommandLine& line_;
  CLI::App app_{"Records programs of tfrt, and says where their time goes.", "tfrt_prof"};
};

}  // namespace

std::optional<CommandLine> ParseCommandLine(int argc, const char* const* argv, int* exit_code) {
  CommandLine line;
  Parser parser(&line);
  try {
    parser.app().parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = parser.app().exit(error);
    return std::nullopt;
  }
  return line;
}

}  // namespace tfrt::profiler
