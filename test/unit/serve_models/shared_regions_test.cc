// Memory that clients share, and take away, and keys that name other things.

#include "lib/serve/models/shared_regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstring>

#include "lib/serve/models/bus_guard.h"
#include "test/unit/serve_models/shared_object.h"
#include "tfrt/host_context/host_allocator.h"

namespace tfrt::serve {
namespace {

using testing::HasSubstr;

constexpr size_t kPage = 4096;

std::string Pattern(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 13 % 101);
  return bytes;
}
std::string BytesOf(const DenseHostTensor& tensor) {
  return {static_cast<const char*>(tensor.data()), tensor.size_bytes()};
}

class SharedRegionsTest : public testing::Test {
 protected:
  // A region over the whole object.
  void Register(const std::string& name, size_t size = 4 * kPage, uint64_t offset = 0) {
    const Status status = regions_.Register({name, object_.key(), offset, size});
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string RegisterError(const std::string& name, const std::string& key, uint64_t offset,
                            uint64_t size) {
    return regions_.Register({name, key, offset, size}).ToString();
  }
  StatusOr<DenseHostTensor> Input(const RegionPart& part, DType dtype, int64_t size) {
    return regions_.Input(part, {dtype, TensorShape{size}}, allocator_.get(), &use_);
  }
  std::string InputError(const RegionPart& part, DType dtype, int64_t size) {
    return Input(part, dtype, size).status().ToString();
  }
  // A result for the output "y".
  std::vector<InferTensor> Result(std::string_view bytes) {
    auto tensor = DenseHostTensor::CreateUninitialized(
        {DType::kUI8, TensorShape{static_cast<int64_t>(bytes.size())}}, allocator_.get());
    std::memcpy(tensor->buffer()->data(), bytes.data(), bytes.size());
    std::vector<InferTensor> results;
    results.push_back({"y", *std::move(tensor)});
    return results;
  }

  std::unique_ptr<HostAllocator> allocator_ = CreateMallocAllocator();
  SharedObject object_{4 * kPage};
  SharedRegions regions_{16 * kPage};
  RegionUse use_;
};

TEST_F(SharedRegionsTest, AreRegisteredListedAndUnregistered) {
  Register("b");
  EXPECT_EQ(RegisterError("a", object_.key().substr(1), 100, 200), "OK");  // without its slash
  StatusOr<std::vector<RegionInfo>> all = regions_.List("");
  ASSERT_TRUE(all.ok() && all->size() == 2);
  EXPECT_EQ((*all)[0].name, "a");
  EXPECT_EQ((*all)[0].offset, 100u);
  EXPECT_EQ((*all)[0].size_bytes, 200u);
  EXPECT_EQ((*all)[1].key, object_.key());
  EXPECT_EQ(RegisterError("b", object_.key(), 0, 1),
            "ALREADY_EXISTS: the region 'b' is registered already");
  EXPECT_EQ(regions_.List("b")->size(), 1u);
  regions_.Unregister("b");
  regions_.Unregister("unknown");
  EXPECT_EQ(regions_.List("b").status().ToString(), "NOT_FOUND: the region 'b' is not registered");
  regions_.UnregisterAll();
  EXPECT_TRUE(regions_.List("")->empty());
}

TEST_F(SharedRegionsTest, KeysAreNamesOfSharedMemoryAlone) {
  using namespace std::string_literals;
  for (const std::string& key : {""s, "/"s, "."s, "/.."s, "a/b"s, "/../etc/passwd"s, "//a"s,
                                 "/a\0b"s, std::string(256, 'a')}) {
    EXPECT_EQ(RegisterError("r", key, 0, 1),
              StrCat("INVALID_ARGUMENT: the key '", key, "' is no name of POSIX shared memory"));
  }
  EXPECT_EQ(RegisterError("r", "/tfrt-none", 0, 1),
            "NOT_FOUND: cannot open the shared memory '/tfrt-none': No such file or directory");
  // Neither links to files nor pipes, of which an open would wait.
  const std::string name = StrCat("tfrt-odd-", getpid()), path = StrCat("/dev/shm/", name);
  if (access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm";
  ASSERT_EQ(symlink("/etc/passwd", path.c_str()), 0);
  EXPECT_THAT(RegisterError("r", name, 0, 1), HasSubstr("PERMISSION_DENIED: cannot open"));
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(RegisterError("r", name, 0, 1),
            StrCat("INVALID_ARGUMENT: '", name, "' is no shared memory"));
  unlink(path.c_str());
}

TEST_F(SharedRegionsTest, SizesAreChecked) {
  EXPECT_EQ(RegisterError("r", object_.key(), 0, 0), "INVALID_ARGUMENT: a region has no bytes");
  EXPECT_EQ(RegisterError("r", object_.key(), 1, 4 * kPage),
            StrCat("INVALID_ARGUMENT: the shared memory '", object_.key(),
                   "' has 16384 bytes, but 16385 are needed"));
  EXPECT_THAT(RegisterError("r", object_.key(), UINT64_MAX, 1), HasSubstr("which no memory has"));
  EXPECT_THAT(RegisterError("r", object_.key(), 1, UINT64_MAX), HasSubstr("which no memory has"));
  EXPECT_EQ(RegisterError("", object_.key(), 0, 1),
            "INVALID_ARGUMENT: the name of a region has 0 bytes, expected 1 to 255");
  Register("r");
  EXPECT_EQ(RegisterError("s", object_.key(), 0, 13 * kPage),
            "RESOURCE_EXHAUSTED: the regions have 16384 bytes, and 53248 more are above the limit "
            "65536");
  regions_.UnregisterAll();
  for (size_t i = 0; i < BusGuard::kMaxGuards; ++i) Register(StrCat("r", i), 1);
  EXPECT_EQ(RegisterError("s", object_.key(), 0, 1),
            "RESOURCE_EXHAUSTED: more than 256 regions are in use");
  regions_.Unregister("r7");
  Register("s", 1);
}

TEST_F(SharedRegionsTest, LargeInputsOfFloatsAreUsedInPlace) {
  const std::string bytes = Pattern(4 * kPage);
  object_.Write(0, bytes);
  Register("r", 4 * kPage - 4, 4);  // begins within a page
  const struct {
    RegionPart part;
    DType dtype;
    int64_t size;
    bool is_in_place;
  } cases[] = {
      {{"r", 0, 8192}, DType::kF32, 2048, true},     {{"r", 4, 8192}, DType::kF64, 1024, true},
      {{"r", 0, 4096}, DType::kBF16, 2048, true},    {{"r", 0, 4096}, DType::kF64, 512, false},
      {{"r", 2, 8192}, DType::kF32, 2048, false},    {{"r", 1, 8192}, DType::kF16, 4096, false},
      {{"r", 0, 4092}, DType::kF32, 1023, false},    {{"r", 0, 8192}, DType::kI32, 2048, false},
      {{"r", 12288, 4}, DType::kF32, 1, false},      {{"r", 16380, 0}, DType::kF32, 0, false},
      {{"r", 4096, 8192}, DType::kI64, 1024, false},
  };
  for (const auto& c : cases) {
    StatusOr<DenseHostTensor> tensor = Input(c.part, c.dtype, c.size);
    ASSERT_TRUE(tensor.ok()) << tensor.status().ToString();
    EXPECT_EQ(BytesOf(*tensor), bytes.substr(c.part.offset + 4, c.part.size_bytes));
    if (c.size == 0) continue;
    // A change shows which memory it is.
    const size_t place = c.part.offset + 4;
    object_.Write(place, "\xff");
    EXPECT_EQ(*static_cast<const char*>(tensor->data()) == '\xff', c.is_in_place)
        << c.part.offset << ' ' << DTypeName(c.dtype);
    EXPECT_EQ(tensor->is_read_only(), c.is_in_place);
    object_.Write(place, bytes.substr(place, 1));
    use_ = RegionUse();
  }
}

TEST_F(SharedRegionsTest, PartsAreChecked) {
  Register("r", 2 * kPage);
  EXPECT_EQ(InputError({"s", 0, 4}, DType::kF32, 1), "NOT_FOUND: the region 's' is not registered");
  EXPECT_EQ(InputError({"r", 0, 8}, DType::kF32, 1),
            "INVALID_ARGUMENT: shared_memory_byte_size is 8, but the shape and datatype need 4");
  EXPECT_EQ(
      InputError({"r", 8189, 4}, DType::kF32, 1),
      "INVALID_ARGUMENT: 4 bytes at offset 8189 are not inside the region 'r', which has 8192");
  EXPECT_THAT(InputError({"r", UINT64_MAX, 4}, DType::kF32, 1), HasSubstr("are not inside"));
  object_.Write(0, "\1\2");
  EXPECT_EQ(InputError({"r", 0, 2}, DType::kI1, 2),
            "INVALID_ARGUMENT: a byte of the region is no BOOL, neither 0 nor 1");
  EXPECT_EQ(InputError({"r", 0, 1}, DType::kI1, 1), "OK");
  use_ = RegionUse();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(InputError({"r", 0, 8192}, DType::kI8, 8192), "OK");
  EXPECT_EQ(InputError({"r", 0, 8192}, DType::kI8, 8192),
            "RESOURCE_EXHAUSTED: the inputs in shared memory have more than 65536 bytes together");
}

TEST_F(SharedRegionsTest, ObjectsMayBecomeShorter) {
  Register("r");
  object_.Write(0, Pattern(4 * kPage));
  object_.Resize(kPage);
  EXPECT_EQ(InputError({"r", 0, 8192}, DType::kF32, 2048),
            StrCat("INVALID_ARGUMENT: the shared memory '", object_.key(),
                   "' has 4096 bytes, but 8192 are needed"));
  object_.Resize(4 * kPage);
  object_.Write(0, Pattern(4 * kPage));
  StatusOr<DenseHostTensor> tensor = Input({"r", 0, 16384}, DType::kF32, 4096);
  ASSERT_TRUE(tensor.ok());
  EXPECT_TRUE(use_.Finish({}).ok());
  object_.Resize(0);
  EXPECT_EQ(BytesOf(*tensor), std::string(4 * kPage, '\0'));  // and the process lives
  const std::string error = StrCat("INVALID_ARGUMENT: the object '", object_.key(),
                                   "' of the region 'r' became shorter while it was read");
  EXPECT_EQ(use_.Finish({}).ToString(), error);
  // What it lost does not come back.
  object_.Resize(4 * kPage);
  EXPECT_EQ(InputError({"r", 0, 8192}, DType::kF32, 2048), error);
  regions_.Unregister("r");
  Register("r");
  EXPECT_EQ(InputError({"r", 0, 8192}, DType::kF32, 2048), "OK");
}

TEST_F(SharedRegionsTest, RequestsKeepTheirRegions) {
  const std::string bytes = Pattern(4 * kPage);
  object_.Write(0, bytes);
  Register("r");
  StatusOr<DenseHostTensor> tensor = Input({"r", 0, 16384}, DType::kF32, 4096);
  ASSERT_TRUE(regions_.AddOutput({"r", 100, 3}, 0, &use_).ok());
  regions_.UnregisterAll();
  EXPECT_EQ(BytesOf(*tensor), bytes);
  EXPECT_TRUE(use_.Finish(Result("abc")).ok());
  EXPECT_EQ(object_.Read(99, 5), bytes.substr(99, 1) + "abc" + bytes.substr(103, 1));
}

TEST_F(SharedRegionsTest, ResultsAreWrittenToTheirPlaces) {
  Register("r");
  Register("s", kPage, kPage);  // of the same object
  ASSERT_TRUE(regions_.AddOutput({"r", 4096, 4}, 1, &use_).ok());
  EXPECT_EQ(use_.OutputPart(0), nullptr);
  EXPECT_EQ(use_.OutputPart(1)->region, "r");
  EXPECT_EQ(use_.OutputPart(2), nullptr);
  EXPECT_EQ(regions_.AddOutput({"s", 3, 4}, 0, &use_).ToString(),
            "INVALID_ARGUMENT: its place in the region 's' overlaps that of another output in 'r'");
  EXPECT_EQ(regions_.AddOutput({"s", 4, 4}, 0, &use_).ToString(), "OK");
  EXPECT_THAT(regions_.AddOutput({"s", 4096, 1}, 2, &use_).ToString(), HasSubstr("not inside"));
  std::vector<InferTensor> results = Result("abcd");
  results.push_back(std::move(Result("12345")[0]));
  EXPECT_EQ(use_.Finish(results).ToString(),
            "INVALID_ARGUMENT: output y has 5 bytes, but its place in the region 'r' has 4");
  EXPECT_EQ(object_.Read(kPage, 8), std::string(8, '\0'));  // nothing was written
  results[1] = std::move(Result("12")[0]);
  EXPECT_TRUE(use_.Finish(results).ok());
  using namespace std::string_literals;
  EXPECT_EQ(object_.Read(kPage, 8), "12\0\0abcd"s);
  object_.Resize(kPage + 6);
  EXPECT_EQ(use_.Finish(results).ToString(),
            StrCat("INVALID_ARGUMENT: the shared memory '", object_.key(),
                   "' has 4102 bytes, but 4104 are needed"));
}

TEST_F(SharedRegionsTest, OtherBusErrorsEndTheProcess) {
  Register("r");  // the handler is set
  const auto has_failed = [](int status) {
    return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
  };
  EXPECT_EXIT(raise(SIGBUS), has_failed, "");
  const auto read_beyond_the_end = [&] {
    const int fd = shm_open(object_.key().c_str(), O_RDWR, 0);
    auto* mapped =
        static_cast<volatile char*>(mmap(nullptr, kPage, PROT_READ, MAP_SHARED, fd, 4 * kPage));
    _exit(mapped[0]);  // 0 if it were no fault
  };
  EXPECT_EXIT(read_beyond_the_end(), has_failed, "");
}

}  // namespace
}  // namespace tfrt::serve
