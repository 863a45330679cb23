#!/usr/bin/env python3
"""Makes the small models beside this file, which hostile models are made of: make_models.py [FOLDER].

Needs the packages onnx and numpy. What it makes does not depend on their versions but for the order of fields.
"""
import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
random = np.random.default_rng(1)


def weight(name, *dims):
    return numpy_helper.from_array(random.standard_normal(dims).astype(np.float32).round(2), name)


def ints(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def scalar(name, value, dtype=np.float32):
    return numpy_helper.from_array(np.array(value, dtype), name)


def value(name, dtype=F, dims=None):
    return helper.make_tensor_value_info(name, dtype, dims)


node = helper.make_node


def finish(nodes, inputs, outputs, weights, opset=17, functions=(), opsets=(), **more):
    graph = helper.make_graph(nodes, 'g', inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', opset), *opsets], functions=functions,
                              producer_name='tfrt', ir_version=8, **more)
    return model


def convolutions():
    """A small network for images: windows of all kinds, normalisation, residuals, resizing."""
    nodes = [
        node('Pad', ['x', 'pads'], ['x0'], 'pad'),
        node('Conv', ['x0', 'w1'], ['c1'], 'conv1', kernel_shape=[3, 3], strides=[1, 1], pads=[0, 0, 0, 0]),
        node('BatchNormalization', ['c1', 'scale', 'shift', 'mean', 'variance'], ['n1'], 'norm1', epsilon=1e-3),
        node('Relu', ['n1'], ['r1'], 'relu1'),
        node('MaxPool', ['r1'], ['p1'], 'pool1', kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1),
        node('Conv', ['p1', 'w2', 'b2'], ['c2'], 'depthwise', group=4, auto_pad='SAME_UPPER', dilations=[1, 1]),
        node('Clip', ['c2', 'zero', 'six'], ['a2'], 'clip'),
        node('Conv', ['a2', 'w3', 'b3'], ['c3'], 'pointwise'),
        node('Add', ['c3', 'p1'], ['s3'], 'residual'),
        node('HardSigmoid', ['s3'], ['h3'], 'gate', alpha=0.25),
        node('Mul', ['s3', 'h3'], ['m3'], 'scale'),
        node('AveragePool', ['m3'], ['p3'], 'pool3', kernel_shape=[2, 2], pads=[1, 1, 0, 0], count_include_pad=1),
        node('ConvTranspose', ['p3', 'w4'], ['t4'], 'up', strides=[2, 2], output_padding=[1, 1], pads=[1, 1, 1, 1]),
        node('Resize', ['t4', '', 'scales'], ['z4'], 'resize', mode='linear',
             coordinate_transformation_mode='half_pixel'),
        node('Slice', ['z4', 'starts', 'ends', 'axes'], ['l4'], 'slice'),
        node('InstanceNormalization', ['l4', 'scale2', 'shift2'], ['i4'], 'instances'),
        node('LeakyRelu', ['i4'], ['k4'], 'leaky', alpha=0.1),
        node('PRelu', ['k4', 'slope'], ['q4'], 'prelu'),
        node('DepthToSpace', ['r1'], ['d5'], 'depth', blocksize=2),
        node('GlobalAveragePool', ['m3'], ['g6'], 'mean6'),
        node('Flatten', ['g6'], ['f6'], 'flat'),
        node('Gemm', ['f6', 'w7', 'b7'], ['logits'], 'head', transB=1, alpha=0.5),
        node('Softmax', ['logits'], ['y'], 'softmax', axis=-1),
    ]
    weights = [ints('pads', 0, 0, 1, 1, 0, 0, 1, 1), weight('w1', 4, 3, 3, 3), weight('scale', 4), weight('shift', 4),
               weight('mean', 4), numpy_helper.from_array(np.full(4, 2, np.float32), 'variance'),
               weight('w2', 4, 1, 3, 3), weight('b2', 4), scalar('zero', 0), scalar('six', 6), weight('w3', 4, 4, 1, 1),
               weight('b3', 4), weight('w4', 4, 2, 3, 3), helper.make_tensor('scales', F, [4], [1, 1, 1.5, 2]),
               ints('starts', 1, -2), ints('ends', 2**63 - 1, -100), ints('axes', 2, 3), weight('scale2', 2),
               weight('shift2', 2), weight('slope', 2, 1, 1), weight('w7', 5, 4), weight('b7', 5)]
    # Backwards along the last axis.
    weights.append(ints('steps', 1, -1))
    nodes[14].input.append('steps')
    return finish(nodes, [value('x', F, ['n', 3, 8, 8])],
                  [value('y', F, ['n', 5]), value('q4', F), value('d5', F)], weights)


def transformer():
    """One layer as exporters write it: sizes computed from shapes, masks, attention and gelu spelled out."""
    nodes = [
        node('Gather', ['table', 'ids'], ['e'], 'embed'),
        node('Shape', ['ids'], ['shape'], 'shape'),
        node('Gather', ['shape', 'one'], ['length'], 'length', axis=0),
        node('Range', ['zero', 'length', 'one'], ['places'], 'places'),
        node('Gather', ['positions', 'places'], ['pe'], 'position'),
        node('Add', ['e', 'pe'], ['x'], 'sum'),
        node('LayerNormalization', ['x', 'ln_scale', 'ln_bias'], ['ln'], 'norm', axis=-1, epsilon=1e-5),
        node('MatMul', ['ln', 'w_qkv'], ['qkv0'], 'qkv'),
        node('Add', ['qkv0', 'b_qkv'], ['qkv'], 'qkv_bias'),
        node('Split', ['qkv', 'sizes'], ['q0', 'k0', 'v0'], 'split', axis=2),
        node('Gather', ['shape', 'zero'], ['batch'], 'batch', axis=0),
        node('Unsqueeze', ['batch', 'axis0'], ['batch1'], 'u0'),
        node('Unsqueeze', ['length', 'axis0'], ['length1'], 'u1'),
        node('Concat', ['batch1', 'length1', 'heads'], ['to'], 'to', axis=0),
    ]
    for name in 'qkv':
        nodes.append(node('Reshape', [name + '0', 'to'], [name + '1'], 'split_' + name))
    nodes += [
        node('Transpose', ['q1'], ['q'], 'tq', perm=[0, 2, 1, 3]),
        node('Transpose', ['k1'], ['k'], 'tk', perm=[0, 2, 3, 1]),
        node('Transpose', ['v1'], ['v'], 'tv', perm=[0, 2, 1, 3]),
        node('MatMul', ['q', 'k'], ['scores0'], 'scores'),
        node('Div', ['scores0', 'root'], ['scores'], 'scaled'),
        node('Unsqueeze', ['mask', 'axes12'], ['mask4'], 'mask4'),
        node('Cast', ['mask4'], ['mask_f'], 'mask_f', to=F),
        node('Equal', ['mask_f', 'zero_f'], ['hidden'], 'hidden'),
        node('Where', ['hidden', 'low', 'scores'], ['masked'], 'masked'),
        node('Softmax', ['masked'], ['p'], 'softmax', axis=-1),
        node('MatMul', ['p', 'v'], ['context0'], 'context'),
        node('Transpose', ['context0'], ['context1'], 'tc', perm=[0, 2, 1, 3]),
        node('Reshape', ['context1', 'flat'], ['context'], 'merge'),
        node('MatMul', ['context', 'w_o'], ['o'], 'out'),
        node('Add', ['o', 'x'], ['r'], 'residual'),
        node('ReduceMean', ['r'], ['m'], 'mean', axes=[-1]),
        node('Sub', ['r', 'm'], ['d'], 'centred'),
        node('Pow', ['d', 'two'], ['d2'], 'squared'),
        node('ReduceMean', ['d2'], ['variance'], 'variance', axes=[-1]),
        node('Sqrt', ['variance'], ['deviation'], 'deviation'),
        node('Div', ['d', 'deviation'], ['n'], 'normed'),
        node('MatMul', ['n', 'w_up'], ['up'], 'up'),
        node('Div', ['up', 'root2'], ['g0'], 'gelu0'),
        node('Erf', ['g0'], ['g1'], 'gelu1'),
        node('Add', ['g1', 'one_f'], ['g2'], 'gelu2'),
        node('Mul', ['up', 'g2'], ['g3'], 'gelu3'),
        node('Mul', ['g3', 'half'], ['g'], 'gelu4'),
        node('MatMul', ['g', 'w_down'], ['down'], 'down'),
        node('Expand', ['down', 'wide'], ['y'], 'expand'),
        node('ArgMax', ['y'], ['best'], 'best', axis=-1, keepdims=0),
        node('TopK', ['down', 'two_i'], ['top', 'which'], 'top', axis=-1),
    ]
    weights = [weight('table', 7, 8), weight('positions', 16, 8), weight('ln_scale', 8), weight('ln_bias', 8),
               weight('w_qkv', 8, 24), weight('b_qkv', 24), weight('w_o', 8, 8), weight('w_up', 8, 12),
               weight('w_down', 12, 8), ints('sizes', 8, 8, 8), scalar('zero', 0, np.int64), scalar('one', 1, np.int64),
               ints('axis0', 0), ints('axes12', 1, 2), ints('heads', 2, 4), ints('flat', 0, -1, 8),
               ints('wide', 1, 1, 8), scalar('root', 2), scalar('zero_f', 0), scalar('low', -1e9), scalar('two', 2),
               scalar('root2', 1.41421356),
               scalar('one_f', 1), scalar('half', 0.5), ints('two_i', 2)]
    return finish(nodes, [value('ids', I, ['batch', 'length']), value('mask', I, ['batch', 'length'])],
                  [value('y', F, ['batch', 'length', 8]), value('best', I), value('top', F), value('which', I)],
                  weights)


def control_flow():
    """Branches, loops and results whose sizes depend on data."""
    branch = lambda op, name: helper.make_graph([node(op, ['x', 'w'], [name], name + '_op')], name + '_graph', [],
                                                [value(name)])
    body = helper.make_graph(
        [node('Mul', ['state', 'w'], ['grown'], 'grow'), node('Identity', ['more'], ['again'], 'again'),
         node('Cast', ['i'], ['i_f'], 'i_f', to=F), node('Add', ['grown', 'i_f'], ['part'], 'part'),
         node('If', ['more'], ['next'], 'inner', then_branch=helper.make_graph(
             [node('Neg', ['part'], ['t'], 'neg')], 'inner_then', [], [value('t')]),
             else_branch=helper.make_graph([node('Abs', ['part'], ['u'], 'abs')], 'inner_else', [], [value('u')]))],
        'body', [value('i', I, []), value('more', B, []), value('state', F, [3])],
        [value('again', B, []), value('next', F, [3]), value('part', F, [3])])
    step = helper.make_graph(
        [node('Add', ['sum_in', 'row'], ['sum_out'], 'add'), node('Identity', ['sum_out'], ['scanned'], 'copy')],
        'step', [value('sum_in', F, [3]), value('row', F, [3])], [value('sum_out', F, [3]), value('scanned', F, [3])])
    nodes = [
        node('ReduceSum', ['x'], ['total'], 'total', keepdims=0),
        node('Greater', ['total', 'zero'], ['positive'], 'positive'),
        node('If', ['positive'], ['chosen'], 'if', then_branch=branch('Add', 'sum'),
             else_branch=branch('Mul', 'product')),
        node('Constant', [], ['trips'], 'trips', value=scalar('t', 3, np.int64)),
        node('Constant', [], ['go'], 'go', value=scalar('t', True, bool)),
        node('ReduceMax', ['chosen'], ['start'], 'start', axes=[0], keepdims=0),
        node('Loop', ['trips', 'go', 'start'], ['last', 'parts'], 'loop', body=body),
        node('Scan', ['last', 'chosen'], ['sum', 'sums'], 'scan', num_scan_inputs=1, body=step),
        node('NonZero', ['x'], ['where'], 'nonzero'),
        node('Transpose', ['where'], ['places'], 'places'),
        node('GatherND', ['x', 'places'], ['found'], 'found'),
        node('Shape', ['found'], ['count'], 'count'),
        node('ConstantOfShape', ['count'], ['ones'], 'ones', value=helper.make_tensor('v', I, [1], [1])),
        node('CumSum', ['ones', 'axis'], ['ranks'], 'ranks'),
        node('ScatterND', ['x', 'places', 'found'], ['same'], 'same'),
        node('Compress', ['x', 'rows'], ['kept'], 'kept', axis=0),
        node('Unique', ['found'], ['values', 'first'], 'unique', sorted=1),
    ]
    return finish(nodes, [value('x', F, ['rows', 3]), value('rows', B, ['rows'])],
                  [value('parts', F), value('sum', F), value('sums', F), value('ranks', I), value('same', F),
                   value('kept', F), value('values', F), value('first', I)],
                  [weight('w', 3), scalar('zero', 0), scalar('axis', 0, np.int64)], opset=16)


def recurrent():
    """Recurrent ops, and tensors of few bits."""
    u8 = lambda name, *dims: numpy_helper.from_array(random.integers(0, 255, dims, np.uint8), name)
    nodes = [
        node('LSTM', ['x', 'lw', 'lr', 'lb', '', 'h0', 'c0'], ['ly', 'lh', 'lc'], 'lstm', hidden_size=2,
             direction='bidirectional', activations=['Sigmoid', 'Tanh', 'Tanh'] * 2),
        node('GRU', ['x', 'gw', 'gr', 'gb'], ['gy', 'gh'], 'gru', hidden_size=2, linear_before_reset=1),
        node('RNN', ['x', 'rw', 'rr'], ['', 'rh'], 'rnn', hidden_size=2, direction='reverse', clip=3.0),
        node('Squeeze', ['gy', 'axis1'], ['g'], 'squeeze'),
        node('DynamicQuantizeLinear', ['g'], ['gq', 'gs', 'gz'], 'dynamic'),
        node('MatMulInteger', ['gq', 'wq', 'gz'], ['acc'], 'product'),
        node('Cast', ['acc'], ['acc_f'], 'cast', to=F),
        node('Mul', ['acc_f', 'gs'], ['scaled'], 'scaled'),
        node('QuantizeLinear', ['scaled', 's1', 'z1'], ['q1'], 'quantize'),
        node('DequantizeLinear', ['q1', 's1', 'z1'], ['f1'], 'dequantize'),
        node('Cast', ['f1'], ['half'], 'half', to=TensorProto.FLOAT16),
        node('Unsqueeze', ['gq', 'axis1'], ['image'], 'image'),
        node('QLinearConv', ['image', 's1', 'gz', 'cw', 's1', 'z1', 's1', 'z1', 'cb'], ['cq'], 'qconv',
             pads=[1, 1, 1, 1]),
        node('ConvInteger', ['image', 'ci', 'gz'], ['ci_y'], 'iconv', strides=[2, 1]),
        node('QLinearMatMul', ['gq', 's1', 'gz', 'wq', 's1', 'wz', 's1', 'z1'], ['qm'], 'qmatmul'),
        node('BitShift', ['gq', 'gq'], ['shifted'], 'shift', direction='LEFT'),
        node('Mod', ['gq', 'three'], ['rest'], 'mod'),
        node('ReverseSequence', ['x', 'lengths'], ['back'], 'back', batch_axis=1, time_axis=0),
        node('OneHot', ['lengths', 'depth', 'on_off'], ['hot'], 'hot', axis=-1),
    ]
    weights = [weight('lw', 2, 8, 3), weight('lr', 2, 8, 2), weight('lb', 2, 16), weight('h0', 2, 2, 2),
               weight('c0', 2, 2, 2), weight('gw', 1, 6, 3), weight('gr', 1, 6, 2), weight('gb', 1, 12),
               weight('rw', 1, 2, 3), weight('rr', 1, 2, 2), ints('axis1', 1), u8('wq', 2, 4), scalar('s1', 0.05),
               scalar('z1', 100, np.uint8), scalar('wz', 3, np.uint8), u8('cw', 2, 1, 3, 3),
               numpy_helper.from_array(np.array([5, -5], np.int32), 'cb'), u8('ci', 1, 1, 2, 2),
               scalar('three', 3, np.uint8), ints('lengths', 2, 1), scalar('depth', 3, np.int64),
               helper.make_tensor('on_off', F, [2], [0, 1])]
    return finish(nodes, [value('x', F, ['time', 2, 3])],
                  [value('ly', F), value('lh', F), value('lc', F), value('gh', F), value('rh', F),
                   value('half', TensorProto.FLOAT16), value('cq', TensorProto.UINT8), value('ci_y', TensorProto.INT32),
                   value('qm', TensorProto.UINT8), value('shifted', TensorProto.UINT8),
                   value('rest', TensorProto.UINT8),
                   value('back', F), value('hot', F)], weights, opset=16)


def functions():
    """Functions of the model's own, constants of all spellings, and ops that move elements."""
    local = 'local'
    attribute = lambda name, ref, kind: helper.onnx.AttributeProto(name=name, ref_attr_name=ref, type=kind)
    swish = node('Mul', ['a', 'gate'], ['b'], 'times')
    scaled = node('LeakyRelu', ['a'], ['c'], 'leaky')
    scaled.attribute.append(attribute('alpha', 'slope', helper.onnx.AttributeProto.FLOAT))
    ops = [helper.make_opsetid('', 18), helper.make_opsetid(local, 1)]
    bodies = [
        helper.make_function(local, 'Swish', ['a'], ['b'], [node('Sigmoid', ['a'], ['gate'], 'gate'), swish], ops[:1]),
        helper.make_function(local, 'Both', ['a'], ['b', 'c'],
                             [node('Swish', ['a'], ['b'], 'swish', domain=local), scaled], ops, ['slope']),
    ]
    nodes = [
        node('Constant', [], ['k0'], 'k0', value_ints=[2, 3]), node('Constant', [], ['k1'], 'k1', value_float=1.5),
        node('Constant', [], ['k2'], 'k2', value_int=1),
        node('Constant', [], ['k3'], 'k3', value_floats=[1.0, 2.0, 3.0]),
        node('Both', ['x'], ['s', 'l'], 'both', domain=local, slope=0.3),
        node('Einsum', ['s', 'w'], ['e'], 'einsum', equation='bi,io->bo'),
        node('Mul', ['e', 'k1'], ['e1'], 'k'), node('Tile', ['e1', 'k0'], ['t'], 'tile'),
        node('GatherElements', ['t', 'places'], ['ge'], 'elements', axis=1),
        node('ScatterElements', ['t', 'places', 'ge'], ['se'], 'scatter', axis=1, reduction='add'),
        node('Trilu', ['se', 'k2'], ['tri'], 'trilu', upper=0), node('ReduceL2', ['tri', 'axes'], ['norm'], 'norm'),
        node('ReduceLogSumExp', ['tri'], ['lse'], 'lse', keepdims=0), node('Max', ['l', 'k3', 's'], ['m'], 'max'),
        node('Concat', ['m', 'l', 'e'], ['cat'], 'concat', axis=1),
        node('Split', ['cat'], ['c0', 'c1', 'c2'], 'split', axis=1, num_outputs=3),
        node('Pad', ['c0', 'pads', '', 'axes'], ['pad'], 'pad', mode='reflect'),
        node('LpNormalization', ['c1'], ['lp'], 'lp', axis=1, p=1), node('Hardmax', ['c2'], ['hm'], 'hardmax'),
        node('Reshape', ['cat', 'to'], ['r'], 'reshape', allowzero=0), node('Cast', ['r'], ['ri'], 'cast', to=I),
        node('Where', ['is', 'r', 'k1'], ['wh'], 'where'), node('Mod', ['r', 'k1'], ['mod'], 'mod', fmod=1),
        node('Dropout', ['wh', '', 'no'], ['y'], 'dropout'), node('GreaterOrEqual', ['ri', 'k2'], ['is'], 'is'),
        node('SpaceToDepth', ['image'], ['std'], 'space', blocksize=2),
        node('NonMaxSuppression', ['boxes', 'scores', 'k2', 'half', 'half'], ['nms'], 'nms', center_point_box=1),
        node('LRN', ['image'], ['gn'], 'lrn', size=3),
        node('GridSample', ['image', 'grid'], ['gsy'], 'grid', mode='bilinear', padding_mode='border'),
        node('RoiAlign', ['image', 'rois', 'which'], ['ra'], 'roi', output_height=2, output_width=2, sampling_ratio=1),
        node('Sign', ['e'], ['mn'], 'sign'),
    ]
    # 'is' is made in front of its user.
    nodes.insert(21, nodes.pop(24))
    weights = [weight('w', 3, 3), ints('axes', 1), ints('pads', 1, 1), ints('to', -1, 3), scalar('no', False, bool),
               numpy_helper.from_array(random.integers(0, 3, (4, 9), np.int64), 'places'), weight('image', 1, 4, 2, 4),
               weight('boxes', 1, 4, 4), weight('scores', 1, 1, 4), scalar('half', 0.5), weight('grid', 1, 2, 2, 2),
               helper.make_tensor('rois', F, [1, 4], [0, 0, 1, 1]), ints('which', 0)]
    model = finish(nodes, [value('x', F, [2, 3])],
                   [value('y', F), value('norm', F), value('lse', F), value('pad', F), value('lp', F), value('hm', F),
                    value('mod', F), value('std', F), value('nms', I), value('gn', F), value('gsy', F), value('ra', F),
                    value('mn', F)], weights, opset=18, functions=bodies, opsets=ops[1:])
    helper.set_model_props(model, {'labels': 'a,b', 'note': 'text'})
    return model


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for make in [convolutions, transformer, control_flow, recurrent, functions]:
        data = make().SerializeToString()
        assert len(data) <= 8192, (make.__name__, len(data))
        with open(os.path.join(folder, make.__name__ + '.onnx'), 'wb') as file:
            file.write(data)
        print(make.__name__, len(data))


if __name__ == '__main__':
    main()
