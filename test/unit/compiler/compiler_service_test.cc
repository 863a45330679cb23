#include "lib/format/traced_graph/compiler_service.h"

#include <dlfcn.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "traced_programs.h"

namespace tfrt::function {
namespace {

using testing::HasSubstr;
using Values = FunctionTracer::Values;

constexpr std::string_view kProgram = R"(
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
  %0 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  graph.return %2 : tensor<4xf32>
}
)";

TfrtCompileRequest RequestFor(std::string_view input, uint32_t kind, uint32_t output) {
  return {.struct_size = sizeof(TfrtCompileRequest),
          .input_kind = kind,
          .output_kind = output,
          .flags = 0,
          .input = {input.data(), input.size()},
          .blobs = nullptr,
          .num_blobs = 0};
}

TEST(CompilerServiceTest, Versions) {
  ASSERT_NE(tfrt_compiler_service(TFRT_COMPILER_SERVICE_VERSION), nullptr);
  EXPECT_EQ(tfrt_compiler_service(TFRT_COMPILER_SERVICE_VERSION)->version,
            TFRT_COMPILER_SERVICE_VERSION);
  EXPECT_NE(std::string_view(tfrt_compiler_service(1)->build), "");
  EXPECT_EQ(tfrt_compiler_service(0), nullptr);
  EXPECT_EQ(tfrt_compiler_service(2), nullptr);
}

TEST(CompilerServiceTest, MlirToBef) {
  Answer answer = Compile(RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF));
  ASSERT_EQ(answer->code, 0u) << answer->message;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(answer->output) % 64, 0u);
  EXPECT_GT(answer->output_size, 0u);
  EXPECT_STREQ(answer->message, "");
  EXPECT_EQ(answer->num_diagnostics, 0u);
}

TEST(CompilerServiceTest, CountsOps) {
  Answer answer = Compile(RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF));
  ASSERT_GT(answer->num_passes, 0u);
  uint64_t before = 3;
  std::vector<std::string> names;
  for (size_t i = 0; i < answer->num_passes; ++i) {
    EXPECT_EQ(answer->passes[i].ops_before, before);
    before = answer->passes[i].ops_after;
    names.emplace_back(answer->passes[i].pass);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"graph-shapes", "graph-canonicalize", "graph-cse",
                                            "graph-dead-code", "graph-hoist-invariants",
                                            "graph-fuse", "graph-tape", "lower-graph"}));
  EXPECT_LE(before, 2u);  // one multiplication went, and perhaps both ops are one
}

TEST(CompilerServiceTest, Text) {
  Answer graph = Compile(RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_GRAPH));
  EXPECT_THAT(TextOf(*graph), HasSubstr("graph.mul"));
  EXPECT_EQ(graph->num_passes, 0u);
  Answer kernels = Compile(RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_KERNELS));
  EXPECT_THAT(TextOf(*kernels), HasSubstr("func.func @load()"));
  EXPECT_THAT(TextOf(*kernels), HasSubstr("tfrt.return"));
}

// A program that is no graph is converted as it is.
TEST(CompilerServiceTest, ProgramsOfKernels) {
  Answer answer =
      Compile(RequestFor("func.func @f() -> i32 {\n"
                         "  %0 = tfrt.constant.i32 7\n"
                         "  tfrt.return %0 : i32\n"
                         "}\n",
                         TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF));
  EXPECT_EQ(answer->code, 0u) << answer->message;
  EXPECT_EQ(answer->num_passes, 0u);
}

TEST(CompilerServiceTest, WrongRequests) {
  auto error = [](TfrtCompileRequest request) {
    Answer answer = Compile(request);
    EXPECT_EQ(answer->code, static_cast<uint32_t>(StatusCode::kInvalidArgument));
    EXPECT_EQ(answer->output, nullptr);
    return std::string(answer->message);
  };
  TfrtCompileRequest request = RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF);
  request.struct_size = 8;
  EXPECT_THAT(error(request), HasSubstr("the request has 8 bytes, expected "));
  EXPECT_EQ(error(RequestFor(kProgram, 3, 0)), "there is no input of kind 3");
  EXPECT_EQ(error(RequestFor(kProgram, 0, 7)), "there is no output of kind 7");
  request = RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF);
  request.flags = 64;
  EXPECT_EQ(error(request), "there are no flags 64");
  request.flags = 0;
  request.input.data = nullptr;
  EXPECT_EQ(error(request), "there is no input where the request says");
  request.input = {};
  request.input_kind = TFRT_INPUT_TRACED_GRAPH;
  const TfrtBytes blob = {nullptr, 4};
  request.blobs = &blob;
  request.num_blobs = 1;
  EXPECT_EQ(error(request), "there is no blob 0 where the request says");
  EXPECT_EQ(Answer(tfrt_compiler_service(1)->compile(nullptr), tfrt_compiler_service(1)->release)
                ->message,
            std::string("there is no request"));
  EXPECT_THAT(error(RequestFor("xyz", TFRT_INPUT_TRACED_GRAPH, TFRT_OUTPUT_BEF)),
              HasSubstr("the bytes are no traced graph"));
}

// The place is that of the op, as the tracer has said.
TEST(CompilerServiceTest, DiagnosticsHavePlaces) {
  Answer mlir = Compile(
      RequestFor("func.func @main() { graph.no_such_op }", TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF));
  ASSERT_EQ(mlir->code, static_cast<uint32_t>(StatusCode::kInvalidArgument));
  ASSERT_EQ(mlir->num_diagnostics, 1u);
  EXPECT_EQ(mlir->diagnostics[0].severity, uint32_t{TFRT_SEVERITY_ERROR});
  EXPECT_EQ(mlir->diagnostics[0].line, 1u);
  EXPECT_STREQ(mlir->diagnostics[0].file, "program");
  EXPECT_THAT(mlir->message, HasSubstr("program:1:"));

  FunctionTracer r;
  r.At(7);
  ValueId x = r.Input("x", DType::kF32, {2});
  ValueId y = r.Call("tf.Relu", {x});
  r.function().body.ops[0].op = "tf.Relux";
  r.Return({y});
  Answer recorded = Compile(r.graph);
  EXPECT_STREQ(recorded->message, "step.cc:7:3: there is no op 'tf.Relux'");
}

TEST(CompilerServiceTest, NoSuchModel) {
  Answer answer = Compile(RequestFor("/no/such/model.onnx", TFRT_INPUT_ONNX_PATH, TFRT_OUTPUT_BEF));
  EXPECT_EQ(answer->code, static_cast<uint32_t>(StatusCode::kNotFound));
  EXPECT_THAT(answer->message, HasSubstr("/no/such/model.onnx"));
}

TEST(CompilerServiceTest, ManyThreads) {
  std::vector<std::thread> threads;
  std::vector<size_t> sizes(4);
  for (size_t i = 0; i < sizes.size(); ++i) {
    threads.emplace_back([&sizes, i] {
      sizes[i] = Compile(RequestFor(kProgram, TFRT_INPUT_MLIR, TFRT_OUTPUT_BEF))->output_size;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sizes, testing::Each(sizes[0]));
}

// The library that is opened when it is needed. It exports its one function.
TEST(CompilerServiceTest, AsALibrary) {
  void* library = dlopen(TFRT_COMPILER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto function =
      reinterpret_cast<TfrtCompilerServiceFunction>(dlsym(library, TFRT_COMPILER_SERVICE_SYMBOL));
  ASSERT_NE(function, nullptr);
  const TfrtCompilerService* service = function(TFRT_COMPILER_SERVICE_VERSION);
  ASSERT_NE(service, nullptr);
  EXPECT_EQ(service->struct_size, sizeof(TfrtCompilerService));
  EXPECT_EQ(dlsym(library,
                  "_ZN4tfrt8compiler12compileGraphEN4mlir8ModuleOpERKNS0_16GraphPassOptionsE"
                  "N4llvm12function_refIFNS6_13LogicalResultENS6_9StringRefES2_EEE"),
            nullptr);
}

}  // namespace
}  // namespace tfrt::function
