// Descriptors of cuDNN: the double answers what the vendor's library does, which needs no GPU for
// that. Skipped without the vendor's library.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gpu/abi/cudnn_table.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cudnn {
namespace {

using Answers = std::vector<std::pair<std::string, cudnnStatus_t>>;
using Sizes = std::vector<int>;

bool Open(const char* path, Table* table) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  for (size_t i = 0; i < std::size(kFunctions); ++i) {
    void* found = dlsym(library, kFunctions[i].name);
    if (!found) return false;
    std::memcpy(reinterpret_cast<char*>(table) + i * sizeof(void*), &found, sizeof(found));
  }
  return true;
}

std::string TextOf(const Sizes& sizes) {
  std::string text;
  for (int size : sizes) text += StrCat(text.empty() ? "" : "x", size);
  return text;
}

constexpr uint32_t kTypes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99};

void AskTensors(const Table& table, Answers* answers) {
  cudnnTensorDescriptor_t tensor = nullptr;
  answers->emplace_back("create", table.cudnnCreateTensorDescriptor(&tensor));
  answers->emplace_back("create into nothing", table.cudnnCreateTensorDescriptor(nullptr));
  auto set = [&](uint32_t type, const Sizes& dims, const Sizes& strides) {
    answers->emplace_back(StrCat("tensor ", type, " ", TextOf(dims), " by ", TextOf(strides)),
                          table.cudnnSetTensorNdDescriptor(
                              tensor, static_cast<cudnnDataType_t>(type),
                              static_cast<int>(dims.size()), dims.data(), strides.data()));
  };
  for (uint32_t type : kTypes) set(type, {2, 4, 4, 5}, {80, 20, 5, 1});
  for (int rank = 1; rank <= 9; ++rank) set(0, Sizes(rank, 1), Sizes(rank, 1));
  set(0, {2, 0, 4, 5}, {60, 20, 5, 1});
  set(0, {2, -1, 4, 5}, {60, 20, 5, 1});
  set(0, {2, 3, 4, 5}, {60, 20, 0, 1});
  set(0, {2, 3, 4, 5}, {60, 20, -5, 1});
  set(0, {2, 3, 4, 5}, {1, 1, 1, 1});
  set(0, {1, 3, 1, 1}, {0, 1, 0, 0});
  set(0, {65536, 32768, 1, 1}, {32768, 1, 1, 1});
  set(0, {65536, 32767, 1, 1}, {32767, 1, 1, 1});
  auto set_format = [&](uint32_t format, uint32_t type, const Sizes& dims) {
    answers->emplace_back(
        StrCat("tensor ", type, " ", TextOf(dims), " in format ", format),
        table.cudnnSetTensorNdDescriptorEx(tensor, static_cast<cudnnTensorFormat_t>(format),
                                           static_cast<cudnnDataType_t>(type),
                                           static_cast<int>(dims.size()), dims.data()));
  };
  for (uint32_t format : {0, 1, 2, 3}) {
    for (uint32_t type : {0, 2, 3, 5, 8, 99}) {
      for (int channels : {3, 12, 64}) set_format(format, type, {2, channels, 4, 5});
    }
    set_format(format, 0, {2, 3, 4});
  }
  answers->emplace_back("destroy", table.cudnnDestroyTensorDescriptor(tensor));
  answers->emplace_back("destroy nothing", table.cudnnDestroyTensorDescriptor(nullptr));
}

void AskFilters(const Table& table, Answers* answers) {
  cudnnFilterDescriptor_t filter = nullptr;
  answers->emplace_back("create", table.cudnnCreateFilterDescriptor(&filter));
  auto set = [&](uint32_t type, uint32_t format, const Sizes& dims) {
    answers->emplace_back(
        StrCat("filter ", type, " ", TextOf(dims), " in format ", format),
        table.cudnnSetFilterNdDescriptor(filter, static_cast<cudnnDataType_t>(type),
                                         static_cast<cudnnTensorFormat_t>(format),
                                         static_cast<int>(dims.size()), dims.data()));
  };
  for (uint32_t type : kTypes) {
    for (uint32_t format : {0, 1, 2, 9}) set(type, format, {4, 32, 3, 3});
  }
  for (int rank = 1; rank <= 9; ++rank) set(0, 0, Sizes(rank, 1));
  set(0, 0, {2, 0, 4, 5});
  set(5, 2, {4, 3, 3, 3});
  answers->emplace_back("destroy", table.cudnnDestroyFilterDescriptor(filter));
}

void AskConvolutions(const Table& table, Answers* answers) {
  cudnnConvolutionDescriptor_t convolution = nullptr;
  answers->emplace_back("create", table.cudnnCreateConvolutionDescriptor(&convolution));
  auto set = [&](const Sizes& paddings, const Sizes& strides, const Sizes& dilations, uint32_t mode,
                 uint32_t type) {
    answers->emplace_back(
        StrCat("convolution ", TextOf(paddings), " ", TextOf(strides), " ", TextOf(dilations), " ",
               mode, " ", type),
        table.cudnnSetConvolutionNdDescriptor(convolution, static_cast<int>(paddings.size()),
                                              paddings.data(), strides.data(), dilations.data(),
                                              static_cast<cudnnConvolutionMode_t>(mode),
                                              static_cast<cudnnDataType_t>(type)));
  };
  for (int rank = 0; rank <= 7; ++rank) set(Sizes(rank, 0), Sizes(rank, 1), Sizes(rank, 1), 1, 0);
  for (uint32_t type : kTypes) set({0, 0}, {1, 1}, {1, 1}, 0, type);
  set({-1, 0}, {1, 1}, {1, 1}, 1, 0);
  set({9, 9}, {1, 1}, {1, 1}, 1, 0);
  set({0, 0}, {0, 1}, {1, 1}, 1, 0);
  set({0, 0}, {1, -1}, {1, 1}, 1, 0);
  set({0, 0}, {1, 1}, {0, 1}, 1, 0);
  set({0, 0}, {1, 1}, {1, 1}, 2, 0);
  for (uint32_t type : {0, 1, 2, 3, 4}) {
    answers->emplace_back(
        StrCat("math ", type),
        table.cudnnSetConvolutionMathType(convolution, static_cast<cudnnMathType_t>(type)));
  }
  answers->emplace_back("destroy", table.cudnnDestroyConvolutionDescriptor(convolution));
}

void AskOthers(const Table& table, Answers* answers) {
  cudnnPoolingDescriptor_t pooling = nullptr;
  answers->emplace_back("create", table.cudnnCreatePoolingDescriptor(&pooling));
  auto set = [&](uint32_t mode, uint32_t nan, const Sizes& window, const Sizes& paddings,
                 const Sizes& strides) {
    answers->emplace_back(
        StrCat("pooling ", mode, " ", nan, " ", TextOf(window), " ", TextOf(paddings), " ",
               TextOf(strides)),
        table.cudnnSetPoolingNdDescriptor(
            pooling, static_cast<cudnnPoolingMode_t>(mode), static_cast<cudnnNanPropagation_t>(nan),
            static_cast<int>(window.size()), window.data(), paddings.data(), strides.data()));
  };
  for (uint32_t mode : {0, 1, 2, 3, 4}) {
    for (uint32_t nan : {0, 1, 2}) set(mode, nan, {3, 3}, {0, 0}, {1, 1});
  }
  for (int rank = 0; rank <= 7; ++rank) set(0, 0, Sizes(rank, 3), Sizes(rank, 0), Sizes(rank, 1));
  set(0, 0, {0, 3}, {0, 0}, {1, 1});
  set(0, 0, {3, 3}, {-1, 0}, {1, 1});
  set(0, 0, {3, 3}, {3, 0}, {1, 1});
  set(0, 0, {3, 3}, {0, 0}, {0, 1});
  answers->emplace_back("destroy", table.cudnnDestroyPoolingDescriptor(pooling));

  cudnnActivationDescriptor_t activation = nullptr;
  answers->emplace_back("create", table.cudnnCreateActivationDescriptor(&activation));
  for (uint32_t mode = 0; mode <= 8; ++mode) {
    for (uint32_t nan : {0, 1, 2}) {
      answers->emplace_back(
          StrCat("activation ", mode, " ", nan),
          table.cudnnSetActivationDescriptor(activation, static_cast<cudnnActivationMode_t>(mode),
                                             static_cast<cudnnNanPropagation_t>(nan), -1));
    }
  }
  answers->emplace_back("destroy", table.cudnnDestroyActivationDescriptor(activation));
}

Answers Ask(const Table& table) {
  Answers answers;
  AskTensors(table, &answers);
  AskFilters(table, &answers);
  AskConvolutions(table, &answers);
  AskOthers(table, &answers);
  return answers;
}

TEST(DnnDescriptorsTest, TheDoubleAnswersAsTheLibrary) {
  Table own;
  ASSERT_TRUE(Open(TFRT_TEST_GPU_DOUBLE_DIR "/libcudnn.so.9", &own)) << dlerror();
  const Answers answers = Ask(own);
  EXPECT_GE(answers.size(), 230u);
  Table vendor;
  if (!*TFRT_TEST_CUDNN || !Open(TFRT_TEST_CUDNN, &vendor)) GTEST_SKIP() << "no cuDNN";
  const Answers expected = Ask(vendor);
  ASSERT_EQ(answers.size(), expected.size());
  for (size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(ResultName(answers[i].second), ResultName(expected[i].second)) << answers[i].first;
  }
}

TEST(DnnDescriptorsTest, ErrorsHaveAText) {
  Table own;
  ASSERT_TRUE(Open(TFRT_TEST_GPU_DOUBLE_DIR "/libcudnn.so.9", &own)) << dlerror();
  char text[64] = "x";
  EXPECT_EQ(own.cudnnCreateTensorDescriptor(nullptr), CUDNN_STATUS_BAD_PARAM);
  own.cudnnGetLastErrorString(text, sizeof(text));
  EXPECT_STREQ(text, "descriptor != nullptr");
  own.cudnnGetLastErrorString(text, sizeof(text));
  EXPECT_STREQ(text, "");
  // A handle that is not there, and one that cannot be: no context is current.
  EXPECT_EQ(own.cudnnSetStream(nullptr, nullptr), CUDNN_STATUS_BAD_PARAM);
  cudnnHandle_t handle = nullptr;
  EXPECT_EQ(own.cudnnCreate(&handle), CUDNN_STATUS_NOT_INITIALIZED);
  EXPECT_STREQ(own.cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM), "CUDNN_STATUS_BAD_PARAM");
}

}  // namespace
}  // namespace tfrt::gpu::cudnn
