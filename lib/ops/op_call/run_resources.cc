#include "run_resources.h"

#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

Status AtItsPlace(const ExecutionContext& exec_ctx, Status error) {
  const auto* resources = exec_ctx.request_ctx()->GetDataIfExists<RunResources>();
  if (!resources || !resources->locate_errors) return error;
  return AtPlace(exec_ctx.location(), error);
}

Status AtPlace(Location where, const Status& error) {
  if (!where) return error;
  const std::string place = StrCat(where.Decode().ToString(), ": ");
  if (error.message().starts_with(place)) return error;
  return Status(error.code(), StrCat(place, error.message()));
}

}  // namespace tfrt
