#include "documents.h"

#include "lib/serve/protocol/data_types.h"
#include "lib/serve/protocol/json_text.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::serve {
namespace {

constexpr std::string_view kPlatform = "tfrt_bef";

// Sizes of a value; -1: open. A value of any rank has none.
void AppendDims(const ModelValue& value, size_t begin, JsonText* json) {
  json->Open('[');
  if (value.dims) {
    for (size_t i = begin; i < value.dims->size(); ++i) json->Number((*value.dims)[i].size);
  }
  json->Close(']');
}

std::string_view NameOf(DType dtype) {
  const std::string_view name = DataTypeName(dtype);
  return name.empty() ? DTypeName(dtype) : name;
}

void AppendValues(std::span<const ModelValue> values, JsonText* json) {
  json->Open('[');
  for (const ModelValue& value : values) {
    json->Open('{').Key("name").Text(value.name);
    json->Key("datatype").Text(NameOf(value.dtype)).Key("shape");
    AppendDims(value, 0, json);
    json->Close('}');
  }
  json->Close(']');
}

// As AppendValues, in the spelling of config.pbtxt. Without the first dimension if that is a
// batch's.
void AppendConfigValues(std::span<const ModelValue> values, bool has_batches, JsonText* json) {
  json->Open('[');
  for (const ModelValue& value : values) {
    const std::string_view name = NameOf(value.dtype);
    json->Open('{').Key("name").Text(value.name);
    json->Key("data_type").Text("TYPE_" + std::string(name == "BYTES" ? "STRING" : name));
    json->Key("dims");
    AppendDims(value, has_batches ? 1 : 0, json);
    json->Close('}');
  }
  json->Close(']');
}

void AppendDuration(std::string_view key, const DurationCount& duration, JsonText* json) {
  json->Key(key).Open('{').Key("count").Number(duration.count);
  json->Key("ns").Number(duration.nanoseconds).Close('}');
}

void AppendStatistics(const FoundModel& found, JsonText* json) {
  const ModelStatistics statistics = found.model->statistics();
  json->Open('{').Key("name").Text(found.name).Key("version").Text(found.version);
  json->Key("last_inference").Number(statistics.last_inference_milliseconds);
  json->Key("inference_count").Number(statistics.num_rows);
  json->Key("execution_count").Number(statistics.num_runs);
  json->Key("inference_stats").Open('{');
  AppendDuration("success", statistics.success, json);
  AppendDuration("fail", statistics.failure, json);
  AppendDuration("queue", statistics.queue, json);
  AppendDuration("compute_input", statistics.compute_input, json);
  AppendDuration("compute_infer", statistics.compute_infer, json);
  AppendDuration("compute_output", statistics.compute_output, json);
  AppendDuration("cache_hit", {}, json);  // there is no cache of answers
  AppendDuration("cache_miss", {}, json);
  json->Close('}').Key("batch_stats").Open('[');
  for (const auto& [rows, runs] : statistics.runs) {
    json->Open('{').Key("batch_size").Number(rows);
    AppendDuration("compute_input", runs.compute_input, json);
    AppendDuration("compute_infer", runs.compute_infer, json);
    AppendDuration("compute_output", runs.compute_output, json);
    json->Close('}');
  }
  json->Close(']').Key("memory_usage").Open('[').Open('{').Key("type").Text("CPU");
  json->Key("id").Number(0).Key("byte_size").Number(statistics.session_bytes);
  json->Close('}').Close(']').Key("response_stats").Open('{').Close('}');  // of models with many
  json->Key("queue_size").Number(statistics.num_waiting);
  json->Key("running").Number(statistics.num_running);
  json->Key("request_bytes").Number(statistics.waiting_bytes);
  json->Key("result_bytes").Number(statistics.result_bytes);
  json->Key("session_bytes").Number(statistics.session_bytes);
  json->Key("run_times").Open('[');  // of runs, by the histogram's buckets
  for (uint64_t count : statistics.run_times.counts) json->Number(count);
  json->Close(']').Close('}');
}

std::string_view StateName(VersionInfo::State state) {
  switch (state) {
    case VersionInfo::State::kReady:
      return "READY";
    case VersionInfo::State::kLoading:
      return "LOADING";
    case VersionInfo::State::kUnavailable:
      break;
  }
  return "UNAVAILABLE";
}

}  // namespace

std::string ErrorDocument(std::string_view message) {
  JsonText json;
  // Names that clients have chosen are part of messages.
  constexpr size_t kMaxBytes = 2048;
  json.Open('{').Key("error").Text(message.substr(0, kMaxBytes)).Close('}');
  return std::move(json).Take();
}

std::string ServerDocument(std::string_view version, bool has_regions) {
  JsonText json;
  json.Open('{').Key("name").Text("tfrt_serve").Key("version").Text(version);
  json.Key("extensions").Open('[').Text("binary_tensor_data").Text("model_configuration");
  json.Text("model_repository").Text("statistics");
  if (has_regions) json.Text("system_shared_memory");
  json.Close(']').Close('}');
  return std::move(json).Take();
}

std::string ModelDocument(const FoundModel& found, std::span<const std::string> versions) {
  JsonText json;
  json.Open('{').Key("name").Text(found.name).Key("versions").Open('[');
  for (const std::string& version : versions) json.Text(version);
  json.Close(']').Key("platform").Text(kPlatform).Key("inputs");
  AppendValues(found.model->model().inputs(), &json);
  json.Key("outputs");
  AppendValues(found.model->model().outputs(), &json);
  json.Close('}');
  return std::move(json).Take();
}

std::string ConfigDocument(const FoundModel& found) {
  const ServedModel& served = *found.model;
  const ModelConfig& config = served.config();
  const bool has_batches = served.max_batch_size() > 0;
  JsonText json;
  json.Open('{').Key("name").Text(found.name).Key("platform").Text(kPlatform);
  json.Key("max_batch_size").Number(served.max_batch_size()).Key("input");
  AppendConfigValues(served.model().inputs(), has_batches, &json);
  json.Key("output");
  AppendConfigValues(served.model().outputs(), has_batches, &json);
  if (has_batches) {
    json.Key("dynamic_batching").Open('{').Key("max_queue_delay_microseconds");
    json.Number(config.max_queue_delay.count()).Close('}');
  }
  json.Key("instance_group").Open('[').Open('{').Key("name").Text(found.name + "_0");
  json.Key("kind").Text("KIND_CPU").Key("count").Number(served.num_sessions());
  json.Close('}').Close(']').Key("version_policy").Open('{');
  if (config.all_versions) {
    json.Key("all").Open('{').Close('}');
  } else if (!config.versions.empty()) {
    json.Key("specific").Open('{').Key("versions").Open('[');
    for (int64_t version : config.versions) json.Number(version);
    json.Close(']').Close('}');
  } else {
    json.Key("latest").Open('{').Key("num_versions").Number(config.num_latest).Close('}');
  }
  json.Close('}').Close('}');
  return std::move(json).Take();
}

std::string StatisticsDocument(std::span<const FoundModel> models) {
  JsonText json;
  json.Open('{').Key("model_stats").Open('[');
  for (const FoundModel& found : models) AppendStatistics(found, &json);
  json.Close(']').Close('}');
  return std::move(json).Take();
}

std::string RegionsDocument(std::span<const RegionInfo> regions) {
  JsonText json;
  json.Open('[');
  for (const RegionInfo& region : regions) {
    json.Open('{').Key("name").Text(region.name).Key("key").Text(region.key);
    json.Key("offset").Number(region.offset).Key("byte_size").Number(region.size_bytes).Close('}');
  }
  json.Close(']');
  return std::move(json).Take();
}

std::string IndexDocument(std::span<const VersionInfo> index, bool only_ready) {
  JsonText json;
  json.Open('[');
  for (const VersionInfo& info : index) {
    if (only_ready && info.state != VersionInfo::State::kReady) continue;
    json.Open('{').Key("name").Text(info.name);
    if (!info.version.empty()) json.Key("version").Text(info.version);
    json.Key("state").Text(StateName(info.state)).Key("reason").Text(info.reason).Close('}');
  }
  json.Close(']');
  return std::move(json).Take();
}

}  // namespace tfrt::serve
