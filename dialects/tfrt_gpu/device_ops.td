// Devices, contexts, streams and events.
#ifndef TFRT_DIALECTS_TFRT_GPU_DEVICE_OPS
#define TFRT_DIALECTS_TFRT_GPU_DEVICE_OPS

include "dialects/tfrt_gpu/tfrt_gpu_base.td"

// --- devices and contexts ---

def TfrtGpu_DeviceGetOp : TfrtGpu_Op<"device.get", [Pure]> {
  let summary = "a device of a platform, by its number";
  let arguments = (ins TfrtGpu_Enum:$platform, I32:$ordinal);
  let results = (outs TfrtGpu_DeviceType);
  let assemblyFormat = "custom<Platform>($platform) `,` $ordinal attr-dict";
}
def TfrtGpu_ContextPrimaryOp : TfrtGpu_Op<"context.primary", [Pure]> {
  let summary = "the context that all users of a device share";
  let arguments = (ins TfrtGpu_DeviceType:$device);
  let results = (outs TfrtGpu_ContextType);
}
def TfrtGpu_ContextCreateOp : TfrtGpu_Op<"context.create"> {
  let summary = "a new context";
  let arguments = (ins TfrtGpu_DeviceType:$device);
  let results = (outs TfrtGpu_ContextType);
}

// --- streams ---

def TfrtGpu_StreamCreateOp : TfrtGpu_Op<"stream.create"> {
  let summary = "a stream that has no order with the default stream";
  let arguments = (ins TfrtGpu_ContextType:$context);
  let results = (outs TfrtGpu_StreamType);
}
def TfrtGpu_StreamGetContextOp : TfrtGpu_Op<"stream.get_context", [Pure]> {
  let summary = "the context of a stream";
  let arguments = (ins TfrtGpu_StreamType:$stream);
  let results = (outs TfrtGpu_ContextType);
}
def TfrtGpu_StreamWaitOp : TfrtGpu_Op<"stream.wait"> {
  let summary = "later work of a stream waits, on the device, for an event";
  let arguments = (ins TfrtGpu_StreamType:$stream, TfrtGpu_EventType:$event,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_StreamSynchronizeOp : TfrtGpu_Op<"stream.synchronize"> {
  let summary = "ready when all work of a stream so far is done";
  let arguments = (ins TfrtGpu_StreamType:$stream, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}

// --- events ---

def TfrtGpu_EventCreateOp : TfrtGpu_Op<"event.create"> {
  let summary = "an event that nothing has recorded yet";
  let arguments = (ins TfrtGpu_ContextType:$context);
  let results = (outs TfrtGpu_EventType);
}
def TfrtGpu_EventRecordOp : TfrtGpu_Op<"event.record"> {
  let summary = "the event stands for the work of a stream so far";
  let arguments = (ins TfrtGpu_EventType:$event, TfrtGpu_StreamType:$stream,
                       Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}
def TfrtGpu_EventSynchronizeOp : TfrtGpu_Op<"event.synchronize"> {
  let summary = "ready when the work that an event stands for is done";
  let arguments = (ins TfrtGpu_EventType:$event, Tfrt_ChainType:$in_chain);
  let results = (outs Tfrt_ChainType);
}

#endif
