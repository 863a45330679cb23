// Messages of the Open Inference Protocol over gRPC (open_inference.proto), read and written as
// bytes. Input is hostile: what is wrong with it is an InvalidArgument that names the field.
#ifndef TFRT_LIB_SERVE_RPC_MESSAGES_H_
#define TFRT_LIB_SERVE_RPC_MESSAGES_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/models/infer_request.h"
#include "lib/serve/models/model_repository.h"
#include "lib/serve/models/shared_regions.h"
#include "lib/serve/rpc/transport.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostAllocator;
}

namespace tfrt::serve::rpc {

// ModelInferRequest.
struct InferMessage {
  std::string model_name, model_version, id;
  std::vector<InferTensor> inputs;
  std::vector<std::string> outputs;
  std::optional<std::chrono::microseconds> timeout;  // the parameter "timeout"
  RegionUse regions;
};

// Sets what has been read even if it fails, so that an error can name the request's id. Elements
// are copied once, from the pieces into the tensors. Also fails with ResourceExhausted. Tensors in
// shared memory, which `regions` limit, have the errors of SharedRegions; null: there is none.
Status DecodeInferRequest(const ReceivedMessage& bytes, HostAllocator* allocator,
                          InferMessage* message, const SharedRegions* regions = nullptr);

// ModelInferResponse, whose elements are the tensors' memory. Fails with Internal for a tensor of a
// type that the protocol lacks. Results in shared memory have been written.
StatusOr<SentMessage> EncodeInferResponse(const FoundModel& model, std::string_view id,
                                          InferResult result, const RegionUse& regions = {});
// ModelStreamInferResponse: of a result, or of an error.
StatusOr<SentMessage> EncodeStreamResponse(const FoundModel& model, std::string_view id,
                                           InferResult result, const RegionUse& regions = {});
SentMessage EncodeStreamError(std::string_view id, std::string_view error);

// The fields of the small requests: {name, version} of a model, {repository, model} of a load,
// {service} of a HealthCheckRequest. KServe's load has the model in the first field, without a
// second one.
struct TwoNames {
  std::string first, second;
  bool flag = false;  // field 2 as a bool: RepositoryIndexRequest.ready
};
StatusOr<TwoNames> DecodeNames(const ReceivedMessage& bytes);

// RepositoryModelLoadResponse and RepositoryModelUnloadResponse of KServe; those of Triton are
// empty.
SentMessage EncodeLoaded(std::string_view model);

// SystemSharedMemoryRegisterRequest, and SystemSharedMemoryStatusResponse.
StatusOr<RegionInfo> DecodeRegion(const ReceivedMessage& bytes);
SentMessage EncodeRegions(const std::vector<RegionInfo>& regions);

// ServerLiveResponse, ServerReadyResponse, ModelReadyResponse.
SentMessage EncodeBool(bool value);
// HealthCheckResponse of grpc.health.v1, and every other message whose only field, 1, is a number.
SentMessage EncodeNumber(uint64_t value);
SentMessage EncodeServerMetadata(std::string_view name, std::string_view version,
                                 const std::vector<std::string>& extensions);
SentMessage EncodeModelMetadata(const FoundModel& model, const std::vector<std::string>& versions);
SentMessage EncodeIndex(const std::vector<VersionInfo>& index, bool ready_only);
SentMessage EncodeStatistics(const std::vector<FoundModel>& models);

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_MESSAGES_H_
