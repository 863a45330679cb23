// fib(20), the slow way.
func.func @fib(%n: i32) -> i32 {
  %one = tfrt.constant.i32 1
  %is_small = "tfrt.lessequal.i32"(%n, %one) : (i32, i32) -> i1
  %result = tfrt.if %is_small, %n : (i32) -> (i32) {
    tfrt.return %n : i32
  } else {
    %minus_one = tfrt.constant.i32 -1
    %n1 = tfrt.add.i32 %n, %minus_one
    %n2 = tfrt.add.i32 %n1, %minus_one
    %a = tfrt.call @fib(%n1) : (i32) -> i32
    %b = tfrt.call @fib(%n2) : (i32) -> i32
    %sum = tfrt.add.i32 %a, %b
    tfrt.return %sum : i32
  }
  tfrt.return %result : i32
}

func.func @main() -> i32 {
  %n = tfrt.constant.i32 20
  %result = tfrt.call @fib(%n) : (i32) -> i32
  tfrt.return %result : i32
}
