// The calls of the service, on models of a folder, without gRPC.

#include "lib/serve/rpc/inference_service.h"

#include <filesystem>
#include <fstream>
#include <future>

#include "test/unit/rpc/wire.h"
#include "test/unit/serve_models/serving.h"

namespace tfrt::serve::rpc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

// A client, and the answers that it gets.
struct Client {
  std::promise<CallStatus> end;
  std::string message;                // of a call
  std::vector<std::string> messages;  // of a stream
  std::function<void()> on_cancel;
  std::string authorization;
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

template <typename Base>
class FakeCall : public Base {
 public:
  explicit FakeCall(Client* client) : client_(client) {}
  std::optional<std::string_view> FindMetadata(std::string_view name) const override {
    if (name != "authorization" || client_->authorization.empty()) return std::nullopt;
    return client_->authorization;
  }
  std::optional<std::chrono::steady_clock::time_point> deadline() const override {
    return client_->deadline;
  }
  std::string peer() const override { return "test"; }
  void OnCancel(std::function<void()> action) override { client_->on_cancel = std::move(action); }

 protected:
  Client* client_;
};

class FakeUnaryCall final : public FakeCall<UnaryCall> {
 public:
  using FakeCall::FakeCall;
  void Finish(CallStatus status, SentMessage message) override {
    client_->message = TextOf(message);
    client_->end.set_value(std::move(status));
  }
};

class FakeStreamCall final : public FakeCall<StreamCall> {
 public:
  using FakeCall::FakeCall;
  bool Write(SentMessage message) override {
    client_->messages.push_back(TextOf(message));
    return true;
  }
  void Finish(CallStatus status) override { client_->end.set_value(std::move(status)); }
};

class InferenceServiceTest : public testing::Test {
 protected:
  InferenceServiceTest() {
    std::string pattern = testing::TempDir() + "/rpcXXXXXX";
    folder_ = mkdtemp(pattern.data());
    WriteModel("m/3", "t.same");
    WriteModel("slow/1", "t.wait");
    WriteModel("fails/1", "t.fail");
    fs::create_directories(fs::path(folder_) / "bad/1");
    std::ofstream(fs::path(folder_) / "bad/1/model.bef") << "nonsense";
    gate = gate_.GetAsyncValue();
    RepositoryOptions options{.folder = folder_};
    options.limits.max_warm_up = {};
    options.limits.max_queue_size = 1;
    auto repository = ModelRepository::Open(host_.get(), options);
    repository_ = *std::move(repository);
    repository_->AwaitReady();
    options_.version = "1.0";
    options_.extensions = {"statistics"};
  }
  ~InferenceServiceTest() override {
    OpenGate();
    host_->Quiesce();
    service_ = nullptr;
    repository_ = nullptr;
    fs::remove_all(folder_);
  }
  void WriteModel(const std::string& path, const char* op) {
    const FileBytes bytes = TestModelBuilder(op).Build();
    fs::create_directories(fs::path(folder_) / path);
    std::ofstream(fs::path(folder_) / path / "model.bef", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.bytes().data()),
               static_cast<std::streamsize>(bytes.bytes().size()));
  }
  void OpenGate() {
    if (!std::exchange(is_open_, true)) gate_.emplace(Chain());
  }
  InferenceService& service() {
    if (!service_) {
      service_ = std::make_unique<InferenceService>(host_.get(), repository_.get(), options_);
    }
    return *service_;
  }
  static size_t NumberOf(std::string_view name) {
    const std::vector<Method> methods = InferenceService::Methods();
    for (size_t i = 0; i < methods.size(); ++i) {
      if (methods[i].path.ends_with("/" + std::string(name))) return i;
    }
    return methods.size();
  }
  void Start(Client* client, std::string_view method, std::string_view request) {
    service().HandleUnary(NumberOf(method), Received(request, 5),
                          std::make_unique<FakeUnaryCall>(client));
  }
  // The answer, or "CODE: message".
  static std::string Await(Client* client) {
    const CallStatus status = client->end.get_future().get();
    if (status.code == 0) return client->message;
    EXPECT_EQ(status.retry_after.count() > 0, status.code == 8 || status.code == 14);
    return std::to_string(status.code) + ": " + status.message;
  }
  std::string Call(std::string_view method, std::string_view request = "") {
    Client client;
    Start(&client, method, request);
    return Await(&client);
  }
  static std::string Infer(std::string_view model, float value = 1, std::string_view id = "") {
    return Bytes(1, model) + (id.empty() ? "" : Bytes(3, id)) +
           Bytes(5, Tensor("x", "FP32", {1, 3})) + Bytes(5, Tensor("z", "FP32", {1, 1})) +
           Bytes(6, Bytes(1, "y")) + Bytes(7, BitsOf<float>({value, value, value})) +
           Bytes(7, BitsOf<float>({0}));
  }
  static std::string Floats(float a, float b, float c) { return BitsOf<float>({a, b, c}); }

  std::unique_ptr<HostContext> host_ = MakeTestHost("mstd:2");
  AsyncValueRef<Chain> gate_ = MakeUnconstructedAsyncValueRef<Chain>();
  bool is_open_ = false;
  std::string folder_;
  ServiceOptions options_;
  std::unique_ptr<ModelRepository> repository_;
  std::unique_ptr<InferenceService> service_;
};

TEST_F(InferenceServiceTest, TellsItsHealth) {
  EXPECT_EQ(Call("ServerLive"), Number(1, 1));
  EXPECT_EQ(Call("ServerReady"), Number(1, 1));
  EXPECT_EQ(Call("ModelReady", Bytes(1, "m") + Bytes(2, "3")), Number(1, 1));
  EXPECT_EQ(Call("ModelReady", Bytes(1, "bad")), "");  // false
  EXPECT_EQ(Call("ModelReady", Bytes(1, "none")), "5: the model 'none' is unknown");
}

TEST_F(InferenceServiceTest, IsNotReadyWhenItsOptionsSaySo) {
  options_.is_ready = [] { return false; };
  EXPECT_EQ(Call("ServerReady"), "");
}

TEST_F(InferenceServiceTest, DescribesItselfAndModels) {
  EXPECT_EQ(Call("ServerMetadata"), Bytes(1, "tfrt") + Bytes(2, "1.0") + Bytes(3, "statistics"));
  const std::string minus_one = Varint(UINT64_MAX);
  const std::string batch_3 = Bytes(2, "FP32") + Bytes(3, minus_one + Varint(3));
  EXPECT_EQ(Call("ModelMetadata", Bytes(1, "m")),
            Bytes(1, "m") + Bytes(2, "3") + Bytes(3, "tfrt_bef") +
                Bytes(4, Bytes(1, "x") + batch_3) +
                Bytes(4, Bytes(1, "z") + Bytes(2, "FP32") + Bytes(3, minus_one + minus_one)) +
                Bytes(5, Bytes(1, "y") + batch_3) + Bytes(5, Bytes(1, "same") + batch_3));
  EXPECT_EQ(Call("ModelMetadata", "\xff"), "3: the request is no message of protocol buffers");
  EXPECT_THAT(Call("ModelMetadata", Bytes(1, "bad")), HasSubstr("14: the model 'bad'"));
  EXPECT_EQ(Call("ModelMetadata", Bytes(1, "m") + Bytes(2, "4")),
            "5: the model 'm' has no version '4'");
}

TEST_F(InferenceServiceTest, ListsItsModels) {
  const std::vector<std::string> all = FieldsOf(Call("RepositoryIndex"), 1);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(FieldOf(all[0], 1), "bad");
  EXPECT_EQ(FieldOf(all[0], 3), "UNAVAILABLE");
  EXPECT_NE(FieldOf(all[0], 4), "");
  EXPECT_EQ(all[2], Bytes(1, "m") + Bytes(2, "3") + Bytes(3, "READY"));
  EXPECT_EQ(FieldsOf(Call("RepositoryIndex", Number(2, 1)), 1).size(), 3u);
}

TEST_F(InferenceServiceTest, Infers) {
  const std::string answer = Call("ModelInfer", Infer("m", 1, "7"));
  EXPECT_EQ(FieldOf(answer, 1), "m");
  EXPECT_EQ(FieldOf(answer, 2), "3");
  EXPECT_EQ(FieldOf(answer, 3), "7");
  EXPECT_THAT(FieldsOf(answer, 5), ElementsAre(Tensor("y", "FP32", {1, 3})));
  EXPECT_THAT(FieldsOf(answer, 6), ElementsAre(Floats(12, 22, 32)));
  EXPECT_THAT(FieldsOf(FieldOf(Call("ModelStatistics", Bytes(1, "m")), 1), 4), ElementsAre("1"));
  EXPECT_EQ(FieldsOf(Call("ModelStatistics"), 1).size(), 3u);
}

TEST_F(InferenceServiceTest, SaysWhyItDoesNotInfer) {
  EXPECT_EQ(Call("ModelInfer", Infer("none")), "5: the model 'none' is unknown");
  EXPECT_THAT(Call("ModelInfer", Infer("fails")), HasSubstr("13: t.fail has failed"));
  EXPECT_EQ(Call("ModelInfer", "\xff"), "3: the request is no message of protocol buffers");
  EXPECT_THAT(Call("ModelInfer", Bytes(1, "m")), HasSubstr("3: "));
}

TEST_F(InferenceServiceTest, QueuesAreBounded) {
  Client running, waiting;
  Start(&running, "ModelInfer", Infer("slow", 1));
  Start(&waiting, "ModelInfer", Infer("slow", 2));
  EXPECT_THAT(Call("ModelInfer", Infer("slow")), HasSubstr("8: "));
  OpenGate();
  EXPECT_EQ(FieldOf(Await(&running), 6), Floats(12, 22, 32));
  EXPECT_EQ(FieldOf(Await(&waiting), 6), Floats(14, 24, 34));
}

TEST_F(InferenceServiceTest, EndsCallsThatAreCancelledOrLate) {
  Client cancelled, late, running;
  Start(&running, "ModelInfer", Infer("slow"));
  Start(&cancelled, "ModelInfer", Infer("slow"));
  cancelled.on_cancel();
  EXPECT_THAT(Await(&cancelled), HasSubstr("1: "));
  late.deadline = std::chrono::steady_clock::now();
  Start(&late, "ModelInfer", Infer("slow"));
  EXPECT_THAT(Await(&late), HasSubstr("4: "));
  // A parameter of the request is a deadline, too, and the earlier of both holds.
  Client soon;
  soon.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  Start(&soon, "ModelInfer",
        Infer("slow") + Bytes(4, Bytes(1, "timeout") + Bytes(2, Number(2, 1))));
  EXPECT_THAT(Await(&soon), HasSubstr("4: "));
  OpenGate();
  EXPECT_EQ(FieldOf(Await(&running), 6), Floats(12, 22, 32));
}

TEST_F(InferenceServiceTest, ControlNeedsPermission) {
  EXPECT_EQ(Call("RepositoryModelUnload", Bytes(2, "m")),
            "7: clients may not load or unload models here");
  options_.allow_control = true;
  service_ = nullptr;
  EXPECT_EQ(Call("RepositoryModelUnload", Bytes(2, "m")), "");
  EXPECT_THAT(Call("ModelReady", Bytes(1, "m")), testing::AnyOf("", HasSubstr("5: ")));
  EXPECT_EQ(Call("RepositoryModelLoad", Bytes(2, "m")), "");
  EXPECT_EQ(Call("ModelReady", Bytes(1, "m")), Number(1, 1));
  EXPECT_THAT(Call("RepositoryModelLoad", Bytes(2, "../m")), HasSubstr("3: "));
  // KServe's messages have the model in field 1, and answers.
  EXPECT_EQ(Call("RepositoryModelUnload", Bytes(1, "m")), Bytes(1, "m") + Number(2, 1));
  EXPECT_EQ(Call("RepositoryModelLoad", Bytes(1, "m")), Bytes(1, "m") + Number(2, 1));
  EXPECT_EQ(Call("RepositoryModelLoad", Bytes(1, "repository") + Bytes(2, "m")), "");
  EXPECT_THAT(Call("RepositoryModelLoad", Bytes(1, "../m")), HasSubstr("3: "));
  EXPECT_THAT(Call("RepositoryModelLoad", "\xff"), HasSubstr("3: "));
}

TEST_F(InferenceServiceTest, ChecksTheTokenOfAllCallsButThoseForHealth) {
  options_.authorize = [](std::string_view value) {
    if (value == "Bearer secret") return Status();
    return Status(StatusCode::kUnauthenticated, "the token is wrong");
  };
  EXPECT_EQ(Call("ServerLive"), Number(1, 1));
  EXPECT_EQ(Call("ModelReady", Bytes(1, "m")), Number(1, 1));
  for (const char* method : {"ServerMetadata", "ModelMetadata", "ModelInfer", "ModelStatistics",
                             "RepositoryIndex", "RepositoryModelLoad", "RepositoryModelUnload"}) {
    EXPECT_EQ(Call(method, Bytes(1, "m")), "16: the token is wrong") << method;
  }
  Client client;
  client.authorization = "Bearer secret";
  Start(&client, "ModelInfer", Infer("m"));
  EXPECT_EQ(FieldOf(Await(&client), 6), Floats(12, 22, 32));

  Client stranger;
  auto reader = service().HandleStream(NumberOf("ModelStreamInfer"),
                                       std::make_shared<FakeStreamCall>(&stranger));
  reader->OnMessage(Received(Infer("m")));
  EXPECT_EQ(FieldOf(stranger.messages.at(0), 1), "the token is wrong");
  reader->OnEnd();
  EXPECT_EQ(stranger.end.get_future().get().code, 16);
}

TEST_F(InferenceServiceTest, StreamsAnswerInOrder) {
  Client client;
  auto reader = service().HandleStream(NumberOf("ModelStreamInfer"),
                                       std::make_shared<FakeStreamCall>(&client));
  reader->OnMessage(Received(Infer("slow", 1, "a")));
  reader->OnMessage(Received(Infer("none", 1, "b")));
  reader->OnMessage(Received(Infer("m", 2, "c")));
  reader->OnMessage(Received("\xff"));
  EXPECT_THAT(client.messages, ElementsAre());  // they wait for the first
  reader->OnEnd();
  OpenGate();
  EXPECT_EQ(client.end.get_future().get().code, 0);
  ASSERT_EQ(client.messages.size(), 4u);
  const std::string first = FieldOf(client.messages[0], 2);
  EXPECT_EQ(FieldOf(first, 3), "a");
  EXPECT_EQ(FieldOf(first, 6), Floats(12, 22, 32));
  EXPECT_EQ(FieldOf(client.messages[1], 1), "the model 'none' is unknown");
  EXPECT_EQ(FieldOf(client.messages[1], 2), Bytes(3, "b"));
  EXPECT_EQ(FieldOf(FieldOf(client.messages[2], 2), 6), Floats(14, 24, 34));
  EXPECT_EQ(FieldOf(client.messages[3], 1), "the request is no message of protocol buffers");
}

TEST_F(InferenceServiceTest, ACancelledStreamEndsItsRequests) {
  Client client;
  auto reader = service().HandleStream(NumberOf("ModelStreamInfer"),
                                       std::make_shared<FakeStreamCall>(&client));
  reader->OnMessage(Received(Infer("slow", 1, "a")));
  reader->OnMessage(Received(Infer("slow", 1, "b")));
  client.on_cancel();
  reader->OnMessage(Received(Infer("m", 1, "c")));
  reader->OnEnd();
  client.end.get_future().get();
  ASSERT_EQ(client.messages.size(), 3u);
  for (const std::string& message : client.messages) EXPECT_NE(FieldOf(message, 1), "");
}

TEST(TransportTest, SaysThatTheModuleIsMissing) {
  setenv("TFRT_MODULE_PATH", "/nonexistent", 1);
  auto transport = StartTransportOfModule({}, nullptr);
  unsetenv("TFRT_MODULE_PATH");
  EXPECT_EQ(transport.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(std::string(transport.status().message()),
              HasSubstr("cannot load the module tfrt_grpc.so"));
}

}  // namespace
}  // namespace tfrt::serve::rpc
