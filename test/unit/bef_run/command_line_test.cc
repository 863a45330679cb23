#include "tools/bef_executor/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tfrt {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CommandLineTest : public ::testing::Test {
 protected:
  CommandLineResult Parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "/some/where/bef_executor");
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    CommandLineResult result =
        ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
    out_ = ::testing::internal::GetCapturedStdout();
    err_ = ::testing::internal::GetCapturedStderr();
    return result;
  }
  std::string out_, err_;
};

TEST_F(CommandLineTest, Defaults) {
  auto result = Parse({});
  ASSERT_FALSE(result.exit_code);
  const BefExecutorOptions& options = result.command_line.options;
  EXPECT_EQ(options.program_name, "/some/where/bef_executor");
  EXPECT_EQ(options.input_file, "-");
  EXPECT_TRUE(options.functions.empty());
  EXPECT_EQ(options.work_queue_type, "s");
  EXPECT_EQ(options.host_allocator_type, HostAllocatorType::kLeakCheck);
  EXPECT_FALSE(options.print_error_code);
  EXPECT_FALSE(result.command_line.enable_tracing);
  EXPECT_EQ(result.command_line.tracing_level, tracing::Level::kDefault);
}

TEST_F(CommandLineTest, OneAndTwoDashes) {
  for (bool one : {true, false}) {
    auto result =
        Parse({one ? "-functions=a,b" : "--functions=a,b", one ? "-functions" : "--functions", "c",
               "file.bef", one ? "-work_queue_type=mstd:2" : "--work_queue_type=mstd:2",
               one ? "-host_allocator_type=malloc" : "--host_allocator_type=malloc",
               one ? "-print_error_code" : "--print_error_code",
               one ? "-enable_tracing" : "--enable_tracing",
               one ? "-tracing_level=debug" : "--tracing_level=debug",
               one ? "-test_init_function=i" : "--test_init_function=i",
               one ? "-shared_libs=x.so,y.so" : "--shared_libs=x.so,y.so",
               one ? "-trace_file=t.json" : "--trace_file=t.json",
               one ? "-compute_backend=eigen" : "--compute_backend=eigen",
               one ? "-max_call_depth=7" : "--max_call_depth=7"});
    ASSERT_FALSE(result.exit_code) << err_;
    const BefExecutorOptions& options = result.command_line.options;
    EXPECT_THAT(options.functions, ElementsAre("a", "b", "c"));
    EXPECT_EQ(options.input_file, "file.bef");
    EXPECT_EQ(options.work_queue_type, "mstd:2");
    EXPECT_EQ(options.host_allocator_type, HostAllocatorType::kMalloc);
    EXPECT_TRUE(options.print_error_code);
    EXPECT_EQ(options.test_init_function, "i");
    EXPECT_THAT(options.shared_libs, ElementsAre("x.so", "y.so"));
    EXPECT_EQ(options.max_call_depth, 7u);
    EXPECT_TRUE(result.command_line.enable_tracing);
    EXPECT_EQ(result.command_line.tracing_level, tracing::Level::kDebug);
    EXPECT_EQ(result.command_line.trace_file, "t.json");
    EXPECT_EQ(result.command_line.compute_backend, ComputeBackend::kEigen);
  }
}

TEST_F(CommandLineTest, OneDashIsStandardInput) {
  auto result = Parse({"-"});
  ASSERT_FALSE(result.exit_code) << err_;
  EXPECT_EQ(result.command_line.options.input_file, "-");
}

TEST_F(CommandLineTest, FileNamesBehindTwoDashes) {
  auto result = Parse({"--", "-file.bef"});
  ASSERT_FALSE(result.exit_code) << err_;
  EXPECT_EQ(result.command_line.options.input_file, "-file.bef");
}

TEST_F(CommandLineTest, UnknownEnumerationValue) {
  EXPECT_EQ(Parse({"-host_allocator_type=x"}).exit_code, 1);
  EXPECT_EQ(err_,
            "bef_executor: for the --host_allocator_type option: Cannot find option named 'x'!\n");
  EXPECT_EQ(Parse({"--tracing_level=none"}).exit_code, 1);
  EXPECT_EQ(err_,
            "bef_executor: for the --tracing_level option: Cannot find option named 'none'!\n");
}

TEST_F(CommandLineTest, BadOptions) {
  EXPECT_EQ(Parse({"--no_such_option"}).exit_code, 1);
  EXPECT_THAT(err_, HasSubstr("--no_such_option"));
  EXPECT_EQ(Parse({"--max_call_depth=many"}).exit_code, 1);
  EXPECT_THAT(err_, HasSubstr("many"));
  EXPECT_EQ(Parse({"a.bef", "b.bef"}).exit_code, 1);
  EXPECT_THAT(err_, HasSubstr("b.bef"));
  EXPECT_EQ(Parse({"--enable_tracing=maybe"}).exit_code, 1);
  EXPECT_THAT(err_, EndsWith("see 'bef_executor --help'\n"));
}

TEST_F(CommandLineTest, HelpAndVersion) {
  for (const char* flag : {"--help", "-help", "-h"}) {
    EXPECT_EQ(Parse({flag}).exit_code, 0) << flag;
    EXPECT_THAT(out_, StartsWith("OVERVIEW: HostExecutor test driver\n"));
  }
  EXPECT_EQ(Parse({"--version"}).exit_code, 0);
  EXPECT_THAT(out_, StartsWith("tfrt "));
}

}  // namespace
}  // namespace tfrt
