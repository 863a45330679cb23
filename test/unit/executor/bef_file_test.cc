// Opening and binding: what is refused, and how it is said.

#include "tfrt/executor/bef_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <thread>

#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;
using testing::HasSubstr;

// Opens a file of one function "f" with the one kernel and returns what binding says.
Status BindOne(bef::KernelSpec kernel, std::vector<std::string> argument_types = {},
               bef::FunctionKind kind = bef::FunctionKind::kAsync) {
  TestHost host;
  FunctionSpec f{.name = "f", .kind = kind, .argument_types = std::move(argument_types)};
  f.AddKernel(std::move(kernel));
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto file = host.TryLoad(builder);
  if (!file.ok()) return file.status();
  return (*file)->FindFunction("f").status();
}

TEST(BefFileTest, UnknownKernel) {
  EXPECT_EQ(BindOne(Op("t.nothing", {}, {})).message(), "unknown kernel name 't.nothing'");
}

TEST(BefFileTest, UnknownKernelHasALocationIfNoFunctionHasTypes) {
  TestHost host;
  for (bool with_result : {false, true}) {
    FunctionSpec f{.name = "f"};
    bef::KernelSpec kernel = Op("t.nothing", {}, {"i32"});
    kernel.location = bef::FileLocation("x.mlir", 3, 4);
    uint32_t r = f.AddKernel(kernel);
    if (with_result) {
      f.returns = {r};
      f.result_types = {"i32"};
    }
    BefBuilder builder;
    builder.AddFunction(std::move(f));
    DecodedLocation location;
    auto bytes = builder.Build();
    ASSERT_TRUE(bytes.ok());
    EXPECT_FALSE(BefFile::Open(BefImage::CopyOf(*bytes), &host.host(), &location).ok());
    EXPECT_EQ(location.ToString(), with_result ? "<unknown>" : "x.mlir:3:4");
  }
}

TEST(BefFileTest, WrongNumberOfArguments) {
  EXPECT_EQ(BindOne(Op("t.add", {0}, {"i32"}), {"i32"}).message(),
            "kernel 't.add' takes 2 arguments, but the program gives 1");
}

TEST(BefFileTest, OneTrailingChainIsAccepted) {
  EXPECT_TRUE(BindOne(Op("t.add", {0, 0, 1}, {"i32"}), {"i32", "!tfrt.chain"}).ok());
  EXPECT_EQ(BindOne(Op("t.add", {0, 0, 0}, {"i32"}), {"i32"}).message(),
            "kernel 't.add' takes 2 arguments, but the program gives 3");
}

TEST(BefFileTest, WrongNumberOfResults) {
  EXPECT_EQ(BindOne(Op("t.add", {0, 0}, {"i32", "i32"}), {"i32"}).message(),
            "kernel 't.add' has 1 result, but the program gives 2");
}

TEST(BefFileTest, MissingAttribute) {
  EXPECT_EQ(BindOne(Op("t.const.i32", {}, {"i32"})).message(),
            "kernel 't.const.i32' takes 1 attribute, but the program gives 0");
}

TEST(BefFileTest, MistypedAttribute) {
  bef::KernelSpec kernel = Op("t.const.i32", {}, {"i32"});
  kernel.attributes = {{"value", bef::F32Attribute(1.0f)}};
  EXPECT_EQ(BindOne(kernel).message(),
            "attribute 0 of kernel 't.const.i32' is f32, but the kernel takes i32");
}

TEST(BefFileTest, EmptyArrayFitsEveryArray) {
  bef::KernelSpec kernel = Op("t.strings", {}, {"i32"});
  kernel.attributes = {{"a", bef::StringAttribute("abc")}, {"b", bef::ArrayAttribute({})}};
  EXPECT_TRUE(BindOne(kernel).ok());
  // Also where the elements may differ.
  bef::KernelSpec aggregate = Op("t.aggregate_size", {}, {"i32"});
  aggregate.attributes = {{"a", bef::ArrayAttribute({})}};
  EXPECT_TRUE(BindOne(aggregate).ok());
  aggregate.attributes = {{"a", bef::ArrayAttribute({bef::I32Attribute(1)})}};
  EXPECT_EQ(
      BindOne(aggregate).message(),
      "attribute 0 of kernel 't.aggregate_size' is i32 array, but the kernel takes aggregate");
}

TEST(BefFileTest, BytesThatAreNoAttributeOfTheKernelsType) {
  // Without section 8 the file does not say that this is no string.
  FunctionSpec f{.name = "f"};
  bef::KernelSpec kernel = Op("t.strings", {}, {"i32"});
  kernel.attributes = {{"a", bef::I32Attribute(1000)}, {"b", bef::ArrayAttribute({})}};
  f.AddKernel(kernel);
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  std::vector<uint8_t> bytes = *builder.Build({.optional_sections = false});
  TestHost host;
  auto file = BefFile::Open(BefImage::CopyOf(bytes), &host.host());
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_THAT(std::string((*file)->FindFunction("f").status().message()),
              HasSubstr("attribute 0 of kernel 't.strings' is no valid string: "));
}

TEST(BefFileTest, MissingFunction) {
  EXPECT_EQ(BindOne(Op("t.call", {}, {})).message(),
            "kernel 't.call' takes 1 function, but the program gives 0");
}

TEST(BefFileTest, SyncKernelInAsyncFunction) {
  EXPECT_EQ(BindOne(Op("t.sync_add", {0, 0}, {"i32"}), {"i32"}).message(),
            "kernel 't.sync_add' is a sync kernel and cannot run in an async function");
}

TEST(BefFileTest, AsyncKernelInSyncFunction) {
  EXPECT_EQ(BindOne(Op("t.add", {0, 0}, {"i32"}), {"i32"}, bef::FunctionKind::kSync).message(),
            "kernel 't.add' is not a sync kernel and cannot run in a sync function");
}

TEST(BefFileTest, BindErrorsAreErrorsOfARun) {
  TestHost host;
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.const.i32", {}, {"i32"}))};
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto file = host.Load(builder);
  RCReference<AsyncValue> result;
  file->functions()[0]->Execute(host.MakeContext(), {}, {&result, 1});
  EXPECT_THAT(std::string(result->GetError().message()), HasSubstr("takes 1 attribute"));
  EXPECT_EQ(host.diagnostics().size(), 1u);
}

TEST(BefFileTest, UnknownNativeFunction) {
  TestHost host;
  BefBuilder builder;
  builder.AddFunction({.name = "n", .kind = bef::FunctionKind::kNative});
  EXPECT_EQ(host.TryLoad(builder).status().message(),
            "invalid FunctionIndex section in BEF file: unable to find native function in global "
            "registry: 'n'");
}

TEST(BefFileTest, UnknownFunction) {
  TestHost host;
  EXPECT_EQ(host.Load(BefBuilder())->FindFunction("g").status().message(),
            "couldn't find function g");
}

TEST(BefFileTest, RegionsHaveNoName) {
  TestHost host;
  BefBuilder builder;
  builder.AddFunction({.name = ""});
  EXPECT_EQ(host.Load(builder)->FindFunction("").status().message(), "couldn't find function ");
}

TEST(BefFileTest, MistypedArgumentIsAnErrorInReleaseBuildsToo) {
  TestHost host;
  FunctionSpec f{.name = "f", .argument_types = {"f32"}, .result_types = {"i32"}};
  f.returns = {f.AddKernel(Op("t.inc", {0}, {"i32"}))};
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto file = host.Load(builder);
  auto results = host.Run(*file, "f", {MakeAvailableAsyncValueRef<float>(1.0f).ReleaseRCRef()});
  EXPECT_EQ(results[0]->GetError().message(),
            "argument 0 has type 'float', but the kernel takes 'int'");
}

TEST(BefFileTest, FunctionsAreBoundOnceByWhicheverThreadComesFirst) {
  TestHost host;
  FunctionSpec f{.name = "f", .result_types = {"i32"}};
  f.returns = {f.AddKernel(Const(3))};
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  auto file = host.Load(builder);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      RCReference<AsyncValue> result;
      file->functions()[0]->Execute(host.MakeContext(), {}, {&result, 1});
      EXPECT_EQ(result->get<int32_t>(), 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(BefImageTest, FilesAndTheirErrors) {
  EXPECT_EQ(BefImage::FromFile("/nonexistent.bef").status().message(),
            "cannot open input file '/nonexistent.bef': No such file or directory");
  EXPECT_EQ(BefImage::FromFile("/").status().message(),
            "cannot open input file '/': Is a directory");
  std::string path = testing::TempDir() + "/image_test.bef";
  FILE* file = fopen(path.c_str(), "w");
  fputs("hello", file);
  fclose(file);
  auto image = BefImage::FromFile(path);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->bytes().size(), 5u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(image->bytes().data()) % 64, 0u);
  BefImage moved = *std::move(image);
  EXPECT_EQ(moved.bytes()[0], 'h');
  remove(path.c_str());
}

TEST(BefImageTest, ASectionOfMoreThan4GiB) {
  std::string path = testing::TempDir() + "/large_section.bef";
  FILE* file = fopen(path.c_str(), "wb");
  // Header; section 0 with the length 2^32 (VBR, shifted by one: no alignment follows).
  const uint8_t bytes[] = {0x0B, 0xEF, 0x00, 0x00, 0xA0, 0x80, 0x80, 0x80, 0x00};
  fwrite(bytes, 1, sizeof(bytes), file);
  fclose(file);
  if (truncate(path.c_str(), (int64_t{1} << 32) + 4096) != 0) GTEST_SKIP() << "no sparse files";
  auto image = BefImage::FromFile(path);
  ASSERT_TRUE(image.ok()) << image.status().ToString();
  TestHost host;
  auto opened = BefFile::Open(*std::move(image), &host.host());
  EXPECT_EQ(opened.status().message(),
            "BEF file section header corrupted: section header at byte 3 of 4294971392: length "
            "4294967296 is more than 4294967295");
  remove(path.c_str());
}

}  // namespace
}  // namespace tfrt
