// Compares a served model with its session: what the queue costs, and what shared runs gain.
//
//   serve_models MODEL.bef [CLIENTS [SECONDS]]
//
// Each client has one request of one row in flight. All inputs need an open first dimension; other
// open dimensions are 1. Rounds of the ways alternate, and the medians are printed. Last come full
// shared runs beside the session, which is called with as many rows.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lib/serve/models/served_model.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"

namespace {

using namespace tfrt;
using serve::Clock;

constexpr int kRounds = 7;

template <typename T>
T Require(StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "serve_models: %s\n", value.status().ToString().c_str());
  std::exit(1);
}

std::vector<DenseHostTensor> MakeRows(const Model& model, int64_t num_rows) {
  std::vector<DenseHostTensor> row;
  for (const ModelValue& input : model.inputs()) {
    std::vector<int64_t> sizes;
    for (const ModelDim& dim : *input.dims) sizes.push_back(dim.size >= 0 ? dim.size : 1);
    if (num_rows > 1) sizes[0] = num_rows;
    row.push_back(Require(DenseHostTensor::CreateUninitialized(
        {input.dtype, Require(TensorShape::Create(sizes))}, model.host()->allocator())));
    std::memset(row.back().buffer()->data(), 0, row.back().size_bytes());
  }
  return row;
}

// Returns the runs per second of the session alone, on this thread.
double SessionRate(Session& session, const std::vector<DenseHostTensor>& row, double seconds) {
  std::vector<const DenseHostTensor*> inputs;
  for (const DenseHostTensor& tensor : row) inputs.push_back(&tensor);
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration<double>(seconds);
  int count = 0;
  for (; Clock::now() < end; ++count) Require(session.RunInOrder(inputs));
  return count / std::chrono::duration<double>(Clock::now() - begin).count();
}

// Has clients that each submit a request when the one before is answered.
class Load {
 public:
  Load(serve::ServedModel& model, const std::vector<DenseHostTensor>& row)
      : model_(model), row_(row) {}

  double Rate(int num_clients, double seconds) {
    const auto begin = Clock::now();
    end_ =
        begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    open_ = num_clients;
    for (int i = 0; i < num_clients; ++i) Submit();
    while (open_.load(std::memory_order_acquire) > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return static_cast<double>(count_.load()) /
           std::chrono::duration<double>(Clock::now() - begin).count();
  }

 private:
  void Submit() {
    serve::InferRequest request;
    for (size_t i = 0; i < row_.size(); ++i) {
      request.inputs.push_back({model_.model().inputs()[i].name, row_[i].ShareBuffer()});
    }
    model_.Submit(std::move(request), [this](StatusOr<serve::InferResult> result) {
      Require(std::move(result));
      // relaxed: read after all clients have ended. release: they have, for the reader.
      count_.fetch_add(1, std::memory_order_relaxed);
      if (Clock::now() < end_) return Submit();
      open_.fetch_sub(1, std::memory_order_release);
    });
  }

  serve::ServedModel& model_;
  const std::vector<DenseHostTensor>& row_;
  Clock::time_point end_;
  std::atomic<int> open_{0};
  std::atomic<int64_t> count_{0};
};

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Rounds of full shared runs and of the session with as many rows alternate.
void CompareRows(const Model& model, int64_t num_rows, double seconds) {
  serve::ModelConfig config;
  config.max_batch_size = num_rows;
  config.max_queue_delay = std::chrono::milliseconds(100);  // all clients submit within it
  const auto served = Require(serve::ServedModel::Create(model, config, serve::ModelLimits()));
  Session session = Require(Session::Create(model));
  const std::vector<DenseHostTensor> row = MakeRows(model, 1);
  const std::vector<DenseHostTensor> rows = MakeRows(model, num_rows);
  std::vector<double> direct, shared;
  for (int round = 0; round < kRounds; ++round) {
    direct.push_back(1e6 / SessionRate(session, rows, seconds));
    shared.push_back(1e6 * static_cast<double>(num_rows) /
                     Load(*served, row).Rate(static_cast<int>(num_rows), seconds));
  }
  const serve::ModelStatistics statistics = served->statistics();
  const serve::DurationCount runs = statistics.run_times.total;
  const double run = static_cast<double>(runs.nanoseconds) / 1e3 /
                     static_cast<double>(std::max<uint64_t>(runs.count, 1));
  std::printf("%8ld %12.1f %12.1f %12.1f %8.3f\n", static_cast<long>(num_rows), Median(direct), run,
              Median(shared), Median(shared) / Median(direct));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: serve_models MODEL.bef [CLIENTS [SECONDS]]\n");
    return 2;
  }
  const int num_clients = argc > 2 ? std::atoi(argv[2]) : 32;
  const double seconds = argc > 3 ? std::atof(argv[3]) : 0.5;
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   Require(CreateWorkQueue("mstd")));
  RegisterGraphKernels(&host.kernel_registry());
  const Model model = Require(Model::Open(argv[1], &host));
  const std::vector<DenseHostTensor> row = MakeRows(model, 1);
  Session session = Require(Session::Create(model));
  const auto alone =
      Require(serve::ServedModel::Create(model, {.max_batch_size = 0}, serve::ModelLimits()));
  const auto shared =
      Require(serve::ServedModel::Create(model, {.max_batch_size = 32}, serve::ModelLimits()));
  std::vector<double> direct, one, single, many;
  for (int round = 0; round < kRounds; ++round) {
    direct.push_back(SessionRate(session, row, seconds));
    one.push_back(Load(*alone, row).Rate(1, seconds));
    single.push_back(Load(*alone, row).Rate(num_clients, seconds));
    many.push_back(Load(*shared, row).Rate(num_clients, seconds));
  }
  std::printf("session called directly:       %9.0f runs/s, %.1f us\n", Median(direct),
              1e6 / Median(direct));
  std::printf("served, 1 client:              %9.0f requests/s, %.1f us\n", Median(one),
              1e6 / Median(one));
  std::printf("served, %3d clients, alone:    %9.0f requests/s\n", num_clients, Median(single));
  std::printf("served, %3d clients, shared:   %9.0f requests/s, %.2f times\n", num_clients,
              Median(many), Median(many) / Median(single));
  if (model.inputs()[0].dims->at(0).size < 0) {
    std::printf("\n%8s %12s %12s %12s %8s\n", "rows", "session us", "its run us", "served us",
                "ratio");
    for (int64_t num_rows = 2; num_rows <= num_clients; num_rows *= 4) {
      CompareRows(model, num_rows, seconds);
    }
  }
  host.Quiesce();
  return 0;
}
