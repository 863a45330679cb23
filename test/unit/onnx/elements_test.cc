// Elements of tensors, wherever a model has them.

#include "lib/compiler/onnx/elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "proto_writer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class OnnxElementsTest : public testing::Test {
 protected:
  OnnxElementsTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  // The elements of a tensor message.
  StatusOr<Elements> Read(const Proto& tensor) {
    Proto model = Proto().Message(7, Proto().Message(5, tensor));
    StatusOr<Model> read =
        Model::FromBytes(FileBytes::CopyOf({reinterpret_cast<const uint8_t*>(model.bytes().data()),
                                            model.bytes().size()}),
                         "m.onnx");
    if (!read.ok()) return read.status();
    models_.push_back(*std::move(read));
    return ReadElements(models_.back().graph.initializers[0], files_);
  }
  template <typename T>
  StatusOr<std::vector<T>> Values(const Proto& tensor) {
    TFRT_ASSIGN_OR_RETURN(Elements elements, Read(tensor));
    std::vector<T> values(elements.bytes.size() / sizeof(T));
    if (!values.empty()) {
      std::memcpy(values.data(), elements.bytes.data(), elements.bytes.size());
    }
    return values;
  }
  std::string Error(const Proto& tensor) { return std::string(Read(tensor).status().message()); }
  void WriteFile(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }

  const std::string folder_ = testing::TempDir() + "/onnx_elements_test";
  std::vector<Model> models_;
  ExternalFiles files_{folder_};
};

Proto Tensor(int64_t type, std::vector<int64_t> dims) {
  Proto proto = Proto().Text(8, "w").Int(2, type);
  for (int64_t dim : dims) (void)std::move(proto).Int(1, dim);
  return proto;
}
Proto External(std::string_view key, std::string_view value) {
  return Proto().Text(1, key).Text(2, value);
}

TEST_F(OnnxElementsTest, RawBytesAreViews) {
  StatusOr<Elements> elements = Read(Tensor(1, {2}).Text(9, "12345678"));
  ASSERT_TRUE(elements.ok()) << elements.status().message();
  EXPECT_EQ(elements->bytes.size(), 8u);
  EXPECT_EQ(elements->owner, nullptr);
}

TEST_F(OnnxElementsTest, NumbersAreThoseOfTheFieldForTheType) {
  EXPECT_THAT(*Values<float>(Tensor(1, {2}).Float(4, 1.5).Float(4, -2)), ElementsAre(1.5f, -2.f));
  EXPECT_THAT(*Values<int32_t>(Tensor(6, {3}).Int(5, -1).Text(5, "\x02\x03")),
              ElementsAre(-1, 2, 3));
  EXPECT_THAT(*Values<int64_t>(Tensor(7, {}).Int(7, INT64_MIN)), ElementsAre(INT64_MIN));
  EXPECT_THAT(*Values<uint8_t>(Tensor(2, {2}).Int(5, 0).Int(5, 255)), ElementsAre(0, 255));
  EXPECT_THAT(*Values<int8_t>(Tensor(3, {2}).Int(5, -128).Int(5, 127)), ElementsAre(-128, 127));
  EXPECT_THAT(*Values<uint8_t>(Tensor(9, {2}).Int(5, 1).Int(5, 0)), ElementsAre(1, 0));
  EXPECT_THAT(*Values<uint16_t>(Tensor(10, {1}).Int(5, 0x3c00)), ElementsAre(0x3c00));
  EXPECT_THAT(*Values<uint64_t>(Tensor(13, {1}).Int(11, -1)), ElementsAre(UINT64_MAX));
  EXPECT_THAT(*Values<uint32_t>(Tensor(12, {1}).Int(11, UINT32_MAX)), ElementsAre(UINT32_MAX));
  EXPECT_THAT(*Values<float>(Tensor(14, {1}).Float(4, 1).Float(4, 2)), ElementsAre(1.f, 2.f));
}

TEST_F(OnnxElementsTest, ATensorWithoutElementsNeedsNone) {
  EXPECT_THAT(*Values<float>(Tensor(1, {3, 0, 1LL << 62, 1LL << 62})), testing::IsEmpty());
  EXPECT_EQ(Error(Tensor(1, {})),
            "tensor 'w' has 0 bytes of data, but its shape [] of f32 needs 1 elements of 4");
}

TEST_F(OnnxElementsTest, WrongNumbersAreErrors) {
  EXPECT_EQ(
      Error(Tensor(1, {10, 100}).Text(9, std::string(40, 'x'))),
      "tensor 'w' has 40 bytes of data, but its shape [10,100] of f32 needs 1000 elements of 4");
  EXPECT_EQ(Error(Tensor(2, {1}).Int(5, 256)), "tensor 'w': 256 is no UINT8");
  EXPECT_EQ(Error(Tensor(3, {1}).Int(5, -129)), "tensor 'w': -129 is no INT8");
  EXPECT_EQ(Error(Tensor(9, {1}).Int(5, 2)), "tensor 'w': 2 is no BOOL");
  EXPECT_EQ(Error(Tensor(1, {1}).Int(5, 2)),
            "tensor 'w' is of FLOAT, but its elements are in field 5, expected 4");
  EXPECT_THAT(Error(Tensor(1, {1}).Int(5, 2).Float(4, 1)), HasSubstr("are in two fields, 5 and 4"));
  EXPECT_EQ(Error(Tensor(1, {-1})), "tensor 'w' has the size -1");
  EXPECT_EQ(Error(Tensor(1, {1LL << 62, 4})), "tensor 'w' has more elements than can be counted");
  EXPECT_EQ(Error(Tensor(8, {1}).Text(6, "text")),
            "tensor 'w' is of STRING, which is not supported");
  EXPECT_EQ(Error(Tensor(77, {1})), "tensor 'w' is of type 77, which is not supported");
  EXPECT_EQ(Error(Tensor(6, {1}).Text(5, "\x80")), "tensor 'w': end of buffer exception");
}

TEST_F(OnnxElementsTest, ExternalElementsAreMapped) {
  WriteFile("w.bin", "....12345678");
  Proto tensor = Tensor(1, {2})
                     .Int(14, 1)
                     .Message(13, External("location", "w.bin"))
                     .Message(13, External("offset", "4"))
                     .Message(13, External("length", "8"));
  StatusOr<Elements> elements = Read(tensor);
  ASSERT_TRUE(elements.ok()) << elements.status().message();
  EXPECT_EQ(std::memcmp(elements->bytes.data(), "12345678", 8), 0);
  EXPECT_NE(elements->owner, nullptr);
}

TEST_F(OnnxElementsTest, ExternalPathsStayInTheFolder) {
  auto error = [this](std::string_view path) {
    return Error(Tensor(1, {1}).Int(14, 1).Message(13, External("location", path)));
  };
  std::filesystem::create_symlink("/etc", folder_ + "/link");
  std::filesystem::create_directory(folder_ + "/sub");
  WriteFile("sub/w.bin", "1234");
  for (std::string_view path :
       {"../w.bin", "/etc/passwd", "link/passwd", "sub/../../w.bin", "..", "."}) {
    EXPECT_THAT(error(path), HasSubstr("external data of 'w': ")) << path;
    if (path != ".") {
      EXPECT_THAT(error(path), HasSubstr("leaves the model's folder")) << path;
    }
  }
  EXPECT_EQ(error("sub/../sub/w.bin"), "");
  EXPECT_EQ(error("missing.bin"),
            "external data of 'w': the file 'missing.bin': No such file or directory");
  // Where the link leads is not followed behind a part that is missing.
  EXPECT_EQ(error("missing/../link/passwd"),
            "external data of 'w': the file 'missing/../link/passwd': No such file or directory");
  EXPECT_THAT(error(""), HasSubstr("there is no location"));
}

// Downloads as hubs keep them: snapshots of links to files by hash.
TEST_F(OnnxElementsTest, LinksIntoTheBlobsOfACache) {
  namespace fs = std::filesystem;
  const fs::path cache = fs::path(folder_) / "cache", snapshot = cache / "snapshots/9f4b/onnx";
  fs::create_directories(snapshot);
  fs::create_directories(cache / "blobs");
  fs::create_directories(cache / "other");
  fs::create_directories(fs::path(folder_) / "blobs");
  for (const char* file : {"cache/blobs/b879", "cache/other/b879", "blobs/b879", "secret"}) {
    WriteFile(file, "1234");
  }
  fs::create_symlink("../../../blobs/b879", snapshot / "w.bin");
  fs::create_symlink(cache / "blobs/b879", snapshot / "absolute.bin");
  fs::create_symlink("../../../other/b879", snapshot / "other.bin");
  fs::create_symlink("../../../../blobs/b879", snapshot / "outside.bin");
  fs::create_symlink("../../../blobs", snapshot / "folder");
  fs::create_symlink("../../secret", cache / "blobs/link");
  fs::create_symlink("../../../blobs/link", snapshot / "twice.bin");
  auto error = [](const fs::path& folder, std::string_view path, bool follow) {
    ExternalFiles files(folder.string(), follow);
    return std::string(files.Read(path, 0, 4).status().message());
  };
  for (std::string_view path : {"w.bin", "absolute.bin"}) {
    EXPECT_EQ(error(snapshot, path, true), "");
    EXPECT_EQ(error(snapshot, path, false),
              StrCat("the path '", path,
                     "' leaves the model's folder for the blobs of its cache: "
                     "the option --follow-cache-links (Python: follow_cache_links) allows it"));
  }
  // What the model itself says stays in its folder; other places are none of the cache's.
  for (std::string_view path : {"other.bin", "outside.bin", "twice.bin", "folder/../other/b879",
                                "../../../blobs/b879", "folder/../blobs/b879"}) {
    EXPECT_THAT(error(snapshot, path, true), HasSubstr("leaves the model's folder")) << path;
  }
  EXPECT_EQ(error(snapshot, (cache / "blobs/b879").string(), true),
            StrCat("the path '", (cache / "blobs/b879").string(), "' leaves the model's folder"));
  // Not a cache: there are no snapshots.
  fs::create_directories(fs::path(folder_) / "models/onnx");
  fs::create_symlink("../../blobs/b879", fs::path(folder_) / "models/onnx/w.bin");
  for (bool follow : {false, true}) {
    EXPECT_EQ(error(fs::path(folder_) / "models/onnx", "w.bin", follow),
              "the path 'w.bin' leaves the model's folder");
  }
}

TEST_F(OnnxElementsTest, ExternalPathsAreThoseOfFiles) {
  ASSERT_EQ(::mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  for (std::string path : {"pipe", "."}) {
    EXPECT_EQ(Error(Tensor(1, {1}).Int(14, 1).Message(13, External("location", path))),
              "external data of 'w': '" + path + "' is no regular file");
  }
}

TEST_F(OnnxElementsTest, ExternalRangesStayInTheFile) {
  WriteFile("w.bin", "12345678");
  auto error = [this](std::string_view offset, std::string_view length) {
    return Error(Tensor(1, {1})
                     .Int(14, 1)
                     .Message(13, External("location", "w.bin"))
                     .Message(13, External("offset", offset))
                     .Message(13, External("length", length)));
  };
  EXPECT_EQ(error("4", "4"), "");
  EXPECT_THAT(error("8", "4"), HasSubstr("the file 'w.bin' has 8 bytes, but those from 8 on are"));
  EXPECT_THAT(error("18446744073709551615", "4"), HasSubstr("has 8 bytes"));
  EXPECT_THAT(error("-4", "4"), HasSubstr("offset is '-4', expected a number of bytes"));
  EXPECT_THAT(error("0", "8"), HasSubstr("has 8 bytes of data, but its shape [1] of f32"));
}

}  // namespace
}  // namespace tfrt::onnx
