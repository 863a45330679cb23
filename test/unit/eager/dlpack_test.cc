// Arrays of other libraries in the DLPack format, in its versioned struct and the one before.

#include "lib/api/eager/dlpack.h"

#include <atomic>
#include <complex>
#include <functional>
#include <thread>
#include <type_traits>

#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

// What both structs of another library hold.
template <typename Managed>
struct Foreign {
  Managed managed = {};
  std::vector<int64_t> dims = {2, 2};
  std::vector<int64_t> strides;
  alignas(64) float elements[6] = {1, 2, 3, 4, 5, 6};
  std::atomic<int> deleted = 0;
  std::function<void()> on_delete;

  Foreign() {
    if constexpr (std::is_same_v<Managed, dlpack::ManagedArrayVersioned>) managed.version = {1, 7};
  }
  auto* get() {
    dlpack::Array& array = managed.array;
    array.data = elements;
    array.device = {dlpack::kCpu, 0};
    array.ndim = static_cast<int32_t>(dims.size());
    array.dtype = {dlpack::kFloat, 32, 1};
    array.shape = dims.data();
    array.strides = strides.empty() ? nullptr : strides.data();
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) {
      auto* foreign = static_cast<Foreign*>(self->manager_ctx);
      if (foreign->on_delete) foreign->on_delete();
      ++foreign->deleted;
    };
    return dlpack::HandleOf(&managed);
  }
};

using OldForeign = Foreign<dlpack::ManagedArray>;
using NewForeign = Foreign<dlpack::ManagedArrayVersioned>;

class EagerDlpackTest : public EagerModesTest {
 protected:
  template <typename F>
  void TakesArrays() {
    F foreign;
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

  // The elements that come in, and whether they are where they were.
  template <typename F>
  std::vector<float> Take(F& foreign, bool* in_place, int64_t first = 0) {
    Scope scope(*context_, {.mode = mode()});
    foreign.get();
    foreign.managed.array.byte_offset = static_cast<uint64_t>(first) * sizeof(float);
    StatusOr<Tensor> x = Tensor::FromDlpack(dlpack::HandleOf(&foreign.managed));
    EXPECT_TRUE(x.ok()) << x.status().message();
    std::vector<float> elements = ValuesOf<float>(*x);
    *in_place = x->Values<float>()->data() == foreign.elements + first;
    *x = Tensor();
    context_->Wait();  // a call that made it may still hold it
    EXPECT_EQ(foreign.deleted, 1);
    return elements;
  }

  template <typename F>
  void TakesStrides() {
    bool in_place;
    F ones;  // the stride of a dimension of one element does not matter
    ones.dims = {2, 1, 2};
    ones.strides = {2, 77, 1};
    EXPECT_THAT(Take(ones, &in_place, 2), ElementsAre(3, 4, 5, 6));
    EXPECT_TRUE(in_place);
    F columns;
    columns.dims = {2, 3};
    columns.strides = {1, 2};
    EXPECT_THAT(Take(columns, &in_place), ElementsAre(1, 3, 5, 2, 4, 6));
    EXPECT_FALSE(in_place);
    F backwards;
    backwards.dims = {3};
    backwards.strides = {-2};
    EXPECT_THAT(Take(backwards, &in_place, 5), ElementsAre(6, 4, 2));
    F repeated;
    repeated.dims = {3, 2};
    repeated.strides = {0, 1};
    EXPECT_THAT(Take(repeated, &in_place), ElementsAre(1, 2, 1, 2, 1, 2));
    F empty;
    empty.dims = {0, 3};
    empty.strides = {1, 5};
    EXPECT_THAT(Take(empty, &in_place), IsEmpty());
  }

  template <typename F>
  void RefusesArrays() {
    Scope scope(*context_, {.mode = mode()});
    auto message = [](F& foreign) {
      StatusOr<Tensor> x = Tensor::FromDlpack(dlpack::HandleOf(&foreign.managed));
      EXPECT_EQ(foreign.deleted, 0);  // still the caller's
      return std::string(x.status().message());
    };
    F foreign;
    decltype(foreign.get()) null = nullptr;
    EXPECT_EQ(Tensor::FromDlpack(null).status().message(), "a DLPack array is null");
    dlpack::Array& array = foreign.managed.array;
    foreign.get();
    array.device = {dlpack::kCuda, 0};
    EXPECT_THAT(message(foreign),
                StartsWith("a DLPack array on device 0 of type 2 is neither in host memory nor on "
                           "a device of the context: cpu:0, "));
    foreign.get();
    array.dtype = {dlpack::kFloat, 32, 4};
    EXPECT_EQ(message(foreign), "no dtype for the DLPack type of code 2, 32 bits and 4 lanes");
    foreign.get();
    array.ndim = -1;
    EXPECT_EQ(message(foreign), "a DLPack array of -1 dimensions has no shape");
    foreign.get();
    array.shape = nullptr;
    EXPECT_EQ(message(foreign), "a DLPack array of 2 dimensions has no shape");
    foreign.get();
    array.data = nullptr;
    EXPECT_EQ(message(foreign), "a DLPack array of shape [2, 2] has no data");
    foreign.get();
    array.byte_offset = ~uint64_t{3};
    EXPECT_THAT(message(foreign), EndsWith("past the end of all addresses"));
    foreign.get();
    array.byte_offset = 0;
    int64_t far[] = {int64_t{1} << 61, 1};
    array.strides = far;
    EXPECT_EQ(message(foreign),
              "a DLPack array of shape [2, 2] has the stride 2305843009213693952 in dimension 0");
    foreign.dims = {int64_t{1} << 62};
    foreign.get();
    array.dtype = {dlpack::kComplex, 128, 1};
    EXPECT_EQ(message(foreign),
              "a DLPack array of complex128 with the shape [4611686018427387904] has more bytes "
              "than memory can have");
    foreign.dims = {-5};
    foreign.get();
    EXPECT_NE(message(foreign), "");
  }
};

TEST_P(EagerDlpackTest, TakesArraysWhereTheyAre) {
  TakesArrays<OldForeign>();
  TakesArrays<NewForeign>();
}

TEST_P(EagerDlpackTest, CopiesArraysThatAreNotRowMajor) {
  TakesStrides<OldForeign>();
  TakesStrides<NewForeign>();
}

TEST_P(EagerDlpackTest, RefusesWhatIsNoArray) {
  RefusesArrays<OldForeign>();
  RefusesArrays<NewForeign>();
  Scope scope(*context_, {.mode = mode()});
  NewForeign next;
  next.managed.version = {2, 0};
  EXPECT_EQ(Tensor::FromDlpack(next.get()).status().message(),
            "a DLPack array of version 2.0 is not of version 1");
  EXPECT_EQ(next.deleted, 0);
}

TEST_P(EagerDlpackTest, ReadOnlyArraysAreNotWrittenTo) {
  Scope scope(*context_, On("cpu:0"));
  NewForeign foreign;
  foreign.get();
  foreign.managed.flags = dlpack::kReadOnly;
  Tensor x = *Tensor::FromDlpack(dlpack::HandleOf(&foreign.managed));
  Tensor y = Relu(x);
  EXPECT_THAT(ValuesOf<float>(Add(std::move(x), std::move(y))), ElementsAre(2, 4, 6, 8));
  context_->Wait();
  EXPECT_THAT(foreign.elements, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(foreign.deleted, 1);
}

TEST_P(EagerDlpackTest, GivesArrays) {
  for (const char* device : {"cpu:0", "cpu:1"}) {
    DLManagedTensor* old;
    DLManagedTensorVersioned* versioned;
    {
      Scope scope(*context_, On(device));
      Tensor x = Relu(Make({2, 1}, {1.0f, 2.0f}));
      old = *x.ToDlpack();
      versioned = *x.ToDlpackVersioned();
    }
    dlpack::ManagedArrayVersioned& layout = dlpack::LayoutOf(versioned);
    EXPECT_EQ(layout.version.major, 1u);
    EXPECT_EQ(layout.flags, device == std::string_view("cpu:0")
                                ? dlpack::kReadOnly
                                : dlpack::kReadOnly | dlpack::kIsCopied);
    for (const dlpack::Array* array : {&dlpack::LayoutOf(old).array, &layout.array}) {
      EXPECT_EQ(array->device.type, dlpack::kCpu);
      EXPECT_EQ(array->byte_offset, 0u);
      EXPECT_THAT(std::span(array->shape, 2), ElementsAre(2, 1));
      EXPECT_THAT(std::span(array->strides, 2), ElementsAre(1, 1));
      EXPECT_EQ(array->dtype.code, dlpack::kFloat);
      EXPECT_EQ(array->dtype.bits, 32);
      EXPECT_EQ(array->dtype.lanes, 1);
      EXPECT_EQ(static_cast<const float*>(array->data)[1], 2);
    }
    // And back.
    Scope scope(*context_, On("cpu:0"));
    EXPECT_THAT(ValuesOf<float>(*Tensor::FromDlpack(old)), ElementsAre(1, 2));
    EXPECT_THAT(ValuesOf<float>(*Tensor::FromDlpack(versioned)), ElementsAre(1, 2));
  }
}

template <typename T>
void ExpectRoundTrip(const HostArray& array) {
  Tensor x = Tensor::FromArray(array);
  for (bool versioned : {false, true}) {
    StatusOr<Tensor> back =
        versioned ? Tensor::FromDlpack(*x.ToDlpackVersioned()) : Tensor::FromDlpack(*x.ToDlpack());
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(back->dtype().value(), DTypeOf<T>());
    EXPECT_EQ(back->ToString(), x.ToString());
  }
}

TEST_P(EagerDlpackTest, TypesRoundTrip) {
  Scope scope(*context_, {.mode = mode()});
  ExpectRoundTrip<bool>(HostArray({2}, {true, false}));
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

TEST_P(EagerDlpackTest, DeletersRunAfterTheResultIsThere) {
  NewForeign foreign;
  Tensor y;
  std::atomic<bool> there = false;
  // As a library does whose lock another thread holds while that thread uses the context.
  foreign.on_delete = [&] {
    Context& context = *context_;
    std::thread([&context] { (void)context.DropCopies(); }).join();
    there = is_sync() || y.IsAvailable();
  };
  {
    Scope scope(*context_, On("cpu:0"));
    Tensor x = *Tensor::FromDlpack(foreign.get());
    if (is_sync()) {
      y = Relu(std::move(x));
    } else {
      // The op begins when `y` has been set.
      Tensor gate = CallOp("test.Gate", {Make({2, 2}, {1.0f, 1.0f, 1.0f, 1.0f})});
      y = Add(std::move(x), gate);
      TestOps(*context_).OpenGate();
    }
  }
  context_->Wait();
  EXPECT_EQ(foreign.deleted, 1);
  EXPECT_TRUE(there);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerDlpackTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
