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

  void MakeFolder() {
    std::filesystem::create_directories(folder_);
    ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  }
  // Writes the file without care for its mode.
  void Write(const std::string& bytes) {
    MakeFolder();
    std::ofstream(path_, std::ios::binary) << bytes;
    ASSERT_EQ(chmod(path_.c_str(), 0644), 0);
  }
  // Expects that a file only for this user is written in place of what is there.
  void ExpectReplaced() {
    const Status written = WritePlanFile(path_, key_, "{}");
    ASSERT_TRUE(written.ok()) << written.message();
    struct stat facts;
    ASSERT_EQ(lstat(path_.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode, static_cast<mode_t>(S_IFREG | 0600));
    EXPECT_EQ(facts.st_uid, geteuid());
    EXPECT_EQ(Error(), "OK");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
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
  for (mode_t mode : {0646, 0664}) {
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    EXPECT_EQ(Error(), "PERMISSION_DENIED: 'PATH' could have been written by another user");
  }
  std::filesystem::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is no regular file");
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is no regular file");
}

// A file with the right content whose mode or owner make it useless must not stay.
TEST_F(PlanFiles, FilesOfOthersAreReplaced) {
  ASSERT_TRUE(WritePlanFile(path_, key_, "{}").ok());
  for (mode_t mode : {0666, 0660, 0444}) {
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    ExpectReplaced();
  }
  if (geteuid() != 0) return;  // only the system's user gives files away
  ASSERT_EQ(chown(path_.c_str(), 12345, 12345), 0);
  EXPECT_EQ(Error(), "PERMISSION_DENIED: 'PATH' could have been written by another user");
  ExpectReplaced();
}

TEST_F(PlanFiles, ALinkIsReplacedAndNotItsTarget) {
  MakeFolder();
  const std::string target = folder_ + "_target";
  std::ofstream(target) << "precious";
  std::filesystem::create_symlink(target, path_);
  EXPECT_EQ(Error(), "DATA_LOSS: 'PATH' is damaged: it has 8 bytes");
  ExpectReplaced();
  EXPECT_EQ(*ReadFile(target), "precious");
  std::filesystem::remove(target);
  // A target that is missing is not made.
  std::filesystem::remove(path_);
  std::filesystem::create_symlink(target, path_);
  ExpectReplaced();
  EXPECT_FALSE(std::filesystem::exists(target));
}

// To open the pipe for writing would wait for a reader.
TEST_F(PlanFiles, APipeIsReplaced) {
  MakeFolder();
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  ExpectReplaced();
}

TEST_F(PlanFiles, FoldersThatOthersMayWriteAreRefused) {
  MakeFolder();
  const std::string refused =
      "PERMISSION_DENIED: the folder '" + folder_ + "' could be written by another user";
  for (mode_t mode : {0777, 01777, 0770}) {
    ASSERT_EQ(chmod(folder_.c_str(), mode), 0);
    EXPECT_EQ(WritePlanFile(path_, key_, "{}").ToString(), refused) << std::oct << mode;
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  if (geteuid() == 0) {  // only the system's user gives folders away
    ASSERT_EQ(chown(folder_.c_str(), 12345, 12345), 0);
    EXPECT_EQ(WritePlanFile(path_, key_, "{}").ToString(), refused);
    ASSERT_EQ(chown(folder_.c_str(), 0, 0), 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  ExpectReplaced();
}

TEST_F(PlanFiles, WritingCanFail) {
  MakeFolder();
  std::filesystem::create_directory(path_);
  EXPECT_EQ(WritePlanFile(path_, key_, "{}").ToString(),
            "INTERNAL: cannot write '" + path_ + "': Is a directory");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  std::filesystem::remove_all(folder_);
  std::ofstream(folder_) << "a file in place of the folder";
  const Status written = WritePlanFile(path_, key_, "{}");
  EXPECT_EQ(written.ToString(), "INTERNAL: cannot write '" + path_ + "': Not a directory");
  const Status missing = WritePlanFile("/no/such/folder/plan", key_, "{}");
  EXPECT_EQ(missing.ToString(),
            "INTERNAL: cannot make '/no/such/folder': No such file or directory");
}

}  // namespace
}  // namespace tfrt::gpu::dnn
