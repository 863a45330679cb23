#include "gpu/wrapper/vendor_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "gpu/abi/cupti_result.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::test {
namespace {

using testing::HasSubstr;

// The fake of CUPTI stands for any library that has a version.
struct Table {
  uint32_t (*cuptiGetVersion)(uint32_t* version) = nullptr;
  uint32_t (*cuptiActivityFlushAll)() = nullptr;
  uint32_t (*cuptiNewer)() = nullptr;
};
constexpr FunctionInfo kFunctions[] = {
    {"cuptiGetVersion", 0, true}, {"cuptiActivityFlushAll", 19, true}, {"cuptiNewer", 29, false}};
constexpr const char* kNames[] = {"libcupti.so.14", "libcupti.so.13"};

const VendorFacts& FactsOf(const Table*) {
  static const VendorFacts facts = {
      .product = "the fake",
      .names = kNames,
      .functions = kFunctions,
      .min_version = 19,
      .version = [](const SharedLibrary& library) -> StatusOr<int> {
        using Function = cupti::CUptiResult(uint32_t*);
        auto* function = reinterpret_cast<Function*>(library.Find("cuptiGetVersion"));
        if (!function) return FailedPreconditionError("no version");
        uint32_t version = 0;
        function(&version);
        return static_cast<int>(version);
      },
      .version_text = [](int version) { return StrCat("v", version); },
  };
  return facts;
}
using Library = VendorLibrary<Table>;

StatusOr<const Library*> OpenFake(const std::string& name) {
  return Library::Open({.before_loader = {{FAKE_CUPTIS "/" + name, "the test"}}, .loader = false});
}

TEST(VendorLibraryTest, IsOpenedOnce) {
  StatusOr<const Library*> library = OpenFake("v28");
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  EXPECT_EQ((*library)->version(), 28);
  EXPECT_THAT((*library)->path(), HasSubstr("libcupti.so.13"));
  EXPECT_NE((*library)->table().cuptiActivityFlushAll, nullptr);
  EXPECT_EQ((*library)->table().cuptiNewer, nullptr);
  EXPECT_EQ(*OpenFake("v28"), *library);
}

TEST(VendorLibraryTest, ErrorsNameTheLibrary) {
  EXPECT_THAT(std::string(OpenFake("v18").status().message()),
              HasSubstr("libcupti.so.13 is the fake v18; v19 or newer is needed"));
  EXPECT_THAT(std::string(OpenFake("lacks_flush").status().message()),
              HasSubstr("lacks cuptiActivityFlushAll, which the fake v28 has"));
  EXPECT_EQ(OpenFake("no_version").status().message(), "no version");
  const Status missing = OpenFake("nowhere").status();
  EXPECT_EQ(missing.code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("libcupti.so.14 cannot be loaded"));
}

TEST(VendorLibraryTest, FoldersOfTheProcessAreSearched) {
  const std::string folders[] = {FAKE_CUPTIS "/v28"};
  AddLibraryFolders(folders);
  AddLibraryFolders(folders);
  int num_found = 0;
  for (const auto& folder : LibrarySearch::ForLibraries().after_loader) {
    num_found += folder.path == folders[0];
  }
  EXPECT_EQ(num_found, 1);
}

enum class Code : uint32_t {};
std::string_view ResultName(Code code) { return code == Code{3} ? "FAKE_STATUS_THREE" : ""; }
StatusCode CodeOf(Code) { return StatusCode::kInternal; }

TEST(VendorLibraryTest, StatusHasTheVendorsName) {
  EXPECT_TRUE(LibraryStatus(Code{0}, "f").ok());
  EXPECT_EQ(LibraryStatus(Code{3}, "fakeRun").message(), "fakeRun: FAKE_STATUS_THREE");
  EXPECT_EQ(LibraryStatus(Code{4}, "fakeRun").message(), "fakeRun: status 4");
}

}  // namespace
}  // namespace tfrt::gpu::test
