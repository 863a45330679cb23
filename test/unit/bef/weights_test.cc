#include "tfrt/bef/weights.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "lib/format/bef/bef_reader.h"
#include "test/unit/bef/sample_modules.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

// A file in memory that is aligned as a mapped one.
FileBytes Aligned(const std::vector<uint8_t>& file) { return FileBytes::CopyOf(file); }

TEST(Weights, OfAFile) {
  const std::vector<uint8_t> bytes(kLargeWeightBytes, 5);
  BefBuilder builder = ModelModule();
  EXPECT_EQ(builder.AddWeight({"large", DType::kUI8, {65536}, bytes}), 3u);
  StatusOr<std::vector<uint8_t>> built = builder.Build();
  ASSERT_TRUE(built.ok()) << built.status().ToString();
  FileBytes file = Aligned(*built);
  StatusOr<BefView> view = BefView::Open(file.bytes());
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  ASSERT_EQ(view->weights().size(), 4u);
  const Weight& w = view->weights()[0];
  EXPECT_EQ(w.name, "w");
  EXPECT_EQ(w.dtype, DType::kF32);
  EXPECT_EQ(std::vector<int64_t>(w.dims.begin(), w.dims.end()), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::vector<uint8_t>(w.bytes.begin(), w.bytes.end()), std::vector<uint8_t>(24, 0x11));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(w.bytes.data()) % kWeightAlignment, 0u);
  EXPECT_TRUE(view->weights()[1].bytes.empty());
  const Weight& large = view->weights()[3];
  EXPECT_EQ((large.bytes.data() - file.bytes().data()) % kLargeWeightAlignment, 0);
  EXPECT_EQ(std::vector<uint8_t>(large.bytes.begin(), large.bytes.end()), bytes);
}

TEST(Weights, LayOut) {
  const std::vector<uint8_t> bytes(70000);
  std::vector<WeightSpec> specs = {{"a", DType::kUI8, {10}, std::span(bytes).first(10)},
                                   {"b", DType::kUI8, {70000}, bytes},
                                   {"c", DType::kUI8, {1}, std::span(bytes).first(1)}};
  StatusOr<WeightsLayout> layout = LayOutWeights(specs, /*payload_position=*/640);
  ASSERT_TRUE(layout.ok());
  // 1 + (1 + 1 + 1 + 1 + 1) + (1 + 1 + 1 + 1 + 3) + (1 + 1 + 1 + 1 + 1), up to 24, 3 x 16.
  EXPECT_EQ(layout->table.size(), 72u);
  EXPECT_EQ(layout->positions, (std::vector<uint64_t>{128, 4096 - 640, 73472}));
  EXPECT_EQ(layout->payload_size, 73473u);
}

TEST(Weights, ThatDoNotFitTheirType) {
  const std::vector<uint8_t> bytes(8);
  auto error = [&](WeightSpec spec) {
    BefBuilder builder;
    builder.AddWeight(std::move(spec));
    return std::string(builder.Build().status().message());
  };
  EXPECT_EQ(error({"w", DType::kF32, {3}, bytes}),
            "the weight 'w' has 8 bytes, which are not those of f32 of its sizes");
  EXPECT_NE(error({"w", DType::kString, {8}, bytes}), "");
  EXPECT_NE(error({"w", DType::kUI8, {-8}, bytes}), "");
  EXPECT_NE(error({"w", DType::kUI8, {int64_t{1} << 62, 8}, bytes}), "");
}

TEST(Weights, NotInVersion0) {
  StatusOr<std::vector<uint8_t>> exact =
      ModelModule().Build({.optional_sections = true, .v0_exact = true});
  EXPECT_EQ(exact.status(), InvalidArgumentError("version 0 of the format has no weights"));
}

TEST(Weights, SinkThatIsFull) {
  size_t left = 400;
  Status status = ModelModule().Write([&](const void*, size_t size) {
    if (size > left) return false;
    left -= size;
    return true;
  });
  EXPECT_EQ(status, InternalError("cannot write the BEF file"));
}

// Lengths of the section's header change where its size passes 2^6, 2^13, 2^20 bytes.
TEST(Weights, OfEverySizeAroundThoseThatChangeTheHeader) {
  const std::vector<uint8_t> bytes(1 << 20, 7);
  for (size_t limit : {size_t{64}, size_t{8192}, size_t{1} << 20}) {
    for (size_t size = limit - std::min<size_t>(limit, 300); size <= limit; size += 4) {
      BefBuilder builder;
      builder.AddWeight(
          {"w", DType::kUI8, {static_cast<int64_t>(size)}, std::span(bytes).first(size)});
      StatusOr<std::vector<uint8_t>> file = builder.Build();
      ASSERT_TRUE(file.ok());
      FileBytes aligned = Aligned(*file);
      StatusOr<BefView> view = BefView::Open(aligned.bytes());
      ASSERT_TRUE(view.ok()) << size << view.status().ToString();
      ASSERT_EQ(view->weights()[0].bytes.size(), size);
      if (size > 0) ASSERT_EQ(view->weights()[0].bytes.back(), 7);
    }
  }
}

// A file whose Weights section has this payload.
std::string OpenError(const Buffer& payload) {
  StatusOr<std::vector<uint8_t>> empty = BefBuilder().Build();
  std::vector<uint8_t> file = *empty;
  file.push_back(static_cast<uint8_t>(SectionId::kWeights));
  Buffer length;
  length.EmitVbr(2 * payload.size() + 1);
  file.insert(file.end(), length.bytes().begin(), length.bytes().end());
  file.push_back(64);
  file.resize((file.size() + 63) / 64 * 64);
  file.insert(file.end(), payload.bytes().begin(), payload.bytes().end());
  FileBytes aligned = Aligned(file);
  StatusOr<BefView> view = BefView::Open(aligned.bytes());
  return std::string(view.ok() ? "" : view.status().message());
}

// One weight "w" of f32 [3].
Buffer Table(uint64_t position, uint64_t size, uint8_t type = 10) {
  Buffer payload;
  for (uint8_t byte : {1, 1, int{'w'}, int{type}, 1, 3}) payload.EmitByte(byte);
  payload.EmitU64(position);
  payload.EmitU64(size);
  payload.Pad(128 - payload.size());
  return payload;
}

TEST(Weights, RefusesWhatIsWrong) {
  const std::string section = "invalid Weights section in BEF file: ";
  EXPECT_EQ(OpenError(Table(64, 12)), "");
  EXPECT_EQ(OpenError(Buffer()), section + "the table is damaged");
  EXPECT_EQ(OpenError(Table(64, 12, 24)),
            section + "weight 0 ('w') has a type or sizes that no tensor has");
  EXPECT_EQ(OpenError(Table(64, 16)),
            section + "weight 0 ('w') has 16 bytes, but its sizes need 12");
  EXPECT_EQ(OpenError(Table(72, 12)),
            section + "weight 0 ('w') begins at 72, which is no multiple of 64");
  EXPECT_EQ(OpenError(Table(0, 12)),
            section + "weight 0 ('w') begins at 0, before the end of what is in front (24)");
  EXPECT_EQ(OpenError(Table(128, 12)),
            section + "weight 0 ('w') ends at 128 + 12, but the section has 128 bytes");
  EXPECT_EQ(OpenError(Table(UINT64_MAX - 63, 12)),
            section +
                "weight 0 ('w') ends at 18446744073709551552 + 12, but the section has 128 "
                "bytes");
}

TEST(Weights, SectionThatIsNotAligned) {
  StatusOr<std::vector<uint8_t>> file = BefBuilder().Build();
  file->insert(file->end(), {67, 2, 0});
  StatusOr<BefView> view = BefView::Open(*file);
  EXPECT_EQ(view.status(),
            InvalidArgumentError(StrCat("invalid Weights section in BEF file: it begins at byte ",
                                        file->size() - 1, ", which is no multiple of 64")));
}

// 5 GiB, nearly all of them a hole in the file: what is not touched is not there. The bytes that
// the builder is given are a mapping of such a file, too.
TEST(Weights, BeyondFourGigabytes) {
  constexpr size_t kSize = size_t{5} << 30;
  const std::string source = testing::TempDir() + "weights_source", path = source + ".bef";
  int fd = open(source.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(ftruncate(fd, kSize), 0);
  ASSERT_EQ(pwrite(fd, "end", 3, kSize - 3), 3);
  close(fd);
  {
    StatusOr<FileBytes> bytes = FileBytes::FromFile(source);
    ASSERT_TRUE(bytes.ok());
    BefBuilder builder;
    const uint8_t small[] = {1, 2, 3};
    builder.AddWeight({"zeros", DType::kUI8, {5, 1 << 30}, bytes->bytes()});
    builder.AddWeight({"last", DType::kUI8, {3}, small});
    // Keeps the hole: large pieces are only skipped, but for their end.
    fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    ASSERT_GE(fd, 0);
    off_t end = 0;
    Status status = builder.Write([&](const void* data, size_t size) {
      const size_t written = std::min<size_t>(size, 1 << 20);
      const char* tail = static_cast<const char*>(data) + size - written;
      end += static_cast<off_t>(size);
      return pwrite(fd, tail, written, end - static_cast<off_t>(written)) ==
             static_cast<ssize_t>(written);
    });
    close(fd);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  StatusOr<FileBytes> file = FileBytes::FromFile(path);
  ASSERT_TRUE(file.ok());
  EXPECT_GT(file->bytes().size(), kSize);
  StatusOr<BefView> view = BefView::Open(file->bytes());
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  const Weight& zeros = view->weights()[0];
  EXPECT_EQ(zeros.bytes.size(), kSize);
  EXPECT_EQ(std::memcmp(&zeros.bytes[kSize - 3], "end", 3), 0);
  EXPECT_EQ(view->weights()[1].bytes[2], 3);
  unlink(path.c_str());
  unlink(source.c_str());
}

}  // namespace
}  // namespace tfrt::bef
