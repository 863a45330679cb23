#include "extension_descriptor.h"

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include "schema.h"

namespace tfrt::profiler {
namespace {

using protozero::pbf_writer;

// Numbers of google/protobuf/descriptor.proto.
enum : uint32_t { kSetFile = 1 };
enum : uint32_t { kFileName = 1, kFilePackage = 2, kFileDependency = 3, kFileMessage = 4 };
enum : uint32_t { kFileExtension = 7 };
enum : uint32_t { kMessageName = 1, kMessageField = 2 };
enum : uint32_t { kFieldName = 1, kFieldExtendee = 2, kFieldNumber = 3, kFieldLabel = 4 };
enum : uint32_t { kFieldType = 5, kFieldTypeName = 6 };
constexpr int32_t kOptional = 1;
enum Type : int32_t { kUint64 = 4, kBool = 8, kMessage = 11, kSint64 = 18 };

struct Field {
  const char* name;
  uint32_t number;
  Type type;
};

constexpr Field kEventFields[] = {
    {"id", schema::tfrt_event::kId, kUint64},
    {"parent_distance", schema::tfrt_event::kParentDistance, kSint64},
    {"op_id", schema::tfrt_event::kOpId, kUint64},
    {"ready_after_end_ns", schema::tfrt_event::kReadyAfterEndNs, kSint64},
    {"ready_later", schema::tfrt_event::kReadyLater, kBool},
    {"begin_ns", schema::tfrt_event::kBeginNs, kSint64},
    {"end_ns", schema::tfrt_event::kEndNs, kSint64},
};

void AddField(pbf_writer& out, const Field& field) {
  out.add_string(kFieldName, field.name);
  out.add_int32(kFieldNumber, static_cast<int32_t>(field.number));
  out.add_enum(kFieldLabel, kOptional);
  out.add_enum(kFieldType, field.type);
}

}  // namespace

std::string ExtensionDescriptorSet() {
  std::string bytes;
  pbf_writer set(bytes);
  pbf_writer file(set, kSetFile);
  file.add_string(kFileName, "tfrt_trace.proto");
  file.add_string(kFilePackage, "tfrt.profiler");
  file.add_string(kFileDependency, "protos/perfetto/trace/track_event/track_event.proto");
  {
    pbf_writer message(file, kFileMessage);
    message.add_string(kMessageName, "TfrtEvent");
    for (const Field& field : kEventFields) {
      pbf_writer out(message, kMessageField);
      AddField(out, field);
    }
  }
  pbf_writer extension(file, kFileExtension);
  AddField(extension, {"tfrt_event", schema::event::kTfrtEvent, kMessage});
  extension.add_string(kFieldExtendee, ".perfetto.protos.TrackEvent");
  extension.add_string(kFieldTypeName, ".tfrt.profiler.TfrtEvent");
  extension.commit();
  file.commit();
  return bytes;
}

}  // namespace tfrt::profiler
