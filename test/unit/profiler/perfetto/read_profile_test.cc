#include "tfrt/profiler/read_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "lib/base/support/read_file.h"
#include "lib/profiler/perfetto/perfetto_writer.h"
#include "profile_log.h"

namespace tfrt::profiler {
namespace {

using testing::HasSubstr;

std::string TempPath(const char* name) {
  return StrCat(testing::TempDir(), "/tfrt_read_profile_", getpid(), '_', name);
}

void Write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A profile at the path.
void WriteProfile(const std::string& path, ProfileLog* log) {
  auto writer = PerfettoWriter::Create(path);
  ASSERT_TRUE(writer.ok());
  TellRandomProfile(11, 300, {writer->get(), log});
  ASSERT_TRUE((*writer)->Finish().ok());
}

std::string Compressed(const std::string& bytes) {
  const std::string path = TempPath("gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  std::string compressed = *ReadFile(path);
  unlink(path.c_str());
  return compressed;
}

TEST(ReadProfileTest, ReadsPerfettoCompressedOrNot) {
  const std::string path = TempPath("profile");
  ProfileLog written, plain, compressed, cut;
  WriteProfile(path, &written);
  ASSERT_TRUE(ReadProfile(path, plain).ok());
  EXPECT_EQ(plain.lines, written.lines);
  const std::string bytes = Compressed(*ReadFile(path));
  Write(path, bytes);
  ASSERT_TRUE(ReadProfile(path, compressed).ok());
  EXPECT_EQ(compressed.lines, written.lines);
  Write(path, std::string_view(bytes).substr(0, bytes.size() / 2));
  ASSERT_TRUE(ReadProfile(path, cut).ok());
  EXPECT_GT(cut.num_events, 0u);
  EXPECT_LT(cut.num_events, written.num_events);
  ASSERT_GE(cut.problems.size(), 1u);
  auto truncated = std::ranges::find(cut.problems, Problem::Kind::kTruncated, &Problem::kind);
  ASSERT_NE(truncated, cut.problems.end());
  EXPECT_THAT(truncated->text, HasSubstr("the file ends in the middle"));
  unlink(path.c_str());
}

TEST(ReadProfileTest, LoadsAProfile) {
  const std::string path = TempPath("load");
  ProfileLog written;
  WriteProfile(path, &written);
  auto profile = LoadProfile(path);
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->events().size(), 300u);
  unlink(path.c_str());
  EXPECT_THAT(std::string(LoadProfile(path).status().message()),
              HasSubstr(StrCat("cannot read '", path, "': No such file")));
}

TEST(ReadProfileTest, OtherFilesAreErrors) {
  const std::string path = TempPath("other");
  ProfileLog log;
  Write(path, "%PDF-1.4\nand more");
  EXPECT_EQ(ReadProfile(path, log).message(),
            StrCat(path,
                   ": begins with '%PDF-1.4' (25 50 44 46 2d 31 2e 34), which is none of: "
                   "SQLite, JSON (Chrome, ONNX Runtime, PyTorch, TensorFlow), XSpace, Perfetto"));
  Write(path, std::string("\0\n", 2));
  EXPECT_THAT(std::string(ReadProfile(path, log).message()),
              HasSubstr("begins with '..' (00 0a), "));
  Write(path, "");
  EXPECT_THAT(std::string(ReadProfile(path, log).message()),
              HasSubstr(": is empty, which is none of: SQLite, "));
  unlink(path.c_str());
}

}  // namespace
}  // namespace tfrt::profiler
