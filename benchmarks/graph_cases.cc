// Graphs of trivial kernels on one thread.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench_host.h"
#include "case.h"
#include "floors.h"
#include "graph.h"

namespace tfrt::bench {
namespace {

void RequireEqual(const std::string& name, int32_t result, int32_t expected) {
  if (result == expected) return;
  std::fprintf(stderr, "benchmarks: %s gives %d instead of %d\n", name.c_str(), result, expected);
  std::exit(1);
}

template <typename Floor>
std::function<std::function<void()>()> PrepareFloor(std::string name, Graph (*make)()) {
  return [=]() -> std::function<void()> {
    Graph graph = make();
    auto floor = std::make_shared<Floor>(graph);
    RequireEqual(name, floor->Run(), graph.Evaluate());
    return [floor] { Keep(floor->Run()); };
  };
}

std::function<std::function<void()>()> PrepareProgram(std::string name, Graph (*make)()) {
  return [=]() -> std::function<void()> {
    Graph graph = make();
    bef::BefBuilder builder;
    builder.AddFunction(ToFunction(graph, "main"));
    auto program = std::make_shared<Program>(builder, "main");
    program->Run();
    RequireEqual(name, *program->result(), graph.Evaluate());
    return [program] { program->Run(); };
  };
}

// The same chain as a sync function.
std::function<void()> PrepareSync() {
  bef::FunctionSpec f{.name = "main", .kind = bef::FunctionKind::kSync};
  uint32_t one = f.AddKernel({.name = "tfrt.constant_s.i32",
                              .result_types = {"i32"},
                              .attributes = {{"value", bef::I32Attribute(1)}}});
  uint32_t last = one;
  for (int i = 0; i < 1000; ++i) {
    last =
        f.AddKernel({.name = "tfrt.add_s.i32", .operands = {last, one}, .result_types = {"i32"}});
  }
  f.returns = {last};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto program = std::make_shared<Program>(builder, "main");
  auto result = std::make_shared<Value>();
  auto run = [program, result] {
    Keep(program->function().ExecuteSync(program->exec_ctx(), {}, {result.get(), 1}).ok());
  };
  run();
  RequireEqual("sync", result->get<int32_t>(), 1001);
  return run;
}

}  // namespace

void AddGraphCases(Cases* cases) {
  struct Shape {
    const char* name;
    Graph (*make)();
  };
  auto add = [&](Shape shape, bool interpreter) {
    std::string name = shape.name;
    double units = static_cast<double>(shape.make().nodes.size());
    std::string floor = (interpreter ? "floor/interpreter/" : "floor/dataflow/") + name;
    cases->push_back({.name = floor,
                      .unit = "kernel",
                      .units = units,
                      .prepare = interpreter ? PrepareFloor<FlatInterpreter>(floor, shape.make)
                                             : PrepareFloor<AtomicDataflow>(floor, shape.make)});
    cases->push_back({.name = "graph/" + name,
                      .unit = "kernel",
                      .units = units,
                      .floor = floor,
                      .prepare = PrepareProgram("graph/" + name, shape.make)});
  };
  add({"chain_1k", [] { return ChainGraph(1000); }}, true);
  add({"chain_10k", [] { return ChainGraph(10000); }}, true);
  cases->push_back({.name = "graph/sync_function_1k",
                    .unit = "kernel",
                    .units = 1001,
                    .floor = "floor/interpreter/chain_1k",
                    .prepare = PrepareSync});
  add({"wide_1k", [] { return WideGraph(1000); }}, false);
  add({"wide_10k", [] { return WideGraph(10000); }}, false);
  add({"tree_4096", [] { return TreeGraph(4096); }}, false);
  add({"layers_100x100", [] { return LayersGraph(100, 100); }}, false);
  add({"diamond_10k", [] { return DiamondGraph(10000); }}, false);
  add({"random_16x1024", [] { return RandomGraph(16, 1024); }}, false);
  add({"random_1024x16", [] { return RandomGraph(1024, 16); }}, false);
  add({"random_256x256", [] { return RandomGraph(256, 256); }}, false);
}

}  // namespace tfrt::bench
