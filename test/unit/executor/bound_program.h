// A function bound to the kernels of a TestHost, without a file around it: for tests of what
// binding makes.
#ifndef TFRT_TEST_UNIT_EXECUTOR_BOUND_PROGRAM_H_
#define TFRT_TEST_UNIT_EXECUTOR_BOUND_PROGRAM_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/format/bef/bef_reader.h"
#include "lib/runtime/executor/binder.h"
#include "lib/runtime/executor/order_free.h"
#include "lib/runtime/executor/program.h"
#include "test/support/random_program.h"
#include "test/unit/executor/test_kernels.h"

namespace tfrt::internal {

struct BoundProgram {
  explicit BoundProgram(bef::FunctionSpec function, const bef::BuildOptions& options = {}) {
    bef::BefBuilder builder;
    builder.AddFunction(std::move(function));
    image = BefImage::CopyOf(*builder.Build(options));
    view = *bef::BefView::Open(image->bytes());
    for (std::string_view name : view->kernel_names()) {
      kernels.push_back(host.host().kernel_registry().FindKernel(name));
    }
  }
  Status Bind() {
    OrderFreedom order_freedom(*view, kernels);
    return BindFunction({*view, kernels, functions, order_freedom}, 0, /*locations=*/nullptr,
                        &program, &error_location);
  }

  TestHost host;
  std::optional<BefImage> image;
  std::optional<bef::BefView> view;
  std::vector<const KernelEntry*> kernels;  // by kernel id
  std::vector<const Function*> functions = {nullptr};
  Program program;
  uint32_t error_location = 0;
};

inline std::vector<uint32_t> List(std::span<const uint32_t> span) {
  return {span.begin(), span.end()};
}

// The program, of kernels t.visit.
inline bef::FunctionSpec ToFunction(const RandomProgram& program) {
  bef::FunctionSpec f{.name = "f", .root_stream = program.root_stream};
  f.argument_types.assign(program.num_arguments, "i32");
  for (const Step& step : program.steps) {
    bef::KernelSpec visit = Op("t.visit", step.operands,
                               std::vector<std::string>(step.num_results, "i32"), step.stream);
    visit.attributes = {{"id", bef::I32Attribute(static_cast<int32_t>(f.kernels.size()))}};
    f.AddKernel(std::move(visit));
  }
  f.returns = program.returns;
  return f;
}

}  // namespace tfrt::internal

#endif  // TFRT_TEST_UNIT_EXECUTOR_BOUND_PROGRAM_H_
