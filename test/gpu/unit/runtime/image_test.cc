// Device code as it comes from a file of anybody's.
#include "gpu/runtime/image.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

using internal::CheckImage;
using internal::ParametersInText;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
void Put(std::string* image, size_t at, T value) {
  std::memcpy(image->data() + at, &value, sizeof(T));
}

// An ELF file with two sections, of which the second has no bytes in the file, and a segment.
std::string Elf() {
  std::string image(64 + 2 * 64 + 56 + 16, '\0');
  image.replace(0, 4,
                "\x7f"
                "ELF");
  image[4] = 2;
  Put<uint64_t>(&image, 40, 64);  // section headers
  Put<uint16_t>(&image, 58, 64);
  Put<uint16_t>(&image, 60, 2);
  Put<uint64_t>(&image, 32, 192);  // program headers
  Put<uint16_t>(&image, 54, 56);
  Put<uint16_t>(&image, 56, 1);
  Put<uint32_t>(&image, 64 + 4, 1);
  Put<uint64_t>(&image, 64 + 24, 248);
  Put<uint64_t>(&image, 64 + 32, 16);
  Put<uint32_t>(&image, 128 + 4, 8);
  Put<uint64_t>(&image, 128 + 24, 248);
  Put<uint64_t>(&image, 128 + 32, uint64_t{1} << 40);
  Put<uint64_t>(&image, 192 + 8, 240);
  Put<uint64_t>(&image, 192 + 32, 24);
  return image;
}

TEST(ImageTest, BinariesAreWhole) {
  const std::string whole = Elf();
  EXPECT_TRUE(CheckImage(whole).ok()) << CheckImage(whole).message();
  for (size_t size = 4; size < whole.size(); ++size) {
    EXPECT_FALSE(CheckImage(whole.substr(0, size)).ok()) << size;
  }
  std::string image = whole;
  Put<uint64_t>(&image, 64 + 32, 17);
  EXPECT_EQ(CheckImage(image).message(),
            "device code is cut: its section 0 has 17 bytes from byte 248 on, of 264");
  image = whole;
  Put<uint64_t>(&image, 192 + 8, UINT64_MAX);
  EXPECT_THAT(std::string(CheckImage(image).message()), HasSubstr("its segment 0 has 24 bytes"));
  image = whole;
  Put<uint64_t>(&image, 40, UINT64_MAX - 10);
  EXPECT_THAT(std::string(CheckImage(image).message()), HasSubstr("its table of sections"));
  image = whole;
  Put<uint16_t>(&image, 58, 1);
  EXPECT_FALSE(CheckImage(image).ok());
  image = whole;
  image[4] = 1;
  EXPECT_EQ(CheckImage(image).message(), "device code is an ELF file of 32 bits");
  // Any bytes have an answer.
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    image = whole.substr(0, 4 + random() % (whole.size() - 3));
    for (int j = 0; j < 8; ++j)
      image[4 + random() % (image.size() - 3) - (image.size() == 4)] ^= static_cast<char>(random());
    (void)CheckImage(image);
  }
}

TEST(ImageTest, ContainersAreWhole) {
  std::string image(
      "\x50\xed\x55\xba\x01\x00\x10\x00\x08\x00\x00\x00\x00\x00\x00\x00"
      "12345678",
      24);
  EXPECT_TRUE(CheckImage(image).ok());
  image.pop_back();
  EXPECT_EQ(CheckImage(image).message(),
            "device code is cut: its container has 8 bytes from byte 16 on, of 23");
  EXPECT_FALSE(CheckImage(image.substr(0, 5)).ok());
}

TEST(ImageTest, OtherThingsAreTexts) {
  EXPECT_TRUE(CheckImage(std::string_view("// \xc3\xa4\n\t.version 7.0\r\n\0\x01\x02", 25)).ok());
  EXPECT_TRUE(CheckImage("").ok());
  EXPECT_EQ(CheckImage("BC\x01").message(),
            "device code is neither text nor a binary that is known");
}

TEST(ImageTest, TextsDeclareParameters) {
  constexpr std::string_view kText = R"(.version 7.0
// .entry one(.param .u8 x)
.visible .entry one( /* , */ .param .u64 .ptr .global .align 4 a, .param .f32 b,
                     .param .align 8 .b8 c[24], .param .b32 d[2]) .maxntid 32 { ret; }
.entry none { ret; }
.entry empty() { ret; }
.entry odd(.param .u64) { ret; }
.entry pred(.param .pred p) { ret; }
.entry cut(.param .u64 a,)";
  EXPECT_THAT(*ParametersInText(kText, "one"), ElementsAre(8, 4, 24, 8));
  EXPECT_THAT(*ParametersInText(kText, "none"), ElementsAre());
  EXPECT_THAT(*ParametersInText(kText, "empty"), ElementsAre());
  EXPECT_THAT(*ParametersInText(kText, "odd"), ElementsAre(8));
  for (const char* name : {"pred", "cut", "other"}) {
    EXPECT_EQ(ParametersInText(kText, name), std::nullopt) << name;
  }
  EXPECT_EQ(ParametersInText(Elf(), "one"), std::nullopt);
}

using ImagesTest = GpuTest;

// Drivers before 12.4 do not say what a kernel takes, and read as much as it declares.
TEST_F(ImagesTest, OlderDriversKnowNoParameters) {
  gpu_.mutable_table().cuFuncGetParamInfo = nullptr;
  gpu_.AddKernel("two", {.parameter_sizes = {8, 4}});
  auto module = context_
                    ->LoadModule(std::string_view(
                        ".version 7.0\n.entry two(.param .u64 a, .param .u32 b) { ret; }\0", 62))
                    .value();
  auto stream = MakeStream();
  const uint64_t eight = 0;
  const uint32_t four = 0;
  const Function& two = *module->GetFunction("two").value();
  LaunchArgument arguments[] = {LaunchArgument::Of(eight), LaunchArgument::Of(four)};
  EXPECT_TRUE(stream->Launch(two, {}, arguments).ok());
  EXPECT_EQ(stream->Launch(two, {}, std::span(arguments).first(1)).status().message(),
            "kernel 'two' takes 2 arguments, not 1");
}

TEST_F(ImagesTest, DriversGetNoCutBinary) {
  gpu_.ForgetCalls();
  EXPECT_EQ(context_->LoadModule(Elf().substr(0, 200)).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(gpu_.NumCalls("cuModuleLoadDataEx"), 0u);
  (void)context_->LoadModule(Elf());
  EXPECT_EQ(gpu_.NumCalls("cuModuleLoadDataEx"), 1u);
}

}  // namespace
}  // namespace tfrt::gpu
