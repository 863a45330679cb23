// Files of plans: written whole, read with their key, and refused for each kind of damage.
#include "gpu/libraries/dnn/plan_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "lib/base/support/read_file.h"

namespace tfrt::gpu::dnn {
namespace {

class PlanFiles : public testing::Test {
 protected:
  PlanFiles() : folder_(testing::TempDir() + "/plan_files_" + std::to_string(getpid())) {
    std::filesystem::remove_all(folder_);
    path_ = PlanPath(folder_, key_);
  }
  ~PlanFiles() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& bytes) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  std::string Error() {
    StatusOr<std::string> plan = ReadPlanFile(path_, key_);
    if (plan.ok()) return "OK";
    std::string text = plan.status().ToString();
    for (size_t at; (at = text.find(path_)) != std::string::npos;) {
      text.replace(at, path_.size(), "PATH");
    }
    return text;
  }

  std::string folder_;
  std::string key_ = "a graph\nand a device";
  std::string path_;
};

TEST_F(PlanFiles, AreReadAsTheyWereWritten) {
  EXPECT_EQ(Error(), "NOT_FOUND: cannot read 'PATH': No such file or directory");
  const std::string plan("{\"a\":\0 1}", 9);
  ASSERT_TRUE(WritePlanFile(path_, key_, plan).ok());
  EXPECT_EQ(*ReadPlanFile(path_, key_), plan);
  ASSERT_TRUE(WritePlanFile(path_, key_, "{}").ok());
  EXPECT_EQ(*ReadPlanFile(path_, key_), "{}");
  // Nothing else is left in the folder.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_NE(PlanPath(folder_, "b"), path_);
}

TEST_F(PlanFiles, EachCutAndEachChangedByteIsNoticed) {
  ASSERT_TRUE(WritePlanFile(path_, key_, "{\"plan\":1}").ok());
  const std::string good = *ReadFile(path_);
  for (size_t size = 0; size < good.size(); ++size) {
    Write(good.substr(0, size));
    EXPECT_EQ(Error().substr(0, 10), "DATA_LOSS:") << size;
  }
  for (size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] ^= 4;
    Write(changed);
    EXPECT_EQ(Error().substr(0, 10), "DATA_LOSS:") << i;
  }
  Write(good + " ");
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is damaged: its checksum does not fit");
}

TEST_F(PlanFiles, OthersAreRefused) {
  ASSERT_TRUE(WritePlanFile(path_, key_, "{}").ok());
  key_ = "another graph";
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is damaged, or the plan of another graph");
  Write(std::string(100, 'x'));
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is not a plan of this version");
  Write("short");
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is damaged: it has 5 bytes");
  ASSERT_EQ(chmod(path_.c_str(), 0646), 0);
  EXPECT_EQ(Error(), "PERMISSION_DENIED: 'PATH' could have been written by another user");
  std::filesystem::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is no regular file");
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is no regular file");
}

TEST_F(PlanFiles, WritingCanFail) {
  std::ofstream(folder_) << "a file in place of the folder";
  const Status written = WritePlanFile(path_, key_, "{}");
  EXPECT_EQ(written.code(), StatusCode::kInternal);
  const Status missing = WritePlanFile("/no/such/folder/plan", key_, "{}");
  EXPECT_EQ(missing.ToString(),
            "INTERNAL: cannot make '/no/such/folder': No such file or directory");
}

}  // namespace
}  // namespace tfrt::gpu::dnn
