#include "options.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include "tfrt/support/str_cat.h"

namespace eager_models {
namespace {

using tfrt::InvalidArgumentError;
using tfrt::Status;
using tfrt::StrCat;

constexpr int64_t kMost = 1'000'000;

Status ParseNumber(std::string_view name, std::string_view text, int64_t* number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  if (error == std::errc() && end == text.data() + text.size() && *number >= 1 &&
      *number <= kMost) {
    return tfrt::OkStatus();
  }
  return InvalidArgumentError(
      StrCat(name, " is '", text, "', not a whole number from 1 to ", kMost));
}

Status Set(std::string_view name, std::string_view value, Options* options) {
  if (name == "--batch") return ParseNumber(name, value, &options->batch);
  if (name == "--steps") return ParseNumber(name, value, &options->num_steps);
  if (name == "--threads") return ParseNumber(name, value, &options->num_threads);
  if (name == "--model") {
    options->model = value;  // MakeModel judges
    return tfrt::OkStatus();
  }
  if (name != "--mode") {
    return InvalidArgumentError(StrCat("unknown argument ", name,
                                       "; there are --model, --batch, --mode, --steps and "
                                       "--threads"));
  }
  if (value != "sync" && value != "async-dataflow" && value != "async-fifo") {
    return InvalidArgumentError(
        StrCat("the mode is sync, async-dataflow or async-fifo, not '", value, "'"));
  }
  options->mode = value;
  return tfrt::OkStatus();
}

}  // namespace

tfrt::eager::ExecutionMode Options::execution_mode() const {
  return mode == "sync" ? tfrt::eager::ExecutionMode::kSync : tfrt::eager::ExecutionMode::kAsync;
}

tfrt::eager::ExecutionOrder Options::execution_order() const {
  return mode == "async-fifo" ? tfrt::eager::ExecutionOrder::kFifo
                              : tfrt::eager::ExecutionOrder::kDataflow;
}

tfrt::StatusOr<Options> ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string_view name = argv[i], value;
    if (const size_t equals = name.find('='); equals != name.npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    } else if (i + 1 < argc) {
      value = argv[++i];
    } else {
      return InvalidArgumentError(StrCat("no value behind ", name));
    }
    TFRT_RETURN_IF_ERROR(Set(name, value, &options));
  }
  return options;
}

}  // namespace eager_models
