// Convolution, pooling and activation.
#ifndef TFRT_DIALECTS_TFRT_GPU_DNN_OPS
#define TFRT_DIALECTS_TFRT_GPU_DNN_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

// --- handle and descriptors ---

def TfrtGpu_DnnCreateOp : TfrtGpu_Op<"dnn.create"> {
  let summary = "a handle of the library, for any stream";
  let arguments = (ins TfrtGpu_ContextType:$context);
  let results = (outs TfrtGpu_DnnHandleType);
}
def TfrtGpu_DnnCreateConvolutionDescriptorOp : TfrtGpu_Op<"dnn.create_convolution_descriptor", [Pure]> {
  let summary = "describes a convolution, an entry for each spatial dimension";
  let arguments = (ins TfrtGpu_Enum:$compute_type, TfrtGpu_Enum:$conv_mode, TfrtGpu_Enum:$math_type,
                       I32ArrayAttr:$pad, I32ArrayAttr:$filter_stride, I32ArrayAttr:$dilation);
  let results = (outs TfrtGpu_DnnConvolutionDescriptorType);
  let assemblyFormat = [{
    custom<DnnDataType>($compute_type) `,` custom<DnnConvolutionMode>($conv_mode) `,`
    custom<DnnMathType>($math_type) `,` $pad `,` $filter_stride `,` $dilation attr-dict
  }];
}
def TfrtGpu_DnnCreateFilterDescriptorOp : TfrtGpu_Op<"dnn.create_filter_descriptor", [Pure]> {
  let summary = "describes a filter: [K, C, spatial...]";
  let arguments = (ins TfrtGpu_Enum:$data_type, I32Attr:$tensor_format, I32ArrayAttr:$dimensions);
  let results = (outs TfrtGpu_DnnFilterDescriptorType);
  let assemblyFormat = "custom<DnnDataType>($data_type) `,` $tensor_format `,` $dimensions attr-dict";
}
def TfrtGpu_DnnCreatePoolingDescriptorOp : TfrtGpu_Op<"dnn.create_pooling_descriptor", [Pure]> {
  let summary = "describes windows that are pooled";
  let arguments = (ins TfrtGpu_ContextType:$context, UI32:$mode, UI32:$nan_propagation,
                       I32ArrayAttr:$window_dimensions, I32ArrayAttr:$paddings, I32ArrayAttr:$strides);
  let results = (outs TfrtGpu_DnnPoolingDescriptorType);
  let assemblyFormat = [{
    $context `,` $mode `,` $nan_propagation `,` $window_dimensions `,` $paddings `,` $strides attr-dict
  }];
}
def TfrtGpu_DnnCreateTensorDescriptorOp : TfrtGpu_Op<"dnn.create_tensor_descriptor", [Pure]> {
  let summary = "describes a tensor, strides in elements";
  let arguments = (ins TfrtGpu_Enum:$data_type, I32ArrayAttr:$dimensions, I32ArrayAttr:$strides);
  let results = (outs TfrtGpu_DnnTensorDescriptorType);
  let assemblyFormat = "custom<DnnDataType>($data_type) `,` $dimensions `,` $strides attr-dict";
}
def TfrtGpu_DnnCreateActivationDescriptorOp : TfrtGpu_Op<"dnn.create_activation_descriptor", [Pure]> {
  let summary = "describes an activation";
  // Its last attribute has been misspelt since programs have it.
  let arguments = (ins F64:$coefficient, TfrtGpu_Enum:$mode, BoolAttr:$nan_progapation);
  let results = (outs TfrtGpu_DnnActivationDescriptorType);
  let assemblyFormat = "$coefficient `,` custom<DnnActivationMode>($mode) `,` $nan_progapation attr-dict";
}

// --- pooling ---

def TfrtGpu_DnnPoolingForwardOp : TfrtGpu_Op<"dnn.pooling_forward"> {
  let summary = "y = alpha pool(x) + beta y";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_DnnPoolingDescriptorType:$pooling_desc, F32:$alpha,
                       TfrtGpu_DnnTensorDescriptorType:$x_desc, TfrtGpu_BufferType:$x, F32:$beta,
                       TfrtGpu_DnnTensorDescriptorType:$y_desc, TfrtGpu_BufferType:$y,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_DnnPoolingBackwardOp : TfrtGpu_Op<"dnn.pooling_backward"> {
  let summary = "dx = alpha gradient + beta dx";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_DnnPoolingDescriptorType:$pooling_desc, F32:$alpha,
                       TfrtGpu_DnnTensorDescriptorType:$y_desc, TfrtGpu_BufferType:$y,
                       TfrtGpu_DnnTensorDescriptorType:$dy_desc, TfrtGpu_BufferType:$dy,
                       TfrtGpu_DnnTensorDescriptorType:$x_desc, TfrtGpu_BufferType:$x, F32:$beta,
                       TfrtGpu_DnnTensorDescriptorType:$dx_desc, TfrtGpu_BufferType:$dx,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}

// --- algorithms ---

class TfrtGpu_DnnAlgorithmOp<string mnemonic, string enumeration> : TfrtGpu_Op<"dnn." # mnemonic, [Pure]> {
  let summary = "how a convolution is to be computed";
  let arguments = (ins TfrtGpu_Enum64:$algo);
  let results = (outs TfrtGpu_DnnConvolutionAlgorithmType);
  let assemblyFormat = "custom<" # enumeration # ">($algo) attr-dict";
}
def TfrtGpu_DnnConvolutionForwardAlgorithmOp
    : TfrtGpu_DnnAlgorithmOp<"convolution_forward_algorithm", "DnnConvFwdAlgo">;
def TfrtGpu_DnnConvolutionBackwardDataAlgorithmOp
    : TfrtGpu_DnnAlgorithmOp<"convolution_backward_data_algorithm", "DnnConvBwdDataAlgo">;
def TfrtGpu_DnnConvolutionBackwardFilterAlgorithmOp
    : TfrtGpu_DnnAlgorithmOp<"convolution_backward_filter_algorithm", "DnnConvBwdFilterAlgo">;

// --- convolution by descriptors ---

class TfrtGpu_DnnConvolutionOp<string mnemonic, dag operands_of_it> : TfrtGpu_Op<"dnn." # mnemonic> {
  let arguments = !con((ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream,
                            TfrtGpu_Enum:$scale_type), operands_of_it);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_DnnConvolutionForwardOp
    : TfrtGpu_DnnConvolutionOp<"convolution_forward",
        (ins TfrtGpu_DnnTensorDescriptorType:$x_desc, TfrtGpu_BufferType:$x,
             TfrtGpu_DnnFilterDescriptorType:$w_desc, TfrtGpu_BufferType:$w,
             TfrtGpu_DnnConvolutionDescriptorType:$conv_desc, TfrtGpu_DnnConvolutionAlgorithmType:$algo,
             TfrtGpu_BufferType:$workspace, TfrtGpu_DnnTensorDescriptorType:$y_desc,
             TfrtGpu_BufferType:$y, Tfrt_ChainType:$in_chain)> {
  let summary = "y = conv(x, w)";
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<DnnDataType>($scale_type) `,` $x_desc `,` $x `,` $w_desc `,` $w `,`
    $conv_desc `,` $algo `,` $workspace `,` $y_desc `,` $y `,` $in_chain attr-dict
  }];
}
def TfrtGpu_DnnConvolutionBackwardDataOp
    : TfrtGpu_DnnConvolutionOp<"convolution_backward_data",
        (ins TfrtGpu_DnnFilterDescriptorType:$w_desc, TfrtGpu_BufferType:$w,
             TfrtGpu_DnnTensorDescriptorType:$dy_desc, TfrtGpu_BufferType:$dy,
             TfrtGpu_DnnConvolutionDescriptorType:$conv_desc, TfrtGpu_DnnConvolutionAlgorithmType:$algo,
             TfrtGpu_BufferType:$workspace, TfrtGpu_DnnTensorDescriptorType:$dx_desc,
             TfrtGpu_BufferType:$dx, Tfrt_ChainType:$in_chain)> {
  let summary = "dx of y = conv(x, w)";
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<DnnDataType>($scale_type) `,` $w_desc `,` $w `,` $dy_desc `,` $dy `,`
    $conv_desc `,` $algo `,` $workspace `,` $dx_desc `,` $dx `,` $in_chain attr-dict
  }];
}
def TfrtGpu_DnnConvolutionBackwardFilterOp
    : TfrtGpu_DnnConvolutionOp<"convolution_backward_filter",
        (ins TfrtGpu_DnnTensorDescriptorType:$x_desc, TfrtGpu_BufferType:$x,
             TfrtGpu_DnnTensorDescriptorType:$dy_desc, TfrtGpu_BufferType:$dy,
             TfrtGpu_DnnConvolutionDescriptorType:$conv_desc, TfrtGpu_DnnConvolutionAlgorithmType:$algo,
             TfrtGpu_BufferType:$workspace, TfrtGpu_DnnFilterDescriptorType:$dw_desc,
             TfrtGpu_BufferType:$dw, Tfrt_ChainType:$in_chain)> {
  let summary = "dw of y = conv(x, w)";
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<DnnDataType>($scale_type) `,` $x_desc `,` $x `,` $dy_desc `,` $dy `,`
    $conv_desc `,` $algo `,` $workspace `,` $dw_desc `,` $dw `,` $in_chain attr-dict
  }];
}
def TfrtGpu_DnnConvolutionBiasActivationForwardOp
    : TfrtGpu_ScalarOp<"dnn.convolution_bias_activation_forward",
                       "isImplied(GpuEnum::kDnnDataType, getScaleType(), getAlpha1(), getAlpha2())"> {
  let summary = "y = act(alpha1 conv(x, w) + alpha2 z + bias)";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_Enum:$scale_type, AnyType:$alpha1,
                       TfrtGpu_DnnTensorDescriptorType:$x_desc, TfrtGpu_BufferType:$x,
                       TfrtGpu_DnnFilterDescriptorType:$w_desc, TfrtGpu_BufferType:$w,
                       TfrtGpu_DnnConvolutionDescriptorType:$conv_desc,
                       TfrtGpu_DnnConvolutionAlgorithmType:$algo, TfrtGpu_BufferType:$workspace,
                       AnyType:$alpha2, TfrtGpu_DnnTensorDescriptorType:$z_desc, TfrtGpu_BufferType:$z,
                       TfrtGpu_DnnTensorDescriptorType:$bias_desc, TfrtGpu_BufferType:$bias,
                       TfrtGpu_DnnActivationDescriptorType:$activation_desc,
                       TfrtGpu_DnnTensorDescriptorType:$y_desc, TfrtGpu_BufferType:$y,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = [{
    $handle `,` $stream `,` custom<DnnDataTypeOf>($scale_type, type($alpha1), type($alpha2)) `,` $alpha1 `,`
    $x_desc `,` $x `,` $w_desc `,` $w `,` $conv_desc `,` $algo `,` $workspace `,` $alpha2 `,`
    $z_desc `,` $z `,` $bias_desc `,` $bias `,` $activation_desc `,` $y_desc `,` $y `,` $in_chain attr-dict
  }];
}

// --- convolution by plan ---

def TfrtGpu_DnnBuildConvolutionOp : TfrtGpu_Op<"dnn.build_convolution"> {
  let summary = "a plan of a convolution";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_Enum:$input_type, TfrtGpu_Enum:$output_type,
                       I64ArrayAttr:$input_dims, I64ArrayAttr:$input_strides,
                       I64ArrayAttr:$output_dims, I64ArrayAttr:$output_strides,
                       I64ArrayAttr:$filter_dims, I64ArrayAttr:$filter_strides,
                       TfrtGpu_Enum:$conv_mode, I32Attr:$conv_dim, I64ArrayAttr:$conv_dilations,
                       I64ArrayAttr:$conv_padding, I64ArrayAttr:$conv_strides, I32Attr:$backend_type,
                       I32Attr:$engine_id, I64ArrayAttr:$tuning_knob_ids,
                       I64ArrayAttr:$tuning_knob_values);
  let results = (outs TfrtGpu_DnnConvolutionPlanType);
  let assemblyFormat = [{
    $handle `,` custom<DnnDataType>($input_type) `,` custom<DnnDataType>($output_type) `,`
    $input_dims `,` $input_strides `,` $output_dims `,` $output_strides `,` $filter_dims `,`
    $filter_strides `,` custom<DnnConvolutionMode>($conv_mode) `,` $conv_dim `,` $conv_dilations `,`
    $conv_padding `,` $conv_strides `,` $backend_type `,` $engine_id `,` $tuning_knob_ids `,`
    $tuning_knob_values attr-dict
  }];
}
def TfrtGpu_DnnRunConvolutionOp : TfrtGpu_Op<"dnn.run_convolution"> {
  let summary = "runs a plan";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_DnnConvolutionPlanType:$plan, TfrtGpu_BufferType:$input,
                       TfrtGpu_BufferType:$output, TfrtGpu_BufferType:$filter,
                       TfrtGpu_BufferType:$workspace, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_DnnBuildFusedConvolutionOp : TfrtGpu_Op<"dnn.build_fused_convolution"> {
  let summary = "a plan of y = act(alpha conv(x, w) + alpha2 z + bias)";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_Enum:$input_type, TfrtGpu_Enum:$output_type,
                       TfrtGpu_Enum:$bias_type, I64ArrayAttr:$input_dims, I64ArrayAttr:$input_strides,
                       I64ArrayAttr:$output_dims, I64ArrayAttr:$output_strides,
                       I64ArrayAttr:$filter_dims, I64ArrayAttr:$filter_strides,
                       I64ArrayAttr:$bias_dims, I64ArrayAttr:$bias_strides,
                       TfrtGpu_Enum:$conv_mode, I32Attr:$conv_dim, I64ArrayAttr:$conv_dilations,
                       I64ArrayAttr:$conv_padding, I64ArrayAttr:$conv_strides, I32Attr:$backend_type,
                       F64:$alpha, F64:$alpha2, I32Attr:$activation_mode, I32Attr:$engine_id,
                       I64ArrayAttr:$tuning_knob_ids, I64ArrayAttr:$tuning_knob_values);
  let results = (outs TfrtGpu_DnnConvolutionPlanType);
  let assemblyFormat = [{
    $handle `,` custom<DnnDataType>($input_type) `,` custom<DnnDataType>($output_type) `,`
    custom<DnnDataType>($bias_type) `,` $input_dims `,` $input_strides `,` $output_dims `,`
    $output_strides `,` $filter_dims `,` $filter_strides `,` $bias_dims `,` $bias_strides `,`
    custom<DnnConvolutionMode>($conv_mode) `,` $conv_dim `,` $conv_dilations `,` $conv_padding `,`
    $conv_strides `,` $backend_type `,` $alpha `,` $alpha2 `,` $activation_mode `,` $engine_id `,`
    $tuning_knob_ids `,` $tuning_knob_values attr-dict
  }];
}
def TfrtGpu_DnnRunFusedConvolutionOp : TfrtGpu_Op<"dnn.run_fused_convolution"> {
  let summary = "runs such a plan";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream,
                       TfrtGpu_DnnConvolutionPlanType:$plan, TfrtGpu_BufferType:$input,
                       TfrtGpu_BufferType:$output, TfrtGpu_BufferType:$filter,
                       TfrtGpu_BufferType:$side_input, TfrtGpu_BufferType:$bias,
                       TfrtGpu_BufferType:$workspace, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}

// --- plans of other graphs ---

def TfrtGpu_DnnGraphBuildOp : TfrtGpu_Op<"dnn.graph.build"> {
  let summary = "a plan of an operation and the steps after it";
  let description = [{
    The form names the operation and its steps in their order, for example "conv+addend+bias+relu"; the list of
    forms is in docs/gpu_dialect.md. `dims` and `strides` are those of all tensors, one after the other and of equal
    rank: the factors (x, w; a, b; q, k, v), the addend, the bias, and the results. `window` has, for each spatial
    dimension, the paddings before, those after, the strides, and the dilations or, of pooling, the sizes: four lists,
    one after the other. `parameter` is the bound, alpha or beta of the activation, or the scale of attention.
  }];
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, StrAttr:$form, TfrtGpu_Enum:$data_type,
                       I64ArrayAttr:$dims, I64ArrayAttr:$strides, I64ArrayAttr:$window, F64Attr:$parameter,
                       BoolAttr:$allow_tf32);
  let results = (outs TfrtGpu_DnnPlanType);
  let assemblyFormat = [{
    $handle `,` $form `,` custom<DnnDataType>($data_type) `,` $dims `,` $strides `,` $window `,` $parameter `,`
    $allow_tf32 attr-dict
  }];
  let hasVerifier = 1;
}
def TfrtGpu_DnnGraphRunOp : TfrtGpu_Op<"dnn.graph.run"> {
  let summary = "runs such a plan with a buffer for each of its tensors";
  let arguments = (ins TfrtGpu_DnnHandleType:$handle, TfrtGpu_StreamType:$stream, TfrtGpu_DnnPlanType:$plan,
                       Tfrt_ChainType:$in_chain, Variadic<TfrtGpu_BufferType>:$buffers);
  let results = (outs Tfrt_ChainType);
  let assemblyFormat = "$handle `,` $stream `,` $plan `,` $in_chain `,` `buffers` `(` $buffers `)` attr-dict";
}

#endif
