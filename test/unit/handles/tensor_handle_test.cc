#include "lib/compat/handles/tensor_handle.h"

#include "eager_test.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TensorHandleTest : public EagerTest {};

TEST_F(TensorHandleTest, WithoutTensor) {
  TensorHandle handle;
  EXPECT_FALSE(handle.valid());
  EXPECT_EQ(handle.ToString(), "NULL TensorHandle!");
  TensorHandle full = Handle({1});
  TensorHandle taken = std::move(full);
  EXPECT_FALSE(full.valid());  // NOLINT: that is what is tested
  EXPECT_EQ(full.ToString(), "NULL TensorHandle!");
  TensorHandle copy = full;
  EXPECT_FALSE(copy.valid());
  full = taken;
  EXPECT_TRUE(full.valid());
  EXPECT_EQ(full.async_tensor(), taken.async_tensor());
}

TEST_F(TensorHandleTest, Available) {
  TensorHandle handle = Handle({1, 2});
  EXPECT_TRUE(handle.valid());
  EXPECT_FALSE(handle.IsError());
  EXPECT_TRUE(handle.IsMetadataAvailable());
  EXPECT_FALSE(handle.IsMetadataError());
  EXPECT_EQ(handle.async_metadata(), nullptr);
  EXPECT_EQ(handle.AvailableMetadata()->shape, TensorShape{2});
  EXPECT_EQ(handle.AvailableDevice(), device());
  EXPECT_EQ(handle.async_device(), nullptr);
  EXPECT_EQ(handle.ToString(),
            "DenseHostTensor dtype = f32, shape = [2], values = [1.000000e+00, 2.000000e+00]");
}

TEST_F(TensorHandleTest, Error) {
  TensorHandle handle = TensorHandle::CreateError(InternalError("boo"));
  EXPECT_TRUE(handle.valid());
  EXPECT_TRUE(handle.IsError());
  EXPECT_FALSE(handle.IsMetadataAvailable());
  EXPECT_TRUE(handle.IsMetadataError());
  EXPECT_TRUE(handle.IsDeviceAvailable());
  EXPECT_FALSE(handle.AvailableDevice());
  EXPECT_EQ(handle.ToString(), "Error TensorHandle: 'boo'");
  // Metadata that were known stay known.
  Later later = MakeLater({DType::kF32, {2}});
  later.Fail("too bad");
  EXPECT_TRUE(later.handle.IsError());
  EXPECT_TRUE(later.handle.IsMetadataAvailable());
  EXPECT_EQ(later.handle.ToString(), "Error TensorHandle: 'too bad'");
}

TEST_F(TensorHandleTest, FutureWithMetadata) {
  Later later = MakeLater({DType::kI32, {2, 3}});
  EXPECT_EQ(later.handle.ToString(), "future TensorHandle with metadata i32 [2, 3]");
  EXPECT_TRUE(later.handle.IsMetadataAvailable());
}

TEST_F(TensorHandleTest, FutureWithoutMetadata) {
  Later later = MakeLater();
  EXPECT_EQ(later.handle.ToString(), "fully future TensorHandle with unresolved metadata");
  EXPECT_FALSE(later.handle.IsMetadataAvailable());
  EXPECT_FALSE(later.handle.IsMetadataError());
  EXPECT_EQ(later.handle.async_metadata(), later.handle.async_tensor());
  later.Resolve(FloatValue({1}));
  EXPECT_EQ(later.handle.AvailableMetadata()->shape, TensorShape{1});
  EXPECT_EQ(later.handle.async_metadata(), nullptr);
}

TEST_F(TensorHandleTest, MetadataThatComeFirst) {
  auto metadata = MakeUnconstructedAsyncValueRef<TensorMetadata>();
  RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
  TensorHandle handle(device(), metadata.CopyRef(),
                      AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)));
  EXPECT_EQ(handle.ToString(), "fully future TensorHandle with unresolved metadata");
  EXPECT_EQ(handle.async_metadata(), metadata.GetAsyncValue());
  metadata.emplace(TensorMetadata{DType::kF32, {1}});
  EXPECT_EQ(handle.ToString(), "future TensorHandle with metadata f32 [1]");
  tensor->ForwardTo(FloatValue({3}).ReleaseRCRef());
  EXPECT_THAT(ValuesOf(handle), ElementsAre(3));
}

TEST_F(TensorHandleTest, ErrorMetadata) {
  TensorHandle::AsyncMetadata metadata(InternalError("bad shape"));
  RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
  TensorHandle handle(device(), std::move(metadata),
                      AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)));
  EXPECT_TRUE(handle.IsMetadataError());
  EXPECT_EQ(handle.ToString(), "future TensorHandle with error metadata 'bad shape'");
  tensor->ForwardTo(MakeErrorAsyncValue(InternalError("bad shape")));
  EXPECT_EQ(handle.ToString(), "Error TensorHandle: 'bad shape'");
}

TEST_F(TensorHandleTest, FutureDevice) {
  auto future = MakeUnconstructedAsyncValueRef<RCReference<Device>>();
  TensorHandle handle(future.CopyRef(),
                      MakeAvailableAsyncValueRef<TensorMetadata>(TensorMetadata{DType::kF32, {1}}),
                      FloatValue({1}));
  EXPECT_FALSE(handle.IsDeviceAvailable());
  EXPECT_EQ(handle.async_device(), future.GetAsyncValue());
  TensorHandle copy = handle;
  future.emplace(device());
  EXPECT_EQ(copy.AvailableDevice(), device());
  EXPECT_EQ(copy.async_device(), nullptr);
}

TEST_F(TensorHandleTest, TransferToTheSamePlaceIsTheSameTensor) {
  TensorHandle handle = Handle({1});
  TensorHandle same = handle.TransferTo(exec_ctx(), device(), kDenseHostTensorType);
  EXPECT_EQ(same.async_tensor(), handle.async_tensor());
  EXPECT_EQ(handle.TransferToInferredType(exec_ctx(), device()).async_tensor(),
            handle.async_tensor());
  // Errors stay what they are, wherever they go.
  TensorHandle error = TensorHandle::CreateError(InternalError("boo"));
  EXPECT_EQ(ErrorOf(error.TransferTo(exec_ctx(), device(), kDenseHostTensorType)), "boo");
  EXPECT_EQ(ErrorOf(error.TransferToInferredType(exec_ctx(), device())), "boo");
  EXPECT_THAT(TakeDiagnostics(), IsEmpty());
}

TEST_F(TensorHandleTest, TransferConverts) {
  TensorHandle scalar = ScalarHandle(2.5f, {2});
  TensorHandle dense = scalar.TransferTo(exec_ctx(), device(), kDenseHostTensorType);
  EXPECT_THAT(ValuesOf(dense), ElementsAre(2.5f, 2.5f));
  RCReference<Device> other = *exec_ctx().host()->device_manager().GetOrCreateDevice("cpu:9");
  TensorHandle moved = scalar.TransferToInferredType(exec_ctx(), other);
  EXPECT_EQ(moved.AvailableDevice(), other);
  EXPECT_THAT(ValuesOf(moved), ElementsAre(2.5f, 2.5f));
  TensorHandle string = StringHandle("s").TransferToInferredType(exec_ctx(), other);
  EXPECT_EQ(string.ToString(), "StringHostTensor shape = [1], values = [\"s\"]");
}

TEST_F(TensorHandleTest, TransferOfWhatIsNotThereYet) {
  Later later = MakeLater({DType::kF32, {1}});
  TensorHandle dense = later.handle.TransferTo(exec_ctx(), device(), kDenseHostTensorType);
  EXPECT_FALSE(dense.tensor().IsAvailable());
  EXPECT_EQ(dense.ToString(), "future TensorHandle with metadata f32 [1]");
  later.Resolve(ScalarHandle(4, {1}).tensor().CopyRef());
  EXPECT_THAT(ValuesOf(dense), ElementsAre(4));

  Later unknown = MakeLater();
  TensorHandle failed = unknown.handle.TransferTo(exec_ctx(), device(), kDenseHostTensorType);
  EXPECT_FALSE(failed.IsMetadataAvailable());
  unknown.Fail("never came");
  EXPECT_EQ(ErrorOf(failed), "never came");
  EXPECT_THAT(TakeDiagnostics(), IsEmpty());
}

TEST_F(TensorHandleTest, TransferErrorsAreReported) {
  TensorHandle failed = StringHandle("s").TransferTo(exec_ctx(), device(), kDenseHostTensorType);
  EXPECT_EQ(ErrorOf(failed), "cannot find conversion function for [StringHost]->[DenseHost]");
  EXPECT_THAT(TakeDiagnostics(),
              ElementsAre("cannot find conversion function for [StringHost]->[DenseHost]"));
  class Gpu : public Device {
   public:
    Gpu() : Device("gpu:0") {}
    HostAllocator* allocator() override { return nullptr; }
    std::string_view tensor_type_name() const override { return "DenseGpu"; }
  };
  TensorHandle nowhere = Handle({1}).TransferToInferredType(exec_ctx(), MakeRef<Gpu>());
  const char* error = "cannot find conversion function for [DenseHost]->[DenseGpu]";
  EXPECT_EQ(ErrorOf(nowhere), error);
  EXPECT_THAT(TakeDiagnostics(), ElementsAre(error));
  // More bytes than there are.
  TensorHandle large = ScalarHandle(1, {int64_t{1} << 62});
  TensorHandle dense = large.TransferTo(exec_ctx(), device(), kDenseHostTensorType);
  EXPECT_TRUE(dense.IsError());
  EXPECT_THAT(TakeDiagnostics(), ElementsAre(ErrorOf(dense)));
}

TEST_F(TensorHandleTest, DeviceTensorTypes) {
  EXPECT_EQ(DeviceTensorType(kScalarHostTensorType, *device()), kDenseHostTensorType);
  EXPECT_EQ(DeviceTensorType(kCooHostTensorType, *device()), kDenseHostTensorType);
  EXPECT_EQ(DeviceTensorType(kStringHostTensorType, *device()), kStringHostTensorType);
  EXPECT_EQ(DeviceTensorType(TensorType("DenseGpu"), *device()), kDenseHostTensorType);
}

}  // namespace
}  // namespace tfrt
