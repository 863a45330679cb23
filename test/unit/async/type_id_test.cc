#include "tfrt/async/type_id.h"

#include <gtest/gtest.h>

#include <string>

#include "tfrt/async/async_value_ref.h"

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

TEST(TypeIdTest, SameNameFromAnotherLibraryIsTheSameType) {
  // What a plug-in that was built apart does: it registers the same spelling from its own code.
  internal::TypeInfo info{"my_library::Thing", 4, 24, 0, nullptr, nullptr, 0};
  TypeId first = internal::RegisterType(info);
  EXPECT_EQ(internal::RegisterType(info), first);
}

TEST(TypeIdTest, AnonymousNamespacesNeverShareIds) {
  internal::TypeInfo info{"{anonymous}::Thing", 4, 24, 0, nullptr, nullptr, 0};
  EXPECT_NE(internal::RegisterType(info), internal::RegisterType(info));
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
