// Runs one model again and again, as told line by line on standard input; for models.py, which
// measures several runtimes in turns.
//
//   model_runs MODEL.bef [--threads=N]
//
// Each line is answered with one line, "ok ..." or "error: ...":
//   input FILE.npy NAME   the input's value from now on
//   run N                 runs N times; the answer has the milliseconds of each
//   save PREFIX           writes the results of the last run; the answer has FILE.npy=NAME of each

#include <charconv>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/runtime/tensor/npy.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace {

using tfrt::DenseHostTensor;
using tfrt::InvalidArgumentError;
using tfrt::StatusOr;
using tfrt::StrCat;

// The model, its session, and the values of the inputs by position.
class Runs {
 public:
  explicit Runs(tfrt::Session session)
      : model_(session.model()), session_(std::move(session)), inputs_(model_.inputs().size()) {}

  // The answer to a line, without its "ok".
  StatusOr<std::string> Answer(std::string_view line) {
    std::string_view command = TakeWord(line);
    if (command == "input") return SetInput(std::string(TakeWord(line)), line);
    if (command == "run") return Run(TakeWord(line));
    if (command == "save") return Save(std::string(TakeWord(line)));
    return InvalidArgumentError(StrCat("unknown command ", command));
  }

 private:
  static std::string_view TakeWord(std::string_view& line) {
    size_t end = std::min(line.find(' '), line.size());
    std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return word;
  }

  StatusOr<std::string> SetInput(const std::string& path, std::string_view name) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (model_.inputs()[i].name != name) continue;
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor value,
                            tfrt::ReadNpyFile(path, model_.host()->allocator()));
      inputs_[i] = std::move(value);
      return std::string();
    }
    return InvalidArgumentError(StrCat("the model has no input ", name));
  }

  StatusOr<std::string> Run(std::string_view count) {
    int runs = 0;
    std::from_chars(count.data(), count.data() + count.size(), runs);
    std::string times;
    std::vector<const DenseHostTensor*> inputs;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i]) {
        return InvalidArgumentError(StrCat("input ", model_.inputs()[i].name, " has no value"));
      }
      inputs.push_back(&*inputs_[i]);
    }
    for (int run = 0; run < runs; ++run) {
      outputs_.clear();
      auto begin = std::chrono::steady_clock::now();
      TFRT_ASSIGN_OR_RETURN(outputs_, session_.RunInOrder(inputs));
      std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
      char text[32];
      std::snprintf(text, sizeof(text), " %.5f", passed.count());
      times += text;
    }
    return times;
  }

  StatusOr<std::string> Save(const std::string& prefix) {
    std::string files;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      std::string path = StrCat(prefix, i, ".npy");
      TFRT_RETURN_IF_ERROR(tfrt::WriteNpyFile(path, outputs_[i]));
      files += StrCat(" ", path, "=", model_.outputs()[i].name);
    }
    return files;
  }

  tfrt::Model model_;
  tfrt::Session session_;
  std::vector<std::optional<DenseHostTensor>> inputs_;
  std::vector<DenseHostTensor> outputs_;
};

StatusOr<int> Main(int argc, char** argv) {
  std::string_view flag = argc > 2 ? argv[2] : "--threads=1";
  if (argc < 2 || argc > 3 || !flag.starts_with("--threads=")) {
    return InvalidArgumentError("usage: model_runs MODEL.bef [--threads=N]");
  }
  std::string_view threads = flag.substr(flag.find('=') + 1);
  // One thread: the one that awaits, so that no second one takes part.
  TFRT_ASSIGN_OR_RETURN(auto queue,
                        tfrt::CreateWorkQueue(threads == "1" ? "s" : StrCat("mstd:", threads)));
  tfrt::HostContext host([](const tfrt::DecodedDiagnostic&) {}, tfrt::CreateMallocAllocator(),
                         std::move(queue));
  tfrt::RegisterGraphKernels(&host.kernel_registry());
  TFRT_ASSIGN_OR_RETURN(tfrt::Model model, tfrt::Model::Open(argv[1], &host));
  TFRT_ASSIGN_OR_RETURN(tfrt::Session session, tfrt::Session::Create(model));
  Runs runs(std::move(session));
  for (std::string line; std::getline(std::cin, line);) {
    StatusOr<std::string> answer = runs.Answer(line);
    if (answer.ok()) {
      std::cout << "ok" << *answer << std::endl;
    } else {
      std::cout << "error: " << answer.status().message() << std::endl;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  StatusOr<int> result = Main(argc, argv);
  if (!result.ok()) {
    std::cout << "error: " << result.status().message() << std::endl;
    return 1;
  }
  return *result;
}
