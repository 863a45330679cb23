// The double of cuDNN checks what the vendor documents, and computes what programs do not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/libraries/dnn/context_plans.h"
#include "gpu/libraries/dnn/graphs.h"
#include "gpu/libraries/dnn/planner.h"
#include "gpu/wrapper/cudnn.h"
#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu::dnn {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint32_t kOneF32 = 0x3f800000, kOnesF16 = 0x3c003c00;

class DnnDoubleTest : public DoubleTest {
 protected:
  void SetUp() override {
    setenv("TFRT_GPU_LIBRARY_PATH", TFRT_TEST_GPU_DOUBLE_DIR, /*overwrite=*/1);
    DoubleTest::SetUp();
    stream_ = context_->CreateStream().value();
    memory_ = context_->Allocate(*stream_, 4096).value();
    ASSERT_TRUE(context_->EnterAnew().ok());
    ASSERT_EQ(table().cudnnCreate(&handle_), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(table().cudnnSetStream(handle_, stream_->handle()), CUDNN_STATUS_SUCCESS);
  }
  void TearDown() override {
    ASSERT_TRUE(context_->EnterAnew().ok());
    EXPECT_EQ(table().cudnnDestroy(handle_), CUDNN_STATUS_SUCCESS);
    memory_.reset();
    stream_.reset();
    DoubleTest::TearDown();
  }

  static const Table& table() { return Library::Get().value()->table(); }
  void* At(uint64_t offset) {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(memory_->address() + offset));
  }
  void Fill(uint64_t offset, size_t size_bytes, uint32_t pattern) {
    ASSERT_TRUE(stream_->Fill(memory_->Bytes(offset, size_bytes), pattern).ok());
    ASSERT_TRUE(context_->EnterAnew().ok());
  }
  template <typename T>
  std::vector<T> Read(uint64_t offset, size_t count) {
    RCReference<Memory> pinned = context_->AllocatePinned(count * sizeof(T)).value();
    EXPECT_TRUE(
        stream_->Copy(pinned->bytes(), memory_->Bytes(offset, count * sizeof(T))).status().ok());
    EXPECT_TRUE(stream_->Wait().ok());
    EXPECT_TRUE(context_->EnterAnew().ok());
    std::vector<T> values(count);
    std::memcpy(values.data(), pinned->host_address(), count * sizeof(T));
    return values;
  }

  StatusOr<BuiltPlan> Build(const StatusOr<Graph>& graph) {
    EXPECT_TRUE(graph.ok()) << graph.status().ToString();
    return BuildPlan(table(), *graph, Device(), {});
  }
  const DeviceDescription& Device() { return PlansOf(*context_).value()->device(); }
  // Runs a plan with the tensors at these addresses.
  cudnnStatus_t Execute(const BuiltPlan& plan,
                        const std::vector<std::pair<int64_t, void*>>& tensors, void* workspace) {
    EXPECT_TRUE(context_->EnterAnew().ok());
    std::vector<int64_t> ids;
    std::vector<void*> pointers;
    for (const auto& [id, pointer] : tensors) {
      ids.push_back(id);
      pointers.push_back(pointer);
    }
    Descriptor pack =
        Descriptor::Create(table(), CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "a pack").value();
    const auto count = static_cast<int64_t>(ids.size());
    EXPECT_TRUE(
        pack.Set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, ids.data()).ok());
    EXPECT_TRUE(
        pack.Set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, pointers.data())
            .ok());
    EXPECT_TRUE(
        pack.Set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace).ok());
    EXPECT_TRUE(pack.Finalize().ok());
    return table().cudnnBackendExecute(handle_, plan.plan.get(), pack.get());
  }

  RCReference<Stream> stream_;
  RCReference<Memory> memory_;
  cudnnHandle_t handle_ = nullptr;
};

TensorForm Rows(cudnnDataType_t type, std::vector<int64_t> dims) {
  std::vector<int64_t> strides = RowStrides(dims);
  return {type, std::move(dims), std::move(strides)};
}

TEST_F(DnnDoubleTest, HandlesAreOfOneContext) {
  EXPECT_EQ(table().cudnnCreate(nullptr), CUDNN_STATUS_BAD_PARAM);
  RCReference<Context> other =
      Context::Create(driver().table(), driver().FindDevice(0).value(), {.queue = queue_.get()})
          .value();
  RCReference<Stream> of_other = other->CreateStream().value();
  ASSERT_TRUE(context_->EnterAnew().ok());
  EXPECT_EQ(table().cudnnSetStream(handle_, of_other->handle()),
            CUDNN_STATUS_BAD_PARAM_STREAM_MISMATCH);
  ASSERT_TRUE(other->EnterAnew().ok());
  EXPECT_EQ(table().cudnnSetStream(handle_, stream_->handle()), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(table().cudnnDestroy(handle_), CUDNN_STATUS_BAD_PARAM);
  of_other.reset();
}

// Between the rows lie bytes that nobody has written: a convolution neither reads nor writes them.
TEST_F(DnnDoubleTest, ConvolutionsUseTheBytesOfTheirTensorsAlone) {
  cudnnTensorDescriptor_t tensor = nullptr;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  ASSERT_EQ(table().cudnnCreateTensorDescriptor(&tensor), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(table().cudnnCreateFilterDescriptor(&filter), CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(table().cudnnCreateConvolutionDescriptor(&convolution), CUDNN_STATUS_SUCCESS);
  const int dims[] = {1, 1, 2, 2}, strides[] = {8, 8, 4, 1}, ones[] = {1, 1, 1, 1}, none[] = {0, 0};
  ASSERT_EQ(table().cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 4, dims, strides),
            CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(
      table().cudnnSetFilterNdDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, ones),
      CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(table().cudnnSetConvolutionNdDescriptor(convolution, 2, none, ones, ones,
                                                    CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
            CUDNN_STATUS_SUCCESS);
  Fill(0, 8, kOneF32);
  Fill(16, 8, kOneF32);
  Fill(256, 4, kOneF32);
  Fill(512, 32, 0);
  const float three = 3, zero = 0;
  ASSERT_EQ(table().cudnnConvolutionForward(handle_, &three, tensor, At(0), filter, At(256),
                                            convolution, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                            nullptr, 0, &zero, tensor, At(512)),
            CUDNN_STATUS_SUCCESS);
  EXPECT_THAT(Read<float>(512, 8), ElementsAre(3, 3, 0, 0, 3, 3, 0, 0));
  // One row more would be unwritten.
  const int more[] = {1, 1, 3, 2};
  ASSERT_EQ(table().cudnnSetTensorNdDescriptor(tensor, CUDNN_DATA_FLOAT, 4, more, strides),
            CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(table().cudnnConvolutionForward(handle_, &three, tensor, At(0), filter, At(256),
                                            convolution, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                            nullptr, 0, &zero, tensor, At(512)),
            CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(context_->driver().cuCtxSynchronize(), cuda::CUDA_SUCCESS);
  EXPECT_THAT(double_.TakeReports(),
              ElementsAre(HasSubstr("read of unwritten: 'cudnnConvolutionForward'")));
  ASSERT_TRUE(context_->EnterAnew().ok());
  EXPECT_EQ(table().cudnnDestroyConvolutionDescriptor(convolution), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(table().cudnnDestroyFilterDescriptor(filter), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(table().cudnnDestroyTensorDescriptor(tensor), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(table().cudnnDestroyTensorDescriptor(tensor), CUDNN_STATUS_BAD_PARAM);
}

// Three spatial dimensions of 16-bit numbers, in two groups.
TEST_F(DnnDoubleTest, ConvolutionsOfVolumesInGroups) {
  ConvolutionForm form;
  form.x = Rows(CUDNN_DATA_HALF, {1, 4, 2, 2, 2});
  form.w = Rows(CUDNN_DATA_HALF, {2, 2, 2, 2, 2});
  form.y = Rows(CUDNN_DATA_HALF, {1, 2, 1, 1, 1});
  form.window = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {}};
  const StatusOr<BuiltPlan> plan = Build(MakeConvolutionGraph(form));
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_GT(plan->workspace_bytes, 0);
  Fill(0, 64, kOnesF16);
  Fill(256, 64, kOnesF16);
  ASSERT_EQ(
      Execute(*plan, {{kInputId, At(0)}, {kFilterId, At(256)}, {kOutputId, At(512)}}, At(1024)),
      CUDNN_STATUS_SUCCESS);
  EXPECT_THAT(Read<uint16_t>(512, 2), Each(0x4c00));  // 2 * 8 is 16
}

TEST_F(DnnDoubleTest, ProductsWithABiasAndPlansAsText) {
  MatmulForm form{Rows(CUDNN_DATA_HALF, {1, 2, 4}), Rows(CUDNN_DATA_HALF, {1, 4, 2}),
                  Rows(CUDNN_DATA_HALF, {1, 2, 2})};
  form.bias = Rows(CUDNN_DATA_HALF, {1, 1, 2});
  const StatusOr<BuiltPlan> built = Build(MakeMatmulGraph(form));
  ASSERT_TRUE(built.ok()) << built.status().ToString();
  const std::string text = PlanText(*built).value();
  const StatusOr<BuiltPlan> plan = ReadPlan(table(), text, Device());
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(plan->workspace_bytes, built->workspace_bytes);
  Fill(0, 64, kOnesF16);
  ASSERT_EQ(Execute(*plan,
                    {{kInputId, At(0)}, {kFilterId, At(0)}, {kBiasId, At(0)}, {kOutputId, At(512)}},
                    At(1024)),
            CUDNN_STATUS_SUCCESS);
  EXPECT_THAT(Read<uint16_t>(512, 4), Each(0x4500));  // 4 + 1

  EXPECT_THAT(std::string(ReadPlan(table(), "{}", Device()).status().message()),
              HasSubstr("CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH"));
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(ReadPlan(table(), text.substr(0, length), Device()).ok()) << length;
  }
}

// All keys are alike: the result is the mean of the values, and the sum of the weights is n.
TEST_F(DnnDoubleTest, AttentionWithStatistics) {
  AttentionForm form{Rows(CUDNN_DATA_HALF, {1, 2, 1, 8}), Rows(CUDNN_DATA_HALF, {1, 1, 4, 8}),
                     Rows(CUDNN_DATA_HALF, {1, 1, 4, 8}), Rows(CUDNN_DATA_HALF, {1, 2, 1, 8}),
                     Rows(CUDNN_DATA_FLOAT, {1, 2, 1, 1})};
  const StatusOr<BuiltPlan> plan = Build(MakeAttentionGraph(form));
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  Fill(0, 256, kOnesF16);
  float scale = 0.25f;
  ASSERT_EQ(Execute(*plan,
                    {{kInputId, At(0)},
                     {kKeyId, At(0)},
                     {kValueId, At(0)},
                     {kOutputId, At(512)},
                     {kScaleId, &scale},
                     {kStatisticsId, At(768)}},
                    At(1024)),
            CUDNN_STATUS_SUCCESS);
  scale = 0;  // has been read
  EXPECT_THAT(Read<uint16_t>(512, 16), Each(0x3c00));
  EXPECT_THAT(Read<float>(768, 2), Each(testing::FloatEq(2 + std::log(4.0f))));
}

TEST_F(DnnDoubleTest, RunsNeedAllTensorsAligned) {
  MatmulForm form{Rows(CUDNN_DATA_HALF, {1, 8, 8}), Rows(CUDNN_DATA_HALF, {1, 8, 8}),
                  Rows(CUDNN_DATA_HALF, {1, 8, 8})};
  const StatusOr<BuiltPlan> plan = Build(MakeMatmulGraph(form));
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(Execute(*plan, {{kInputId, At(0)}, {kFilterId, At(0)}}, At(1024)),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(Execute(*plan, {{kInputId, At(0)}, {kFilterId, At(0)}, {kOutputId, nullptr}}, At(1024)),
            CUDNN_STATUS_BAD_PARAM_NULL_POINTER);
  EXPECT_EQ(Execute(*plan, {{kInputId, At(2)}, {kFilterId, At(0)}, {kOutputId, At(512)}}, At(1024)),
            CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER);
  EXPECT_EQ(Execute(*plan, {{kInputId, At(0)}, {kFilterId, At(0)}, {kOutputId, At(512)}}, nullptr),
            CUDNN_STATUS_BAD_PARAM_NULL_POINTER);
}

// With the bias before the addend it is another graph.
TEST_F(DnnDoubleTest, GraphsThatAreNotOnTheListAreRefused) {
  ConvolutionForm form;
  form.x = form.y = Rows(CUDNN_DATA_FLOAT, {1, 2, 4, 4});
  form.w = Rows(CUDNN_DATA_FLOAT, {2, 2, 1, 1});
  form.window = {{0, 0}, {0, 0}, {1, 1}, {1, 1}, {}};
  form.addend = form.y;
  form.bias = Rows(CUDNN_DATA_FLOAT, {1, 2, 1, 1});
  Graph graph = MakeConvolutionGraph(form).value();
  ASSERT_TRUE(BuildPlan(table(), graph, Device(), {}).ok());
  for (GraphNode& node : graph.nodes) {
    for (GraphPlace& place : node.tensors) {
      if (place.id == kAddendId || place.id == kBiasId) {
        place.id = kAddendId + kBiasId - place.id;
      }
    }
  }
  const Status status = BuildPlan(table(), graph, Device(), {}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("CUDNN_STATUS_NOT_SUPPORTED"));
}

}  // namespace
}  // namespace tfrt::gpu::dnn
