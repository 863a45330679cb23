#include "lib/runtime/tensor/npy.h"

#include <unistd.h>

#include <cstring>

#include "test/unit/tensor/test_tensors.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::string Write(const DenseHostTensor& tensor) {
  std::string bytes;
  Status status = WriteNpy(tensor, [&](const void* data, size_t size_bytes) {
    bytes.append(static_cast<const char*>(data), size_bytes);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.ToString();
  return bytes;
}

StatusOr<DenseHostTensor> Read(const std::string& bytes) {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  // Of exactly this size, so that a sanitizer sees what is read behind it.
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  return ReadNpy(copy, "FILE", allocator);
}

std::string Error(const std::string& bytes) {
  auto tensor = Read(bytes);
  return tensor.ok() ? "" : std::string(tensor.status().message());
}

// A file with this header and these elements.
std::string File(const std::string& header, const std::string& elements, int version = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i));
  }
  return bytes + header + elements;
}

TEST(NpyTest, WritesWhatNumPyWrites) {
  auto tensor = MakeDense<int16_t>(TensorShape{2, 3}, {1, 2, 3, 4, 5, 6});
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
  header.append(118 - 1 - header.size(), ' ');
  header += '\n';
  std::string bytes = Write(tensor);
  EXPECT_EQ(bytes, File(header, std::string(static_cast<const char*>(tensor.data()), 12)));
  EXPECT_NE(Write(MakeDense<float>(TensorShape{1}, {1})).find("'shape': (1,), }"), bytes.npos);
  EXPECT_NE(Write(MakeDense<float>(TensorShape{}, {1})).find("'shape': (), }"), bytes.npos);
}

template <typename T>
class NpyDTypeTest : public testing::Test {};
using NpyTypes =
    testing::Types<uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t, float,
                   double, Fp16, std::complex<float>, std::complex<double>, bool>;
TYPED_TEST_SUITE(NpyDTypeTest, NpyTypes);

TYPED_TEST(NpyDTypeTest, ComesBack) {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  auto tensor =
      DenseHostTensor::CreateUninitialized({DTypeOf<TypeParam>(), TensorShape{2, 0, 3}}, allocator);
  ASSERT_TRUE(tensor.ok());
  for (const TensorShape& shape : {TensorShape{2, 3}, TensorShape{}, TensorShape{2, 0, 3}}) {
    auto made = DenseHostTensor::CreateUninitialized({DTypeOf<TypeParam>(), shape}, allocator);
    ASSERT_TRUE(made.ok());
    auto* bytes = static_cast<uint8_t*>(made->buffer()->data());
    for (size_t i = 0; i < made->size_bytes(); ++i) bytes[i] = i % 2;
    auto read = Read(Write(*made));
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ(read->metadata(), made->metadata());
    EXPECT_EQ(std::memcmp(read->data(), made->data(), made->size_bytes()), 0);
  }
}

TEST(NpyTest, TypesThatNumPyHasNot) {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  for (DType dtype : {DType::kBF16, DType::kQI8}) {
    auto tensor = DenseHostTensor::CreateUninitialized({dtype, TensorShape{1}}, allocator);
    ASSERT_TRUE(tensor.ok());
    EXPECT_EQ(
        WriteNpy(*tensor, [](const void*, size_t) { return true; }),
        InvalidArgumentError(StrCat("NPY files cannot hold elements of type ", DTypeName(dtype))));
  }
}

TEST(NpyTest, HeadersOfOthers) {
  for (int version : {1, 2, 3}) {
    auto tensor =
        Read(File("{\"shape\":(2),\"descr\":\"<u1\",'fortran_order' : True}\n", "ab", version));
    ASSERT_TRUE(tensor.ok()) << tensor.status().ToString();
    EXPECT_EQ(tensor->metadata(), (TensorMetadata{DType::kUI8, TensorShape{2}}));
  }
}

std::string Header(const std::string& descriptor, const std::string& shape,
                   const std::string& order = "False") {
  return StrCat("{'descr': '", descriptor, "', 'fortran_order': ", order, ", 'shape': ", shape,
                "}");
}

TEST(NpyTest, WhatIsRefused) {
  EXPECT_EQ(Error(""), "'FILE' is no NPY file");
  EXPECT_EQ(Error("PK\3\4 a zip file"), "'FILE' is no NPY file");
  EXPECT_EQ(Error(File("{}", "", 4)), "'FILE' is an NPY file of unknown version 4");
  EXPECT_EQ(Error(File("{}", "")), "'FILE' has a header that cannot be read");
  EXPECT_EQ(Error(File(Header(">f4", "(1,)"), "abcd")),
            "'FILE' has elements of the type '>f4', which is not supported");
  EXPECT_EQ(Error(File(Header("|O", "(1,)"), "abcd")),
            "'FILE' has elements of the type '|O', which is not supported");
  EXPECT_EQ(Error(File(Header("<f4", "(1, 2)", "True"), "abcdefgh")),
            "'FILE' is in Fortran order, which is not supported; numpy.ascontiguousarray changes "
            "it");
  EXPECT_EQ(Error(File(Header("<f4", "(3,)"), "abcd")),
            "'FILE' has 4 bytes of elements, but f32 [3] needs 12");
  EXPECT_EQ(Error(File(Header("<f4", "(0,)"), "abcd")),
            "'FILE' has 4 bytes of elements, but f32 [0] needs 0");
  EXPECT_EQ(Error(File(Header("|b1", "(3,)"), std::string("\0\1\2", 3))),
            "'FILE' has an element of type bool that is neither 0 nor 1: number 2");
  EXPECT_NE(Error(File(Header("<f4", "(4611686018427387904, 4611686018427387904)"), "")), "");
  EXPECT_NE(Error(File(Header("<f4", "(99999999999999999999,)"), "")), "");
  EXPECT_NE(Error(File(Header("<f4", "(-1,)"), "")), "");
  EXPECT_NE(Error(File(Header("<f4", "(1,)") + "x", "abcd")), "");
  EXPECT_NE(Error(File(Header("<f4", "(" + std::string(60000, '1') + ")"), "abcd")), "");
}

TEST(NpyTest, EveryTruncationAndManyChanges) {
  const std::string file = Write(MakeDense<float>(TensorShape{2, 2}, {1, 2, 3, 4}));
  for (size_t size = 0; size < file.size(); ++size) EXPECT_NE(Error(file.substr(0, size)), "");
  for (size_t i = 0; i < file.size(); ++i) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = file;
      changed[i] = static_cast<char>(value);
      (void)Read(changed);
    }
  }
}

TEST(NpyTest, Files) {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  const std::string path = testing::TempDir() + "npy_test.npy";
  ASSERT_TRUE(WriteNpyFile(path, MakeDense<int32_t>(TensorShape{2}, {7, 8})).ok());
  auto read = ReadNpyFile(path, allocator);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(static_cast<const int32_t*>(read->data())[1], 8);
  unlink(path.c_str());
  EXPECT_EQ(ReadNpyFile(path, allocator).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(WriteNpyFile("/nonexistent/a.npy", *read).message(),
            "cannot write '/nonexistent/a.npy': No such file or directory");
}

}  // namespace
}  // namespace tfrt
