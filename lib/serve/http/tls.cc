#include "lib/serve/http/tls.h"

#include <utility>

#include "tfrt/support/str_cat.h"

#if TFRT_HAVE_OPENSSL
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#endif

namespace tfrt::serve::http {

#if TFRT_HAVE_OPENSSL
namespace {

// Returns OpenSSL's reason for what failed on this thread: the first, as later ones are effects.
std::string FirstReason() {
  const unsigned long code = ERR_peek_error();
  const char* reason = ERR_SYSTEM_ERROR(code)
                           ? strerror(ERR_GET_REASON(code))  // NOLINT(concurrency-mt-unsafe)
                           : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason ? reason : "unknown reason";
}

// A BIO of a socket that raises no SIGPIPE: OpenSSL's own one writes by write(2), and what the
// signal does is for the program to say.
int SocketWrite(BIO* bio, const char* data, int size) {
  BIO_clear_retry_flags(bio);
  const int fd = static_cast<int>(reinterpret_cast<intptr_t>(BIO_get_data(bio)));
  ssize_t sent;
  do {
    sent = send(fd, data, static_cast<size_t>(size), MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0 && errno == EAGAIN) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

int SocketRead(BIO* bio, char* data, int size) {
  BIO_clear_retry_flags(bio);
  const int fd = static_cast<int>(reinterpret_cast<intptr_t>(BIO_get_data(bio)));
  ssize_t received;
  do {
    received = recv(fd, data, static_cast<size_t>(size), 0);
  } while (received < 0 && errno == EINTR);
  if (received < 0 && errno == EAGAIN) BIO_set_retry_read(bio);
  return static_cast<int>(received);
}

long SocketControl(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

BIO_METHOD* SocketMethod() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tfrt socket");
    if (made) {
      BIO_meth_set_write(made, SocketWrite);
      BIO_meth_set_read(made, SocketRead);
      BIO_meth_set_ctrl(made, SocketControl);
    }
    return made;
  }();
  return method;
}

class OpenSslSession final : public TlsSession {
 public:
  explicit OpenSslSession(SSL* ssl) : ssl_(ssl) {}
  ~OpenSslSession() override { SSL_free(ssl_); }

  ssize_t Handshake() override {
    ERR_clear_error();
    return Result(SSL_accept(ssl_));
  }
  ssize_t Read(void* data, size_t size) override {
    ERR_clear_error();
    return Result(SSL_read(ssl_, data, static_cast<int>(std::min<size_t>(size, INT_MAX))));
  }
  ssize_t Write(const void* data, size_t size) override {
    ERR_clear_error();
    return Result(SSL_write(ssl_, data, static_cast<int>(std::min<size_t>(size, INT_MAX))));
  }
  void Finish() override {
    ERR_clear_error();
    if (!failed_) SSL_shutdown(ssl_);
    ERR_clear_error();
  }

 private:
  ssize_t Result(int result) {
    if (result > 0) return result;
    switch (SSL_get_error(ssl_, result)) {
      case SSL_ERROR_WANT_READ:
      case SSL_ERROR_WANT_WRITE:
        return kIoAgain;
      case SSL_ERROR_ZERO_RETURN:
        return 0;
      default:
        failed_ = true;  // then SSL_shutdown may not be called
        ERR_clear_error();
        return kIoFailed;
    }
  }

  SSL* ssl_;
  bool failed_ = false;
};

// Chooses http/1.1 where a client offers a list of protocols.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned offered_size, void*) {
  static constexpr unsigned char kOurs[] = "\x08http/1.1";
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, chosen_size, kOurs, sizeof(kOurs) - 1, offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

class OpenSslContext final : public TlsContext {
 public:
  explicit OpenSslContext(SSL_CTX* context) : context_(context) {}
  ~OpenSslContext() override { SSL_CTX_free(context_); }

  Status Load(const TlsOptions& options) {
    SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
    SSL_CTX_set_options(context_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                      SSL_OP_CIPHER_SERVER_PREFERENCE |
                                      // A client that ends without the alert is no error of ours:
                                      // lengths say where requests end.
                                      SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                   SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context_, ChooseProtocol, nullptr);
    // Sessions of clients with certificates are only resumed in the context that made them.
    static constexpr unsigned char kContextName[] = "tfrt";
    SSL_CTX_set_session_id_context(context_, kContextName, sizeof(kContextName) - 1);
    // Tickets hold the sessions; the server keeps none.
    SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context_, options.certificate_file.c_str()) != 1) {
      return InvalidArgumentError(
          StrCat("cannot read certificates of '", options.certificate_file, "': ", FirstReason()));
    }
    if (SSL_CTX_use_PrivateKey_file(context_, options.key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
      return InvalidArgumentError(
          StrCat("cannot read a key of '", options.key_file, "': ", FirstReason()));
    }
    if (SSL_CTX_check_private_key(context_) != 1) {
      return InvalidArgumentError(StrCat("the key of '", options.key_file,
                                         "' is not that of the certificate in '",
                                         options.certificate_file, "'"));
    }
    if (options.client_ca_file.empty()) return OkStatus();
    STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(options.client_ca_file.c_str());
    if (!names ||
        SSL_CTX_load_verify_locations(context_, options.client_ca_file.c_str(), nullptr) != 1) {
      if (names) sk_X509_NAME_pop_free(names, X509_NAME_free);
      return InvalidArgumentError(StrCat("cannot read certificates of clients of '",
                                         options.client_ca_file, "': ", FirstReason()));
    }
    SSL_CTX_set_client_CA_list(context_, names);  // takes it
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    return OkStatus();
  }

  std::unique_ptr<TlsSession> NewSession(int fd) override {
    if (!SocketMethod()) return nullptr;
    SSL* ssl = SSL_new(context_);
    BIO* bio = ssl ? BIO_new(SocketMethod()) : nullptr;
    if (!bio) {
      SSL_free(ssl);
      return nullptr;
    }
    BIO_set_data(bio, reinterpret_cast<void*>(static_cast<intptr_t>(fd)));
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_accept_state(ssl);
    return std::make_unique<OpenSslSession>(ssl);
  }

 private:
  SSL_CTX* context_;
};

}  // namespace

StatusOr<std::shared_ptr<TlsContext>> TlsContext::Create(const TlsOptions& options) {
  SSL_CTX* made = SSL_CTX_new(TLS_server_method());
  if (!made) return UnavailableError(StrCat("cannot start OpenSSL: ", FirstReason()));
  auto context = std::make_shared<OpenSslContext>(made);
  TFRT_RETURN_IF_ERROR(context->Load(options));
  return std::shared_ptr<TlsContext>(std::move(context));
}

#else

StatusOr<std::shared_ptr<TlsContext>> TlsContext::Create(const TlsOptions&) {
  return UnimplementedError("this build has no TLS: OpenSSL was not found when it was configured");
}

#endif

}  // namespace tfrt::serve::http
