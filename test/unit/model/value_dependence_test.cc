// Model::time_depends_on_values: which programs take the same time for all values of their inputs.

#include "test/unit/model/test_model.h"

namespace tfrt {
namespace {

DenseHostTensor TestBeside(const DenseHostTensor& a, RemainingFunctions) { return a.ShareBuffer(); }

// Whether the time of y = x + w, same = op(sum, second) depends on values.
bool Depends(const char* op, std::vector<uint32_t> more_operands,
             std::vector<bef::FunctionSpec> regions = {},
             std::vector<bef::NamedAttribute> attributes = {}) {
  auto host = MakeTestHost();
  TestModelBuilder builder(op);
  std::vector<bef::KernelSpec>& kernels = builder.main().kernels;
  for (bef::KernelSpec& kernel : kernels) {
    if (kernel.name == "t.add") kernel.name = "graph.add";
  }
  kernels[1].operands.insert(kernels[1].operands.end(), more_operands.begin(), more_operands.end());
  kernels[1].regions = std::move(regions);
  kernels[1].attributes = std::move(attributes);
  host->kernel_registry().AddKernel("graph.beside", TFRT_KERNEL(TestBeside));
  StatusOr<Model> model = Model::FromBytes(builder.Build(), host.get());
  EXPECT_TRUE(model.ok()) << model.status().ToString();
  return model.ok() && model->time_depends_on_values();
}

constexpr uint32_t kX = 0, kWeights = 2;

TEST(ValueDependenceTest, OpsOfEqualShapesTakeEqualTimes) {
  EXPECT_FALSE(Depends("graph.identity", {}));
  EXPECT_FALSE(Depends("graph.mul", {kX}));
}

TEST(ValueDependenceTest, SizesMayBeInputs) {
  EXPECT_TRUE(Depends("graph.broadcast_to", {kX}));
  EXPECT_FALSE(Depends("graph.broadcast_to", {kWeights}));
  EXPECT_TRUE(Depends("graph.range", {kX, kX}));
  EXPECT_TRUE(Depends("graph.tile", {kX}));
  EXPECT_TRUE(Depends("graph.roi_align", {kX, kX}, {},
                      {{"half_pixel", bef::BoolAttribute(true)},
                       {"height", bef::I64Attribute(1)},
                       {"mode", bef::StringAttribute("avg")},
                       {"samples", bef::I64Attribute(0)},
                       {"scale", bef::F32Attribute(1)},
                       {"width", bef::I64Attribute(1)}}))
      << "there are as many samples as a region is wide";
}

TEST(ValueDependenceTest, SizesOfResultsMayFollowFromElements) {
  EXPECT_TRUE(Depends("graph.nonzero", {}));
}

TEST(ValueDependenceTest, NothingIsKnownOfKernelsOfOthers) { EXPECT_TRUE(Depends("t.same", {})); }

TEST(ValueDependenceTest, BodiesMayBeLoops) {
  EXPECT_TRUE(
      Depends("graph.beside", {},
              {{.kind = bef::FunctionKind::kAsync, .argument_types = {"t"}, .returns = {0}}}));
}

}  // namespace
}  // namespace tfrt
