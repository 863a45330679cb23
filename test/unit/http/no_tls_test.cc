// A build without OpenSSL.
#include <gtest/gtest.h>

#include "lib/serve/http/server.h"
#include "test/unit/http/raw_client.h"

namespace tfrt::serve::http {
namespace {

TEST(NoTlsTest, TlsIsUnimplemented) {
  ServerOptions options;
  options.tls = {.certificate_file = "a", .key_file = "b", .client_ca_file = ""};
  EXPECT_EQ(Server::Start(options, EchoHandler).status().ToString(),
            "UNIMPLEMENTED: this build has no TLS: OpenSSL was not found when it was configured");
}

}  // namespace
}  // namespace tfrt::serve::http
