#include "lib/serve/http/message.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/serve/http/body_pool.h"

namespace tfrt::serve::http {
namespace {

TEST(MessageTest, PercentsAreDecoded) {
  EXPECT_EQ(DecodePercent("a%20b%2Fc%c3%A9"), "a b/c\xc3\xa9");
  EXPECT_EQ(DecodePercent(""), "");
  for (const char* text : {"%", "%2", "a%2", "%gg", "%2g", "%00"}) {
    EXPECT_EQ(DecodePercent(text), std::nullopt) << text;
  }
}

TEST(MessageTest, SecretsAreCompared) {
  EXPECT_TRUE(EqualInConstantTime("", ""));
  EXPECT_TRUE(EqualInConstantTime("secret", "secret"));
  for (const char* given : {"", "s", "secre", "secret2", "Secret", "secretsecret"}) {
    EXPECT_FALSE(EqualInConstantTime(given, "secret")) << given;
  }
  EXPECT_FALSE(EqualInConstantTime("a", ""));
  EXPECT_TRUE(HasBearerToken("Bearer abc", "abc"));
  EXPECT_TRUE(HasBearerToken("bearer  abc", "abc"));
  for (const char* value :
       {"", "abc", "Bearer", "Bearer ", "Bearer abcd", "Basic abc", "Bearerabc"}) {
    EXPECT_FALSE(HasBearerToken(value, "abc")) << value;
  }
  EXPECT_FALSE(HasBearerToken("Bearer ", ""));
  EXPECT_FALSE(HasBearerToken(std::nullopt, "abc"));
}

TEST(MessageTest, StatusesHavePhrases) {
  EXPECT_EQ(ReasonPhrase(200), "OK");
  EXPECT_EQ(ReasonPhrase(429), "Too Many Requests");
  EXPECT_EQ(ReasonPhrase(999), "Unknown");
}

TEST(BodyPoolTest, LargeBlocksAreReused) {
  auto pool = BodyPool::Make(64 << 20, 2 << 20);
  size_t capacity = 0;
  std::shared_ptr<std::byte> block = pool->Allocate(602'204, &capacity);
  EXPECT_EQ(capacity, 655'360u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block.get()) % 64, 0u);
  EXPECT_EQ(pool->bytes_in_use(), capacity);
  std::byte* const address = block.get();
  block.reset();
  EXPECT_EQ(pool->bytes_in_use(), 0u);
  block = pool->Allocate(600'000, &capacity);  // of the same class
  EXPECT_EQ(block.get(), address);
  // Blocks outlive whoever holds the pool.
  pool.reset();
  block.get()[capacity - 1] = std::byte{1};
}

TEST(BodyPoolTest, BytesAreBounded) {
  auto pool = BodyPool::Make(1 << 20, 1 << 20);
  size_t capacity = 0;
  EXPECT_EQ(pool->Allocate((1 << 20) + 1, &capacity), nullptr);
  std::vector<std::shared_ptr<std::byte>> blocks;
  while (auto block = pool->Allocate(100'000, &capacity)) blocks.push_back(std::move(block));
  EXPECT_GE(blocks.size(), 9u);  // what the limit allows, or a quarter more
  EXPECT_LE(blocks.size(), 13u);
  blocks.pop_back();
  EXPECT_NE(pool->Allocate(100'000, &capacity), nullptr);
  blocks.clear();
  EXPECT_EQ(pool->bytes_in_use(), 0u);
  EXPECT_NE(pool->Allocate(1 << 20, &capacity), nullptr);
}

}  // namespace
}  // namespace tfrt::serve::http
