// The calls of the service, on models of a folder, without gRPC.

#include "lib/serve/rpc/inference_service.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <mutex>

#include "test/unit/rpc/wire.h"
#include "test/unit/serve_models/serving.h"
#include "tfrt/support/str_cat.h"

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
  std::map<std::string, std::string, std::less<>> metadata;
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

template <typename Base>
class FakeCall : public Base {
 public:
  explicit FakeCall(Client* client) : client_(client) {}
  std::optional<std::string_view> FindMetadata(std::string_view name) const override {
    const auto found = client_->metadata.find(name);
    if (found == client_->metadata.end()) return std::nullopt;
    return found->second;
  }
  std::optional<std::chrono::steady_clock::time_point> deadline() const override {
    return client_->deadline;
  }
  std::string peer() const override { return "ipv6:%5B::1%5D:80"; }
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
  client.metadata["authorization"] = "Bearer secret";
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

// Texts of what a service reports: "path id peer trace model/version code received>sent".
class Reports {
 public:
  explicit Reports(ServiceOptions* options) {
    options->on_answered = [this](const CallAccess& access) {
      EXPECT_EQ(access.method.starts_with("/grpc.health"), access.is_health);
      EXPECT_EQ(access.method.ends_with("Infer"), access.is_inference);
      EXPECT_GT(access.duration.count(), 0);
      std::lock_guard lock(mutex_);
      texts_.push_back(StrCat(access.method.substr(access.method.rfind('/') + 1), " ", access.id,
                              " ", access.peer, " ", access.trace_parent, " ", access.model, "/",
                              access.version, " ", StatusCodeName(access.code), " ",
                              access.received_bytes, ">", access.sent_bytes));
    };
  }
  std::vector<std::string> Take() {
    std::lock_guard lock(mutex_);
    return std::exchange(texts_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

TEST_F(InferenceServiceTest, ReportsEachCall) {
  Reports reports(&options_);
  const std::string request = Infer("m", 1, "of-message");
  const size_t answer = Call("ModelInfer", request).size();
  const std::string bytes = StrCat(request.size(), ">", answer);
  EXPECT_THAT(reports.Take(), ElementsAre("ModelInfer    m/3 OK " + bytes));
  EXPECT_THAT(Call("ModelMetadata", Bytes(1, "none")), HasSubstr("5: "));
  EXPECT_THAT(reports.Take(), ElementsAre(testing::MatchesRegex(
                                  "ModelMetadata [0-9a-f]+ \\[::1\\]:80  none/ NOT_FOUND 6>0")));
  EXPECT_EQ(Call("Check"), Number(1, 1));
  EXPECT_THAT(reports.Take(), ElementsAre("Check    / OK 0>2"));

  options_.logs_all = true;
  service_ = nullptr;
  Call("ModelInfer", request);
  EXPECT_THAT(reports.Take(), ElementsAre("ModelInfer of-message [::1]:80  m/3 OK " + bytes));
  Client client;
  client.metadata = {{"x-request-id", "of-metadata"}, {"traceparent", "00-trace"}};
  Start(&client, "ModelInfer", Infer("fails", 1, "of-message"));
  EXPECT_EQ(client.end.get_future().get().request_id, "of-metadata");
  EXPECT_THAT(reports.Take(),
              ElementsAre(testing::MatchesRegex(
                  "ModelInfer of-metadata \\[::1\\]:80 00-trace fails/1 INTERNAL [0-9]+>0")));
}

TEST_F(InferenceServiceTest, ReportsEachRequestOfAStream) {
  Reports reports(&options_);
  options_.logs_all = true;
  Client client;
  auto reader = service().HandleStream(NumberOf("ModelStreamInfer"),
                                       std::make_shared<FakeStreamCall>(&client));
  reader->OnMessage(Received(Infer("m", 1, "a")));
  reader->OnEnd();
  client.end.get_future().get();
  EXPECT_THAT(reports.Take(),
              ElementsAre(StrCat("ModelStreamInfer a [::1]:80  m/3 OK ", Infer("m", 1, "a").size(),
                                 ">", client.messages.at(0).size())));
  Client late;
  reader =
      service().HandleStream(NumberOf("ModelStreamInfer"), std::make_shared<FakeStreamCall>(&late));
  late.deadline = std::chrono::steady_clock::now();
  reader->OnMessage(Received(Infer("none", 1, "b")));
  reader->OnMessage(Received(Infer("slow", 1, "c")));
  reader->OnEnd();
  late.end.get_future().get();
  EXPECT_THAT(reports.Take(),
              ElementsAre(HasSubstr(" b [::1]:80  none/ NOT_FOUND "),
                          testing::AllOf(HasSubstr(" c [::1]:80  slow/1 DEADLINE_EXCEEDED "))));
}

TEST_F(InferenceServiceTest, ChecksTheHealthOfServices) {
  bool is_ready = true;
  options_.is_ready = [&] { return is_ready; };
  options_.authorize = [](std::string_view) { return InternalError("health needs no token"); };
  EXPECT_EQ(Call("Check"), Number(1, 1));
  EXPECT_EQ(Call("Check", Bytes(1, "inference.GRPCInferenceService")), Number(1, 1));
  EXPECT_EQ(Call("Check", Bytes(1, "m")), "5: there is no service 'm'");
  EXPECT_EQ(Call("Check", "\xff"), "3: the request is no message of protocol buffers");
  is_ready = false;
  EXPECT_EQ(Call("Check"), Number(1, 2));
}

// A client of Health/Watch, whose answers come on any thread.
class WatchCall final : public FakeCall<StreamCall> {
 public:
  using FakeCall::FakeCall;
  bool Write(SentMessage message) override {
    std::lock_guard lock(mutex_);
    messages_.push_back(TextOf(message));
    changed_.notify_all();
    return true;
  }
  void Finish(CallStatus status) override { client_->end.set_value(std::move(status)); }
  // All messages, when there are as many.
  std::vector<std::string> Await(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return messages_.size() >= count; });
    return messages_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> messages_;
};

TEST_F(InferenceServiceTest, TellsChangesOfHealthUntilTheClientGoes) {
  std::atomic<bool> is_ready{false};
  options_.is_ready = [&] { return is_ready.load(); };
  Client client, stranger, empty, malformed;
  const auto watch = [&](Client* of) {
    auto call = std::make_shared<WatchCall>(of);
    return std::pair(call, service().HandleStream(NumberOf("Watch"), call));
  };
  auto [call, reader] = watch(&client);
  reader->OnMessage(Received(""));
  reader->OnEnd();
  EXPECT_THAT(call->Await(1), ElementsAre(Number(1, 2)));
  is_ready = true;
  EXPECT_THAT(call->Await(2), ElementsAre(Number(1, 2), Number(1, 1)));
  auto [of_stranger, second] = watch(&stranger);
  second->OnMessage(Received(Bytes(1, "other")));
  EXPECT_THAT(of_stranger->Await(1), ElementsAre(Number(1, 3)));
  client.on_cancel();
  EXPECT_EQ(client.end.get_future().get().code, 1);
  watch(&empty).second->OnEnd();
  EXPECT_EQ(empty.end.get_future().get().code, 3);
  watch(&malformed).second->OnMessage(Received("\xff"));
  EXPECT_EQ(malformed.end.get_future().get().code, 3);
  // The end of the server ends what is left, and all that comes later.
  service().EndWatches();
  EXPECT_EQ(stranger.end.get_future().get().code, 14);
  Client late;
  watch(&late).second->OnMessage(Received(""));
  EXPECT_EQ(late.end.get_future().get().code, 14);
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
