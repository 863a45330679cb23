// Elements on a GPU, or its double, shared with another library of the process. That library is
// the test, with calls of the driver on streams of its own. Work that is not ordered is a report of
// the double.
#include "lib/api/eager/dlpack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"

namespace tfrt::gpu {
namespace {

namespace dlpack = eager::dlpack;
using eager::ExecutionMode;
using eager::HostArray;
using eager::Scope;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr size_t kElements = 1000;

// Another library, on the primary context of the first device.
class OtherLibrary {
 public:
  OtherLibrary() {
    Check(d().cuDevicePrimaryCtxRetain(&context_, 0));
    Check(d().cuCtxSetCurrent(context_));
    Check(d().cuStreamCreateWithPriority(&stream_, cuda::CU_STREAM_NON_BLOCKING, 0));
  }
  ~OtherLibrary() {
    Check(d().cuCtxSetCurrent(context_));
    Check(d().cuStreamDestroy_v2(stream_));
    Check(d().cuDevicePrimaryCtxRelease_v2(0));
  }

  static void Check(cuda::CUresult result) { EXPECT_EQ(result, cuda::CUDA_SUCCESS); }
  static const cuda::DriverTable& d() { return GpuDouble::Get().driver().table(); }

  ForeignStream stream() const {
    return static_cast<ForeignStream>(reinterpret_cast<intptr_t>(stream_));
  }
  cuda::CUdeviceptr Allocate(size_t size_bytes) {
    Check(d().cuCtxSetCurrent(context_));
    cuda::CUdeviceptr address = 0;
    Check(d().cuMemAlloc_v2(&address, size_bytes));
    return address;
  }
  // On any thread.
  void Free(cuda::CUdeviceptr address) {
    Check(d().cuCtxSetCurrent(context_));
    Check(d().cuMemFree_v2(address));
  }
  void Fill(ForeignStream stream, cuda::CUdeviceptr address, float value, size_t count) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    Check(d().cuCtxSetCurrent(context_));
    Check(d().cuMemsetD32Async(address, bits, count, Handle(stream)));
  }
  void Copy(ForeignStream stream, cuda::CUdeviceptr to, const dlpack::Array& array) {
    Check(d().cuCtxSetCurrent(context_));
    Check(d().cuMemcpyDtoDAsync_v2(to, reinterpret_cast<uintptr_t>(array.data),
                                   4 * static_cast<size_t>(array.shape[0]), Handle(stream)));
  }
  // Reads on the stream, and waits for it.
  std::vector<float> Read(ForeignStream stream, const dlpack::Array& array) {
    std::vector<float> elements(static_cast<size_t>(array.shape[0]));
    Check(d().cuCtxSetCurrent(context_));
    Check(d().cuMemcpyDtoHAsync_v2(elements.data(), reinterpret_cast<uintptr_t>(array.data),
                                   4 * elements.size(), Handle(stream)));
    Check(d().cuStreamSynchronize(Handle(stream)));
    return elements;
  }

 private:
  static cuda::CUstream Handle(ForeignStream stream) {
    return reinterpret_cast<cuda::CUstream>(static_cast<uintptr_t>(stream));
  }
  cuda::CUcontext context_ = nullptr;
  cuda::CUstream stream_ = nullptr;
};

// An array of that library, in memory that its deleter frees at once: a command that has not run by
// then is a report.
struct Foreign {
  OtherLibrary& library;
  std::vector<int64_t> dims = {kElements};
  std::vector<int64_t> strides = {};
  cuda::CUdeviceptr address = library.Allocate(4 * kElements);
  int deleted = 0;
  dlpack::ManagedArrayVersioned managed = {};

  dlpack::ManagedArrayVersioned& Reset() {
    managed.version = dlpack::kVersion;
    managed.array = {reinterpret_cast<void*>(address),
                     {dlpack::kCuda, 0},
                     static_cast<int32_t>(dims.size()),
                     {dlpack::kFloat, 32, 1},
                     dims.data(),
                     strides.empty() ? nullptr : strides.data(),
                     0};
    managed.manager_ctx = this;
    managed.deleter = [](dlpack::ManagedArrayVersioned* self) {
      auto* foreign = static_cast<Foreign*>(self->manager_ctx);
      ++foreign->deleted;
      foreign->library.Free(foreign->address);
    };
    return managed;
  }
  DLManagedTensorVersioned* get() { return dlpack::HandleOf(&Reset()); }
};

class GpuDlpackTest : public GpuOpsTest, public testing::WithParamInterface<ExecutionMode> {
 protected:
  void SetUp() override {
    Init();
    other_ = std::make_unique<OtherLibrary>();
  }
  void TearDown() override {
    context_.reset();
    other_.reset();
    GpuOpsTest::TearDown();
  }
  // For a test whose work is not ordered. Nothing of it may come later.
  void ExpectReports() {
    context_.reset();
    other_.reset();
    EXPECT_THAT(GpuDouble::Get().TakeReports(), Not(IsEmpty()));
  }
  eager::Tensor Ones() {
    return eager::Tensor::FromArray(HostArray({kElements}, std::vector<float>(kElements, 1)));
  }
  // 1 + `steps` on the GPU, which is not awaited.
  eager::Tensor Sum(int steps) {
    eager::Tensor sum = Ones(), one = Ones();
    for (int i = 0; i < steps; ++i) sum = eager::AddV2(sum, one);
    return sum;
  }
  Status ErrorOf(Foreign& foreign, ForeignStream stream = ForeignStream::kNone) {
    auto x = eager::Tensor::FromDlpack(dlpack::HandleOf(&foreign.managed), stream);
    EXPECT_FALSE(x.ok());
    EXPECT_EQ(foreign.deleted, 0);  // still the caller's
    return x.status();
  }

  std::unique_ptr<OtherLibrary> other_;
};

TEST_P(GpuDlpackTest, StreamsOfOthersWaitForWhatTheyAreLent) {
  Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
  GpuDouble::Get().ClearCalls();
  for (ForeignStream stream :
       {other_->stream(), ForeignStream::kLegacyDefault, ForeignStream::kPerThreadDefault}) {
    eager::Tensor sum = Sum(10);
    StatusOr<DLManagedTensorVersioned*> lent = sum.ToDlpackVersioned(stream);
    ASSERT_TRUE(lent.ok()) << lent.status().ToString();
    dlpack::ManagedArrayVersioned& managed = dlpack::LayoutOf(*lent);
    EXPECT_EQ(managed.array.device.type, dlpack::kCuda);
    EXPECT_EQ(managed.array.device.id, 0);
    EXPECT_EQ(managed.flags, dlpack::kReadOnly);
    EXPECT_EQ(managed.array.strides[0], 1);
    EXPECT_THAT(other_->Read(stream, managed.array), Each(11.0f));
    EXPECT_EQ(GpuDouble::Get().NumCalls("cuMemcpyDtoDAsync_v2"), 0u);
    sum = eager::Tensor();  // the array keeps the elements
    EXPECT_THAT(other_->Read(stream, managed.array), Each(11.0f));
    managed.deleter(&managed);
  }
}

// Its receiver deletes an array while commands of its default stream still read it.
TEST_P(GpuDlpackTest, MemoryIsUsedAgainAfterTheReceiversCommands) {
  Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
  cuda::CUdeviceptr copy = other_->Allocate(4 * kElements);
  {
    eager::Tensor one = Ones();
    for (int round = 0; round < 5; ++round) {
      DLManagedTensorVersioned* lent = eager::Relu(one).ToDlpackVersioned().value();
      dlpack::ManagedArrayVersioned& managed = dlpack::LayoutOf(lent);
      other_->Copy(ForeignStream::kLegacyDefault, copy, managed.array);
      managed.deleter(&managed);
    }
    EXPECT_THAT(ValuesOf<float>(eager::Relu(one)), Each(1.0f));
  }
  OtherLibrary::Check(other_->d().cuCtxSynchronize());
  other_->Free(copy);
}

// The same without the wait, which shows that the test above needs it.
TEST_P(GpuDlpackTest, WithoutAStreamNothingWaits) {
  {
    Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
    auto lent = Sum(10).ToDlpack(ForeignStream::kNone);
    ASSERT_TRUE(lent.ok());
    (void)other_->Read(other_->stream(), dlpack::LayoutOf(*lent).array);
    dlpack::LayoutOf(*lent).deleter(&dlpack::LayoutOf(*lent));
  }
  ExpectReports();
}

TEST_P(GpuDlpackTest, OpsWaitForStreamsOfOthers) {
  Foreign foreign{*other_};
  {
    Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
    other_->Fill(other_->stream(), foreign.address, 2, kElements);
    auto x = eager::Tensor::FromDlpack(foreign.get(), other_->stream());
    ASSERT_TRUE(x.ok()) << x.status().ToString();
    EXPECT_EQ(x->device(), "gpu:0");
    EXPECT_EQ(x->shape().value(), TensorShape{kElements});
    eager::Tensor y = eager::AddV2(*x, Ones());
    *x = eager::Tensor();
    EXPECT_THAT(ValuesOf<float>(y), Each(3.0f));
  }
  context_->Wait();
  context_->host()->Quiesce();
  EXPECT_EQ(foreign.deleted, 1);
}

TEST_P(GpuDlpackTest, WithoutAStreamOpsWaitForNothing) {
  Foreign foreign{*other_};
  {
    Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
    other_->Fill(other_->stream(), foreign.address, 2, kElements);
    auto x = eager::Tensor::FromDlpack(foreign.get(), ForeignStream::kNone);
    ASSERT_TRUE(x.ok());
    (void)x->Values<float>();
  }
  ExpectReports();
}

// As Python does: the producer makes a stream of the runtime wait.
TEST_P(GpuDlpackTest, ProducersMakeAStreamOfTheRuntimeWait) {
  Foreign foreign{*other_};
  Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
  auto stream = dlpack::StreamForProducers({dlpack::kCuda, 0}, Location());
  ASSERT_TRUE(stream.ok()) << stream.status().ToString();
  other_->Fill(other_->stream(), foreign.address, 2, kElements);
  cuda::CUevent event;
  OtherLibrary::Check(other_->d().cuEventCreate(&event, cuda::CU_EVENT_DISABLE_TIMING));
  auto handle = [](ForeignStream of) {
    return reinterpret_cast<cuda::CUstream>(static_cast<uintptr_t>(of));
  };
  OtherLibrary::Check(other_->d().cuEventRecord(event, handle(other_->stream())));
  OtherLibrary::Check(other_->d().cuStreamWaitEvent(handle(*stream), event, 0));
  OtherLibrary::Check(other_->d().cuEventDestroy_v2(event));
  auto x = eager::Tensor::FromDlpack(foreign.get(), *stream);
  ASSERT_TRUE(x.ok()) << x.status().ToString();
  EXPECT_THAT(ValuesOf<float>(eager::Relu(*x)), Each(2.0f));
}

// The deleter frees the memory, which no command may use by then.
TEST_P(GpuDlpackTest, ElementsStayUntilTheirLastCommandHasRun) {
  Foreign foreign{*other_};
  eager::Tensor y;
  {
    Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
    other_->Fill(other_->stream(), foreign.address, 2, kElements);
    eager::Tensor x = eager::Tensor::FromDlpack(foreign.get(), other_->stream()).value();
    y = eager::AddV2(std::move(x), Ones());
  }
  context_->Wait();
  context_->host()->Quiesce();
  EXPECT_EQ(foreign.deleted, 1);
  EXPECT_THAT(GpuDouble::Get().TakeReports(), IsEmpty());
  EXPECT_THAT(ValuesOf<float>(y), Each(3.0f));
}

TEST_P(GpuDlpackTest, ArraysOutliveTheirContext) {
  Foreign foreign{*other_};
  eager::Tensor sum, x;
  {
    Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
    sum = Sum(3);
    other_->Fill(other_->stream(), foreign.address, 2, kElements);
    x = eager::Tensor::FromDlpack(foreign.get(), other_->stream()).value();
  }
  context_.reset();
  auto lent = sum.ToDlpackVersioned(other_->stream());
  ASSERT_TRUE(lent.ok()) << lent.status().ToString();
  sum = eager::Tensor();
  EXPECT_EQ(foreign.deleted, 0);
  x = eager::Tensor();
  EXPECT_EQ(foreign.deleted, 1);
  EXPECT_THAT(other_->Read(other_->stream(), dlpack::LayoutOf(*lent).array), Each(4.0f));
  dlpack::LayoutOf(*lent).deleter(&dlpack::LayoutOf(*lent));
}

TEST_P(GpuDlpackTest, ContextsOfOneGpuExchangeTensors) {
  eager::Tensor back;
  auto second = eager::Context::Create(
      {.devices = {"gpu:0"}, .register_devices = [](HostContext& host) {
         return RegisterGpuOpDevices(host, {.driver = &GpuDouble::Get().driver()});
       }});
  ASSERT_TRUE(second.ok());
  {
    Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
    eager::Tensor sum = Sum(3);
    Scope inner(**second, {.mode = GetParam(), .device = "gpu:0"});
    back = eager::Tensor::FromDlpack(*sum.ToDlpack(ForeignStream::kPerThreadDefault),
                                     ForeignStream::kPerThreadDefault)
               .value();
    sum = eager::Tensor();
    EXPECT_THAT(ValuesOf<float>(eager::Relu(back)), Each(4.0f));
  }
  back = eager::Tensor();
}

TEST_P(GpuDlpackTest, EmptyArraysAreExchanged) {
  Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
  eager::Tensor x = eager::Tensor::FromArray(HostArray({0, 3}, std::vector<float>()));
  auto lent = x.ToDlpackVersioned();
  ASSERT_TRUE(lent.ok()) << lent.status().ToString();
  EXPECT_EQ(dlpack::LayoutOf(*lent).array.data, nullptr);
  auto back = eager::Tensor::FromDlpack(*lent);
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_THAT(ValuesOf<float>(*back), IsEmpty());
}

TEST_P(GpuDlpackTest, RefusesWhatIsNoArrayOfAGpu) {
  Scope scope(*context_, {.mode = GetParam(), .device = "gpu:0"});
  Foreign foreign{*other_};
  dlpack::Array& array = foreign.Reset().array;
  array.device = {dlpack::kCuda, 1};
  EXPECT_EQ(ErrorOf(foreign).message(),
            "a DLPack array on device 1 of type 2 is neither in host memory nor on a device of the "
            "context: cpu:0, gpu:0");
  foreign.Reset().array.device = {13, 0};
  EXPECT_THAT(std::string(ErrorOf(foreign).message()), HasSubstr("of type 13 is neither"));
  foreign.Reset().array.data = nullptr;
  EXPECT_EQ(ErrorOf(foreign).message(), "a DLPack array of shape [1000] has no data");
  foreign.Reset().array.byte_offset = 2;
  EXPECT_THAT(std::string(ErrorOf(foreign).message()),
              HasSubstr("is not a multiple of the element size (4)"));
  foreign.Reset().array.byte_offset = 4;  // the last byte is not there
  EXPECT_THAT(std::string(ErrorOf(foreign).message()), HasSubstr("is not in memory of gpu:0"));
  foreign.Reset().array.byte_offset = ~uint64_t{3};
  EXPECT_THAT(std::string(ErrorOf(foreign).message()), HasSubstr("past the end of all addresses"));
  float on_host[kElements];
  foreign.Reset().array.data = on_host;
  EXPECT_THAT(std::string(ErrorOf(foreign).message()), HasSubstr("is not in memory of gpu:0"));
  foreign.Reset().array.data = reinterpret_cast<void*>(~uintptr_t{7});
  EXPECT_THAT(std::string(ErrorOf(foreign).message()), HasSubstr("past the end of all addresses"));
  foreign.Reset().array.dtype = {dlpack::kFloat, 8, 1};
  EXPECT_EQ(ErrorOf(foreign).message(),
            "no dtype for the DLPack type of code 2, 8 bits and 1 lanes");
  foreign.Reset().array.shape = nullptr;
  EXPECT_EQ(ErrorOf(foreign).message(), "a DLPack array of 1 dimensions has no shape");
  foreign.Reset();
  EXPECT_THAT(std::string(ErrorOf(foreign, static_cast<ForeignStream>(0)).message()),
              HasSubstr("the stream 0 is ambiguous"));
  foreign.dims = {2, 3};
  foreign.strides = {1, 2};
  foreign.Reset();
  EXPECT_EQ(ErrorOf(foreign).message(),
            "a DLPack array of shape [2, 3] on gpu:0 is not row-major, and not copied: make it "
            "contiguous");
  EXPECT_THAT(Sum(1).ToDlpack(static_cast<ForeignStream>(0)).status().message(),
              HasSubstr("the stream 0 is ambiguous"));
  other_->Free(foreign.address);
  // Of an array without a deleter nothing is called.
  Foreign silent{*other_};
  other_->Fill(other_->stream(), silent.address, 2, kElements);
  silent.Reset().deleter = nullptr;
  EXPECT_TRUE(eager::Tensor::FromDlpack(dlpack::HandleOf(&silent.managed), other_->stream())
                  ->status()
                  .ok());
  OtherLibrary::Check(other_->d().cuStreamSynchronize(
      reinterpret_cast<cuda::CUstream>(static_cast<uintptr_t>(other_->stream()))));
  context_->host()->Quiesce();
  other_->Free(silent.address);
}

// Memory of the first device that is said to be on the second one.
TEST_P(GpuDlpackTest, RefusesMemoryOfAnotherDevice) {
  auto context = eager::Context::Create(
      {.devices = {"gpu:0", "gpu:1"}, .register_devices = [](HostContext& host) {
         return RegisterGpuOpDevices(host, {.driver = &GpuDouble::Get().driver()});
       }});
  ASSERT_TRUE(context.ok()) << context.status().ToString();
  Scope scope(**context, {.mode = GetParam()});
  Foreign foreign{*other_};
  foreign.Reset().array.device.id = 1;
  EXPECT_THAT(std::string(ErrorOf(foreign).message()), HasSubstr("is not in memory of gpu:1"));
  other_->Free(foreign.address);
}

INSTANTIATE_TEST_SUITE_P(Modes, GpuDlpackTest,
                         testing::Values(ExecutionMode::kSync, ExecutionMode::kAsync),
                         [](const auto& info) {
                           return info.param == ExecutionMode::kSync ? "Sync" : "Async";
                         });

}  // namespace
}  // namespace tfrt::gpu
