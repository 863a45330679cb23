/* The compiler service: turns programs into BEF files or MLIR text, through plain C.
 * libtfrt_compiler.so exports one function, tfrt_compiler_service. Everything else in it, including
 * LLVM and MLIR, is hidden.
 *
 *   const TfrtCompilerService* service = tfrt_compiler_service(TFRT_COMPILER_SERVICE_VERSION);
 *   TfrtCompileRequest request = {sizeof request};
 *   request.input_kind = TFRT_INPUT_TRACED_GRAPH;
 *   ...
 *   TfrtCompileAnswer* answer = service->compile(&request);
 *   if (answer->code == 0) use(answer->output, answer->output_size);
 *   service->release(answer);
 *
 * Thread-safe: each call of compile uses a separate compiler.
 */
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_COMPILER_SERVICE_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_COMPILER_SERVICE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with each change below, except for new members at the end of a struct. */
#define TFRT_COMPILER_SERVICE_VERSION 1u
#define TFRT_COMPILER_SERVICE_SYMBOL "tfrt_compiler_service"

typedef struct TfrtBytes {
  const void* data;
  size_t size;
} TfrtBytes;

enum {
  TFRT_INPUT_TRACED_GRAPH = 0, /* the bytes that tfrt::function::Encode writes */
  TFRT_INPUT_MLIR = 1,         /* text or bytecode: a graph @main, or a program of kernels */
  TFRT_INPUT_ONNX_PATH = 2,    /* the path of a model, with weights beside it */
};

enum {
  TFRT_OUTPUT_BEF = 0,
  TFRT_OUTPUT_GRAPH = 1,   /* MLIR text of the graph before any pass */
  TFRT_OUTPUT_KERNELS = 2, /* MLIR text from which BEF is made: @load, @main */
};

enum {
  TFRT_COMPILE_EXACT = 1,   /* no pass changes the rounding */
  TFRT_COMPILE_NO_FUSE = 2, /* each op remains a separate kernel */
  TFRT_COMPILE_NO_PACK = 4, /* constants are used as they are */
  TFRT_COMPILE_ELIDE = 8,   /* text leaves out the elements of large constants */
  /* Weights of an ONNX model in CACHE/snapshots may be links to files in CACHE/blobs. */
  TFRT_COMPILE_FOLLOW_CACHE_LINKS = 16,
};

typedef struct TfrtCompileRequest {
  size_t struct_size; /* sizeof(TfrtCompileRequest) in the caller */
  uint32_t input_kind;
  uint32_t output_kind;
  uint32_t flags; /* in addition to the traced graph's own options */
  TfrtBytes input;
  const TfrtBytes* blobs; /* EncodedGraph::blobs, in order */
  size_t num_blobs;
} TfrtCompileRequest;

enum { TFRT_SEVERITY_NOTE = 0, TFRT_SEVERITY_WARNING = 1, TFRT_SEVERITY_ERROR = 2 };

typedef struct TfrtDiagnostic {
  uint32_t severity;
  uint32_t line; /* 0 without a file */
  uint32_t column;
  const char* file; /* empty: not a place in a file */
  const char* name; /* of the location; may be empty */
  const char* message;
} TfrtDiagnostic;

/* A pass; passes are in the order of the pipeline. Counts the ops of all functions, including
 * nested ones, without terminators. */
typedef struct TfrtPassCounts {
  const char* pass; /* "graph-fuse" */
  uint64_t ops_before;
  uint64_t ops_after;
  uint64_t nanoseconds;
} TfrtPassCounts;

/* Owned by the library until release. Texts end with 0 and are never null. */
typedef struct TfrtCompileAnswer {
  size_t struct_size;
  uint32_t code;         /* as tfrt::StatusCode; 0: done */
  const char* message;   /* the first error: "step.cc:7:12: matmul: ..."; empty without one */
  const uint8_t* output; /* aligned by 64 */
  size_t output_size;
  const TfrtDiagnostic* diagnostics; /* in the order of their occurrence */
  size_t num_diagnostics;
  const TfrtPassCounts* passes;
  size_t num_passes;
} TfrtCompileAnswer;

typedef struct TfrtCompilerService {
  size_t struct_size;
  uint32_t version;
  const char* build; /* the version of the compiler and of its MLIR: part of the keys of caches */
  /* Returns null only when memory runs out. The answer must be released, by any thread. */
  TfrtCompileAnswer* (*compile)(const TfrtCompileRequest* request);
  void (*release)(TfrtCompileAnswer* answer);
} TfrtCompilerService;

/* Returns null if the library does not support that version. The table lives as long as the library
 * is loaded. */
typedef const TfrtCompilerService* (*TfrtCompilerServiceFunction)(uint32_t version);
const TfrtCompilerService* tfrt_compiler_service(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif /* TFRT_LIB_FORMAT_TRACED_GRAPH_COMPILER_SERVICE_H_ */
