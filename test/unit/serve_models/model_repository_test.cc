#include "lib/serve/models/model_repository.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "lib/serve/models/model_folder.h"
#include "test/unit/serve_models/serving.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using State = VersionInfo::State;
namespace fs = std::filesystem;

class ModelRepositoryTest : public testing::Test {
 protected:
  ModelRepositoryTest() {
    std::string pattern = testing::TempDir() + "/modelsXXXXXX";
    folder_ = mkdtemp(pattern.data());
    options_.folder = folder_;
    options_.limits.max_warm_up = std::chrono::seconds(60);
    options_.log = [this](const std::string& line) {
      std::lock_guard lock(mutex_);
      log_ += line + "\n";
    };
  }
  ~ModelRepositoryTest() override {
    repository_ = nullptr;
    host_->Quiesce();
    fs::remove_all(folder_);
  }
  void Write(const std::string& path, std::string_view text) {
    const fs::path file = fs::path(folder_) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(fs::path(file) += ".new", std::ios::binary) << text;
    fs::rename(fs::path(file) += ".new", file);
  }
  // A model whose result "y" is that of `op`.
  void WriteModel(const std::string& path, const char* op = "t.same") {
    const FileBytes bytes = TestModelBuilder(op).Build();
    Write(path, {reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size()});
  }
  void Open() {
    auto repository = ModelRepository::Open(host_.get(), options_);
    ASSERT_TRUE(repository.ok()) << repository.status().ToString();
    repository_ = *std::move(repository);
    repository_->AwaitReady();
    EXPECT_TRUE(repository_->is_ready());
  }
  Status Load(const std::string& name) {
    std::promise<Status> promise;
    repository_->Load(name, [&](Status status) { promise.set_value(std::move(status)); });
    return promise.get_future().get();
  }
  Status Unload(const std::string& name) {
    std::promise<Status> promise;
    repository_->Unload(name, [&](Status status) { promise.set_value(std::move(status)); });
    return promise.get_future().get();
  }
  std::string Version(const std::string& name, const std::string& version = "") {
    StatusOr<FoundModel> found = repository_->Find(name, version);
    return found.ok() ? found->version : found.status().ToString();
  }
  std::vector<std::string> Index() {
    std::vector<std::string> lines;
    for (const VersionInfo& info : repository_->Index()) {
      lines.push_back(StrCat(info.name, "/", info.version,
                             info.state == State::kReady ? " ready" : " not", " ", info.reason));
    }
    return lines;
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost("mstd:2");
  std::string folder_;
  RepositoryOptions options_;
  std::mutex mutex_;
  std::string log_;
  std::unique_ptr<ModelRepository> repository_;
};

TEST_F(ModelRepositoryTest, ServesTheLatestVersionOfEachModel) {
  WriteModel("a/1/model.bef");
  WriteModel("a/10/model.bef");
  WriteModel("a/9/model.bef");
  WriteModel("b/3/model.bef");
  Write("a/notes.txt", "no model");
  Write("c/readme", "no version");
  Write(".hidden/1/model.bef", "");
  Open();
  EXPECT_EQ(Version("a"), "10");
  EXPECT_EQ(Version("b"), "3");
  EXPECT_EQ(Version("a", "9"), "NOT_FOUND: the model 'a' has no version '9'");
  EXPECT_EQ(Version("c"), "NOT_FOUND: the model 'c' is unknown");
  EXPECT_THAT(Index(), ElementsAre("a/10 ready ", "b/3 ready "));
  EXPECT_THAT(repository_->ReadyVersions("a"), ElementsAre("10"));
  EXPECT_EQ(repository_->Ready().size(), 2u);
}

TEST_F(ModelRepositoryTest, AModelThatCannotBeLoadedSaysWhyAndOthersGoOn) {
  Write("bad/1/model.bef", "nonsense");
  Write("empty/1/readme", "");
  Write("options/1/model.bef", "");
  Write("options/config.pbtxt", "speed: 11");
  WriteModel("good/1/model.bef");
  Open();
  EXPECT_EQ(Version("good"), "1");
  EXPECT_THAT(Version("bad"), HasSubstr("UNAVAILABLE: the model 'bad' is not ready: "));
  EXPECT_THAT(Version("empty"), HasSubstr("there is neither model.bef nor model.onnx in"));
  EXPECT_EQ(
      Version("options"),
      "UNAVAILABLE: the model 'options' is not ready: config.pbtxt:1: speed is not supported");
  EXPECT_THAT(log_, HasSubstr("model bad version 1 cannot be loaded"));

  WriteModel("bad/1/model.bef");
  EXPECT_TRUE(Load("bad").ok());
  EXPECT_EQ(Version("bad"), "1");
}

TEST_F(ModelRepositoryTest, OptionsChooseVersionsAndBatches) {
  WriteModel("m/1/model.bef");
  WriteModel("m/2/model.bef");
  WriteModel("m/3/model.bef");
  Write("m/config.pbtxt", "max_batch_size: 5 version_policy { specific { versions: [1, 2] } }");
  Open();
  EXPECT_THAT(repository_->ReadyVersions("m"), ElementsAre("1", "2"));
  EXPECT_EQ(repository_->Find("m", "1")->model->max_batch_size(), 5);

  Write("m/config.pbtxt", "version_policy { all {} }");
  EXPECT_TRUE(Load("m").ok());
  EXPECT_THAT(repository_->ReadyVersions("m"), ElementsAre("1", "2", "3"));
  EXPECT_EQ(repository_->Find("m", "1")->model->max_batch_size(), 0);

  Write("m/config.pbtxt", "version_policy { specific { versions: 7 } }");
  EXPECT_EQ(Load("m"), NotFoundError("the folder has none of the versions of version_policy"));
  WriteModel("m/7/model.bef");
  EXPECT_TRUE(Load("m").ok());
  EXPECT_THAT(Index(), ElementsAre("m/7 ready "));
}

TEST_F(ModelRepositoryTest, ANewVersionReplacesTheOldOneOnlyIfItLoads) {
  WriteModel("m/1/model.bef");
  Open();
  Write("m/2/model.bef", "nonsense");
  EXPECT_FALSE(Load("m").ok());
  EXPECT_EQ(Version("m"), "1");
  EXPECT_THAT(Version("m", "2"), HasSubstr("is not ready"));
  WriteModel("m/2/model.bef");
  EXPECT_TRUE(Load("m").ok());
  EXPECT_EQ(Version("m"), "2");
  EXPECT_THAT(Index(), ElementsAre("m/2 ready "));

  const std::shared_ptr<ServedModel> before = repository_->Find("m", "")->model;
  EXPECT_TRUE(Load("m").ok());
  EXPECT_EQ(repository_->Find("m", "")->model, before);  // nothing has changed
  WriteModel("m/2/model.bef", "t.later");
  EXPECT_TRUE(Load("m").ok());
  EXPECT_NE(repository_->Find("m", "")->model, before);
  Write("m/2/model.bef", "nonsense");
  EXPECT_FALSE(Load("m").ok());
  EXPECT_EQ(Version("m"), "2");  // as before
}

TEST_F(ModelRepositoryTest, LoadsAndUnloadsOnDemand) {
  WriteModel("m/1/model.bef");
  options_.load_all = false;
  Open();
  EXPECT_THAT(Index(), ElementsAre());
  EXPECT_EQ(Unload("m"), NotFoundError("the model m is not loaded"));
  EXPECT_TRUE(Load("m").ok());
  EXPECT_EQ(Version("m"), "1");
  const std::shared_ptr<ServedModel> in_use = repository_->Find("m", "")->model;
  EXPECT_TRUE(Unload("m").ok());
  EXPECT_EQ(Version("m"), "UNAVAILABLE: the model 'm' is not ready: it is unloaded");
  EXPECT_THAT(Index(), ElementsAre("m/ not unloaded"));
  EXPECT_EQ(Unload("m"), NotFoundError("the model m is not loaded"));
  EXPECT_TRUE(Load("m").ok());
  EXPECT_EQ(Version("m"), "1");
  EXPECT_EQ(Load("unknown").code(), StatusCode::kNotFound);
}

TEST_F(ModelRepositoryTest, LoadsWhatIsNamedBeforeItIsReady) {
  WriteModel("m/1/model.bef");
  WriteModel("n/1/model.bef");
  options_.load_all = false;
  options_.load = {"m", "unknown", ".."};
  Open();
  EXPECT_THAT(Index(), ElementsAre("m/1 ready "));
  EXPECT_THAT(log_, HasSubstr("model unknown: cannot read the folder"));
  EXPECT_THAT(log_, HasSubstr("model ..: this is no name of a model"));
}

TEST_F(ModelRepositoryTest, NamesDoNotLeaveTheFolder) {
  WriteModel("m/1/model.bef");
  Open();
  for (const char* name : {"", ".", "..", "../m", "m/../m", "/etc", ".m", "m\n"}) {
    EXPECT_EQ(Load(name), InvalidArgumentError("this is no name of a model")) << name;
  }
  EXPECT_FALSE(IsModelName(std::string_view("a\0b", 3)));
  EXPECT_FALSE(IsModelName(std::string(256, 'a')));
  EXPECT_TRUE(IsModelName("résumé v2"));
}

TEST_F(ModelRepositoryTest, PollingFindsNewFilesAndMissingOnes) {
  WriteModel("m/1/model.bef");
  options_.poll_interval = std::chrono::milliseconds(1);
  Open();
  const auto await = [&](const std::string& name, const std::string& version) {
    while (Version(name) != version) std::this_thread::yield();
  };
  WriteModel("n/1/model.bef");
  await("n", "1");
  WriteModel("m/4/model.bef");
  await("m", "4");
  fs::remove_all(fs::path(folder_) / "n");
  await("n", "NOT_FOUND: the model 'n' is unknown");
  EXPECT_TRUE(Unload("m").ok());
  WriteModel("o/1/model.bef");
  await("o", "1");  // polled since
  EXPECT_EQ(Version("m"), "UNAVAILABLE: the model 'm' is not ready: it is unloaded");
}

TEST_F(ModelRepositoryTest, AFolderThatCannotBeReadAtTheMomentKeepsItsModel) {
  const fs::path folder(folder_);
  WriteModel(".files/1/model.bef");
  fs::create_symlink(".files", folder / "m");
  options_.poll_interval = std::chrono::milliseconds(1);
  Open();
  // A link to itself cannot be opened.
  fs::create_symlink("m", folder / ".link");
  fs::rename(folder / ".link", folder / "m");
  while (!Index()[0].starts_with("m/1 ready cannot read the folder")) std::this_thread::yield();
  EXPECT_EQ(Version("m"), "1");
  fs::remove(folder / "m");
  while (Version("m") == "1") std::this_thread::yield();
  EXPECT_EQ(Version("m"), "NOT_FOUND: the model 'm' is unknown");
}

TEST_F(ModelRepositoryTest, PollingTriesAgainWhatFailedForAnotherReason) {
  const FileBytes bytes = TestModelBuilder("t.same").Build();
  const std::string_view good(reinterpret_cast<const char*>(bytes.bytes().data()),
                              bytes.bytes().size());
  Write("m/1/model.bef", std::string(good.size(), 'x'));
  options_.poll_interval = std::chrono::milliseconds(1);
  Open();
  EXPECT_THAT(Version("m"), HasSubstr("is not ready"));
  // The files look the same, but can be loaded now.
  const fs::path file = fs::path(folder_) / "m" / "1" / "model.bef";
  const auto time = fs::last_write_time(file);
  std::fstream(file, std::ios::binary | std::ios::in | std::ios::out) << good;
  fs::last_write_time(file, time);
  while (Version("m") != "1") std::this_thread::yield();
  const std::string line = "model m version 1 cannot be loaded";
  std::lock_guard lock(mutex_);
  EXPECT_EQ(log_.find(line), log_.rfind(line)) << log_;
}

TEST_F(ModelRepositoryTest, RefusesAFolderThatIsMissing) {
  options_.folder = folder_ + "/nothing";
  EXPECT_EQ(ModelRepository::Open(host_.get(), options_).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace tfrt::serve
