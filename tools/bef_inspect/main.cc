// bef_inspect: shows what is in a BEF file, or why and where it is refused.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>

#include "inspection.h"
#include "tfrt/executor/bef_file.h"

int main(int argc, char** argv) {
  CLI::App app(
      "Shows the sections, functions, kernels and constants of a BEF file, or why it is refused.\n"
      "Exit code 0, or 1 if the file is refused or cannot be read.");
  std::string file;
  bool json = false, dot = false;
  app.add_option("FILE", file, "BEF file; - reads standard input")->required()->type_name("");
  app.add_flag("--json", json, "Print JSON");
  app.add_flag("--dot", dot,
               "Print the graph of kernels for Graphviz: bef_inspect --dot f.bef | dot -Tsvg");
  app.set_version_flag("--version", "tfrt version " TFRT_VERSION);
  CLI11_PARSE(app, argc, argv);

  auto image = file == "-" ? tfrt::BefImage::FromDescriptor(STDIN_FILENO, "standard input")
                           : tfrt::BefImage::FromFile(file);
  if (!image.ok()) {
    std::cerr << "bef_inspect: " << image.status().message() << "\n";
    return 1;
  }
  std::optional<tfrt::bef::BefView> view;
  tfrt::Inspection inspection = tfrt::Inspect(image->bytes(), &view);
  if (dot) {
    if (!view) {
      std::cerr << "bef_inspect: " << inspection.error << ": " << inspection.detail << "\n";
      return 1;
    }
    tfrt::PrintDot(*view, std::cout);
  } else if (json) {
    tfrt::PrintJson(inspection, std::cout);
  } else {
    tfrt::PrintText(inspection, std::cout);
  }
  return view ? 0 : 1;
}
