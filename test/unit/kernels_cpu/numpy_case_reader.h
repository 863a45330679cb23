// Reads the files of test/numpy/cases (make_cases.py has the formats).
#ifndef TFRT_TEST_UNIT_KERNELS_CPU_NUMPY_CASE_READER_H_
#define TFRT_TEST_UNIT_KERNELS_CPU_NUMPY_CASE_READER_H_

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tfrt/tensor/tensor.h"

namespace tfrt {

struct NumpyCaseReader {
  std::string data;
  size_t position = 0;

  // Checks the first eight bytes.
  static NumpyCaseReader Open(const std::string& path, std::string_view magic) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    NumpyCaseReader reader{
        {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}};
    EXPECT_EQ(reader.Bytes(8), magic);
    return reader;
  }
  std::string Bytes(size_t size) {
    EXPECT_LE(size, data.size() - position);
    position += size;
    return data.substr(position - size, size);
  }
  template <typename T>
  T Number() {
    T value;
    std::memcpy(&value, Bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string String() {
    auto size = Number<uint32_t>();
    return Bytes(size);
  }
};

struct NumpyCaseTensor {
  TensorMetadata metadata;
  std::string bytes;

  static NumpyCaseTensor Read(NumpyCaseReader* reader) {
    NumpyCaseTensor tensor;
    tensor.metadata.dtype = DTypeFromCode(reader->Number<uint8_t>());
    std::vector<int64_t> dims(reader->Number<uint8_t>());
    for (int64_t& dim : dims) dim = reader->Number<int64_t>();
    tensor.metadata.shape = *TensorShape::Create(dims);
    tensor.bytes =
        reader->Bytes(tensor.metadata.shape.num_elements() * DTypeSize(tensor.metadata.dtype));
    return tensor;
  }
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_KERNELS_CPU_NUMPY_CASE_READER_H_
