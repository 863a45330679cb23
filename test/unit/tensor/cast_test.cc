#include "lib/runtime/tensor/cast.h"

#include <vector>

#include "gtest/gtest.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

TEST(CastElementTest, IntegersWrapAround) {
  EXPECT_EQ(CastElement<uint8_t>(int32_t{-1}), 255);
  EXPECT_EQ(CastElement<int8_t>(uint16_t{200}), -56);
  EXPECT_EQ(CastElement<int64_t>(~uint64_t{0}), -1);
  EXPECT_EQ(CastElement<uint64_t>(int8_t{-1}), ~uint64_t{0});
}

TEST(CastElementTest, FloatsAreTruncatedIntoTheRange) {
  EXPECT_EQ(CastElement<int32_t>(-1.9f), -1);
  EXPECT_EQ(CastElement<int8_t>(127.9), 127);
  EXPECT_EQ(CastElement<int8_t>(-128.9), -128);
  EXPECT_EQ(CastElement<uint8_t>(-0.9f), 0);
  EXPECT_EQ(CastElement<uint8_t>(300.0f), 255);
  EXPECT_EQ(CastElement<int64_t>(9223372036854775808.0), INT64_MAX);
  EXPECT_EQ(CastElement<int64_t>(-9223372036854775808.0), INT64_MIN);
  EXPECT_EQ(CastElement<uint64_t>(1e30f), UINT64_MAX);
  EXPECT_EQ(CastElement<int32_t>(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(CastElement<int32_t>(std::numeric_limits<Fp16>::infinity()), INT32_MAX);
}

TEST(CastElementTest, OtherKinds) {
  EXPECT_TRUE(CastElement<bool>(0.5));
  EXPECT_FALSE(CastElement<bool>(-0.0));
  EXPECT_TRUE(CastElement<bool>(Bf16(2)));
  EXPECT_EQ(CastElement<Fp16>(true).bits, Fp16(1).bits);
  EXPECT_EQ(CastElement<Bf16>(Fp16(1.5f)).ToFloat(), 1.5f);
  EXPECT_EQ(CastElement<Fp16>(70000).bits, 0x7C00);
  EXPECT_EQ(CastElement<std::complex<float>>(2), std::complex<float>(2, 0));
  EXPECT_EQ(CastElement<std::complex<double>>(std::complex<float>(1, 2)),
            std::complex<double>(1, 2));
}

// From each dtype to each: 1 stays 1, unless the cast is refused.
TEST(CastTensorTest, AllPairs) {
  auto allocator = CreateMallocAllocator();
  for (int from = 0; from <= 23; ++from) {
    DispatchDType(DTypeFromCode(from), [&]<typename From>(std::type_identity<From>) {
      ASSERT_EQ(static_cast<int>(DTypeOf<From>()), from);
      auto tensor =
          DenseHostTensor::CreateUninitialized({DTypeOf<From>(), {2, 1}}, allocator.get());
      auto view = MutableDenseView<From>::Create(*tensor, "it");
      (*view)[0] = CastElement<From>(true);
      (*view)[1] = CastElement<From>(false);
      for (int to = 0; to <= 23; ++to) {
        auto cast = CastTensor(*tensor, DTypeFromCode(to), allocator.get());
        bool has_type = DispatchDType(DTypeFromCode(to), [&]<typename To>(std::type_identity<To>) {
          if (internal::kIsComplex<From> && !internal::kIsComplex<To>) {
            EXPECT_FALSE(cast.ok());
            return;
          }
          ASSERT_TRUE(cast.ok());
          EXPECT_EQ(cast->metadata(), (TensorMetadata{DTypeOf<To>(), {2, 1}}));
          auto result = DenseView<To>::Create(*cast, "it");
          EXPECT_EQ((*result)[0], CastElement<To>(true));
          EXPECT_EQ((*result)[1], CastElement<To>(false));
        });
        EXPECT_TRUE(has_type || !cast.ok());
      }
    });
  }
}

TEST(CastTensorTest, SaysWhatCannotBeCast) {
  auto allocator = CreateMallocAllocator();
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kComplex64, {1}}, allocator.get());
  EXPECT_EQ(CastTensor(*tensor, DType::kF32, allocator.get()).status().message(),
            "cannot cast a tensor of complex64 to f32");
  EXPECT_EQ(CastTensor(*tensor, DType::kString, allocator.get()).status().message(),
            "cannot cast a tensor of complex64 to str");
}

TEST(CastTensorTest, ReportsMissingMemory) {
  auto large = CreateMallocAllocator();
  auto small = CreateFixedSizeAllocator(64);
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kF32, {100}}, large.get());
  EXPECT_EQ(CastTensor(*tensor, DType::kI32, small.get()).status().message(),
            "Cannot allocate tensor");
}

}  // namespace
}  // namespace tfrt
