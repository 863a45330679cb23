// bef_executor with kernel libraries that it loads at run time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "tfrt/bef/bef_builder.h"

namespace tfrt {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class PluginTest : public ::testing::Test {
 protected:
  PluginTest() {
    // f: plugin.double_later(plugin.answer())
    bef::FunctionSpec f{.name = "f"};
    uint32_t answer = f.AddKernel({.name = "plugin.answer", .result_types = {"i32"}});
    f.returns = {f.AddKernel(
        {.name = "plugin.double_later", .operands = {answer}, .result_types = {"i32"}})};
    bef::BefBuilder builder;
    builder.AddFunction(std::move(f));
    auto bytes = builder.Build();
    EXPECT_TRUE(bytes.ok());
    std::ofstream(path_, std::ios::binary) << std::string(bytes->begin(), bytes->end());
  }
  ~PluginTest() override { std::remove(path_.c_str()); }

  // Runs the tool; its exit code, and all it printed in output_.
  int Run(const std::string& options) {
    output_.clear();
    std::string command = TFRT_TOOL " " + options + " " + path_ + " 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    for (int c; (c = std::fgetc(pipe)) != EOF;) output_ += static_cast<char>(c);
    return WEXITSTATUS(pclose(pipe));
  }

  std::string path_ = ::testing::TempDir() + "/plugin_test.bef";
  std::string output_;
};

TEST_F(PluginTest, KernelsOfALibrary) {
  for (const char* queue : {"s", "mstd:2"}) {
    EXPECT_EQ(Run(std::string("--shared_libs=" TFRT_PLUGIN " --work_queue_type=") + queue), 0);
    EXPECT_THAT(output_, EndsWith("--- Running 'f':\n'f' returned 84\n"));
  }
}

TEST_F(PluginTest, WithoutTheLibraryTheKernelIsUnknown) {
  EXPECT_EQ(Run(""), 1);
  EXPECT_THAT(output_, HasSubstr("unexpected error: runtime error: unknown kernel name 'plugin."));
}

TEST_F(PluginTest, LibraryTwice) {
  EXPECT_EQ(Run("--shared_libs=" TFRT_PLUGIN "," TFRT_PLUGIN), 1);
  EXPECT_THAT(output_, HasSubstr("couldn't load library "));
  EXPECT_THAT(output_, HasSubstr("plugin.answer"));
}

TEST_F(PluginTest, TypeOfAnotherLayout) {
  EXPECT_EQ(Run("--shared_libs=" TFRT_HOST_TYPE_PLUGIN), 1);
  EXPECT_THAT(output_, HasSubstr("couldn't load library "));
  EXPECT_THAT(output_,
              HasSubstr("kernel 'plugin.rank': type 'tfrt::TensorShape' has 400 bytes, aligned by "
                        "4, but was known with "));
}

TEST_F(PluginTest, LibraryWithoutTheSymbol) {
  EXPECT_EQ(Run("--shared_libs=" TFRT_PLUGIN_WITHOUT_SYMBOL), 1);
  EXPECT_THAT(output_, HasSubstr("couldn't load library "));
  EXPECT_THAT(output_, HasSubstr("RegisterKernels"));
}

TEST_F(PluginTest, LibraryOfAnotherInterface) {
  EXPECT_EQ(Run("--shared_libs=" TFRT_PLUGIN_OF_ANOTHER_INTERFACE), 1);
  EXPECT_THAT(output_, HasSubstr("was built for the kernel interface 999, this program has "));
  EXPECT_EQ(Run("--shared_libs=" TFRT_PLUGIN_OF_OLDER_INTERFACE), 1);
  EXPECT_THAT(output_, HasSubstr("was built for the kernel interface of an older version, "));
}

TEST_F(PluginTest, NoSuchLibrary) {
  EXPECT_EQ(Run("--shared_libs=/no/such/library.so"), 1);
  EXPECT_THAT(output_, HasSubstr(": couldn't load library "));
  EXPECT_THAT(output_, HasSubstr("/no/such/library.so"));
}

}  // namespace
}  // namespace tfrt
