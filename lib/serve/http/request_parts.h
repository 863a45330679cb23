// Bytes and facts that a Request owns.
#ifndef TFRT_LIB_SERVE_HTTP_REQUEST_PARTS_H_
#define TFRT_LIB_SERVE_HTTP_REQUEST_PARTS_H_

#include <netinet/in.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "lib/serve/http/body_pool.h"
#include "lib/serve/http/message.h"

namespace tfrt::serve::http {

// Address of a client, IPv4 or IPv6.
union PeerAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};
std::string PeerText(const PeerAddress& peer);

struct Request::Parts {
  std::string text;  // of the head; `head` borrows it
  RequestHead head;
  std::shared_ptr<BodyBlock> body;  // null without one
  size_t body_begin = 0;            // offset in the block
  size_t body_size = 0;             // bytes that are there
  std::chrono::steady_clock::time_point received;
  PeerAddress peer{};
  bool is_secure = false;
  std::string id;
};

// Returns where a body begins in its block, such that the data after a prefix is aligned as the
// block is. The prefix has as many bytes as the header `name` says; 0 if that is no number.
size_t BodyBegin(const RequestHead& head, std::string_view name);

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_REQUEST_PARTS_H_
