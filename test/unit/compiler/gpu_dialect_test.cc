// What text cannot show of the tfrt_gpu dialect: how many ops there are, and which may be removed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"
#include "lib/compiler/translation/dialects.h"
#include "mlir/IR/MLIRContext.h"

namespace tfrt::compiler {
namespace {

class GpuDialectTest : public testing::Test {
 protected:
  GpuDialectTest() : context_(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerAllTfrtDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.getOrLoadDialect<gpu::TfrtGpuDialect>();
    for (mlir::RegisteredOperationName name : context_.getRegisteredOperations()) {
      if (name.getDialectNamespace() == "tfrt_gpu") ops_.push_back(name);
    }
  }

  mlir::MLIRContext context_;
  std::vector<mlir::RegisteredOperationName> ops_;
};

// Those of the original's dialect, and five of ours.
TEST_F(GpuDialectTest, HasSeventyNineOps) { EXPECT_EQ(ops_.size(), 74u + 5); }

TEST_F(GpuDialectTest, LoadsTheDialectsOfItsTypes) {
  EXPECT_TRUE(context_.getLoadedDialect("gpu"));
  EXPECT_TRUE(context_.getLoadedDialect("tfrt_tensor"));
}

TEST_F(GpuDialectTest, PureOps) {
  std::vector<std::string> pure;
  for (mlir::RegisteredOperationName op : ops_) {
    if (op.hasInterface<mlir::ConditionallySpeculatable>()) pure.push_back(op.getStringRef().str());
  }
  EXPECT_THAT(
      pure,
      testing::UnorderedElementsAre(
          "tfrt_gpu.device.get", "tfrt_gpu.context.primary", "tfrt_gpu.stream.get_context",
          "tfrt_gpu.allocator.create", "tfrt_gpu.mem.view", "tfrt_gpu.module.get_function",
          "tfrt_gpu.alias", "tfrt_gpu.blas.gemm.algo", "tfrt_gpu.dnn.create_convolution_descriptor",
          "tfrt_gpu.dnn.create_filter_descriptor", "tfrt_gpu.dnn.create_pooling_descriptor",
          "tfrt_gpu.dnn.create_tensor_descriptor", "tfrt_gpu.dnn.create_activation_descriptor",
          "tfrt_gpu.dnn.convolution_forward_algorithm",
          "tfrt_gpu.dnn.convolution_backward_data_algorithm",
          "tfrt_gpu.dnn.convolution_backward_filter_algorithm", "tfrt_gpu.fft.get_workspace_size",
          "tfrt_gpu.solver.potrf.buffer_size", "tfrt_gpu.ccl.unique_id"));
}

}  // namespace
}  // namespace tfrt::compiler
