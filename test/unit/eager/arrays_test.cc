// Arrays of the program and of other libraries: without copies where that can be, and errors for
// those that contradict themselves.

#include <atomic>
#include <complex>
#include <cstring>

#include "test/unit/eager/eager_fixture.h"

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#define TFRT_TEST_HAS_DLPACK 1
#endif

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using EagerArraysTest = EagerModesTest;

const int64_t kTwo[] = {2};

TEST_P(EagerArraysTest, SpansAreCopied) {
  Scope scope(*context_, {.mode = mode()});
  float elements[] = {1, 2};
  Tensor x = Tensor::FromSpan<float>({2}, elements);
  elements[0] = 5;
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(1, 2));
  EXPECT_EQ(Tensor::Scalar<int64_t>(7).Item<int64_t>().value(), 7);
  EXPECT_EQ(Tensor::Scalar(true).Item<bool>().value(), true);
}

TEST_P(EagerArraysTest, BorrowedMemoryIsUsedWhereItIs) {
  std::atomic<int> released = 0;
  alignas(16) double elements[] = {1, 2};
  {
    Scope scope(*context_, {.mode = mode()});
    Tensor x = Tensor::FromArray(HostArray::Borrow(
        std::span<const int64_t>(kTwo), std::span<const double>(elements), [&] { ++released; }));
    EXPECT_EQ(x.Values<double>()->data(), elements);
    context_->Wait();
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

TEST_P(EagerArraysTest, UnalignedMemoryIsCopied) {
  std::atomic<int> released = 0;
  alignas(16) std::byte bytes[20] = {};
  const int32_t elements[] = {1, 2};
  std::memcpy(bytes + 1, elements, 8);
  Scope scope(*context_, {.mode = mode()});
  HostArray array =
      HostArray::Borrow(DType::kI32, kTwo, std::span(bytes).subspan(1, 8), [&] { ++released; });
  EXPECT_EQ(released, 1);
  EXPECT_THAT(ValuesOf<int32_t>(Tensor::FromArray(array)), ElementsAre(1, 2));
}

TEST_P(EagerArraysTest, VectorsAreTakenOver) {
  std::vector<float> elements = {1, 2};
  const float* data = elements.data();
  Scope scope(*context_, {.mode = mode()});
  Tensor x =
      Tensor::FromArray(HostArray::Take(std::span<const int64_t>(kTwo), std::move(elements)));
  EXPECT_EQ(x.Values<float>()->data(), data);
}

TEST_P(EagerArraysTest, BadArraysAreErrorsOfTheCall) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  HostArray count({2}, {1.0f}), negative({-1}, {1.0f});
  const char* message = "a tensor of f32 with the shape [2] needs 8 bytes, but the buffer has 4";
  EXPECT_EQ(TFRT_MESSAGE_AT(Tensor::FromArray(count).status(), __LINE__),
            std::string("Const: ") + message);
  EXPECT_EQ(TFRT_MESSAGE_AT(Add(x, count).status(), __LINE__),
            std::string("test.Add: argument 1 is no array: ") + message);
  EXPECT_FALSE(Add(x, negative).status().ok());
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  HostArray bools(DType::kI1, kTwo, bytes);
  EXPECT_EQ(TFRT_MESSAGE_AT(Tensor::FromArray(bools).status(), __LINE__),
            "Const: element 1 of an i1 array is 2");
  std::atomic<int> released = 0;
  float element = 1;
  HostArray::Borrow(std::span<const int64_t>(kTwo), std::span<const float>(&element, 1),
                    [&] { ++released; });
  EXPECT_EQ(released, 1);
}

TEST_P(EagerArraysTest, EmptyTensors) {
  for (const char* device : {"cpu:0", "cpu:1"}) {
    Scope scope(*context_, On(device));
    Tensor x = Tensor::FromSpan<float>({0, 3}, {});
    Tensor y = Relu(std::move(x));
    EXPECT_THAT(ValuesOf<float>(y), testing::IsEmpty());
    EXPECT_EQ(y.shape().value(), (TensorShape{0, 3}));
  }
}

#ifdef TFRT_TEST_HAS_DLPACK

// An array of another library.
struct Foreign {
  DLManagedTensor managed = {};
  std::vector<int64_t> dims = {2, 2};
  std::vector<int64_t> strides;
  alignas(64) float elements[6] = {1, 2, 3, 4, 5, 6};
  std::atomic<int> deleted = 0;

  DLManagedTensor* get() {
    DLTensor& tensor = managed.dl_tensor;
    tensor.data = elements;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<int32_t>(dims.size());
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = dims.data();
    tensor.strides = strides.empty() ? nullptr : strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->deleted;
    };
    return &managed;
  }
};

bool HasDlpack() {
  return Tensor::FromDlpack(nullptr).status().code() != StatusCode::kUnimplemented;
}

TEST_P(EagerArraysTest, TakesDlpackArrays) {
  if (!HasDlpack()) GTEST_SKIP() << "built without DLPack";
  Foreign foreign;
  {
    Scope scope(*context_, {.mode = mode()});
    StatusOr<Tensor> x = Tensor::FromDlpack(foreign.get());
    ASSERT_TRUE(x.ok()) << x.status().message();
    EXPECT_EQ(x->Values<float>()->data(), foreign.elements);
    EXPECT_THAT(ValuesOf<float>(Relu(*x)), ElementsAre(1, 2, 3, 4));
    context_->Wait();
    EXPECT_EQ(foreign.deleted, 0);
  }
  context_->Wait();
  EXPECT_EQ(foreign.deleted, 1);
}

TEST_P(EagerArraysTest, TakesDlpackArraysWithOffsetsAndStrides) {
  if (!HasDlpack()) GTEST_SKIP() << "built without DLPack";
  Foreign foreign;
  Scope scope(*context_, {.mode = mode()});
  foreign.dims = {2, 1, 2};
  foreign.strides = {2, 77, 1};  // that of a dimension of one element does not matter
  foreign.get()->dl_tensor.byte_offset = 8;
  StatusOr<Tensor> x = Tensor::FromDlpack(foreign.get());
  ASSERT_TRUE(x.ok()) << x.status().message();
  EXPECT_THAT(ValuesOf<float>(*x), ElementsAre(3, 4, 5, 6));
  *x = Tensor();
  context_->Wait();  // a call that made it may still hold it
  EXPECT_EQ(foreign.deleted, 1);
}

TEST_P(EagerArraysTest, RefusesDlpackArrays) {
  if (!HasDlpack()) GTEST_SKIP() << "built without DLPack";
  Scope scope(*context_, {.mode = mode()});
  auto message = [](Foreign& foreign) {
    StatusOr<Tensor> x = Tensor::FromDlpack(&foreign.managed);
    EXPECT_EQ(foreign.deleted, 0);  // still the caller's
    return std::string(x.status().message());
  };
  EXPECT_EQ(Tensor::FromDlpack(nullptr).status().message(), "a DLPack array is null");
  Foreign foreign;
  foreign.get()->dl_tensor.device = {kDLCUDA, 0};
  EXPECT_EQ(message(foreign), "a DLPack array on a device of type 2 is not in host memory");
  foreign.get()->dl_tensor.dtype = {kDLFloat, 32, 4};
  EXPECT_EQ(message(foreign), "no dtype for the DLPack type of code 2, 32 bits and 4 lanes");
  foreign.get()->dl_tensor.ndim = -1;
  EXPECT_EQ(message(foreign), "a DLPack array of -1 dimensions has no shape");
  foreign.get()->dl_tensor.shape = nullptr;
  EXPECT_EQ(message(foreign), "a DLPack array of 2 dimensions has no shape");
  foreign.get()->dl_tensor.data = nullptr;
  EXPECT_EQ(message(foreign), "a DLPack array of shape [2, 2] has no data");
  foreign.strides = {1, 2};
  foreign.get();
  EXPECT_EQ(message(foreign),
            "a DLPack array of shape [2, 2] with stride 1 in dimension 0 is not row-major");
  foreign.strides = {};
  foreign.dims = {int64_t{1} << 62};
  foreign.get();
  foreign.managed.dl_tensor.dtype = {kDLComplex, 128, 1};
  EXPECT_EQ(message(foreign),
            "a DLPack array of complex128 with the shape [4611686018427387904] has more bytes than "
            "memory can have");
  foreign.dims = {-5};
  foreign.get();
  EXPECT_NE(message(foreign), "");
}

TEST_P(EagerArraysTest, GivesDlpackArrays) {
  if (!HasDlpack()) GTEST_SKIP() << "built without DLPack";
  for (const char* device : {"cpu:0", "cpu:1"}) {
    DLManagedTensor* exported;
    {
      Scope scope(*context_, On(device));
      Tensor x = Relu(Make({2, 1}, {1.0f, 2.0f}));
      StatusOr<DLManagedTensor*> array = x.ToDlpack();
      ASSERT_TRUE(array.ok()) << array.status().message();
      exported = *array;
    }
    const DLTensor& tensor = exported->dl_tensor;
    EXPECT_EQ(tensor.device.device_type, kDLCPU);
    EXPECT_THAT(std::span(tensor.shape, 2), ElementsAre(2, 1));
    EXPECT_EQ(tensor.dtype.code, kDLFloat);
    EXPECT_EQ(tensor.dtype.bits, 32);
    EXPECT_EQ(static_cast<const float*>(tensor.data)[1], 2);
    // And back.
    {
      Scope scope(*context_, On("cpu:0"));
      StatusOr<Tensor> back = Tensor::FromDlpack(exported);
      ASSERT_TRUE(back.ok());
      EXPECT_THAT(ValuesOf<float>(*back), ElementsAre(1, 2));
    }
    context_->Wait();
  }
}

template <typename T>
void ExpectRoundTrip(const HostArray& array) {
  Tensor x = Tensor::FromArray(array);
  StatusOr<DLManagedTensor*> exported = x.ToDlpack();
  ASSERT_TRUE(exported.ok()) << exported.status().message();
  StatusOr<Tensor> back = Tensor::FromDlpack(*exported);
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back->dtype().value(), DTypeOf<T>());
  EXPECT_EQ(back->ToString(), x.ToString());
}

TEST_P(EagerArraysTest, DlpackTypesRoundTrip) {
  if (!HasDlpack()) GTEST_SKIP() << "built without DLPack";
  Scope scope(*context_, {.mode = mode()});
  ExpectRoundTrip<int8_t>(HostArray({2}, {int8_t{1}, int8_t{-2}}));
  ExpectRoundTrip<int16_t>(HostArray({2}, {int16_t{1}, int16_t{-2}}));
  ExpectRoundTrip<int32_t>(HostArray({2}, {1, -2}));
  ExpectRoundTrip<int64_t>(HostArray({2}, {int64_t{1}, int64_t{-2}}));
  ExpectRoundTrip<uint8_t>(HostArray({2}, {uint8_t{1}, uint8_t{2}}));
  ExpectRoundTrip<uint16_t>(HostArray({2}, {uint16_t{1}, uint16_t{2}}));
  ExpectRoundTrip<uint32_t>(HostArray({2}, {1u, 2u}));
  ExpectRoundTrip<uint64_t>(HostArray({2}, {uint64_t{1}, uint64_t{2}}));
  ExpectRoundTrip<float>(HostArray({2}, {1.0f, 2.0f}));
  ExpectRoundTrip<double>(HostArray({2}, {1.0, 2.0}));
  ExpectRoundTrip<std::complex<float>>(
      HostArray({2}, {std::complex<float>(1, 2), std::complex<float>(3, 4)}));
  ExpectRoundTrip<std::complex<double>>(HostArray({1}, {std::complex<double>(1, 2)}));
}

#endif

INSTANTIATE_TEST_SUITE_P(Modes, EagerArraysTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
