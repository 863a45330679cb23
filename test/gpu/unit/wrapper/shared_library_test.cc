#include "gpu/wrapper/shared_library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using ::testing::HasSubstr;

constexpr char kLibrary[] = "libcuda.so.1";
const std::string kGood = FAKE_DRIVERS "/cuda_12_4";
const std::string kOther = FAKE_DRIVERS "/cuda_13_1";

// No place but the named ones.
LibrarySearch Only(std::vector<std::string> folders) {
  LibrarySearch search;
  search.loader = false;
  for (std::string& folder : folders) search.before_loader.push_back({std::move(folder), "a test"});
  return search;
}

// An empty folder of this test.
std::string EmptyFolder(const std::string& name) {
  std::string folder = StrCat(::testing::TempDir(), "shared_library_test_", name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// Sets a variable of the environment until it goes out of scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

class SharedLibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("TFRT_GPU_LIBRARY_PATH");
    unsetenv("CUDA_HOME");
  }
};

TEST_F(SharedLibraryTest, FirstFolderThatHasItWins) {
  StatusOr<SharedLibrary> library =
      SharedLibrary::Open(kLibrary, Only({"/no/such/folder", kGood, kOther}));
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  EXPECT_EQ(library->path(), kGood + "/libcuda.so.1");
  EXPECT_NE(library->Find("cuInit"), nullptr);
  EXPECT_EQ(library->Find("cuNothing"), nullptr);
}

TEST_F(SharedLibraryTest, AllPlacesAreNamed) {
  LibrarySearch search = Only({"/no/such/folder"});
  search.after_loader.push_back({"/another", "somebody"});
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, search);
  EXPECT_EQ(library.status().ToString(),
            "NOT_FOUND: libcuda.so.1 cannot be loaded; /no/such/folder (a test): no such file; "
            "/another (somebody): no such file");
}

TEST_F(SharedLibraryTest, NoPlace) {
  EXPECT_EQ(SharedLibrary::Open(kLibrary, Only({})).status().ToString(),
            "NOT_FOUND: libcuda.so.1 cannot be loaded; no place to search");
}

TEST_F(SharedLibraryTest, WhatTheLoaderSaysIsPartOfTheMessage) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open("libtfrt-none.so.7", LibrarySearch());
  EXPECT_EQ(
      library.status().ToString(),
      "NOT_FOUND: libtfrt-none.so.7 cannot be loaded; the loader's folders: cannot open shared "
      "object file: No such file or directory");
}

TEST_F(SharedLibraryTest, TheLoaderTellsWhereItWas) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open("libc.so.6", LibrarySearch());
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  EXPECT_TRUE(library->path().starts_with("/")) << library->path();
  EXPECT_THAT(library->path(), HasSubstr("/libc.so.6"));
}

// A folder that was named has the file: nothing behind it is taken instead.
TEST_F(SharedLibraryTest, FileThatIsNoLibraryEndsTheSearch) {
  std::string folder = EmptyFolder("text");
  std::ofstream(folder + "/libcuda.so.1") << "this is no library";
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, Only({folder, kGood}));
  EXPECT_EQ(library.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(library.status().message(),
              HasSubstr(StrCat("libcuda.so.1 cannot be loaded from ", folder, " (a test): ")));
  EXPECT_THAT(library.status().message(), HasSubstr("file too short"));
}

TEST_F(SharedLibraryTest, FolderInPlaceOfTheFile) {
  std::string folder = EmptyFolder("folder");
  std::filesystem::create_directories(folder + "/libcuda.so.1");
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, Only({folder}));
  EXPECT_EQ(library.status().code(), StatusCode::kFailedPrecondition);
}

TEST_F(SharedLibraryTest, EnvironmentNamesPlacesInOrder) {
  Variable path("TFRT_GPU_LIBRARY_PATH", "/a::/b:");
  Variable home("CUDA_HOME", "/cuda");
  LibrarySearch search = LibrarySearch::FromEnvironment({"/wheels"});
  std::string text;
  for (const auto& folder : search.before_loader)
    text += StrCat(folder.path, "=", folder.named_by, " ");
  EXPECT_TRUE(search.loader);
  text += "loader ";
  for (const auto& folder : search.after_loader)
    text += StrCat(folder.path, "=", folder.named_by, " ");
  EXPECT_EQ(text,
            "/a=TFRT_GPU_LIBRARY_PATH /b=TFRT_GPU_LIBRARY_PATH loader /cuda/lib64=CUDA_HOME "
            "/cuda/lib=CUDA_HOME /wheels=named by the program ");
}

TEST_F(SharedLibraryTest, EmptyEnvironmentNamesNothing) {
  Variable path("TFRT_GPU_LIBRARY_PATH", "");
  Variable home("CUDA_HOME", "");
  LibrarySearch search = LibrarySearch::FromEnvironment();
  EXPECT_TRUE(search.before_loader.empty());
  EXPECT_TRUE(search.after_loader.empty());
}

TEST_F(SharedLibraryTest, FoldersBehindTheLoader) {
  LibrarySearch search = Only({});
  search.after_loader.push_back({kGood, "CUDA_HOME"});
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, search);
  ASSERT_TRUE(library.ok()) << library.status().ToString();
  EXPECT_EQ(library->path(), kGood + "/libcuda.so.1");
}

TEST_F(SharedLibraryTest, StaysOpen) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, Only({kGood}));
  ASSERT_TRUE(library.ok());
  // Closed more often than anybody in this program has opened it.
  for (int i = 0; i < 100; ++i) {
    void* handle = dlopen(library->path().c_str(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(handle, nullptr) << "closed after " << i;
    dlclose(handle);  // ours
    dlclose(handle);  // one of others
  }
}

TEST_F(SharedLibraryTest, FunctionsByVersion) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, Only({kGood}));
  ASSERT_TRUE(library.ok());
  const FunctionInfo functions[] = {
      {"cuInit", 10, true}, {"cuEventQuery", 20, false}, {"cuNothing", 10, false}};
  void* table[] = {nullptr, &table, &table, &table};
  ASSERT_TRUE(library->FindAll(functions, 10, table).ok());
  EXPECT_EQ(table[0], library->Find("cuInit"));
  EXPECT_EQ(table[1], nullptr) << "newer than the library";
  EXPECT_EQ(table[2], nullptr) << "left out";
  EXPECT_EQ(table[3], &table) << "not among the functions";
  ASSERT_TRUE(library->FindAll(functions, 20, table).ok());
  EXPECT_EQ(table[1], library->Find("cuEventQuery"));
}

TEST_F(SharedLibraryTest, AllMissingFunctionsAreNamed) {
  StatusOr<SharedLibrary> library = SharedLibrary::Open(kLibrary, Only({kGood}));
  ASSERT_TRUE(library.ok());
  const FunctionInfo functions[] = {
      {"cuNothing", 1, true}, {"cuInit", 1, true}, {"cuNever", 1, true}};
  void* table[3];
  EXPECT_EQ(library->FindAll(functions, 1, table).ToString(),
            StrCat("FAILED_PRECONDITION: ", library->path(), " lacks cuNothing, cuNever"));
}

TEST(PackageFoldersTest, LibrariesLieBesideThePackage) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::TempDir()) / "tfrt_package_folders";
  for (const char* package : {"cublas", "cu13", "cudnn"}) {
    fs::create_directories(root / "nvidia" / package / "lib");
  }
  fs::create_directories(root / "tfrt");
  const std::string file = (root / "tfrt" / "_tfrt.so").string();
  const std::string folder = (root / "tfrt").string() + "/../nvidia/";
  EXPECT_THAT(PackageFolders(file), testing::ElementsAre(folder + "cu13/lib", folder + "cublas/lib",
                                                         folder + "cudnn/lib"));
  EXPECT_THAT(PackageFolders("/nowhere/tfrt/_tfrt.so"), testing::IsEmpty());
  EXPECT_THAT(PackageFolders("_tfrt.so"), testing::IsEmpty());
  fs::remove_all(root);
}

}  // namespace
}  // namespace tfrt::gpu
