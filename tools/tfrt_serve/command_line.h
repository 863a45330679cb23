// The options of tfrt_serve.
#ifndef TFRT_TOOLS_TFRT_SERVE_COMMAND_LINE_H_
#define TFRT_TOOLS_TFRT_SERVE_COMMAND_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/serve/http/server.h"
#include "lib/serve/models/served_model.h"

namespace tfrt {

struct CommandLine {
  std::string models;             // folder
  std::string control = "none";   // none, poll or explicit
  std::vector<std::string> load;  // names, with control "explicit"
  double poll_seconds = 5;
  serve::ModelLimits limits;
  serve::http::ServerOptions server;
  std::optional<uint16_t> grpc_port;  // none: no gRPC
  std::string port_file;              // of HTTP
  std::string grpc_port_file;
  std::string token_file;
  std::string profile_folder;
  bool logs_requests = false;
  size_t shared_memory_mb = 0;    // 0: clients share no memory
  int num_threads = 0;            // 0: one for each processor
  double max_stall_seconds = 60;  // 0: none
  double drain_delay_seconds = 0;
  double drain_seconds = 30;
  std::vector<std::string> shared_libs;
};

// Returns none, and the exit code, if the program is to end.
std::optional<CommandLine> ParseCommandLine(int argc, const char* const* argv, int* exit_code);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_SERVE_COMMAND_LINE_H_
