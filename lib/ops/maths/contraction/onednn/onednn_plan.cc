#include "onednn_plan.h"

#include <new>

namespace tfrt::contraction {
namespace {

// State of the thread: it runs one primitive at a time, so one of each is enough.
struct ThreadState {
  Stream stream;
  AlignedBuffer scratch;
  AlignedBuffer weights, source, destination;  // in a primitive's layout
};

dnnl_stream_t ThreadStream(ThreadState& state, dnnl_engine_t engine) {
  if (!state.stream) {
    dnnl_stream_t stream = nullptr;
    if (dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success) {
      return nullptr;
    }
    state.stream.reset(stream);
  }
  return state.stream.get();
}

thread_local ThreadState thread_state;

dnnl_memory_t MakeMemory(dnnl_engine_t engine, const dnnl_memory_desc_t& layout, void* data) {
  dnnl_memory_t memory = nullptr;
  if (dnnl_memory_create(&memory, &layout, engine, data) != dnnl_success) return nullptr;
  return memory;
}

const dnnl_memory_desc_t* Layout(const PrimitiveDesc& desc, dnnl_query_t what) {
  return dnnl_primitive_desc_query_md(desc.get(), what, 0);
}

bool MakeReorder(dnnl_engine_t engine, const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                 Primitive* reorder) {
  dnnl_primitive_desc_t made = nullptr;
  if (dnnl_reorder_primitive_desc_create(&made, &from, engine, &to, engine, nullptr) !=
      dnnl_success) {
    return false;
  }
  PrimitiveDesc desc(made);
  dnnl_primitive_t primitive = nullptr;
  if (dnnl_primitive_create(&primitive, made) != dnnl_success) return false;
  reorder->reset(primitive);
  return true;
}

bool RunReorder(dnnl_engine_t engine, const Primitive& reorder, dnnl_stream_t stream,
                const dnnl_memory_desc_t& from, const void* from_data, const dnnl_memory_desc_t& to,
                void* to_data) {
  Memory source(MakeMemory(engine, from, const_cast<void*>(from_data)));
  Memory target(MakeMemory(engine, to, to_data));
  if (!source || !target) return false;
  dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, source.get()}, {DNNL_ARG_TO, target.get()}};
  return dnnl_primitive_execute(reorder.get(), stream, 2, arguments) == dnnl_success;
}

}  // namespace

// These belong to the OpenMP runtime that oneDNN is linked with, whichever that is; null if oneDNN
// has another thread pool. The header belongs to a compiler, whose own runtime may be another one.
extern "C" {
[[gnu::weak]] int omp_get_max_threads();
[[gnu::weak]] void omp_set_num_threads(int num_threads);
}

OneOpenMpThread::OneOpenMpThread()
    : threads_before_(omp_get_max_threads && omp_set_num_threads ? omp_get_max_threads() : 1) {
  if (threads_before_ != 1) omp_set_num_threads(1);
}
OneOpenMpThread::~OneOpenMpThread() {
  if (threads_before_ != 1) omp_set_num_threads(threads_before_);
}

bool Reorder(dnnl_engine_t engine, const dnnl_memory_desc_t& from, const void* from_data,
             const dnnl_memory_desc_t& to, void* to_data) {
  dnnl_stream_t stream = ThreadStream(thread_state, engine);
  Primitive reorder;
  return stream && MakeReorder(engine, from, to, &reorder) &&
         RunReorder(engine, reorder, stream, from, from_data, to, to_data);
}

std::unique_ptr<OneDnnWeights> OneDnnWeights::Create(dnnl_engine_t engine,
                                                     const dnnl_memory_desc_t& layout) {
  std::unique_ptr<OneDnnWeights> weights(new OneDnnWeights);
  weights->layout_ = layout;
  if (!weights->buffer_.Reserve(dnnl_memory_desc_get_size(&layout))) return nullptr;
  weights->memory_.reset(MakeMemory(engine, layout, weights->buffer_.data()));
  return weights->memory_ ? std::move(weights) : nullptr;
}

struct OneDnnPlan::Invocation {
  enum { kSource, kDestination, kScratchpad, kWeights, kBias, kCount };
  Memory memory[kCount];
  dnnl_exec_arg_t arguments[kCount];
};

std::unique_ptr<OneDnnPlan> OneDnnPlan::Create(dnnl_engine_t engine, PrimitiveDesc desc,
                                               const Operands& plain) {
  std::unique_ptr<OneDnnPlan> plan(new OneDnnPlan);
  dnnl_primitive_t primitive = nullptr;
  if (dnnl_primitive_create(&primitive, desc.get()) != dnnl_success) return nullptr;
  plan->primitive_.reset(primitive);
  plan->engine_ = engine;
  plan->source_ = *Layout(desc, dnnl_query_src_md);
  plan->weights_ = *Layout(desc, dnnl_query_weights_md);
  const dnnl_memory_desc_t* bias =
      dnnl_primitive_desc_query_md(desc.get(), dnnl_query_weights_md, 1);
  plan->bias_ = bias ? *bias : dnnl_memory_desc_t{};
  plan->destination_ = *Layout(desc, dnnl_query_dst_md);
  plan->scratchpad_ = *Layout(desc, dnnl_query_scratchpad_md);
  plan->scratch_bytes_ = dnnl_memory_desc_get_size(&plan->scratchpad_);
  plan->plain_ = plain;
  plan->desc_ = std::move(desc);
  auto connect = [&](const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                     Primitive* reorder) {
    return dnnl_memory_desc_equal(&from, &to) || MakeReorder(engine, from, to, reorder);
  };
  const bool complete =
      connect(plain.weights, plan->weights_, &plan->weights_reorder_) &&
      connect(plain.source, plan->source_, &plan->source_reorder_) &&
      connect(plan->destination_, plain.destination, &plan->destination_out_reorder_) &&
      (plain.beta == 0 ||
       connect(plain.destination, plan->destination_, &plan->destination_in_reorder_));
  return complete ? std::move(plan) : nullptr;
}

OneDnnPlan::~OneDnnPlan() {
  for (auto& spare : spares_) delete spare.load(std::memory_order_relaxed);
}

std::unique_ptr<OneDnnPlan::Invocation> OneDnnPlan::TakeInvocation() const {
  for (auto& spare : spares_) {
    if (!spare.load(std::memory_order_relaxed)) continue;
    // acquire: sees what the thread that gave it back wrote.
    if (Invocation* taken = spare.exchange(nullptr, std::memory_order_acquire)) {
      return std::unique_ptr<Invocation>(taken);
    }
  }
  std::unique_ptr<Invocation> made(new (std::nothrow) Invocation);
  if (!made) return nullptr;
  auto set = [&](int slot, int argument, const dnnl_memory_desc_t& layout) {
    made->memory[slot].reset(MakeMemory(engine_, layout, DNNL_MEMORY_NONE));
    made->arguments[slot] = {argument, made->memory[slot].get()};
    return made->memory[slot] != nullptr;
  };
  bool complete = set(Invocation::kSource, DNNL_ARG_SRC, source_) &&
                  set(Invocation::kDestination, DNNL_ARG_DST, destination_) &&
                  set(Invocation::kScratchpad, DNNL_ARG_SCRATCHPAD, scratchpad_) &&
                  set(Invocation::kWeights, DNNL_ARG_WEIGHTS, weights_);
  if (complete && bias_.ndims > 0) complete = set(Invocation::kBias, DNNL_ARG_BIAS, bias_);
  return complete ? std::move(made) : nullptr;
}

void OneDnnPlan::GiveBack(std::unique_ptr<Invocation> invocation) const {
  for (auto& spare : spares_) {
    Invocation* empty = nullptr;
    // release: the thread that takes it sees what this one wrote.
    if (spare.compare_exchange_strong(empty, invocation.get(), std::memory_order_release,
                                      std::memory_order_relaxed)) {
      (void)invocation.release();
      return;
    }
  }
}

bool OneDnnPlan::Run(const contraction::Operands& operands) const {
  OneOpenMpThread one_thread;
  ThreadState& thread = thread_state;
  dnnl_stream_t stream = ThreadStream(thread, engine_);
  std::unique_ptr<Invocation> invocation = TakeInvocation();
  if (!stream || !invocation || !thread.scratch.Reserve(scratch_bytes_)) return false;

  auto point = [&](int slot, const void* data) {
    return dnnl_memory_set_data_handle(invocation->memory[slot].get(), const_cast<void*>(data)) ==
           dnnl_success;
  };
  // Returns the elements for the primitive: `data`, or a copy of it in the primitive's layout.
  auto arrange = [&](const Primitive& reorder, const dnnl_memory_desc_t& from, const void* data,
                     const dnnl_memory_desc_t& to, AlignedBuffer& buffer) -> const void* {
    if (!reorder) return data;
    if (!buffer.Reserve(dnnl_memory_desc_get_size(&to)) ||
        !RunReorder(engine_, reorder, stream, from, data, to, buffer.data())) {
      return nullptr;
    }
    return buffer.data();
  };
  const void* source = arrange(source_reorder_, plain_.source, operands.a, source_, thread.source);
  const void* destination = operands.out;
  if (destination_out_reorder_) {
    if (!thread.destination.Reserve(dnnl_memory_desc_get_size(&destination_))) return false;
    destination = thread.destination.data();
    if (destination_in_reorder_) {
      destination = arrange(destination_in_reorder_, plain_.destination, operands.out, destination_,
                            thread.destination);
    }
  }
  bool ready = source && destination && point(Invocation::kSource, source) &&
               point(Invocation::kDestination, destination) &&
               point(Invocation::kScratchpad, thread.scratch.data());
  if (bias_.ndims > 0) ready = ready && point(Invocation::kBias, operands.bias);
  dnnl_exec_arg_t& weights = invocation->arguments[Invocation::kWeights];
  const auto* packed = static_cast<const OneDnnWeights*>(operands.packed);
  if (packed && dnnl_memory_desc_equal(&packed->layout(), &weights_)) {
    weights.memory = packed->memory();
  } else {
    const void* data = operands.b;
    if (packed) data = static_cast<const char*>(packed->data()) + plain_.weights_offset_bytes;
    data = arrange(weights_reorder_, plain_.weights, data, weights_, thread.weights);
    weights.memory = invocation->memory[Invocation::kWeights].get();
    ready = ready && data && point(Invocation::kWeights, data);
  }
  int count = bias_.ndims > 0 ? Invocation::kCount : Invocation::kBias;
  bool done = ready && dnnl_primitive_execute(primitive_.get(), stream, count,
                                              invocation->arguments) == dnnl_success;
  if (done && destination_out_reorder_) {
    done = RunReorder(engine_, destination_out_reorder_, stream, destination_, destination,
                      plain_.destination, operands.out);
  }
  GiveBack(std::move(invocation));
  return done;
}

std::unique_ptr<PackedWeights> OneDnnPlan::Pack(const void* weights) const {
  OneOpenMpThread one_thread;
  std::unique_ptr<OneDnnWeights> packed = OneDnnWeights::Create(engine_, weights_);
  if (!packed) return nullptr;
  // In the same layout it is a copy, so that the weights have an owner.
  const bool done = Reorder(engine_, plain_.weights, weights, weights_, packed->data());
  return done ? std::move(packed) : nullptr;
}

}  // namespace tfrt::contraction
