// Reads the text of a picture with three trained models, and prints it line by line.
//
//   read_text PAGE.pgm --detector=FILE --direction=FILE --recogniser=FILE
//             [--expect=FILE] [--work_queue_type=s|mstd:N]
//
// The models are BEF files that tfrt_import made of PP-OCRv4's. With --expect, the exit code is 0
// only if the lines are those of this text file.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model_network.h"
#include "page_reader.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace read_text {
namespace {

using tfrt::InvalidArgumentError;
using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;

struct Options {
  std::string page;
  std::string detector;
  std::string direction;
  std::string recogniser;
  std::string expect;
  std::string work_queue_type = "mstd";
};

StatusOr<Options> ParseOptions(int argc, char** argv) {
  Options options;
  for (std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    auto take = [&](std::string_view flag, std::string* value) {
      if (!argument.starts_with(flag)) return false;
      *value = argument.substr(flag.size());
      return true;
    };
    if (take("--detector=", &options.detector) || take("--direction=", &options.direction) ||
        take("--recogniser=", &options.recogniser) || take("--expect=", &options.expect) ||
        take("--work_queue_type=", &options.work_queue_type)) {
      continue;
    }
    if (argument.starts_with("-") || !options.page.empty()) {
      return InvalidArgumentError(StrCat("unknown argument ", argument));
    }
    options.page = argument;
  }
  for (const auto& [name, value] :
       {std::pair("a picture", &options.page), std::pair("--detector", &options.detector),
        std::pair("--direction", &options.direction),
        std::pair("--recogniser", &options.recogniser)}) {
    if (value->empty()) return InvalidArgumentError(StrCat("expected ", name));
  }
  return options;
}

void Print(const Page& page) {
  size_t width = 0;
  for (const Line& line : page.lines) width = std::max(width, line.text.size());
  for (const Line& line : page.lines) {
    std::printf("%-*s  %.3f%s\n", static_cast<int>(width), line.text.c_str(), line.confidence,
                line.turned ? "  turned" : "");
  }
  std::printf("%zu lines: found in %.1f ms, turned in %.1f ms, read in %.1f ms\n",
              page.lines.size(), page.find_ms, page.turn_ms, page.read_ms);
}

// Says where the lines differ from those of the file, and whether they are the same.
StatusOr<bool> IsAsExpected(const Page& page, const std::string& path) {
  std::ifstream file(path);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  std::vector<std::string> expected;
  for (std::string line; std::getline(file, line);) expected.push_back(line);
  size_t different = 0;
  for (size_t i = 0; i < std::max(expected.size(), page.lines.size()); ++i) {
    std::string is = i < page.lines.size() ? page.lines[i].text : "nothing";
    std::string should_be = i < expected.size() ? expected[i] : "nothing";
    if (is == should_be) continue;
    ++different;
    std::printf("line %zu: read '%s', but expected '%s'\n", i + 1, is.c_str(), should_be.c_str());
  }
  if (different == 0) std::printf("every line is as expected\n");
  return different == 0;
}

StatusOr<bool> Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv));
  TFRT_ASSIGN_OR_RETURN(Picture picture, ReadPicture(options.page));
  TFRT_ASSIGN_OR_RETURN(auto queue, tfrt::CreateWorkQueue(options.work_queue_type));
  tfrt::HostContext host([](const tfrt::DecodedDiagnostic&) {}, tfrt::CreateMallocAllocator(),
                         std::move(queue));
  tfrt::RegisterGraphKernels(&host.kernel_registry());
  TFRT_ASSIGN_OR_RETURN(auto detector, ModelNetwork::Open(options.detector, &host));
  TFRT_ASSIGN_OR_RETURN(auto direction, ModelNetwork::Open(options.direction, &host));
  TFRT_ASSIGN_OR_RETURN(auto recogniser, ModelNetwork::Open(options.recogniser, &host));
  const std::string* alphabet = recogniser.model().FindMetadata("character");
  if (alphabet == nullptr) {
    return InvalidArgumentError(StrCat(options.recogniser, " has no metadata 'character'"));
  }
  auto runs = [](ModelNetwork& network) {
    return [&network](const Values& input) { return network.Run(input); };
  };
  Networks networks{runs(detector), runs(direction), runs(recogniser), ParseAlphabet(*alphabet)};
  TFRT_ASSIGN_OR_RETURN(Page page, ReadPage(networks, picture));
  Print(page);
  if (options.expect.empty()) return true;
  return IsAsExpected(page, options.expect);
}

}  // namespace
}  // namespace read_text

int main(int argc, char** argv) {
  tfrt::StatusOr<bool> matches = read_text::Run(argc, argv);
  if (!matches.ok()) {
    std::fprintf(stderr, "read_text: %s\n", std::string(matches.status().message()).c_str());
    return 1;
  }
  return *matches ? 0 : 1;
}
