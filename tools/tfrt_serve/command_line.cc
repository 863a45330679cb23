#include "command_line.h"

#include <CLI/CLI.hpp>
#include <chrono>

namespace tfrt {
namespace {

void AddServerOptions(CLI::App& app, serve::http::ServerOptions* server, size_t* max_body_mb) {
  app.add_option("--address", server->address, "Address to listen at (0.0.0.0)");
  app.add_option("--port", server->port, "Port of HTTP (8000); 0: one that is free");
  app.add_option("--io_threads", server->io_threads, "Threads that read and write sockets (1)")
      ->check(CLI::Range(1, 64));
  app.add_option("--max_body_mb", *max_body_mb, "Limit of a request's body in MB (256)")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--max_connections", server->max_connections,
                 "Limit of connections (16384), of HTTP and of gRPC each")
      ->check(CLI::PositiveNumber);
  app.add_option_function<double>(
         "--write_timeout",
         [server](double seconds) {
           server->write_timeout = std::chrono::milliseconds(static_cast<int64_t>(1000 * seconds));
         },
         "Seconds that clients may take to read an answer, besides time for its bytes (30)")
      ->type_name("FLOAT")
      ->check(CLI::Range(0.001, 1e6));
  app.add_option("--tls_certificate", server->tls.certificate_file, "PEM file; turns TLS on")
      ->type_name("FILE");
  app.add_option("--tls_key", server->tls.key_file, "PEM file of its key")->type_name("FILE");
  app.add_option("--tls_client_ca", server->tls.client_ca_file,
                 "PEM file; clients must have a certificate of these authorities")
      ->type_name("FILE");
}

void AddModelOptions(CLI::App& app, CommandLine* line) {
  app.add_option("--models", line->models, "Folder of NAME/VERSION/model.bef or model.onnx")
      ->required()
      ->type_name("FOLDER");
  app.add_option("--model_control", line->control,
                 "none: load all at the start (default); poll: look for changes, too; explicit: "
                 "clients load and unload")
      ->check(CLI::IsMember({"none", "poll", "explicit"}));
  app.add_option("--load_model", line->load, "With explicit: a model to load at the start")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->take_all();
  app.add_option("--poll_seconds", line->poll_seconds, "Time between looks for changes (5)")
      ->check(CLI::PositiveNumber);
  app.add_option(
         "--max_batch_size", line->limits.max_batch_size,
         "Rows of a shared run (0: none), of models without max_batch_size in their options "
         "whose first dimensions are named as batches")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--max_queue_size", line->limits.max_queue_size,
                 "Requests of a model that may wait (1024)")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option_function<size_t>(
         "--max_run_mb", [line](size_t mb) { line->limits.max_run_bytes = mb << 20; },
         "Memory of a session, in MB (4096): for a run, and for results that clients have not "
         "received yet; 0: no limit")
      ->check(CLI::Range(0, 1 << 30));
  app.add_option("--sessions", line->limits.num_sessions,
                 "Runs of a model at a time (1), without instance_group in its options")
      ->check(CLI::Range(1, 1024));
  app.add_option_function<int>(
         "--warm_up_ms",
         [line](int time) { line->limits.max_warm_up = std::chrono::milliseconds(time); },
         "How long models may run before they are ready (50); 0: they do not")
      ->check(CLI::Range(0, 3'600'000));
}

}  // namespace

std::optional<CommandLine> ParseCommandLine(int argc, const char* const* argv, int* exit_code) {
  CommandLine line;
  size_t max_body_mb = 256;
  CLI::App app("Serves models over HTTP, by the Open Inference Protocol (KServe v2).",
               "tfrt_serve");
  AddModelOptions(app, &line);
  AddServerOptions(app, &line.server, &max_body_mb);
  app.add_option("--threads", line.num_threads, "Threads that compute (one for each processor)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--grpc_port", line.grpc_port,
                 "Port of gRPC, which needs the module tfrt_grpc.so (none); 0: one that is free");
  app.add_option("--grpc_port_file", line.grpc_port_file, "The same as --port_file, for gRPC")
      ->type_name("FILE");
  app.add_option("--port_file", line.port_file, "Write the port into this file when it is open")
      ->type_name("FILE");
  app.add_option("--token_file", line.token_file,
                 "File with a bearer token that all requests but those for health need")
      ->type_name("FILE");
  app.add_option("--profile_folder", line.profile_folder,
                 "Folder of the profiles that POST /v2/debug/profile?requests=N records; needs "
                 "--model_control=explicit")
      ->type_name("FOLDER");
  app.add_option("--shared_memory_mb", line.shared_memory_mb,
                 "Memory that clients on this machine may share with the server, in MB (0: none)")
      ->check(CLI::Range(0, 1 << 30));
  app.add_flag("--log_requests", line.logs_requests, "Log all requests, not only failures");
  app.add_option(
         "--max_stall_seconds", line.max_stall_seconds,
         "The server is not live while no run has ended and no thread taken a task for longer "
         "(60); 0: it always is")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--drain_delay", line.drain_delay_seconds,
                 "Seconds from SIGTERM, when readiness ends, until connections are refused (0)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--drain_seconds", line.drain_seconds,
                 "Seconds that requests in flight may then take (30)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--shared_libs", line.shared_libs, "Load kernels from these libraries")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,...");
  app.set_version_flag("--version", "tfrt version " TFRT_VERSION);
  app.footer(
      "SIGTERM ends the server when its requests are answered; a second one ends it at once.\n"
      "SIGHUP reads the TLS files again. See docs/serving.md.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    *exit_code = app.exit(error);
    return std::nullopt;
  }
  line.server.max_body_bytes = max_body_mb << 20;
  line.server.max_total_body_bytes =
      std::max(line.server.max_total_body_bytes, line.server.max_body_bytes);
  return line;
}

}  // namespace tfrt
