#include "metrics.h"

#include <unistd.h>

#include <charconv>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/support/decimal_text.h"
#include "lib/base/support/read_file.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string Seconds(uint64_t nanoseconds) {
  return DecimalText(static_cast<double>(nanoseconds) * 1e-9, std::chars_format::general, 9);
}

// Bytes of this process in memory; 0 if the system does not say.
uint64_t ResidentBytes() {
  StatusOr<std::string> text = ReadFile("/proc/self/statm");
  if (!text.ok()) return 0;
  const size_t space = text->find(' ');  // after the pages of the address space
  if (space == text->npos) return 0;
  uint64_t pages = 0;
  std::from_chars(text->data() + space + 1, text->data() + text->size(), pages);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

struct ModelRow {
  std::string labels;  // model="m",version="1"
  ModelStatistics statistics;
};

class Text {
 public:
  void Begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += StrCat("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
  }
  void Line(std::string_view suffix, std::string_view labels, std::string_view value) {
    text_ += StrCat(name_, suffix);
    if (!labels.empty()) text_ += StrCat("{", labels, "}");
    text_ += StrCat(" ", value, "\n");
  }
  void Value(std::string_view labels, uint64_t value) { Line("", labels, StrCat(value)); }
  // A metric without labels.
  void Single(std::string_view name, std::string_view type, std::string_view help, uint64_t value) {
    Begin(name, type, help);
    Value("", value);
  }
  void PerModel(std::string_view name, std::string_view type, std::string_view help,
                std::span<const ModelRow> rows,
                const std::function<uint64_t(const ModelStatistics&)>& value) {
    Begin(name, type, help);
    for (const ModelRow& row : rows) Value(row.labels, value(row.statistics));
  }
  void Durations(std::string_view name, std::string_view help, std::span<const ModelRow> rows,
                 DurationHistogram ModelStatistics::* member) {
    Begin(name, "histogram", help);
    for (const ModelRow& row : rows) {
      const DurationHistogram& histogram = row.statistics.*member;
      uint64_t count = 0;
      for (size_t i = 0; i < histogram.counts.size(); ++i) {
        count += histogram.counts[i];
        const bool is_last = i + 1 == histogram.counts.size();
        const std::string bound =
            is_last ? "+Inf" : Seconds(uint64_t{DurationHistogram::kBoundsMicroseconds[i]} * 1000);
        Line("_bucket", StrCat(row.labels, ",le=\"", bound, "\""), StrCat(count));
      }
      Line("_sum", row.labels, Seconds(histogram.total.nanoseconds));
      Line("_count", row.labels, StrCat(histogram.total.count));
    }
  }
  void BatchRows(std::span<const ModelRow> rows) {
    Begin("tfrt_batch_rows", "histogram", "Rows of the runs of a model.");
    for (const ModelRow& row : rows) {
      uint64_t count = 0;
      auto next = row.statistics.runs.begin();
      const auto end = row.statistics.runs.end();
      for (int64_t bound : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
        for (; next != end && next->first <= bound; ++next) {
          count += next->second.compute_infer.count;
        }
        Line("_bucket", StrCat(row.labels, ",le=\"", bound, "\""), StrCat(count));
      }
      for (; next != end; ++next) {
        count += next->second.compute_infer.count;
      }
      Line("_bucket", StrCat(row.labels, ",le=\"+Inf\""), StrCat(count));
      Line("_sum", row.labels, StrCat(row.statistics.num_rows));
      Line("_count", row.labels, StrCat(count));
    }
  }
  std::string Take() && { return std::move(text_); }

 private:
  std::string_view name_;
  std::string text_;
};

void AddModels(std::span<const ModelRow> rows, Text* text) {
  using Statistics = ModelStatistics;
  text->Begin("tfrt_requests_total", "counter", "Answered inference requests, by code.");
  for (const ModelRow& row : rows) {
    const auto& answers = row.statistics.answers_by_code;
    for (size_t code = 0; code < answers.size(); ++code) {
      if (answers[code] == 0 && code != 0) continue;
      const auto name = StatusCodeName(static_cast<StatusCode>(code));
      text->Value(StrCat(row.labels, ",code=\"", name, "\""), answers[code]);
    }
  }
  text->PerModel("tfrt_rows_total", "counter", "Rows computed.", rows,
                 [](const Statistics& s) { return s.num_rows; });
  text->PerModel("tfrt_runs_total", "counter", "Runs of the model.", rows,
                 [](const Statistics& s) { return s.num_runs; });
  text->Durations("tfrt_queue_seconds", "Time of requests until their run begins.", rows,
                  &Statistics::queue_times);
  text->Durations("tfrt_run_seconds", "Time of runs.", rows, &Statistics::run_times);
  text->BatchRows(rows);
  text->PerModel("tfrt_requests_waiting", "gauge", "Requests in the queue.", rows,
                 [](const Statistics& s) { return s.num_waiting; });
  text->PerModel("tfrt_requests_running", "gauge", "Requests in runs.", rows,
                 [](const Statistics& s) { return s.num_running; });
  text->PerModel("tfrt_request_bytes", "gauge", "Bytes of inputs of requests in flight.", rows,
                 [](const Statistics& s) { return s.waiting_bytes; });
  text->PerModel("tfrt_result_bytes", "gauge", "Bytes of results that were not received yet.", rows,
                 [](const Statistics& s) { return s.result_bytes; });
  text->PerModel("tfrt_session_bytes", "gauge", "Bytes that the model's sessions hold.", rows,
                 [](const Statistics& s) { return s.session_bytes; });
}

}  // namespace

void HttpCounts::Add(const http::Access& access) {
  const auto status = static_cast<size_t>(access.status);
  answers_[status < answers_.size() ? status : 0].fetch_add(1, std::memory_order_relaxed);
  received_bytes_.fetch_add(access.received_bytes, std::memory_order_relaxed);
  sent_bytes_.fetch_add(access.sent_bytes, std::memory_order_relaxed);
}

void CallCounts::Add(const CallAccess& access) {
  answers_[static_cast<size_t>(access.code)].fetch_add(1, std::memory_order_relaxed);
  received_bytes_.fetch_add(access.received_bytes, std::memory_order_relaxed);
  sent_bytes_.fetch_add(access.sent_bytes, std::memory_order_relaxed);
}

std::string MetricsText(const HttpCounts& http, const CallCounts& grpc,
                        const http::ServerCounts* server, std::span<const FoundModel> models,
                        std::span<const VersionInfo> index) {
  std::vector<ModelRow> rows;
  for (const FoundModel& found : models) {
    rows.push_back(
        {StrCat("model=\"", Escaped(found.name), "\",version=\"", Escaped(found.version), "\""),
         found.model->statistics()});
  }
  Text text;
  AddModels(rows, &text);
  text.Begin("tfrt_model_ready", "gauge", "Whether a version of a model is ready.");
  for (const VersionInfo& info : index) {
    text.Value(StrCat("model=\"", Escaped(info.name), "\",version=\"", Escaped(info.version), "\""),
               info.state == VersionInfo::State::kReady ? 1 : 0);
  }
  text.Begin("tfrt_http_responses_total", "counter", "HTTP responses, by status.");
  for (size_t status = 0; status < http.answers_.size(); ++status) {
    const uint64_t count = http.answers_[status].load(std::memory_order_relaxed);
    if (count > 0) text.Value(StrCat("status=\"", status, "\""), count);
  }
  text.Single("tfrt_http_received_bytes_total", "counter", "Bytes of request bodies.",
              http.received_bytes_.load(std::memory_order_relaxed));
  text.Single("tfrt_http_sent_bytes_total", "counter", "Bytes of response bodies.",
              http.sent_bytes_.load(std::memory_order_relaxed));
  text.Begin("tfrt_grpc_responses_total", "counter",
             "Answered calls of gRPC and requests of its streams, by code.");
  for (size_t code = 0; code < grpc.answers_.size(); ++code) {
    const uint64_t count = grpc.answers_[code].load(std::memory_order_relaxed);
    if (count == 0) continue;
    text.Value(StrCat("code=\"", StatusCodeName(static_cast<StatusCode>(code)), "\""), count);
  }
  text.Single("tfrt_grpc_received_bytes_total", "counter", "Bytes of messages from clients.",
              grpc.received_bytes_.load(std::memory_order_relaxed));
  text.Single("tfrt_grpc_sent_bytes_total", "counter", "Bytes of messages to clients.",
              grpc.sent_bytes_.load(std::memory_order_relaxed));
  if (server) {
    text.Single("tfrt_http_connections", "gauge", "Open connections.", server->open_connections);
    text.Single("tfrt_http_refused_connections_total", "counter", "Connections refused.",
                server->refused_connections);
    text.Single("tfrt_http_refused_requests_total", "counter", "Requests refused as malformed.",
                server->refused_requests);
    text.Single("tfrt_http_body_bytes", "gauge", "Bytes of request bodies in memory.",
                server->body_bytes_in_use);
  }
  text.Single("process_resident_memory_bytes", "gauge", "Bytes of the process in memory.",
              ResidentBytes());
  return std::move(text).Take();
}

}  // namespace tfrt::serve
