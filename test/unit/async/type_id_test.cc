#include "tfrt/async/type_id.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/async/async_value_ref.h"

namespace anonymous_namespace_tools {
struct Thing {};
struct lambda {};
}  // namespace anonymous_namespace_tools

namespace tfrt {
namespace {

struct Base1 {
  int one = 1;
};
struct Base2 : Base1 {
  using AsyncValueBases = BaseTypes<Base1>;
  int two = 2;
};
struct Final : Base2 {
  using AsyncValueBases = BaseTypes<Base2>;
};

TEST(TypeIdTest, IdsAreStableAndDistinct) {
  EXPECT_EQ(GetTypeId<int>(), GetTypeId<const int>());
  EXPECT_NE(GetTypeId<int>(), GetTypeId<float>());
  EXPECT_NE(GetTypeId<int>(), kUnknownTypeId);
}

TEST(TypeIdTest, NamesAreReadable) {
  EXPECT_EQ(TypeName(GetTypeId<int>()), "int");
  EXPECT_EQ(TypeName(kUnknownTypeId), "<unknown>");
}

TEST(TypeIdTest, PointersToAnythingAreTypes) {
  EXPECT_EQ(TypeName(GetTypeId<void*>()), "void*");
  EXPECT_EQ(ProgramTypeName(GetTypeId<void*>()), "void*");
  EXPECT_EQ(ProgramTypeName(GetTypeId<int*>()), "i32");
}

TEST(TypeIdTest, SameNameFromAnotherLibraryIsTheSameType) {
  // What a plug-in that was built apart does: it registers the same spelling from its own code.
  internal::TypeInfo info{"my_library::Thing", 4, 4, 24, 0, nullptr, nullptr, 0};
  TypeId first = internal::RegisterType(info);
  EXPECT_EQ(internal::RegisterType(info), first);
}

// The libraries disagree about the type: what one makes the other must not read.
TEST(TypeIdTest, SameNameWithAnotherLayoutIsAnotherType) {
  internal::TypeInfo info{"my_library::Other", 4, 4, 24, 0, nullptr, nullptr, 0};
  TypeId first = internal::RegisterType(info);
  EXPECT_TRUE(CheckTypeLayout(first).ok());
  info.size = 8;
  TypeId larger = internal::RegisterType(info);
  EXPECT_NE(larger, first);
  EXPECT_EQ(internal::RegisterType(info), larger);
  EXPECT_EQ(CheckTypeLayout(larger).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CheckTypeLayout(larger).message(),
            "type 'my_library::Other' has 8 bytes, aligned by 4, but was known with 4 bytes, "
            "aligned by 4");
  EXPECT_EQ(TypeName(larger), "my_library::Other (8 bytes, aligned by 4)");
  info.alignment = 8;
  EXPECT_EQ(CheckTypeLayout(internal::RegisterType(info)).message(),
            "type 'my_library::Other' has 8 bytes, aligned by 8, but was known with 4 bytes, "
            "aligned by 4");
  // A type is what its bases are.
  internal::TypeInfo derived{"my_library::Derived", 4, 4, 24, 0, nullptr, &larger, 1};
  EXPECT_EQ(CheckTypeLayout(internal::RegisterType(derived)), CheckTypeLayout(larger));
  EXPECT_TRUE(CheckTypeLayout(first).ok());
}

TEST(TypeIdTest, AnonymousNamespacesNeverShareIds) {
  internal::TypeInfo info{"{anonymous}::Thing", 4, 4, 24, 0, nullptr, nullptr, 0};
  EXPECT_NE(internal::RegisterType(info), internal::RegisterType(info));
}

TEST(TypeIdTest, LinkageByTheSpellingsOfGcc) {
  for (const char* without :
       {"{anonymous}::A", "List<{anonymous}::A>", "std::vector<{anonymous}::A, int>",
        "Value<{anonymous}::g>", "<lambda()>", "f()::<lambda(int)>", "List<<lambda()> >",
        "List<int, <lambda(auto:1)> >", "<unnamed struct>", "List<<unnamed enum> >",
        "n::<unnamed union>", "<unnamed>::A", "void (*)({anonymous}::A)",
        "const {anonymous}::A*"}) {
    EXPECT_FALSE(internal::HasLinkage(without)) << without;
  }
  for (const char* with :
       {"int", "anonymous_tools::anonymous", "List<anonymous>", "anonymous::A", "List<lambda(int)>",
        "lambda", "List<unnamed [3]>", "List<unnamed>", "unnamed", "f()::Local"}) {
    EXPECT_TRUE(internal::HasLinkage(with)) << with;
  }
}

TEST(TypeIdTest, LinkageByTheSpellingsOfClang) {
  for (const char* without :
       {"(anonymous namespace)::A", "List<(anonymous namespace)::A>",
        "void (*)((anonymous namespace)::A)", "List<int (anonymous namespace)::A::*>",
        "(lambda at a.cc:15:18)", "List<int, (lambda at a.cc:15:18)>",
        "(unnamed struct at a.cc:11:1)", "List<(unnamed enum at a.cc:13:1)>",
        "Value<&main()::(lambda)::__invoke>", "Value<&main()::(anonymous class)::__invoke>",
        "(anonymous struct at a.cc:11:1)"}) {
    EXPECT_FALSE(internal::HasLinkage(without)) << without;
  }
  for (const char* with :
       {"anonymous_tools::anonymous", "List<void (anonymous &)>", "List<lambda (int)>",
        "List<void (lambda)>", "List<void (unnamed &)>", "Local"}) {
    EXPECT_TRUE(internal::HasLinkage(with)) << with;
  }
}

template <typename... T>
struct List {};
[[maybe_unused]] auto a_lambda = [] {};
[[maybe_unused]] struct {
  int x;
} unnamed;

// What this compiler writes, whichever it is.
TEST(TypeIdTest, LinkageOfTypes) {
  EXPECT_FALSE(internal::HasLinkage(internal::TypeNameOf<Base1>()));
  EXPECT_FALSE(internal::HasLinkage(internal::TypeNameOf<List<int, std::vector<Base1>>>()));
  EXPECT_FALSE(internal::HasLinkage(internal::TypeNameOf<decltype(a_lambda)>()));
  EXPECT_FALSE(internal::HasLinkage(internal::TypeNameOf<std::vector<decltype(a_lambda)>>()));
  EXPECT_FALSE(internal::HasLinkage(internal::TypeNameOf<decltype(unnamed)>()));
  EXPECT_TRUE(internal::HasLinkage(internal::TypeNameOf<anonymous_namespace_tools::Thing>()));
  EXPECT_TRUE(internal::HasLinkage(
      internal::TypeNameOf<std::vector<anonymous_namespace_tools::lambda(int)>>()));
}

TEST(TypeIdTest, CompilersSpellTypesAlike) {
  using Linked = anonymous_namespace_tools::Thing;
  const std::pair<std::string_view, std::string_view> names[] = {
      {internal::TypeNameOf<int64_t>(), "long"},
      {internal::TypeNameOf<uint64_t>(), "unsigned long"},
      {internal::TypeNameOf<int16_t>(), "short"},
      {internal::TypeNameOf<uint16_t>(), "unsigned short"},
      {internal::TypeNameOf<unsigned long long>(), "unsigned long long"},
      {internal::TypeNameOf<long long>(), "long long"},
      {internal::TypeNameOf<uint32_t>(), "unsigned int"},
      {internal::TypeNameOf<std::string>(), "std::basic_string<char>"},
      {internal::TypeNameOf<std::vector<std::string>>(), "std::vector<std::basic_string<char>>"},
      {internal::TypeNameOf<std::unique_ptr<const Linked*>>(),
       "std::unique_ptr<const anonymous_namespace_tools::Thing*>"},
      {internal::TypeNameOf<const std::array<Linked, 4>* const*>(),
       "const std::array<anonymous_namespace_tools::Thing, 4>*const*"},
      {internal::TypeNameOf<std::pair<Linked[3], int>>(),
       "std::pair<anonymous_namespace_tools::Thing[3], int>"},
      {internal::TypeNameOf<std::function<long(Linked&, short)>>(),
       "std::function<long(anonymous_namespace_tools::Thing&, short)>"}};
  for (auto [name, expected] : names) EXPECT_EQ(name, expected);
}

TEST(TypeIdTest, NamesAreWhole) {
  using Linked = anonymous_namespace_tools::Thing;
  std::string_view with_int = internal::TypeNameOf<std::pair<Linked[3], int>>();
  std::string_view with_float = internal::TypeNameOf<std::pair<Linked[3], float>>();
  EXPECT_NE(with_int, with_float);
  EXPECT_EQ(with_int.back(), '>');
}

TEST(TypeIdTest, ListedBasesMayBeRead) {
  auto value = MakeAvailableAsyncValueRef<Final>();
  AsyncValue* erased = value.GetAsyncValue();
  EXPECT_TRUE(erased->IsType<Final>());
  EXPECT_TRUE(erased->IsType<Base2>());
  EXPECT_TRUE(erased->IsType<Base1>());
  EXPECT_FALSE(erased->IsType<int>());
  EXPECT_EQ(erased->get<Base1>().one, 1);
  AsyncValueRef<Base2> upcast = value.CopyRef();
  EXPECT_EQ(upcast->two, 2);
}

}  // namespace
}  // namespace tfrt
