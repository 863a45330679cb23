// tfrt_gpu_executor: runs the entry point of a BEF file on a GPU.

#include <cstdio>
#include <string>
#include <string_view>

#include "entry_point_run.h"

namespace {

constexpr char kHelp[] =
    "OVERVIEW: runs the entry point of a BEF file on a GPU\n"
    "\n"
    "Usage: tfrt_gpu_executor [FILE]\n"
    "\n"
    "  FILE       the file; - or nothing reads standard input\n"
    "  --help     print this\n"
    "  --version  print the version\n"
    "\n"
    "The file's function get_tfrt_gpu_entry_point names the function to run and the sizes\n"
    "of its buffers, which are zeroed. Prints nothing if all is well; exit code 1 if not.\n";

}  // namespace

int main(int argc, char** argv) {
  std::string path = "-";
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-help") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (argument == "--version" || argument == "-version") {
      std::puts("tfrt " TFRT_VERSION);
      return 0;
    }
    if ((argument.size() > 1 && argument[0] == '-') || (i > 1)) {
      std::fprintf(stderr, "tfrt_gpu_executor: unknown argument '%s'; see '%s --help'\n", argv[i],
                   argv[0]);
      return 1;
    }
    path = argument;
  }
  tfrt::DiagnosticVerifier verifier(
      [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); });
  tfrt::Status status = tfrt::gpu::RunEntryPoint(path, &verifier);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
