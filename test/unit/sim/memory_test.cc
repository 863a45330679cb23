#include "lib/devices/sim/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <memory>

namespace tfrt::sim {
namespace {

constexpr size_t kSize = 1 << 20;

std::unique_ptr<Memory> MakeMemory(size_t size_bytes = kSize) {
  auto memory = Memory::Create("sim:7", size_bytes);
  EXPECT_TRUE(memory.ok()) << memory.status().ToString();
  return *std::move(memory);
}

TEST(MemoryTest, AddressesTranslateBothWays) {
  auto memory = MakeMemory();
  for (size_t offset : {size_t{0}, size_t{1}, size_t{4097}, kSize - 1}) {
    std::byte* device = memory->begin() + offset;
    auto stream = memory->StreamAddress(device, 1);
    ASSERT_TRUE(stream.ok()) << stream.status().ToString();
    EXPECT_NE(*stream, device);
    auto back = memory->DeviceAddress(*stream, 1);
    ASSERT_TRUE(back.ok()) << back.status().ToString();
    EXPECT_EQ(*back, device);
  }
  EXPECT_TRUE(memory->StreamAddress(memory->begin(), kSize).ok()) << "all of it";
}

TEST(MemoryTest, InteriorAddressesAreOfTheSameBytes) {
  auto memory = MakeMemory();
  std::memcpy(*memory->StreamAddress(memory->begin() + 100, 6), "abcdef", 6);
  EXPECT_EQ(std::memcmp(*memory->StreamAddress(memory->begin() + 102, 4), "cdef", 4), 0);
}

// What the host would read, were it allowed to.
TEST(MemoryTest, BothAddressesAreOfOneMemory) {
  auto memory = MakeMemory();
  std::memcpy(*memory->StreamAddress(memory->begin() + 5000, 6), "abcdef", 6);
  ASSERT_EQ(mprotect(memory->begin(), kSize, PROT_READ), 0);
  EXPECT_EQ(std::memcmp(memory->begin() + 5000, "abcdef", 6), 0);
}

TEST(MemoryTest, OtherAddressesAreErrors) {
  auto memory = MakeMemory();
  EXPECT_TRUE(memory->Contains(memory->begin()));
  EXPECT_TRUE(memory->Contains(memory->begin() + kSize - 1));
  EXPECT_FALSE(memory->Contains(memory->begin() + kSize));
  EXPECT_FALSE(memory->Contains(memory->begin() - 1));
  int on_host = 0;
  EXPECT_FALSE(memory->Contains(&on_host));

  Status host = memory->StreamAddress(&on_host, 4).status();
  EXPECT_EQ(host.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(host.message().find("is not a device address of sim:7"), std::string_view::npos);
  Status twice = memory->StreamAddress(*memory->StreamAddress(memory->begin(), 4), 4).status();
  EXPECT_EQ(twice.code(), StatusCode::kInvalidArgument);
  Status reverse = memory->DeviceAddress(memory->begin(), 4).status();
  EXPECT_NE(reverse.message().find("is not a stream address of sim:7"), std::string_view::npos);

  Status behind = memory->StreamAddress(memory->begin() + kSize - 3, 4).status();
  EXPECT_EQ(behind.code(), StatusCode::kOutOfRange);
  EXPECT_EQ(behind.message(), "4 bytes at offset 1048573 of sim:7 go past its end (1048576 bytes)");
  EXPECT_EQ(memory->StreamAddress(memory->begin() + 1, SIZE_MAX).status().code(),
            StatusCode::kOutOfRange);
}

TEST(MemoryTest, SizesAreWholePages) {
  EXPECT_EQ(MakeMemory(1)->size_bytes() % 4096, 0u);
  EXPECT_EQ(Memory::Create("sim:0", 0).status().message(),
            "sim:0: cannot have a memory of 0 bytes");
  EXPECT_EQ(Memory::Create("sim:0", SIZE_MAX).status().code(), StatusCode::kInvalidArgument);
}

TEST(MemoryTest, ARangeThatTheSystemDoesNotHaveIsAnError) {
  Status status = Memory::Create("sim:0", SIZE_MAX / 4).status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status.ToString();
  EXPECT_NE(status.message().find("sim:0: no memory of"), std::string_view::npos);
}

TEST(MemoryDeathTest, TheHostCannotReadADeviceAddress) {
  auto memory = MakeMemory();
  volatile std::byte* device = memory->begin() + 123;
  *memory->StreamAddress(memory->begin() + 123, 1).value() = std::byte{1};
  EXPECT_DEATH((void)*device, "");
}

TEST(MemoryDeathTest, TheHostCannotWriteToADeviceAddress) {
  auto memory = MakeMemory();
  volatile std::byte* device = memory->begin();
  EXPECT_DEATH(*device = std::byte{1}, "");
}

}  // namespace
}  // namespace tfrt::sim
