// serve_grpc: servers of the Open Inference Protocol under load over gRPC, beside a floor.
//   serve_grpc [OPTION...] NAME=PORT=FILE...     as in serve_load.h; the port 0 is the floor's
//
// FILE has a ModelInferRequest. The floor is a service of gRPC's own generator with callbacks: it
// answers with the elements of the first input. Client and messages are gRPC's for all. Each client
// has a connection of its own.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "open_inference.grpc.pb.h"
#include "serve_load.h"

namespace {

using tfrt::benchmarks::LoadArguments;
using tfrt::benchmarks::LoadTarget;

class Floor final : public inference::GRPCInferenceService::CallbackService {
 public:
  grpc::ServerUnaryReactor* ModelInfer(grpc::CallbackServerContext* context,
                                       const inference::ModelInferRequest* request,
                                       inference::ModelInferResponse* response) override {
    response->set_model_name(request->model_name());
    response->set_id(request->id());
    auto* output = response->add_outputs();
    output->set_name("y");
    output->set_datatype("FP32");
    *output->mutable_shape() = request->inputs(0).shape();
    *response->add_raw_output_contents() = request->raw_input_contents(0);
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

class Client {
 public:
  Client(int port, const std::string& request) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetMaxReceiveMessageSize(-1);
    const std::shared_ptr<grpc::Channel> channel = grpc::CreateCustomChannel(
        "127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(), arguments);
    channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10));
    stub_ = inference::GRPCInferenceService::NewStub(channel);
    is_message_ = request_.ParseFromString(request);
  }
  bool Exchange() {
    grpc::ClientContext context;
    inference::ModelInferResponse response;
    const grpc::Status status = stub_->ModelInfer(&context, request_, &response);
    if (!status.ok()) std::fprintf(stderr, "serve_grpc: %s\n", status.error_message().c_str());
    return is_message_ && status.ok() && response.outputs_size() > 0;
  }

 private:
  std::unique_ptr<inference::GRPCInferenceService::Stub> stub_;
  inference::ModelInferRequest request_;
  bool is_message_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const LoadArguments arguments = tfrt::benchmarks::ParseLoadArguments(argc, argv);
  Floor floor;
  int floor_port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &floor_port);
  builder.SetMaxReceiveMessageSize(-1);
  builder.RegisterService(&floor);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  std::vector<LoadTarget> targets;
  for (const LoadArguments::Peer& peer : arguments.peers) {
    const int port = peer.port == 0 ? floor_port : peer.port;
    targets.push_back({.name = peer.name, .connect = [port, request = &peer.request] {
                         auto client = std::make_shared<Client>(port, *request);
                         return [client] { return client->Exchange(); };
                       }});
  }
  const int result = RunLoad(targets, arguments.options);
  server->Shutdown();
  return result;
}
