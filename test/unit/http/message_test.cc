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
  std::shared_ptr<BodyBlock> block = pool->Allocate(602'204);
  EXPECT_EQ(block->capacity(), 655'360u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block->data()) % 64, 0u);
  std::byte* const address = block->data();
  block.reset();
  block = pool->Allocate(600'000);  // of the same class
  EXPECT_EQ(block->data(), address);
  // The last freed are kept, up to the limit.
  std::shared_ptr<BodyBlock> other = pool->Allocate(1 << 20), third = pool->Allocate(1 << 20);
  std::byte* const third_address = third->data();
  block.reset();
  other.reset();
  third.reset();
  EXPECT_EQ(pool->Allocate(1 << 20)->data(), third_address);
  // Blocks outlive whoever holds the pool.
  block = pool->Allocate(100'000);
  pool.reset();
  block->data()[block->capacity() - 1] = std::byte{1};
}

TEST(BodyPoolTest, UsedBytesAreBounded) {
  auto pool = BodyPool::Make(1000, 0);
  std::shared_ptr<BodyBlock> first = pool->Allocate(600), second = pool->Allocate(600);
  EXPECT_EQ(pool->bytes_in_use(), 0u);  // announced, not there
  EXPECT_TRUE(first->Use(400));
  EXPECT_TRUE(second->Use(600));
  EXPECT_FALSE(first->Use(1));
  EXPECT_EQ(pool->bytes_in_use(), 1000u);
  second.reset();
  EXPECT_TRUE(first->Use(200));
  EXPECT_EQ(pool->bytes_in_use(), 600u);
  first.reset();
  EXPECT_EQ(pool->bytes_in_use(), 0u);
}

}  // namespace
}  // namespace tfrt::serve::http
