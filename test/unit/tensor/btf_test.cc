#include "lib/runtime/tensor/btf.h"

#include <cstdio>
#include <cstring>

#include "lib/base/support/read_file.h"
#include "test/unit/tensor/test_tensors.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes Write(std::vector<const Tensor*> tensors) {
  Bytes bytes;
  Status status = WriteBtf(tensors, [&](const void* data, size_t size_bytes) {
    auto* begin = static_cast<const uint8_t*>(data);
    bytes.insert(bytes.end(), begin, begin + size_bytes);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.ToString();
  return bytes;
}

// A file made of 64-bit words.
Bytes FromWords(const std::vector<uint64_t>& words) {
  Bytes bytes(8 * words.size());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}
// A header's second word.
uint64_t Codes(uint8_t dtype, uint8_t layout) { return dtype | uint64_t{layout} << 8; }

StatusOr<BtfFile> OpenBytes(const Bytes& bytes) {
  return BtfFile::FromBytes(FileBytes::CopyOf(bytes), "FILE");
}

StatusOr<std::string> ReadAsText(const BtfFile& file, int64_t index) {
  TFRT_ASSIGN_OR_RETURN(BtfHeader header, file.ReadHeader(index));
  if (header.HasLayout(BtfLayout::kCoo)) {
    TFRT_ASSIGN_OR_RETURN(CooHostTensor tensor, file.ReadCoo(header));
    return tensor.ToString();
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, file.ReadDense(header));
  return tensor.ToString();
}

// The message of reading the first tensor.
std::string Error(const Bytes& bytes, int64_t index = 0) {
  auto file = OpenBytes(bytes);
  if (!file.ok()) return std::string(file.status().message());
  auto text = ReadAsText(*file, index);
  return text.ok() ? "(no error)" : std::string(text.status().message());
}

TEST(BtfTest, WritesRecordsWithoutGaps) {
  auto floats = MakeDense<float>(TensorShape{3}, {1, 2, 3});
  auto scalar = MakeDense<int64_t>(TensorShape{}, {-1});
  Bytes bytes = Write({&floats, &scalar});
  Bytes expected = FromWords({2, 24, 64,                                                  //
                              1, Codes(4, 0), 3, 0x400000003F800000, 0x0000000040400000,  //
                              0, Codes(3, 0), ~uint64_t{0}});
  EXPECT_EQ(bytes, expected);
}

TEST(BtfTest, ReadsWhatItWrites) {
  auto floats = MakeDense<float>(TensorShape{1, 3}, {1, 2, 3});
  auto bytes8 = MakeDense<uint8_t>(TensorShape{2, 2}, {1, 2, 3, 255});
  auto empty = MakeDense<double>(TensorShape{0, 4}, {});
  auto coo = MakeCoo<int8_t>(TensorShape{2, 3}, {0, 1, 1, 2}, {10, 20});
  auto none = MakeCoo<int32_t>(TensorShape{5}, {}, {});
  auto scalar = MakeCoo<float>(TensorShape{}, {}, {1.5f});
  const Tensor* tensors[] = {&floats, &bytes8, &empty, &*coo, &*none, &*scalar};
  auto file = OpenBytes(Write({std::begin(tensors), std::end(tensors)}));
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->num_tensors(), std::size(tensors));
  for (size_t i = 0; i < std::size(tensors); ++i) {
    auto text = ReadAsText(*file, i);
    ASSERT_TRUE(text.ok()) << text.status().ToString();
    EXPECT_EQ(*text, tensors[i]->ToString());
  }
}

TEST(BtfTest, EveryDType) {
  for (DType dtype : {DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kF32, DType::kF64,
                      DType::kUI8, DType::kUI16, DType::kUI32, DType::kUI64}) {
    auto tensor = DenseHostTensor::CreateUninitialized({dtype, {3}}, TestAllocator());
    std::memset(*tensor->MutableData(), 1, tensor->size_bytes());
    auto file = OpenBytes(Write({&*tensor}));
    auto header = file->ReadHeader(0);
    EXPECT_EQ(header->dtype(), dtype);
    EXPECT_EQ(file->ReadDense(*header)->ToString(), tensor->ToString());
  }
}

TEST(BtfTest, SparseTensorsAreWrittenWithTheirTrueCoordinates) {
  auto dense = MakeDense<float>(TensorShape{2, 3}, {0, 10, 0, 0, 0, 20});
  auto coo = SparseFromDense(dense, CooIndexOrder::kReversedShape, TestAllocator());
  auto file = OpenBytes(Write({&*coo}));
  auto back = file->ReadCoo(*file->ReadHeader(0));
  EXPECT_EQ(ElementsOf<int64_t>(back->indices()), (std::vector<int64_t>{0, 1, 1, 2}));
  EXPECT_EQ(ElementsOf<float>(*DenseFromSparse(*back, TestAllocator())), ElementsOf<float>(dense));
}

class BtfFileTest : public testing::Test {
 protected:
  BtfFileTest() : path_(testing::TempDir() + "btf_test.btf") {
    auto tensor = MakeDense<int32_t>(TensorShape{2}, {7, 8});
    const Tensor* tensors[] = {&tensor};
    EXPECT_TRUE(WriteBtfFile(path_, tensors).ok());
  }
  ~BtfFileTest() override { std::remove(path_.c_str()); }
  DenseHostTensor Read(FileBytes::Access access) {
    auto file = BtfFile::Open(path_, access);  // the tensor keeps the mapping
    return *file->ReadDense(*file->ReadHeader(0));
  }
  const std::string path_;
};

TEST_F(BtfFileTest, TensorsShareTheFile) {
  auto file = BtfFile::Open(path_);
  ASSERT_TRUE(file.ok());
  auto a = file->ReadDense(*file->ReadHeader(0));
  auto b = file->ReadDense(*file->ReadHeader(0));
  EXPECT_EQ(a->data(), b->data());
  DenseHostTensor kept = Read(FileBytes::Access::kReadOnly);
  EXPECT_EQ(ElementsOf<int32_t>(kept), (std::vector<int32_t>{7, 8}));
  EXPECT_TRUE(kept.is_read_only());
  EXPECT_EQ(kept.MutableData().status().message(),
            "cannot write to the constant tensor of shape [2]");
}

// Even onto the file that the tensors are read from.
TEST_F(BtfFileTest, WritingLeavesThoseAloneWhoHaveTheFileMapped) {
  DenseHostTensor mapped = Read(FileBytes::Access::kReadOnly);
  const Tensor* twice[] = {&mapped, &mapped};
  ASSERT_TRUE(WriteBtfFile(path_, twice).ok());
  EXPECT_EQ(ElementsOf<int32_t>(mapped), (std::vector<int32_t>{7, 8}));
  EXPECT_EQ(BtfFile::Open(path_)->num_tensors(), 2u);
}

TEST_F(BtfFileTest, AFailedWriteLeavesTheFile) {
  auto good = MakeDense<int32_t>(TensorShape{1}, {1});
  auto bad = MakeDense<bool>(TensorShape{1}, {true});  // BTF has no such dtype
  const Tensor* tensors[] = {&good, &bad};
  EXPECT_FALSE(WriteBtfFile(path_, tensors).ok());
  EXPECT_EQ(BtfFile::Open(path_)->num_tensors(), 1u);
  EXPECT_FALSE(WriteBtfFile(testing::TempDir() + "no_folder/x.btf", {}).ok());
}

TEST_F(BtfFileTest, CopyOnWriteTensorsCanBeWritten) {
  DenseHostTensor tensor = Read(FileBytes::Access::kCopyOnWrite);
  EXPECT_TRUE(tensor.buffer()->IsExclusiveDataOwner());
  static_cast<int32_t*>(*tensor.MutableData())[0] = 9;
  EXPECT_EQ(ElementsOf<int32_t>(tensor), (std::vector<int32_t>{9, 8}));
  EXPECT_EQ(ElementsOf<int32_t>(Read(FileBytes::Access::kReadOnly)), (std::vector<int32_t>{7, 8}));
}

TEST(BtfErrorsTest, OpeningFiles) {
  EXPECT_EQ(BtfFile::Open("/nonexistent.btf").status(),
            NotFoundError("failed to open file /nonexistent.btf for reading"));
  EXPECT_EQ(OpenBytes({1, 2, 3}).status().message(),
            "failed to read tensor num_tensors from path FILE");
  EXPECT_EQ(WriteBtfFile("/nonexistent/a.btf", {}).message(),
            "cannot write '/nonexistent/a.btf': No such file or directory");
}

TEST(BtfErrorsTest, FindingRecords) {
  auto tensor = MakeDense<int32_t>(TensorShape{1}, {7});
  Bytes bytes = Write({&tensor});
  EXPECT_EQ(Error(bytes, 1),
            "invalid tensor index 1 to read tensor from path FILE which contains 1 tensors");
  EXPECT_EQ(Error(bytes, -1),
            "invalid tensor index -1 to read tensor from path FILE which contains 1 tensors");
  EXPECT_EQ(Error(FromWords({2, 16}), 1),
            "failed to read tensor offset from FILE for tensor index 1");
  EXPECT_EQ(Error(FromWords({~uint64_t{0}}), INT64_MAX),
            "failed to read tensor offset from FILE for tensor index 9223372036854775807");
  EXPECT_EQ(Error(FromWords({1, 24})), "failed to read tensor header from stream at offset 24");
  EXPECT_EQ(Error(FromWords({1, 8, 0})), "failed to read tensor dims at offset 8");
  EXPECT_EQ(Error(FromWords({1, ~uint64_t{7}})),
            "failed to read tensor header from stream at offset 18446744073709551608");
  EXPECT_EQ(Error(FromWords({1, 17, 0, 0})),
            "failed to read tensor header from stream at offset 17, which is not a multiple of 8");
}

TEST(BtfErrorsTest, DenseRecords) {
  EXPECT_EQ(Error(FromWords({1, 16, 0, Codes(10, 0)})), "unexpected tensor dtype BadDtype(10)");
  EXPECT_EQ(Error(FromWords({1, 16, 0, Codes(2, 2), 0})), "unexpected tensor layout Unknown");
  EXPECT_EQ(Error(FromWords({1, 16, 2, Codes(2, 0), 1})),
            "failed to read tensor dims at offset 16");
  EXPECT_EQ(Error(FromWords({1, 16, ~uint64_t{0}, Codes(2, 0), 1})),
            "failed to read tensor dims at offset 16");
  EXPECT_EQ(Error(FromWords({1, 16, 1, Codes(2, 0), ~uint64_t{0}, 0})),
            "failed to read tensor dims at offset 16: shape [-1] has the negative dimension -1");
  EXPECT_EQ(Error(FromWords({1, 16, 1, Codes(2, 0), 3, 0})),
            "failed to read tensor data from stream at offset 16: the file ends before its data");
  EXPECT_EQ(Error(FromWords({1, 16, 1, Codes(3, 0), uint64_t{1} << 61, 0})),
            "failed to read tensor data from stream at offset 16: the file ends before its data");
}

TEST(BtfErrorsTest, SparseRecords) {
  auto record = [](std::vector<uint64_t> words) {
    // One tensor of i64 and shape [3, 4].
    std::vector<uint64_t> file = {1, 16, 2, Codes(3, 1), 3, 4};
    file.insert(file.end(), words.begin(), words.end());
    return Error(FromWords(file));
  };
  EXPECT_EQ(record({1, 2, 2, 3, 1, 7}), "(no error)");
  EXPECT_EQ(record({1}), "failed to read tensor dims at offset 48");
  EXPECT_EQ(record({~uint64_t{0}, 2, 0, 0}), "failed to read tensor dims at offset 48");
  EXPECT_EQ(record({2, 2, 2, 3, 1}), "failed to read tensor data from stream at offset 48");
  EXPECT_EQ(record({1, 2, 2, 3}), "failed to read tensor dims at offset 80");
  EXPECT_EQ(record({1, 2, 2, 3, 1}), "failed to read tensor data from stream at offset 80");
  EXPECT_EQ(record({1, 2, 2, 3, 2, 7, 8}),
            "the tensor is not corectly formatted, the indices and values tensors do not match in "
            "size COOrdinate list sparse tensor");
  EXPECT_EQ(record({1, 2, 2, 4, 1, 7}),
            "the indices tensor has an element at position 0, 1 that bigger than the respective "
            "dimension. Element: 4, limit: 4");
  EXPECT_EQ(record({1, 2, ~uint64_t{0}, 3, 1, 7}),
            "the indices tensor has an element at position 0, 0 that bigger than the respective "
            "dimension. Element: -1, limit: 3");
}

TEST(BtfErrorsTest, UnexpectedTensors) {
  auto tensor = MakeDense<float>(TensorShape{1}, {7});
  auto file = OpenBytes(Write({&tensor}));
  BtfHeader header = *file->ReadHeader(0);
  EXPECT_TRUE(header.Expect(DType::kF32, 1, BtfLayout::kDense).ok());
  EXPECT_EQ(header.Expect(DType::kUI8, 2, BtfLayout::kCoo).message(),
            "unexpected tensor dtype f32. Expected dtype is ui8");
  EXPECT_EQ(header.Expect(DType::kF32, 2, BtfLayout::kCoo).message(),
            "unexpected tensor rank 1. Expected rank is 2");
  EXPECT_EQ(header.Expect(DType::kF32, 1, BtfLayout::kCoo).message(),
            "unexpected tensor layout Row-Major Dense tensor");
  EXPECT_EQ(file->ReadCoo(header).status().message(),
            "unexpected tensor layout Row-Major Dense tensor");
  header.dtype_code = 77;
  EXPECT_EQ(header.Expect(DType::kI8, 1, BtfLayout::kDense).message(),
            "unexpected tensor dtype BadDtype(77). Expected dtype is i8");
  auto coo = MakeCoo<int8_t>(TensorShape{2}, {0}, {1});
  auto sparse = OpenBytes(Write({&*coo}));
  EXPECT_EQ(sparse->ReadDense(*sparse->ReadHeader(0)).status().message(),
            "unexpected tensor layout COOrdinate list sparse tensor");
}

TEST(BtfErrorsTest, WhatCannotBeWritten) {
  BtfSink refuse = [](const void*, size_t) { return false; };
  auto strings = MakeStrings(TensorShape{1}, {"a"});
  ScalarHostTensor<float> scalar(TensorShape{}, 1);
  for (const Tensor* tensor :
       {static_cast<const Tensor*>(&strings), static_cast<const Tensor*>(&scalar)}) {
    EXPECT_EQ(WriteBtf({{tensor}}, refuse).message(), "unhandled tensor type when writing btf");
  }
  auto bools = MakeDense<bool>(TensorShape{1}, {true});
  const Tensor* tensors[] = {&bools};
  EXPECT_EQ(WriteBtf(tensors, refuse).message(), "failed to cast DType to TensorDType");
}

// A sink that takes so many pieces and no more.
TEST(BtfErrorsTest, EachPartMayBeRefused) {
  auto floats = MakeDense<float>(TensorShape{3}, {1, 2, 3});
  const Tensor* tensors[] = {&floats};
  auto error = [&](int pieces) {
    Status status = WriteBtf(tensors, [&](const void*, size_t) { return pieces-- > 0; });
    return std::string(status.message());
  };
  EXPECT_EQ(error(0), "failed to write num_tensors");
  EXPECT_EQ(error(1), "failed to write offsets");
  EXPECT_EQ(error(2), "failed to write tensor header");
  EXPECT_EQ(error(3), "failed to write tensor dims");
  EXPECT_EQ(error(4), "failed to write tensor data");
  EXPECT_EQ(error(5), "failed to pad tensor");
  EXPECT_EQ(error(6), "");
}

// Reads all that a file offers; what matters is that it ends, and without touching bytes outside.
void ReadEverything(const Bytes& bytes) {
  auto file = OpenBytes(bytes);
  if (!file.ok()) return;
  for (int64_t i = 0; i < 5; ++i) {
    auto header = file->ReadHeader(i);
    if (!header.ok()) continue;
    if (auto dense = file->ReadDense(*header); dense.ok()) {
      EXPECT_FALSE(dense->ToString().empty());
      auto coo = SparseFromDense(*dense, CooIndexOrder::kRowMajor, TestAllocator());
      EXPECT_TRUE(coo.ok());
    }
    if (auto coo = file->ReadCoo(*header); coo.ok()) {
      EXPECT_FALSE(coo->ToString().empty());
      for (size_t v = 0; v < coo->num_values(); ++v) {
        EXPECT_LT(coo->LinearIndex(v), coo->num_elements());
      }
    }
  }
}

Bytes SmallFile() {
  auto floats = MakeDense<float>(TensorShape{2, 2}, {1, 2, 3, 4});
  auto bytes = MakeDense<uint8_t>(TensorShape{3}, {1, 2, 3});
  auto coo = MakeCoo<int32_t>(TensorShape{2, 3}, {0, 1, 1, 2}, {10, 20});
  return Write({&floats, &bytes, &*coo});
}

TEST(BtfHostileBytesTest, EveryTruncation) {
  Bytes bytes = SmallFile();
  for (size_t size = 0; size <= bytes.size(); ++size) {
    ReadEverything(Bytes(bytes.begin(), bytes.begin() + size));
  }
}

TEST(BtfHostileBytesTest, EveryFlippedBitAndExtremeByte) {
  Bytes bytes = SmallFile();
  for (size_t i = 0; i < bytes.size(); ++i) {
    uint8_t original = bytes[i];
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] = original ^ (1 << bit);
      ReadEverything(bytes);
    }
    for (uint8_t value : {0x00, 0x7F, 0x80, 0xFF}) {
      bytes[i] = value;
      ReadEverything(bytes);
    }
    bytes[i] = original;
  }
}

TEST(BtfHostileBytesTest, EveryWordReplaced) {
  Bytes bytes = SmallFile();
  for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    Bytes changed = bytes;
    for (uint64_t value :
         {uint64_t{0}, uint64_t{1}, uint64_t{8}, uint64_t{bytes.size()}, uint64_t{1} << 31,
          uint64_t{1} << 61, uint64_t{1} << 62, uint64_t{1} << 63, ~uint64_t{0}, ~uint64_t{7}}) {
      std::memcpy(changed.data() + i, &value, 8);
      ReadEverything(changed);
    }
  }
}

TEST(BtfHostileBytesTest, MisalignedMemoryIsAnError) {
  Bytes bytes = SmallFile();
  alignas(8) uint8_t memory[1000];
  std::memcpy(memory + 1, bytes.data(), bytes.size());
  auto file = BtfFile::FromBytes(FileBytes::Borrow({memory + 1, bytes.size()}), "FILE");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->ReadDense(*file->ReadHeader(0)).status().message(),
            "failed to read tensor data from stream at offset 32: the buffer of a tensor of f32 is "
            "not aligned to 4 bytes");
}

}  // namespace
}  // namespace tfrt
