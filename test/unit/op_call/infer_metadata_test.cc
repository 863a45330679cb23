// What results will be like, and when what is remembered of a call counts for another.

#include "lib/ops/op_call/infer_metadata.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tfrt/core_runtime/op_call_impl.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

Status Nothing(const Tensor&, const Tensor&) { return OkStatus(); }

class InferMetadataTest : public testing::Test {
 protected:
  template <typename T>
  RCReference<AsyncValue> Dense(TensorShape shape, const std::vector<T>& values) {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)}, allocator_.get());
    std::copy(values.begin(), values.end(), static_cast<T*>(tensor->buffer()->data()));
    return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)).ReleaseRCRef();
  }
  Status Infer(const RCReference<AsyncValue>& x, const RCReference<AsyncValue>& shape) {
    AsyncValue* arguments[] = {x.get(), shape.get()};
    return InferResultMetadata(reshape_, arguments, {}, 1, &site_);
  }
  TensorMetadata Result() const {
    return site_.results.size() == 1 ? site_.results[0] : TensorMetadata();
  }

  std::unique_ptr<HostAllocator> allocator_ = CreateMallocAllocator();
  const OpDefinition reshape_{"graph.reshape", {.function = TFRT_OP(Nothing)}};
  CallSite site_;
  RCReference<AsyncValue> x_ = Dense<float>(TensorShape{6}, {1, 2, 3, 4, 5, 6});
};

TEST_F(InferMetadataTest, FollowsMetadataAndElements) {
  ASSERT_TRUE(Infer(x_, Dense<int64_t>(TensorShape{2}, {2, 3})).ok());
  EXPECT_EQ(Result(), (TensorMetadata{DType::kF32, TensorShape({2, 3})}));
  // An equal call keeps what there is.
  site_.results[0].dtype = DType::kF64;
  ASSERT_TRUE(Infer(x_, Dense<int64_t>(TensorShape{2}, {2, 3})).ok());
  EXPECT_EQ(Result().dtype, DType::kF64);
  ASSERT_TRUE(Infer(x_, Dense<int64_t>(TensorShape{2}, {3, 2})).ok());
  EXPECT_EQ(Result(), (TensorMetadata{DType::kF32, TensorShape({3, 2})}));
  ASSERT_TRUE(Infer(x_, Dense<int32_t>(TensorShape{2}, {6, 1})).ok());
  EXPECT_EQ(Result(), (TensorMetadata{DType::kF32, TensorShape({6, 1})}));
  ASSERT_TRUE(
      Infer(Dense<uint8_t>(TensorShape{6}, {}), Dense<int32_t>(TensorShape{2}, {6, 1})).ok());
  EXPECT_EQ(Result(), (TensorMetadata{DType::kUI8, TensorShape({6, 1})}));
}

TEST_F(InferMetadataTest, ACallForMoreResultsIsAnother) {
  const OpDefinition moments{"graph.top_k", {.function = TFRT_OP(Nothing)}};
  const auto count = Dense<int64_t>(TensorShape{1}, {2});
  AsyncValue* arguments[] = {x_.get(), count.get()};
  OpAttrs attrs;
  attrs.Set("axis", int64_t{0});
  attrs.Set("largest", true);
  for (size_t num_results : {1, 2, 1}) {
    ASSERT_EQ(InferResultMetadata(moments, arguments, attrs, num_results, &site_), OkStatus());
    EXPECT_EQ(site_.results.size(), num_results);
  }
}

TEST_F(InferMetadataTest, ACallThatCannotSucceedIsNotRemembered) {
  auto bad = Dense<int64_t>(TensorShape{2}, {4, 4});
  EXPECT_EQ(Infer(x_, bad).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Infer(x_, bad).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(Infer(x_, Dense<int64_t>(TensorShape{2}, {1, 6})).ok());
  EXPECT_EQ(Result().shape, TensorShape({1, 6}));
}

// A tensor of the same dtype and shape whose elements are not followed.
TEST_F(InferMetadataTest, ElementsThatAreNotFollowedAreNotThoseBefore) {
  auto scalar = MakeAvailableAsyncValueRef<ScalarHostTensor<int64_t>>(TensorShape{2}, 6);
  ASSERT_TRUE(Infer(x_, Dense<int64_t>(TensorShape{2}, {2, 3})).ok());
  ASSERT_TRUE(Infer(x_, scalar.CopyRCRef()).ok());
  EXPECT_TRUE(site_.results.empty());
  ASSERT_TRUE(Infer(x_, Dense<int64_t>(TensorShape{2}, {2, 3})).ok());
  EXPECT_EQ(Result().shape, TensorShape({2, 3}));
}

}  // namespace
}  // namespace tfrt
