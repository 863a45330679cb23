// The tfrt_test.* kernels that have no test file of their own.

#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>

#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TestKernelsTest : public testing::TestWithParam<const char*> {
 protected:
  RCReference<AsyncValue> String(std::string text) { return MakeValue(std::move(text)); }
  KernelRunner runner_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Queues, TestKernelsTest, testing::Values("s", "mstd:2"),
                         [](const auto& info) {
                           return std::string(info.param) == "s" ? "single" : "multi";
                         });

TEST_P(TestKernelsTest, Errors) {
  EXPECT_EQ(runner_.Error("tfrt_test.fail", {{}}), "something bad happened");
  EXPECT_EQ(runner_.Error("tfrt_test.error_chain", {{ReadyChain()}}), "error chain");
  EXPECT_THAT(runner_.diagnostics(), ElementsAre("something bad happened", "error chain"));
}

TEST_P(TestKernelsTest, PartialFail) {
  Values results = runner_.Run("tfrt_test.partial_fail", {{}, 2});
  EXPECT_EQ(results[0]->get<int32_t>(), 1);
  EXPECT_EQ(results[1]->GetError().message(), "something bad happened");
}

TEST_P(TestKernelsTest, AsyncErrors) {
  EXPECT_EQ(runner_.Error("tfrt_test.report_error_async", {{}}),
            "something bad happened asynchronously");
  for (const char* kernel :
       {"tfrt_test.report_error_concrete_async", "tfrt_test.report_error_indirect_async"}) {
    EXPECT_EQ(runner_.Get<int32_t>(kernel, {{I32(0)}}), 0);
    EXPECT_EQ(runner_.Error(kernel, {{I32(1)}}), "something bad happened asynchronously");
  }
  EXPECT_EQ(runner_.diagnostics().size(), 3u);
}

TEST_P(TestKernelsTest, AsyncKernels) {
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_test.async_add.i32", {{I32(1), I32(2)}}), 3);
  EXPECT_TRUE(runner_.Get<bool>("tfrt_test.async_constant.i1", {{}, 1, {ScalarBytes(true)}}));
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_test.async_constant.i32", {{}, 1, {ScalarBytes(9)}}), 9);
  for (const char* kernel :
       {"tfrt_test.async_copy.i32", "tfrt_test.async_copy_2.i32",
        "tfrt_test.async_copy.with_delay.i32", "tfrt_test.copy.with_delay.i32"}) {
    EXPECT_EQ(runner_.Get<int32_t>(kernel, {{I32(5)}}), 5) << kernel;
  }
  for (const char* kernel :
       {"tfrt_test.async_copy.with_delay.i64", "tfrt_test.copy.with_delay.i64"}) {
    EXPECT_EQ(runner_.Get<int64_t>(kernel, {{MakeValue<int64_t>(5)}}), 5) << kernel;
  }
}

TEST_P(TestKernelsTest, Integers) {
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_test.sum", {{I32(1), I32(2), I32(3)}}), 6);
  Values results = runner_.Run("tfrt_test.count3.i32", {{I32(2147483647)}, 3});
  EXPECT_EQ(results[2]->get<int32_t>(), -2147483646);
  results = runner_.Run("tfrt_test.count3.i64", {{MakeValue<int64_t>(1)}, 3});
  EXPECT_EQ(results[0]->get<int64_t>(), 2);
  EXPECT_EQ(runner_.Output("tfrt_test.test_cost", {{I32(1)}, 1, {ScalarBytes<int64_t>(12)}}),
            "id: 12\n");
}

TEST_P(TestKernelsTest, Atomics) {
  Values counter = runner_.Run("tfrt_test.atomic.create.i32", {{}});
  runner_.Run("tfrt_test.atomic.inc.i32", {{counter[0]}});
  runner_.Run("tfrt_test.atomic.add.i32", {{counter[0], I32(9)}});
  EXPECT_EQ(runner_.Run("tfrt_test.atomic.get.i32", {{counter[0]}, 2})[0]->get<int32_t>(), 10);
}

TEST_P(TestKernelsTest, Strings) {
  EXPECT_EQ(runner_.Get<std::string>("tfrt_test.get_string", {{}, 1, {StringBytes("abc")}}), "abc");
  EXPECT_EQ(runner_.Get<std::string>("tfrt_test.append_string", {{String("ab"), String("cd")}}),
            "abcd");
  EXPECT_TRUE(runner_.Get<bool>("tfrt_test.string_equal", {{String("ab"), String("ab")}}));
  EXPECT_EQ(runner_.Output("tfrt_test.print_string", {{String("ab")}}), "string = ab\n");
  EXPECT_EQ(runner_.Output("tfrt_test.print_hello", {{}}), "hello host executor!\n");
  EXPECT_EQ(runner_.Output("tfrt_test.print_bool", {{ReadyChain(), I1(false)}}), "false\n");
}

TEST_P(TestKernelsTest, TensorTypes) {
  for (auto [name, printed] : {std::pair("DenseHost", "DenseHost"), {"Other", "Unknown"}}) {
    Values type = runner_.Run("tfrt_test.get_static_tensor_type", {{}, 1, {StringBytes(name)}});
    EXPECT_EQ(runner_.Output("tfrt_test.print_tensor_type", {{type[0]}}),
              std::string("tensor_type = ") + printed + "\n");
  }
}

TEST_P(TestKernelsTest, FormatString) {
  auto format = [&](const char* text) {
    return runner_.Get<std::string>("tfrt_test.format_string", {{String(text), I32(7)}});
  };
  EXPECT_EQ(format("p-%03d"), "p-007");
  EXPECT_EQ(format("%-4x|100%%"), "7   |100%");
}

TEST_P(TestKernelsTest, FormatStringRefusesWhatPrintfWouldNotSurvive) {
  for (const char* text : {"%s", "%n", "%d %d", "none", "%", "%5", "%ld", "%*d", "%99999999d"}) {
    EXPECT_EQ(runner_.Error("tfrt_test.format_string", {{String(text), I32(7)}}),
              std::string("format '") + text + "' needs exactly one integer conversion");
  }
}

TEST_P(TestKernelsTest, ReadStringFromFile) {
  std::string path = testing::TempDir() + "/read_string_from_file.txt";
  std::ofstream(path) << "two\nlines";
  EXPECT_EQ(runner_.Get<std::string>("tfrt_test.read_string_from_file", {{String(path)}}),
            "two\nlines");
  std::remove(path.c_str());
  EXPECT_EQ(runner_.Error("tfrt_test.read_string_from_file", {{String("/no/such/file")}}),
            "failed to read from file /no/such/file");
}

TEST_P(TestKernelsTest, SumArrayAttr) {
  ASSERT_TRUE(runner_.resources().Create<int32_t>("val", 1000).ok());
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_test.sum_array_attr.i32",
                                 {{}, 1, {StringBytes("-10"), ArrayBytes<int32_t>({1, 2, 3})}}),
            1096);
  EXPECT_EQ(runner_.Error("tfrt_test.sum_array_attr.i32",
                          {{}, 1, {StringBytes("12x"), ArrayBytes<int32_t>({})}}),
            "Cannot convert 12x to target int");
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_test.get_request_context_data.i32", {{}}), 100);
}

TEST_P(TestKernelsTest, SumArrayAttrWithoutHostData) {
  KernelCall call{{}, 1, {StringBytes("1"), ArrayBytes<int32_t>({})}};
  EXPECT_EQ(runner_.Error("tfrt_test.sum_array_attr.i32", call), "there is no resource 'val'");
  EXPECT_EQ(runner_.Error("tfrt_test.sum_array_attr.i64", call),
            "request has no data of type long");
}

TEST_P(TestKernelsTest, Contexts) {
  EXPECT_EQ(runner_.Run("tfrt_test.use_sample_shared_context", {{ReadyChain()}, 2})[0]
                ->get<std::string>(),
            "sample_shared_context0");
  int32_t id = runner_.Get<int32_t>("tfrt_test.get_thread_id", {{ReadyChain()}});
  EXPECT_EQ(runner_.Get<int32_t>("tfrt_test.get_thread_id", {{ReadyChain()}}), id);
  EXPECT_TRUE(runner_.Run("tfrt_test.quiesce", {{ReadyChain()}})[0]->IsConcrete());
}

TEST_P(TestKernelsTest, Cancel) {
  Values results = runner_.Run("tfrt_test.cancel", {{ReadyChain()}, 2});
  EXPECT_EQ(results[0]->get<int32_t>(), 0);
  EXPECT_TRUE(runner_.request().IsCancelled());
  EXPECT_TRUE(runner_.diagnostics().empty());
}

TEST_P(TestKernelsTest, BlockingWork) {
  EXPECT_EQ(runner_.Output("tfrt_test.usleep", {{I32(10)}, 0}), "Slept for 10 microseconds\n");
  EXPECT_EQ(runner_.Output("tfrt_test.blocking.usleep", {{I32(20)}}),
            "Slept for 20 microseconds\n");
}

TEST_P(TestKernelsTest, Resources) {
  testing::internal::CaptureStdout();
  {
    Values allocated = runner_.Run("tfrt_test.allocate_resource", {{ReadyChain()}, 2});
    runner_.Run("tfrt_test.deallocate_resource", {{allocated[0], ReadyChain()}});
    runner_.Run("tfrt_test.allocate_resource", {{ReadyChain()}, 2});
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "Allocated TestResource\nDestroyed TestResource\n"
            "tfrt_test.deallocate_resource done\n"
            "Allocated TestResource\nDestroyed TestResource\n");
}

TEST_P(TestKernelsTest, AsyncValues) {
  EXPECT_EQ(runner_.Get<std::string>("tfrt_test.async_value_get", {{}}),
            "base1:base2:final_class:3");
  EXPECT_EQ(runner_.Get<std::string>("tfrt_test.async_value_ref", {{}}),
            "available:2;unavailable;(3);available:3;unavailable;available:4");
}

TEST_P(TestKernelsTest, Locations) {
  EXPECT_EQ(runner_.Output("tfrt_test.print_debug_info", {{}}), "Kernel has no debug info\n");
  EXPECT_TRUE(runner_.Run("tfrt_test.unique_loc", {{}, 1, {StringBytes("a")}})[0]->IsConcrete());
  EXPECT_TRUE(runner_.Run("tfrt_test.unique_loc", {{}, 1, {StringBytes("a")}})[0]->IsConcrete());
  EXPECT_EQ(runner_.Error("tfrt_test.unique_loc", {{}, 1, {StringBytes("b")}}),
            "duplicate locations 0");
}

TEST_P(TestKernelsTest, Logging) {
  testing::internal::CaptureStderr();
  runner_.Run("tfrt_test.logging", {{String("text")}});
  std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("] from TFRT_LOG(INFO): text\n"));
  EXPECT_THAT(log, HasSubstr("] from TFRT_LOG(WARNING): text\n"));
  EXPECT_THAT(log, HasSubstr("] from TFRT_LOG(ERROR): text\n"));
  EXPECT_THAT(log, HasSubstr("] from TFRT_LOG_IF(ERROR, true): text\n"));
  EXPECT_THAT(log, testing::Not(HasSubstr("false")));
}

}  // namespace
}  // namespace tfrt
