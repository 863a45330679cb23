#include "tfrt/support/ref_count.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tfrt {
namespace {

struct Base : ReferenceCounted<Base> {
  explicit Base(int* deaths) : deaths(deaths) {}
  virtual ~Base() { ++*deaths; }
  int* deaths;
};
struct Derived : Base {
  using Base::Base;
};

TEST(RefCountTest, LastReferenceDestroys) {
  int deaths = 0;
  RCReference<Base> a = MakeRef<Derived>(&deaths);
  EXPECT_TRUE(a->IsUnique());
  RCReference<Base> b = a;
  EXPECT_EQ(a->NumRef(), 2u);
  a.reset();
  EXPECT_EQ(deaths, 0);
  Base* raw = b.release();
  EXPECT_FALSE(b);
  TakeRef(raw).reset();
  EXPECT_EQ(deaths, 1);
}

TEST(RefCountTest, FormRefAddsAReference) {
  int deaths = 0;
  RCReference<Base> a = MakeRef<Base>(&deaths);
  RCReference<Base> b = FormRef(a.get());
  EXPECT_EQ(a->NumRef(), 2u);
  a->AddRef(3);
  a->DropRef(3);
  EXPECT_EQ(a, b);
}

TEST(RefCountTest, CountsAreAtomic) {
  int deaths = 0;
  RCReference<Base> a = MakeRef<Base>(&deaths);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([a] {
      for (int i = 0; i < 10000; ++i) RCReference<Base> copy = a;
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_TRUE(a->IsUnique());
}

}  // namespace
}  // namespace tfrt
