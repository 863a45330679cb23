// Load on servers: many clients, each with one connection, and the times of their requests.
#ifndef TFRT_BENCHMARKS_SERVE_LOAD_H_
#define TFRT_BENCHMARKS_SERVE_LOAD_H_

#include <functional>
#include <string>
#include <vector>

namespace tfrt::benchmarks {

// One kind of request to one server.
struct LoadTarget {
  std::string name;
  // Returns a client with a connection of its own. A call of it sends a request, waits for the
  // answer, and returns whether that is right. Called and used by one thread per client.
  std::function<std::function<bool()>()> connect;
};

struct LoadOptions {
  std::vector<int> clients = {1, 8, 32};
  int rounds = 5;
  int milliseconds = 500;  // of each target in each round
};

// Measures all targets in turns, and prints a line for each number of clients and target:
//   CLIENTS NAME MINIMUM_US P50_US P99_US REQUESTS_PER_SECOND
// Times are of the requests of all rounds, requests per second the median of the rounds.
// A target with a wrong answer is reported and left out, and the result is 1, otherwise 0.
int RunLoad(const std::vector<LoadTarget>& targets, const LoadOptions& options);

// The arguments of a program that measures load: `--clients=1,8 --rounds=N --milliseconds=N` and
// NAME=PORT=FILE for each target besides its own. FILE has the bytes that a client sends.
struct LoadArguments {
  LoadOptions options;
  struct Peer {
    std::string name;
    int port;
    std::string request;  // the file's bytes
  };
  std::vector<Peer> peers;
};
// Ends the program with a message if an argument is none of these.
LoadArguments ParseLoadArguments(int argc, char** argv);

}  // namespace tfrt::benchmarks

#endif  // TFRT_BENCHMARKS_SERVE_LOAD_H_
