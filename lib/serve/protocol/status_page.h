// The page for people at /: models, load and times, drawn from the server's own documents.
#ifndef TFRT_LIB_SERVE_PROTOCOL_STATUS_PAGE_H_
#define TFRT_LIB_SERVE_PROTOCOL_STATUS_PAGE_H_

#include <string_view>

namespace tfrt::serve {

// Returns one HTML document that needs no other file and no network beyond its server.
std::string_view StatusPage();

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_STATUS_PAGE_H_
