// Numbers as text, under locales with a decimal comma.
#include "lib/base/support/decimal_text.h"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <locale>
#include <string>

#include "lib/base/support/logging.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dtype.h"

namespace tfrt {
namespace {

using enum std::chars_format;

TEST(DecimalTextTest, IsWhatPrintfWrites) {
  for (double number : {0.0, -0.0, 0.5, -1234.25, 1e-7, 123456789.0, 1.7976931348623157e308,
                        std::numeric_limits<double>::infinity()}) {
    char text[512];
    std::snprintf(text, sizeof(text), "%.6f", number);
    EXPECT_EQ(DecimalText(number, fixed, 6), text);
    std::snprintf(text, sizeof(text), "%.6e", number);
    EXPECT_EQ(DecimalText(number, scientific, 6), text);
    std::snprintf(text, sizeof(text), "%.7g", number);
    EXPECT_EQ(DecimalText(number, general, 7), text);
  }
}

class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(DecimalTextTest, LocaleOfCppChangesNoLine) {
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  testing::internal::CaptureStderr();
  TFRT_LOG(INFO) << 1234567 << ' ' << 0.5;
  const std::string line = testing::internal::GetCapturedStderr();
  std::locale::global(before);
  EXPECT_NE(line.find("] 1234567 0.5\n"), std::string::npos) << line;
}

// Sets a German locale: one that is installed, else one that the system's tool makes.
class GermanLocale : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/localeXXXXXX";
    folder_ = mkdtemp(name);
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) {
      const std::string make =
          "localedef -i de_DE -f ISO-8859-1 " + folder_ + "/de_DE >/dev/null 2>&1";
      if (std::system(make.c_str()) == 0) setenv("LOCPATH", folder_.c_str(), 1);
      if (!std::setlocale(LC_ALL, "de_DE")) {
        GTEST_SKIP() << "no German locale is installed, and none can be made";
      }
    }
  }
  void TearDown() override {
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::filesystem::remove_all(folder_);
  }

  std::string folder_;
};

TEST_F(GermanLocale, ChangesNoText) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.1f", 0.5);
  ASSERT_STREQ(text, "0,5");
  EXPECT_EQ(StrCat(0.5), "0.500000");
  EXPECT_EQ(DecimalText(1234.5, fixed, 1), "1234.5");
  const double number = -1234.25;
  std::string element;
  AppendElement(DType::kF64, &number, &element);
  EXPECT_EQ(element, "-1.234250e+03");
}

}  // namespace
}  // namespace tfrt
