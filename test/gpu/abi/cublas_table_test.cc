#include "gpu/abi/cublas_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

#include "gpu/abi/cublaslt_table.h"

namespace tfrt::gpu {
namespace {

TEST(CublasTableTest, OnePointerPerFunction) {
  EXPECT_EQ(sizeof(cublas::Table), std::size(cublas::kFunctions) * sizeof(void*));
  size_t index = 0;
#define CHECK_MEMBER(type, function, since, parameters, arguments)                  \
  EXPECT_EQ(offsetof(cublas::Table, function), index * sizeof(void*)) << #function; \
  EXPECT_STREQ(cublas::kFunctions[index].name, #function);                          \
  EXPECT_TRUE(cublas::kFunctions[index].required) << #function;                     \
  ++index;
  TFRT_CUBLAS_FUNCTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
}

TEST(CublasLtTableTest, OnePointerPerFunction) {
  EXPECT_EQ(sizeof(cublaslt::Table), std::size(cublaslt::kFunctions) * sizeof(void*));
  size_t index = 0;
#define CHECK_MEMBER(type, function, since, parameters, arguments)                    \
  EXPECT_EQ(offsetof(cublaslt::Table, function), index * sizeof(void*)) << #function; \
  EXPECT_STREQ(cublaslt::kFunctions[index].name, #function);                          \
  EXPECT_TRUE(cublaslt::kFunctions[index].required) << #function;                     \
  ++index;
  TFRT_CUBLASLT_FUNCTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
}

// The names in a list of arguments are those of the list of parameters.
TEST(CublasTableTest, ArgumentsFitParameters) {
  [[maybe_unused]] cublas::Table blas;
  [[maybe_unused]] cublaslt::Table lt;
  using namespace cublas;    // the types of parameters
  using namespace cublaslt;  // likewise
#define CALL(table, result, name, parameters, arguments) \
  [[maybe_unused]] auto call_##name = [&] parameters -> result { return table.name arguments; };
#define CALL_BLAS(result, name, since, parameters, arguments) \
  CALL(blas, result, name, parameters, arguments)
#define CALL_LT(result, name, since, parameters, arguments) \
  CALL(lt, result, name, parameters, arguments)
  TFRT_CUBLAS_FUNCTIONS(CALL_BLAS)
  TFRT_CUBLASLT_FUNCTIONS(CALL_LT)
#undef CALL_LT
#undef CALL_BLAS
#undef CALL
}

TEST(CublasResultTest, NamesAndValuesAreUnique) {
  std::set<std::string_view> names;
  size_t num_results = 0;
#define COUNT(name, value, code)          \
  ++num_results;                          \
  names.insert(ResultName(cublas::name)); \
  EXPECT_EQ(ResultName(static_cast<cublas::cublasStatus_t>(value)), #name);
  TFRT_CUBLAS_RESULTS(COUNT)
#undef COUNT
  EXPECT_EQ(names.size(), num_results);
  EXPECT_EQ(ResultName(static_cast<cublas::cublasStatus_t>(2)), "");
}

}  // namespace
}  // namespace tfrt::gpu
