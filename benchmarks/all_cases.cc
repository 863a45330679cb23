#include "case.h"

namespace tfrt::bench {

Cases AllCases() {
  Cases cases;
  AddFloorCases(&cases);
  AddGraphCases(&cases);
  AddControlFlowCases(&cases);
  AddAsyncCases(&cases);
  AddThreadCases(&cases);
  AddValueCases(&cases);
  AddBefCases(&cases);
  AddEagerCases(&cases);
  AddPeerCases(&cases);
  return cases;
}

}  // namespace tfrt::bench
