#include "dialects.h"

#include "dialects/coo/coo_dialect.h"
#include "dialects/corert/corert_dialect.h"
#include "dialects/corert_sync/corert_sync_dialect.h"
#include "dialects/graph/graph_dialect.h"
#include "dialects/ht/ht_dialect.h"
#include "dialects/tfrt/tfrt_dialect.h"
#include "dialects/tfrt_dht/tfrt_dht_dialect.h"
#include "dialects/tfrt_dht_sync/tfrt_dht_sync_dialect.h"
#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"
#include "dialects/tfrt_tensor/older_tensor_dialect.h"
#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"
#include "dialects/tfrt_test/tfrt_test_dialect.h"
#include "dialects/ts/ts_dialect.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tfrt::compiler {

void registerAllTfrtDialects(mlir::DialectRegistry& registry) {
  registry.insert<TfrtDialect, TfrtTensorDialect, OlderTensorDialect, TfrtTestDialect,
                  dht::TfrtDhtDialect, dht_sync::TfrtDhtSyncDialect, gpu::TfrtGpuDialect,
                  ts::TsDialect, ht::HtDialect, coo::CooDialect, graph::GraphDialect,
                  corert::CorertDialect, corert_sync::CorertSyncDialect, mlir::func::FuncDialect>();
  mlir::func::registerInlinerExtension(registry);
}

}  // namespace tfrt::compiler
