// Runs a model from a C++ program, on several threads at once. Usage: embed_model colours.bef
//
// tfrt_import makes such files of ONNX models; the one beside this program is made of colours.mlir.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/model/model.h"
#include "tfrt/tensor/dense_view.h"

namespace {

using namespace tfrt;

// Ends the program if there is no value.
template <typename T>
T Require(StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "embed_model: %s\n", value.status().ToString().c_str());
  std::exit(1);
}

// A tensor over elements of the program's, which must outlive it and all that uses it.
DenseHostTensor TensorOver(const std::vector<float>& elements, const TensorShape& shape) {
  auto buffer = HostBuffer::CreateFromConstant(elements.data(), elements.size() * sizeof(float));
  return Require(DenseHostTensor::CreateFromBuffer({DType::kF32, shape}, std::move(buffer)));
}

// The model's probability of each label for one colour.
StatusOr<std::string> NameColour(Session& session, const std::vector<float>& rgb) {
  DenseHostTensor tensor = TensorOver(rgb, TensorShape{1, 3});
  TFRT_ASSIGN_OR_RETURN(std::vector<DenseHostTensor> results, session.Run({{"rgb", tensor}}));
  TFRT_ASSIGN_OR_RETURN(auto probabilities, DenseView<float>::Create(results[0], "the result"));
  std::string labels = *session.model().FindMetadata("labels") + ",";
  std::string best;
  float most = 0;
  for (float probability : probabilities.elements()) {
    const size_t end = labels.find(',');
    if (probability > most) most = probability, best = labels.substr(0, end);
    labels.erase(0, end + 1);
  }
  char text[64];
  std::snprintf(text, sizeof(text), "%s (%.3f)", best.c_str(), most);
  return std::string(text);
}

// Each thread has a session; the model and its weights are there once.
void NameOnThreads(const Model& model, const std::vector<std::vector<float>>& colours) {
  std::vector<std::string> names(colours.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < colours.size(); ++i) {
    threads.emplace_back([&, i] {
      Session session = Require(Session::Create(model));
      for (int run = 0; run < 100; ++run) names[i] = Require(NameColour(session, colours[i]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& name : names) std::printf("%s\n", name.c_str());
}

void PrintValues(const char* kind, std::span<const ModelValue> values) {
  for (const ModelValue& value : values) {
    std::printf("%s %s: %s\n", kind, value.name.c_str(), ToString(value).c_str());
  }
}

// What goes wrong is a Status.
void ShowErrors(Session& session) {
  const std::vector<float> four(4);
  DenseHostTensor wrong = TensorOver(four, TensorShape{1, 4});
  std::printf("%s\n", session.Run({{"rgb", wrong}}).status().ToString().c_str());

  const std::vector<float> grey(3, 0.1f);
  DenseHostTensor rgb = TensorOver(grey, TensorShape{1, 3});
  RunOptions options{.deadline = std::chrono::steady_clock::now()};
  std::printf("%s\n", session.Run({{"rgb", rgb}}, options).status().ToString().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: embed_model colours.bef\n");
    return 2;
  }
  HostContext host(
      [](const DecodedDiagnostic& diagnostic) {
        std::fprintf(stderr, "%s\n", diagnostic.status.ToString().c_str());
      },
      CreateMallocAllocator(), Require(CreateWorkQueue("mstd:2")));
  RegisterGraphKernels(&host.kernel_registry());
  Model model = Require(Model::Open(argv[1], &host));
  PrintValues("input", model.inputs());
  PrintValues("output", model.outputs());

  NameOnThreads(model,
                {{0.9f, 0.1f, 0.2f}, {0.2f, 0.8f, 0.1f}, {0.1f, 0.2f, 1.0f}, {0.2f, 0.2f, 0.2f}});

  // The result in memory of the program's.
  Session session = Require(Session::Create(model));
  std::vector<float> batch = {1, 0, 0, 0, 1, 0};
  DenseHostTensor rgb = TensorOver(batch, TensorShape{2, 3});
  std::vector<float> elements(8);
  DenseHostTensor probabilities = Require(DenseHostTensor::CreateFromBuffer(
      {DType::kF32, TensorShape{2, 4}},
      HostBuffer::CreateFromExternal(elements.data(), elements.size() * sizeof(float), nullptr)));
  DenseHostTensor* outputs[] = {&probabilities};
  Require(session.Run({{"rgb", rgb}}, {.outputs = outputs}));
  std::printf("a batch of two: %.3f red, %.3f green\n", elements[0], elements[5]);
  ShowErrors(session);
}
