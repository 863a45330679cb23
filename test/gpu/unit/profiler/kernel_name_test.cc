#include "gpu/profiler/kernel_name.h"

#include <gtest/gtest.h>

#include <string>

namespace tfrt::gpu {
namespace {

TEST(KernelNameTest, SpellsOutMangledNames) {
  EXPECT_EQ(KernelName("_Z4reluPf"), "relu(float*)");
  EXPECT_EQ(KernelName("_ZN2tf6matmulIfLi8EEEvPT_"), "void tf::matmul<float, 8>(float*)");
  EXPECT_EQ(KernelName("_Znot mangled"), "_Znot mangled");
}

// Names that would be types if they were taken for mangled ones.
TEST(KernelNameTest, LeavesOthersAsTheyAre) {
  EXPECT_EQ(KernelName("f"), "f");
  EXPECT_EQ(KernelName("add"), "add");
  EXPECT_EQ(KernelName("ampere_sgemm_128x64_nn"), "ampere_sgemm_128x64_nn");
}

TEST(KernelNameTest, StrangeBytes) {
  EXPECT_EQ(KernelName(nullptr), "(no name)");
  EXPECT_EQ(KernelName(""), "(no name)");
  EXPECT_EQ(KernelName("a\nb\x7f\x01"), "a\\x0ab\\x7f\\x01");
  EXPECT_EQ(KernelName("k\xc3\xa4se \xe2\x82\xac \xf0\x9f\x98\x80"),
            "k\xc3\xa4se \xe2\x82\xac \xf0\x9f\x98\x80");
  // Cut off, too long for what they say, halves of pairs, beyond the last.
  EXPECT_EQ(KernelName("\xc3"), "\\xc3");
  EXPECT_EQ(KernelName("\xc0\x80"), "\\xc0\\x80");
  EXPECT_EQ(KernelName("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(KernelName("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(KernelName("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(KernelName("\xff\xfe"), "\\xff\\xfe");
}

TEST(KernelNameTest, ReadsSoMuchAtMost) {
  const std::string name(kMaxKernelName + 1000, 'x');
  EXPECT_EQ(KernelName(name.c_str()).size(), static_cast<size_t>(kMaxKernelName));
}

}  // namespace
}  // namespace tfrt::gpu
