// RUN: printf 'some text' > %t.txt
// RUN: sed 's|THE_FILE|%t.txt|' %s > %t.mlir
// RUN: mlir_to_bef %t.mlir | bef_executor | FileCheck %s

// CHECK: string = some text
func.func @read() -> !tfrt.chain {
  %path = tfrt_test.get_string {value = "THE_FILE"}
  %s = "tfrt_test.read_string_from_file"(%path) : (!tfrt.string) -> !tfrt.string
  %c = "tfrt_test.print_string"(%s) : (!tfrt.string) -> !tfrt.chain
  tfrt.return %c : !tfrt.chain
}
