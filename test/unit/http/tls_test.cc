#include "lib/serve/http/tls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "lib/serve/http/server.h"
#include "test/unit/http/raw_client.h"

namespace tfrt::serve::http {
namespace {

constexpr std::string_view kGetA = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

// A certificate with its key, signed by itself or by another.
class Certificate {
 public:
  explicit Certificate(const char* name, const Certificate* issuer = nullptr)
      : key_(EVP_EC_gen("P-256")), certificate_(X509_new()) {
    X509_set_version(certificate_, X509_VERSION_3);
    static long serial = 0;
    ASN1_INTEGER_set(X509_get_serialNumber(certificate_), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate_), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate_), 3600);
    X509_set_pubkey(certificate_, key_);
    X509_NAME* subject = X509_get_subject_name(certificate_);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    const Certificate& by = issuer ? *issuer : *this;
    X509_set_issuer_name(certificate_, X509_get_subject_name(by.certificate_));
    if (!issuer) {
      X509_EXTENSION* is_ca =
          X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE");
      X509_add_ext(certificate_, is_ca, -1);
      X509_EXTENSION_free(is_ca);
    }
    EXPECT_GT(X509_sign(certificate_, by.key_, EVP_sha256()), 0);
  }
  Certificate(const Certificate&) = delete;
  ~Certificate() {
    X509_free(certificate_);
    EVP_PKEY_free(key_);
  }
  X509* certificate() const { return certificate_; }
  EVP_PKEY* key() const { return key_; }
  void Write(const std::string& path) const {
    FILE* file = std::fopen(path.c_str(), "w");
    PEM_write_X509(file, certificate_);
    std::fclose(file);
  }
  void WriteKey(const std::string& path) const {
    FILE* file = std::fopen(path.c_str(), "w");
    PEM_write_PrivateKey(file, key_, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
  }

 private:
  EVP_PKEY* key_;
  X509* certificate_;
};

// A client that trusts `ca` alone.
class TlsClient {
 public:
  TlsClient(uint16_t port, const Certificate& ca, const Certificate* own = nullptr)
      : socket_(port), context_(SSL_CTX_new(TLS_client_method())) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), ca.certificate());
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
    if (own) {
      SSL_CTX_use_certificate(context_, own->certificate());
      SSL_CTX_use_PrivateKey(context_, own->key());
    }
    static constexpr unsigned char kProtocols[] = "\x02h2\x08http/1.1";
    SSL_CTX_set_alpn_protos(context_, kProtocols, sizeof(kProtocols) - 1);
    ssl_ = SSL_new(context_);
    SSL_set_fd(ssl_, socket_.fd());
    is_connected_ = SSL_connect(ssl_) == 1;
  }
  TlsClient(const TlsClient&) = delete;
  ~TlsClient() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }
  bool is_connected() const { return is_connected_; }
  RawClient& socket() { return socket_; }
  SSL* ssl() { return ssl_; }
  void Send(std::string_view text) { SSL_write(ssl_, text.data(), static_cast<int>(text.size())); }
  // Returns a response's body; "" if the connection ends first.
  std::string ReceiveBody() {
    std::string text;
    size_t end = 0, length = 0;
    char bytes[20'000];
    for (;;) {
      const int received = SSL_read(ssl_, bytes, sizeof(bytes));
      if (received <= 0) return "";
      text.append(bytes, static_cast<size_t>(received));
      end = text.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      length = std::strtoull(text.c_str() + text.find("Content-Length: ") + 16, nullptr, 10);
      if (text.size() >= end + 4 + length) return text.substr(end + 4);
    }
  }

 private:
  RawClient socket_;
  SSL_CTX* context_;
  SSL* ssl_ = nullptr;
  bool is_connected_ = false;
};

class TlsTest : public testing::Test {
 protected:
  TlsTest() {
    ca_.Write(Path("ca.pem"));
    own_.Write(Path("cert.pem"));
    own_.WriteKey(Path("key.pem"));
    options_.tls.certificate_file = Path("cert.pem");
    options_.tls.key_file = Path("key.pem");
  }
  ~TlsTest() override {
    for (const char* name : {"ca.pem", "cert.pem", "key.pem", "bad.pem"}) {
      unlink(Path(name).c_str());
    }
  }
  static std::string Path(const char* name) {
    return StrCat(testing::TempDir(), "tfrt_tls_test_", getpid(), "_", name);
  }
  std::string StartError(const ServerOptions& options) {
    ServerOptions changed = options;
    changed.address = "127.0.0.1";
    changed.port = 0;
    return Server::Start(std::move(changed), EchoHandler).status().ToString();
  }

  Certificate ca_{"test CA"};
  Certificate own_{"localhost", &ca_};
  ServerOptions options_;
};

TEST_F(TlsTest, ServesOverTls) {
  auto server = StartServer(options_, [](Request request, Responder responder) {
    EXPECT_TRUE(request.is_secure());
    responder.Respond(Echo(request));
  });
  TlsClient client(server->port(), ca_);
  ASSERT_TRUE(client.is_connected());
  EXPECT_GE(SSL_version(client.ssl()), TLS1_2_VERSION);
  const unsigned char* protocol;
  unsigned size;
  SSL_get0_alpn_selected(client.ssl(), &protocol, &size);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(protocol), size), "http/1.1");
  client.Send(kGetA);
  EXPECT_EQ(client.ReceiveBody(), "GET /a? ");
  client.Send(kGetA);
  EXPECT_EQ(client.ReceiveBody(), "GET /a? ");
  // The alert tells the server that no more comes.
  SSL_shutdown(client.ssl());
  client.socket().Close();
  WaitUntil([&] { return server->counts().open_connections == 0; });
}

TEST_F(TlsTest, LargeBodiesBothWays) {
  // Answers come from another thread, which writes to the session that the I/O thread reads from.
  std::vector<std::thread> threads;
  auto server = StartServer(options_, [&](Request request, Responder responder) {
    threads.emplace_back(
        [request = std::move(request), responder = std::move(responder)]() mutable {
          Response response;
          response.body.push_back({.owned = "small", .bytes = {}, .owner = nullptr});
          response.body.push_back(
              {.owned = "", .bytes = request.body(), .owner = request.shared_body()});
          responder.Respond(std::move(response));
        });
  });
  TlsClient client(server->port(), ca_);
  std::string body(3'000'001, '\0');
  for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 13 >> 3);
  for (int i = 0; i < 3; ++i) {
    client.Send(StrCat("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ", body.size(), "\r\n\r\n"));
    client.Send(body);
    EXPECT_EQ(client.ReceiveBody(), "small" + body);
  }
  server.reset();
  for (std::thread& thread : threads) thread.join();
}

TEST_F(TlsTest, ClientsNeedACertificateOfTheirs) {
  options_.tls.client_ca_file = Path("ca.pem");
  auto server = StartServer(options_, EchoHandler);
  const Certificate client_certificate("client", &ca_);
  TlsClient known(server->port(), ca_, &client_certificate);
  known.Send(kGetA);
  EXPECT_EQ(known.ReceiveBody(), "GET /a? ");
  TlsClient nameless(server->port(), ca_);  // with TLS 1.3 it learns of the refusal when it reads
  nameless.Send(kGetA);
  EXPECT_EQ(nameless.ReceiveBody(), "");
  const Certificate other_ca("other CA");
  const Certificate stranger("client", &other_ca);
  TlsClient strange(server->port(), ca_, &stranger);
  strange.Send(kGetA);
  EXPECT_EQ(strange.ReceiveBody(), "");
  WaitUntil([&] { return server->counts().failed_handshakes == 2; });
  known.Send(kGetA);
  EXPECT_EQ(known.ReceiveBody(), "GET /a? ");
}

TEST_F(TlsTest, HandshakesDoNotStopOthers) {
  options_.header_timeout = std::chrono::milliseconds(100);
  auto server = StartServer(options_, EchoHandler);
  TlsClient client(server->port(), ca_);
  // One that says nothing, one that stops in the middle, and one that does not speak TLS.
  RawClient silent(server->port()), halting(server->port()), plain(server->port());
  halting.Send(std::string_view("\x16\x03\x01\x02\x00\x01\x00\x01", 8));
  plain.Send(kGetA);
  for (int i = 0; i < 10; ++i) {
    client.Send(kGetA);
    EXPECT_EQ(client.ReceiveBody(), "GET /a? ");
  }
  EXPECT_EQ(plain.Receive().status, 0);
  EXPECT_TRUE(silent.IsClosed());  // after the timeout
  EXPECT_TRUE(halting.IsClosed());
}

TEST_F(TlsTest, CertificatesAreReadAgain) {
  auto server = StartServer(options_, EchoHandler);
  TlsClient before(server->port(), ca_);
  ASSERT_TRUE(before.is_connected());
  const Certificate new_ca("new CA");
  const Certificate renewed("localhost", &new_ca);
  renewed.Write(Path("cert.pem"));
  // The key is still the old one's: the server goes on with what it has.
  EXPECT_EQ(server->ReloadCertificates().ToString(),
            StrCat("INVALID_ARGUMENT: cannot read a key of '", Path("key.pem"),
                   "': key values mismatch"));
  EXPECT_TRUE(TlsClient(server->port(), ca_).is_connected());
  renewed.WriteKey(Path("key.pem"));
  EXPECT_TRUE(server->ReloadCertificates().ok());
  EXPECT_TRUE(TlsClient(server->port(), new_ca).is_connected());
  EXPECT_FALSE(TlsClient(server->port(), ca_).is_connected());
  before.Send(kGetA);
  EXPECT_EQ(before.ReceiveBody(), "GET /a? ");
}

TEST_F(TlsTest, BadFilesAreNamed) {
  FILE* file = std::fopen(Path("bad.pem").c_str(), "w");
  std::fputs("no certificate\n", file);
  std::fclose(file);
  ServerOptions changed = options_;
  changed.tls.certificate_file = Path("bad.pem");
  EXPECT_EQ(StartError(changed), StrCat("INVALID_ARGUMENT: cannot read certificates of '",
                                        Path("bad.pem"), "': no start line"));
  changed = options_;
  changed.tls.key_file = Path("bad.pem");
  EXPECT_EQ(StartError(changed).find(
                StrCat("INVALID_ARGUMENT: cannot read a key of '", Path("bad.pem"), "': ")),
            0u);
  changed = options_;
  changed.tls.client_ca_file = "/no/such/file";
  EXPECT_EQ(
      StartError(changed),
      "INVALID_ARGUMENT: cannot read certificates of clients of '/no/such/file': No such file "
      "or directory");
}

}  // namespace
}  // namespace tfrt::serve::http
