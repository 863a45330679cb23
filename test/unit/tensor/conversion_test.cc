#include "lib/runtime/tensor/conversion.h"

#include <complex>

#include "lib/runtime/tensor/dtype_dispatch.h"
#include "test/unit/tensor/test_tensors.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

class ConversionTest : public testing::Test {
 protected:
  AsyncValueRef<Tensor> Convert(const Tensor& tensor, TensorType to) {
    return host_.GetOrCreateSharedContext<ConversionRegistry>().Convert(tensor, to, exec_ctx_);
  }
  std::string Error(const Tensor& tensor, TensorType to) {
    AsyncValueRef<Tensor> result = Convert(tensor, to);
    return result.IsError() ? std::string(result.GetError().message()) : "(no error)";
  }

  HostContext host_{[](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                    CreateSingleThreadedWorkQueue()};
  ExecutionContext exec_ctx_{RequestContextBuilder(&host_, nullptr).Build()};
};

TEST_F(ConversionTest, DenseToDenseSharesTheBuffer) {
  auto tensor = MakeDense<float>(TensorShape{2}, {1, 2});
  auto result = Convert(tensor, kDenseHostTensorType);
  ASSERT_FALSE(result.IsError());
  EXPECT_EQ(result->tensor_type(), kDenseHostTensorType);
  EXPECT_EQ(static_cast<DenseHostTensor&>(*result).data(), tensor.data());
}

TEST_F(ConversionTest, ScalarsOfEachDType) {
  for (int code = 0; code <= 23; ++code) {
    DispatchDType(DTypeFromCode(code), [&]<typename T>(std::type_identity<T>) {
      T one(1);
      ScalarHostTensor<T> tensor(TensorShape{2, 2}, one);
      auto dense = Convert(tensor, kDenseHostTensorType);
      ASSERT_FALSE(dense.IsError());
      EXPECT_EQ(dense->metadata(), tensor.metadata());
      EXPECT_EQ(ElementsOf<T>(static_cast<DenseHostTensor&>(*dense)), std::vector<T>(4, one));
      auto scalar = Convert(tensor, kScalarHostTensorType);
      AsyncValueRef<ScalarHostTensor<T>> typed(scalar.CopyRCRef());
      ASSERT_EQ(typed.GetAsyncValue()->type_id(), GetTypeId<ScalarHostTensor<T>>());
      EXPECT_EQ(typed->value(), one);
      EXPECT_EQ(scalar->metadata(), tensor.metadata());
    });
  }
}

TEST_F(ConversionTest, SparseToDense) {
  auto coo = MakeCoo<int32_t>(TensorShape{2, 2}, {0, 1, 1, 0}, {5, 6});
  auto dense = Convert(*coo, kDenseHostTensorType);
  EXPECT_EQ(dense->ToString(),
            "DenseHostTensor dtype = i32, shape = [2, 2], values = [0, 5, 6, 0]");
}

TEST_F(ConversionTest, SparseToScalarIfAllElementsAreEqual) {
  EXPECT_EQ(Convert(*MakeCoo<float>(TensorShape{2, 2}, {}, {}), kScalarHostTensorType)->ToString(),
            "ScalarHostTensor dtype = f32, shape = [2, 2], value = 0.000000e+00");
  EXPECT_EQ(Convert(*MakeCoo<float>(TensorShape{2}, {1}, {0}), kScalarHostTensorType)->ToString(),
            "ScalarHostTensor dtype = f32, shape = [2], value = 0.000000e+00");
  EXPECT_EQ(
      Convert(*MakeCoo<float>(TensorShape{2}, {1, 0}, {3, 3}), kScalarHostTensorType)->ToString(),
      "ScalarHostTensor dtype = f32, shape = [2], value = 3.000000e+00");
  EXPECT_EQ(Convert(*MakeCoo<bool>(TensorShape{}, {}, {true}), kScalarHostTensorType)->ToString(),
            "ScalarHostTensor dtype = i1, shape = [], value = 1");
  const char* error =
      "failed to convert coo tensor to scalar host tensor: the elements of shape [2] have no "
      "common "
      "value";
  EXPECT_EQ(Error(*MakeCoo<float>(TensorShape{2}, {1}, {3}), kScalarHostTensorType), error);
  EXPECT_EQ(Error(*MakeCoo<float>(TensorShape{2}, {1, 0}, {3, 4}), kScalarHostTensorType), error);
  EXPECT_EQ(Error(*MakeCoo<float>(TensorShape{2}, {1, 1}, {3, 3}), kScalarHostTensorType), error);
}

TEST_F(ConversionTest, StringsAreShared) {
  auto tensor = MakeStrings(TensorShape{2}, {"a", "b"});
  auto result = Convert(tensor, kStringHostTensorType);
  EXPECT_EQ(result->ToString(), tensor.ToString());
  EXPECT_EQ(static_cast<StringHostTensor&>(*result).strings().data(), tensor.strings().data());
}

TEST_F(ConversionTest, OtherConversionsNameBothTypes) {
  auto strings = MakeStrings(TensorShape{1}, {"a"});
  EXPECT_EQ(Error(strings, kCooHostTensorType),
            "cannot find conversion function for [StringHost]->[CooHost]");
  EXPECT_EQ(Error(MakeDense<float>(TensorShape{}, {1}), TensorType("DenseGpu")),
            "cannot find conversion function for [DenseHost]->[DenseGpu]");
}

TEST_F(ConversionTest, MissingMemoryIsAnError) {
  HostContext host([](const DecodedDiagnostic&) {}, CreateFixedSizeAllocator(64),
                   CreateSingleThreadedWorkQueue());
  ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build());
  auto& conversions = host.GetOrCreateSharedContext<ConversionRegistry>();
  ScalarHostTensor<float> scalar(TensorShape{100}, 1);
  EXPECT_EQ(conversions.Convert(scalar, kDenseHostTensorType, exec_ctx).GetError().message(),
            "Cannot allocate tensor");
  auto coo = MakeCoo<float>(TensorShape{100}, {}, {});
  EXPECT_EQ(conversions.Convert(*coo, kDenseHostTensorType, exec_ctx).GetError().message(),
            "Cannot allocate tensor");
}

TEST(ConversionRegistryTest, ConversionsAreAddedExplicitly) {
  ConversionRegistry registry;
  TensorConversion conversion = [](const Tensor&, const ConversionDevices&,
                                   const ExecutionContext&) {
    return AsyncValueRef<Tensor>(UnavailableError("the device is gone"));
  };
  TensorType gpu("DenseGpu");
  EXPECT_TRUE(registry.Add(gpu, kDenseHostTensorType, conversion).ok());
  EXPECT_TRUE(registry.Add(kDenseHostTensorType, gpu, conversion).ok());
  EXPECT_EQ(registry.Add(gpu, kDenseHostTensorType, conversion),
            AlreadyExistsError("the conversion from DenseGpu tensors to DenseHost tensors is "
                               "registered twice"));
  // Another kind of device makes it another conversion.
  EXPECT_TRUE(registry.Add({gpu, "gpu"}, {kDenseHostTensorType, "cpu"}, conversion).ok());
  EXPECT_FALSE(registry.Add({gpu, "gpu"}, {kDenseHostTensorType, "cpu"}, conversion).ok());
  EXPECT_TRUE(RegisterHostTensorConversions(&registry).ok());
  EXPECT_FALSE(RegisterHostTensorConversions(&registry).ok());
}

// Computes on tensors of its own type.
class Npu final : public Device {
 public:
  explicit Npu(HostContext* host) : Device("npu:0"), host_(host) {}
  HostAllocator* allocator() override { return host_->allocator(); }
  std::string_view tensor_type_name() const override { return "DenseNpu"; }

 private:
  HostContext* host_;
};

TEST_F(ConversionTest, BetweenDevicesElementsAreCopied) {
  Device& one = *host_.GetHostDevice();
  RCReference<Device> two = *host_.device_manager().GetOrCreateDevice("cpu:1");
  auto& conversions = host_.GetOrCreateSharedContext<ConversionRegistry>();
  DenseHostTensor dense = MakeDense<float>(TensorShape{2}, {1, 2});
  auto data_of = [&](Device& to) {
    AsyncValueRef<Tensor> made =
        conversions.Convert(dense, {one, to, to.allocator()}, kDenseHostTensorType, exec_ctx_);
    EXPECT_EQ(made->ToString(), dense.ToString());
    EXPECT_EQ(&made->memory_space(), &MemorySpace::Host());
    EXPECT_EQ(made->elements(), nullptr);
    return static_cast<const DenseHostTensor&>(*made).data();
  };
  EXPECT_EQ(data_of(one), dense.data());
  EXPECT_NE(data_of(*two), dense.data());
  Npu npu(&host_);
  const auto error = [&](Device& from, Device& to, TensorType type) {
    return std::string(
        conversions.Convert(dense, {from, to, nullptr}, type, exec_ctx_).GetError().message());
  };
  EXPECT_EQ(error(one, npu, TensorType("DenseNpu")),
            "cannot find conversion function for [DenseHost]->[DenseNpu]");
  // Where a type does not name its device the text does.
  EXPECT_EQ(error(npu, one, kCooHostTensorType),
            "cannot find conversion function for [DenseHost on npu]->[CooHost]");
  EXPECT_EQ(error(one, npu, TensorType("Npu")),
            "cannot find conversion function for [DenseHost]->[Npu on npu]");
}

TEST_F(ConversionTest, WhatACopyIs) {
  Device& cpu = *host_.GetHostDevice();
  Npu npu(&host_);
  TensorType dense_npu("DenseNpu");
  EXPECT_EQ(CopiedType(kDenseHostTensorType, cpu), kDenseHostTensorType);
  EXPECT_EQ(CopiedType(kCooHostTensorType, cpu), kDenseHostTensorType);
  EXPECT_EQ(CopiedType(kScalarHostTensorType, cpu), kScalarHostTensorType);
  EXPECT_EQ(CopiedType(dense_npu, cpu), kDenseHostTensorType);
  EXPECT_EQ(CopiedType(kScalarHostTensorType, npu), dense_npu);
  EXPECT_EQ(CopiedType(kDenseHostTensorType, npu), dense_npu);
  EXPECT_EQ(CopiedType(kStringHostTensorType, npu), kStringHostTensorType);
}

}  // namespace
}  // namespace tfrt
