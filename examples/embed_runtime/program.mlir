// What embed_runtime runs. Compiled by: mlir_to_bef program.mlir -o program.bef
func.func @add_and_divide(%a: i32, %b: i32) -> (i32, i32, i32) {
  %sum = tfrt.add.i32 %a, %b
  %quotient, %remainder = tfrt.div.i32 %a, %b
  tfrt.return %sum, %quotient, %remainder : i32, i32, i32
}

// Takes far longer than the program waits.
func.func @count_to_two_billion() -> i32 {
  %n = tfrt.constant.i32 2000000000
  %zero = tfrt.constant.i32 0
  %count = tfrt.repeat.i32 %n, %zero : i32 {
    %one = tfrt.constant.i32 1
    %next = tfrt.add.i32 %zero, %one
    tfrt.return %next : i32
  }
  tfrt.return %count : i32
}
