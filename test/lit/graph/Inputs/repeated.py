"""Prints a program whose ops take a value twice: repeated.py values|constants|numbers|steps COUNT"""

import sys

TENSOR = 'tensor<2xf32>'
kind, count = sys.argv[1], int(sys.argv[2])
ops = []


def op(name, *operands):
  ops.append(f'%{len(ops)} = graph.{name} {", ".join(operands)} : ({", ".join([TENSOR] * len(operands))}) -> {TENSOR}')
  return f'%{len(ops) - 1}'


def constant(text):
  ops.append(f'%{len(ops)} = graph.constant dense<{text}> : {TENSOR}')
  return f'%{len(ops) - 1}'


if kind == 'steps':  # x = x + r * x * (1 - x)
  one, rate, value = constant('1.0'), constant('[0.5, 0.25]'), '%x'
  for _ in range(count):
    value = op('add', value, op('mul', op('mul', rate, value), op('sub', one, value)))
else:
  value = {'values': '%x', 'constants': constant('[1.0, 2.0]'), 'numbers': constant('1.0e-3')}[kind]
  for _ in range(count):
    value = op('add', value, value)
  value = op('mul', value, '%x')

print(f'func.func @{kind}(%x: {TENSOR}) -> {TENSOR} {{', *ops, f'graph.return {value} : {TENSOR}', '}', sep='\n')
