#!/usr/bin/env python3
"""Proves that tests see the bugs they are there for: takes fixes back, one at a time, and runs the tests.

    python3 test/undo/undo_fixes.py [--build DIR] [--preset asan] [--check] [NAME...]

Copies the source tree to DIR/source (default build/undo), builds the unit tests that concern the fixes, checks that
they pass, then undoes each fix in the copy and wants one of its tests to fail, by a wrong value, a sanitizer's
report, an assertion or a deadline, within a minute. Prints which test failed, how, and after how long. Takes some
minutes; started by hand, after a change of async, the work queues or the executor.

A fix whose text has changed is an error: say here how it is undone now. --check looks at the texts alone; ctest does.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_SECONDS = 50


@dataclass
class Fix:
  name: str
  what: str  # what goes wrong without it
  file: str
  edits: list  # (text with the fix, text without), each found exactly once
  tests: list  # (executable, gtest filter)


FIXES = [
    Fix(name='deferred-waiters',
        what='waiters beyond the nesting limit read a value that is gone',
        file='lib/base/async/async_value.cc',
        edits=[('TaskFunction([value = FormRef(value)] {}).release()',
                'TaskFunction([value] { (void)value; }).release()')],
        tests=[('unit_async', '*DeepChainTest*'), ('unit_executor', '*StressTest.ResultsAre*')]),
    Fix(name='await-in-a-deep-waiter',
        what='a waiter that awaits at the nesting limit waits for waiters that queue up below it',
        file='lib/base/async/async_value.cc',
        edits=[('outer_level_(std::exchange(AsyncValue::Nesting::here.level, 0)) {\n'
                '  AsyncValue::Nesting::here.RunDeferred();\n',
                'outer_level_(AsyncValue::Nesting::here.level) {\n')],
        tests=[('unit_work_queue', '*AWaiterDeepInAChain*')]),
    Fix(name='check-is-over-after-unset-results',
        what='the kernel behind one that leaves a result unset is taken for one that has run',
        file='lib/runtime/executor/static_run.cc',
        edits=[('  const bool waits = WaitsForResult(kernel);\n  frame_.ClearNeedsCheck();\n',
                '  frame_.ClearNeedsCheck();\n  const bool waits = WaitsForResult(kernel);\n')],
        tests=[('unit_executor', '*AResultThatIsNotSet*')]),
    Fix(name='results-that-nobody-clears',
        what='a kernel that does not clear its results leaves what another run has left in memory',
        file='lib/runtime/executor/binder.cc',
        edits=[('kernel->clears_results = signature.clears_results;',
                'kernel->clears_results = true;')],
        tests=[('unit_executor', '*FindsThemNull*')]),
    Fix(name='tasks-that-wait-longest',
        what='workers that each go on with their own newest task never come to tickets and old tasks',
        file='lib/base/work_queue/multi_threaded_work_queue.cc',
        edits=[('kTasksPerOldOne == 0', 'kTasksPerOldOne == kTasksPerOldOne')],
        tests=[('unit_work_queue', '*EndlessChain*')]),
    Fix(name='quiesce-beside-a-running-task',
        what='Quiesce of the single-threaded queue returns while another thread runs a task',
        file='lib/base/work_queue/single_threaded_work_queue.cc',
        edits=[('} else if (!has_tickets && Shared::NumRunning(running) == not_waited_for.num_counted()) {',
                '} else if (!has_tickets) {')],
        tests=[('unit_work_queue', '*QuiesceWaitsForATaskThatAnotherThreadRuns*')]),
    Fix(name='quiesce-beside-a-batch',
        what='Quiesce of the single-threaded queue misses what is left of the batch of a task that quiesces',
        file='lib/base/work_queue/single_threaded_work_queue.cc',
        edits=[('if (num_counted() != 0 && !queue_->OldestBatch()) ', 'if (num_counted() != 0) ')],
        tests=[('unit_work_queue', '*QuiesceWaitsForTheBatchOfATaskThatQuiesces*')]),
    Fix(name='prepared-for-another-device',
        what='a call of a graph runs what was prepared for the device of another run',
        file='lib/ops/graph_kernels/placed_graph_call.cc',
        edits=[('prepared.runner != place().runner || prepared.device != place().device ||\n        ',
                '!prepared.runner || ')],
        tests=[('unit_sim', '*ACallIsPreparedForTheDeviceOfItsRun*')]),
    Fix(name='prepared-calls-end-before-their-device',
        what='a prepared call is destroyed after the device that it was made for',
        file='lib/ops/graph_kernels/placed_graph_call.cc',
        edits=[('      prepared.op = nullptr;  // before its device\n', '')],
        tests=[('unit_sim', '*APreparedCallKeepsItsDevice*')]),
    Fix(name='attributes-of-calls-without-results',
        what='a call without results that waits reads the attributes of its kernel, which has ended',
        file='lib/ops/graph_kernels/placed_graph_call.cc',
        edits=[('if (!are_promised_) {', 'if (!given_.empty()) {')],
        tests=[('unit_sim', '*AttributesOfACallWithoutResults*')]),
    Fix(name='evicted-calls-leave-scopes',
        what='scopes keep what devices have prepared for calls that have left the cache',
        file='lib/api/eager/kernel_cache.cc',
        edits=[('  DropEvicted(shared);\n', '')],
        tests=[('unit_eager', '*EvictedCallsAreDropped*')]),
    Fix(name='waits-for-devices-deep-in-a-chain',
        what='a waiter at the nesting limit waits for an event behind waiters that queue up below it',
        file='lib/devices/sim/event.cc',
        edits=[('    AwaitScope scope;\n', '')],
        tests=[('unit_sim', '*AWaiterDeepInAChain*')]),
    Fix(name='gpu-wait-deep-in-a-chain',
        what='a waiter at the nesting limit waits for a stream behind waiters that queue up below it',
        file='gpu/runtime/context.cc',
        edits=[('return OkStatus();\n  const AwaitScope scope;\n', 'return OkStatus();\n')],
        tests=[('unit_gpu_runtime', '*AWaiterDeepInAChain*')]),
    Fix(name='lock-over-constructors',
        what="other shared contexts wait for a constructor that waits for a task that asks for one",
        file='lib/runtime/host/host_context.cc',
        edits=[('  lock.unlock();  // the constructor may take its time\n', ''),
               ('  lock.lock();\n  SharedContextInMaking** link', '  SharedContextInMaking** link')],
        tests=[('unit_host', '*ConstructorsOfContextsMayWait*')]),
    Fix(name='scope-of-a-waiting-thread',
        what='a task that runs on top of a thread that waits calls ops in the scope of that thread',
        file='lib/api/eager/op_scope.h',
        edits=[('std::exchange(current_scope, nullptr)', 'current_scope')],
        tests=[('unit_eager', '*HaveNoScope*')]),
    Fix(name='captured-tasks-of-another-queue',
        what="tasks of another host's queue run with those of this one",
        file='lib/runtime/executor/task_capture.cc',
        edits=[('capture && capture->queue_ != &exec_ctx.work_queue()', 'false')],
        tests=[('unit_executor', '*CollectsTasksOfItsQueueAlone*')]),
    Fix(name='context-ends-beside-a-read',
        what='a thread that waits for a tensor uses the host of a context that another one ends',
        file='lib/api/eager/context.cc',
        edits=[('  AwaitOnTop(host, {&awaited, 1});\n', '')],
        tests=[('unit_eager', '*ContextsMayEndWhileOthersRead*')]),
    Fix(name='request-ends-before-its-deadline',
        what='the timer cancels a request that is gone',
        file='lib/runtime/host/request_context.cc',
        edits=[('      request_->request = nullptr;\n', '')],
        tests=[('unit_host', '*MayEndWhileItsDeadlinePasses*')]),
    Fix(name='run-is-over-with-its-request',
        what='tasks of a run hold memory of its inputs and of its session when it has returned',
        file='lib/api/model/session.cc',
        edits=[('  host->Await({&over, 1});\n', '')],
        tests=[('unit_model', '*NothingOfARunIsHeld*')]),
    Fix(name='tasks-keep-their-request',
        what='a task lets go of a value after its request is gone',
        file='include/tfrt/host_context/enqueue.h',
        edits=[('  RCReference<RequestContext> request;\n  F fn;', '  F fn;'),
               ('return {FormRef(exec_ctx.request_ctx()), std::forward<F>(fn)};', 'return {std::forward<F>(fn)};')],
        tests=[('unit_model', '*NothingOfARunIsHeld*')]),
    Fix(name='gpu-fault-of-another-context',
        what='the end of a wait for a stream of a failed context counts as the end of its commands',
        file='gpu/runtime/stream.cc',
        edits=[('    return IsKnownDone(point) || internal::StreamOf(point.stream, context_);\n',
                '    return point.stream != 0;\n'),
               ('    TFRT_RETURN_IF_ERROR(internal::CheckPassed(point));\n', '')],
        tests=[('unit_gpu_runtime_on_double', '*AFaultIsNoGoodResult*')]),
    Fix(name='gpu-memory-of-a-lost-device',
        what='memory goes back to its owner while a copy of another, lost device may still use it',
        file='gpu/runtime/stream_slots.cc',
        edits=[('      cuda::Context::ForgetCurrent();\n'
                '      (void)context->native().MakeCurrent();\n'
                '      Stream* stream', '      Stream* stream')],
        tests=[('unit_gpu_runtime_on_double', '*MemoryIsNotGivenBack*')]),
    Fix(name='gpu-one-wait-at-a-time',
        what='a stream is waited for once the device has reached what was asked for before',
        file='gpu/runtime/completion.cc',
        edits=[('    if (ready_.size() > num_free_) StartThread();\n',
                '    if (threads_.empty()) StartThread();\n')],
        tests=[('unit_gpu_runtime', '*NoStreamKeepsAnotherWaiting*')]),
    Fix(name='gpu-lock-over-a-library',
        what="a stream's lock is held while a library waits for another rank, which needs it",
        file='gpu/runtime/stream.cc',
        edits=[('  Status status = call(argument);\n',
                '  Status status;\n  {\n    std::lock_guard lock(order_);\n    status = call(argument);\n  }\n')],
        tests=[('unit_gpu_runtime', '*LibrariesMayWait*')]),
    Fix(name='update-that-waits-for-itself',
        what='an update in another one waits for that, or for one that waits for it',
        file='lib/api/eager/variable.cc',
        edits=[('  if (!WaitsForThread(here)) return OkStatus();\n', '  if (held.size()) return OkStatus();\n')],
        tests=[('unit_eager', '*OneInItsOwnUpdate/Sync:*UpdatesInOthers/Sync')]),
    Fix(name='note-after-its-body',
        what='a note that is left outside of a body goes to where that of an earlier one was',
        file='lib/api/function/function_impl.cc',
        edits=[('  note_of_body = outer;\n', '')],
        tests=[('unit_function', '*NotesLiveAsLongAsTheirTraces')]),
    Fix(name='update-that-throws',
        what='a function that throws leaves its turn to nobody',
        file='lib/api/eager/variable.cc',
        edits=[('  if (state_->has_begun && !state_->traced) state_->End({});\n', '')],
        tests=[('unit_eager', '*VariablesAreAsTheyWere/Sync')]),
    Fix(name='update-that-sleeps-on-a-worker',
        what='a worker that waits for a turn runs no tasks, for one of which the turn waits',
        file='lib/api/eager/variable.cc',
        edits=[('    host.Await({&value, 1});\n', '    TimelineScope::SleepUntil(value);\n')],
        tests=[('unit_eager', '*WhoWaitsRunsTasks/Sync')]),
    Fix(name='turn-given-below-a-task',
        what='a call has its turn while a task runs on top of it that waits for the next turn',
        file='lib/api/eager/variable.cc',
        edits=[('  has_place = !is_part && !queue.IsInWorkerThread() && !queue.IsSingleThreaded();\n',
                '  has_place = !is_part && !queue.IsSingleThreaded();\n')],
        tests=[('unit_eager', '*WhoWaitsBelowATaskIsOvertaken/Sync')]),
    Fix(name='gpu-copy-within-the-host',
        what="a copy between page-locked memories waits for its stream under the stream's lock",
        file='gpu/runtime/stream_copies.cc',
        edits=[('        return EnqueueInHost(to, from, {.row_bytes = size_bytes});\n',
                '        return context_->driver().cuMemcpyAsync(to.address, from.address, size_bytes, handle());\n')],
        tests=[('unit_gpu_runtime', '*ACopyWithinTheHostBlocksNoThread*')]),
    Fix(name='gpu-allocator-waits-under-its-lock',
        what='a stream that must wait for a block keeps others from memory that is free',
        file='gpu/runtime/device_allocator.cc',
        edits=[('  driver_lock.unlock();\n  if (!block) return OutOfMemory', '  if (!block) return OutOfMemory')],
        tests=[('unit_gpu_runtime', '*NobodyWaitsForAnothersWait*')]),
    Fix(name='gpu-idle-beside-a-library',
        what='an empty stream counts as idle while a library is about to enqueue in it',
        file='gpu/runtime/stream.cc',
        edits=[('  if (call_goes_on_ || IsKnownDone(tail())', '  if (IsKnownDone(tail())')],
        tests=[('unit_gpu_runtime', '*AStreamWithALibraryIsNotIdle*')]),
    Fix(name='gpu-modules-stay-loaded',
        what='modules that nobody has stay loaded until the context ends',
        file='gpu/runtime/module_cache.cc',
        edits=[('  if (unused.size() <= kMaxUnused) return taken;\n',
                '  if (unused.size() < SIZE_MAX) return taken;\n')],
        tests=[('unit_gpu_runtime', '*ModulesThatNobodyHasAreUnloaded*')]),
    Fix(name='gpu-module-unloaded-in-use',
        what='a module is unloaded while commands of another context use its variable',
        file='gpu/runtime/module_cache.cc',
        edits=[('  // These points belong to other contexts.\n  internal::AwaitAll(points);\n', '')],
        tests=[('unit_gpu_runtime', '*ModulesThatNobodyHasAreUnloaded*')]),
    Fix(name='gpu-uses-of-a-variable',
        what='whoever waits for the uses of a variable waits for those of one handle',
        file='gpu/runtime/registered_memory.cc',
        edits=[('  for (const GlobalMemory* memory : variable_.memories) memory->uses_.ForEach(append);\n',
                '  uses_.ForEach(append);\n')],
        tests=[('unit_gpu_runtime', '*UsesOfAVariable*')]),
    Fix(name='placeholder-published-unowned',
        what='a placeholder is forwarded and dropped before its maker has taken the reference for it',
        file='lib/runtime/executor/live_run.cc',
        edits=[('placeholder->AddRefOfNew();\n'
                '    RCReference<IndirectAsyncValue> of_slot = TakeRef(placeholder.get());',
                'RCReference<IndirectAsyncValue> of_slot = TakeRef(placeholder.release());'),
               ('      (void)of_slot.release();\n      return placeholder;\n',
                '      return FormRef(static_cast<AsyncValue*>(of_slot.release()));\n'),
               ('      placeholder->ForwardTo(FormRef(value));\n',
                '      placeholder->ForwardTo(FormRef(value));\n'
                '      slots_[r].store(Stored(), std::memory_order_release);\n'
                '      placeholder->DropRef();\n')],
        tests=[('unit_executor', '*LiveRunTest*')]),
    Fix(name='placeholder-second-reader',
        what='a placeholder is dropped when it is forwarded, though a second reader is about to take it',
        file='lib/runtime/executor/live_run.cc',
        edits=[('      placeholder->ForwardTo(FormRef(value));\n',
                '      placeholder->ForwardTo(FormRef(value));\n'
                '      slots_[r].store(Stored(), std::memory_order_release);\n'
                '      placeholder->DropRef();\n')],
        tests=[('unit_executor', '*LiveRunTest*')]),
    Fix(name='uniqueness-order',
        what='a value that another user forwards meanwhile is changed in place',
        file='include/tfrt/host_context/kernel_frame.h',
        edits=[('if (!is_last_use || !is_last_use(*this, index)) return false;',
                'if (!is_last_use || !argument(index)->IsUnique()) return false;'),
               ('    return argument(index)->IsUnique();\n',
                '    return is_last_use(*this, index);\n')],
        tests=[('unit_executor', '*LiveRunTest*')]),
    Fix(name='await-in-a-batch',
        what='a task that awaits what a later task of its batch sets hangs',
        file='lib/base/work_queue/single_threaded_work_queue.cc',
        edits=[('Task* task = TakeFromBatches();', 'Task* task = nullptr;')],
        tests=[('unit_executor', '*StressTest.ResultsAre*CallerOnly')]),
    Fix(name='ticket-uncounted-under-the-lock',
        what='who ends a ticket looks for those who quiesce in a queue that is gone',
        file='lib/base/work_queue/multi_threaded_work_queue.cc',
        edits=[('  std::lock_guard lock(quiesce_mutex_);\n  if (UncountTask()) WakeQuiescing();\n', '  TaskDone();\n')],
        tests=[('unit_work_queue', '*DestructionWaitsForTickets*')]),
    Fix(name='ticket-counts-until-its-task-is-added',
        what='who ends a ticket wakes workers of a queue that is gone',
        file='lib/base/work_queue/multi_threaded_work_queue.cc',
        edits=[('    pending_.fetch_add(1, std::memory_order_relaxed);\n    AddExternal', '    AddExternal'),
               ('    WakeForTask(/*is_lone=*/false);\n', '    return WakeForTask(/*is_lone=*/false);\n')],
        tests=[('unit_work_queue', '*DestructionWaitsForTickets*')]),
    Fix(name='quiesce-looks-at-tickets-first',
        what='Quiesce returns between a ticket and its task',
        file='lib/base/work_queue/single_threaded_work_queue.cc',
        edits=[('      const bool has_tickets = shared_->num_tickets.load(std::memory_order_acquire) != 0;\n', ''),
               ('} else if (!has_tickets && Shared::NumRunning(running) == not_waited_for.num_counted()) {',
                '} else if (shared_->num_tickets.load(std::memory_order_acquire) == 0) {')],
        tests=[('unit_work_queue', '*Ticket*')]),
    Fix(name='quiesce-runs-the-batch-for-tickets',
        what='a task that quiesces sleeps for a ticket that depends on a later task of its batch',
        file='lib/base/work_queue/single_threaded_work_queue.cc',
        edits=[('} else if (Task* task = TakeFromBatches()) {', '} else if (Task* task = nullptr) {')],
        tests=[('unit_work_queue', '*TaskMayQuiesceBeforeATaskThatItsTicketNeeds*')]),
    Fix(name='errors-into-given-results',
        what='an error is set into a result that is somebody else\'s promise',
        file='lib/runtime/host/kernel_frame.cc',
        edits=[('HasMade(i) && !value->IsAvailable() && !value->IsForwarded()',
                '!value->IsAvailable() && !value->IsIndirect()')],
        tests=[('unit_host', 'KernelCallTest*'), ('unit_executor', '*StressTest.ResultsAre*')]),
    Fix(name='files-are-replaced',
        what='a file is written over while a program has it mapped',
        file='lib/base/support/write_file.cc',
        edits=[('(exists && !S_ISREG(old.st_mode))', 'exists')],
        tests=[('unit_support', 'WriteFileTest.AMappedFileStaysAsItWas:WriteFileTest.AnErrorLeaves*')]),
]


def copy_sources(target):
  """Brings the copy up to date; files that are the same keep their times, so that little is built again."""
  files = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                         check=True, capture_output=True, text=True).stdout.split('\0')
  for name in filter(None, files):
    source, copy = ROOT / name, target / name
    if not source.is_file():
      continue
    if copy.exists() and copy.read_bytes() == source.read_bytes():
      continue
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    shutil.copymode(source, copy)


def undone(fix, source):
  """Returns the text of the fix's file in the tree `source`, and the text without the fix."""
  with_fix = without = (source / fix.file).read_text()
  for text, replacement in fix.edits:
    if without.count(text) != 1:
      sys.exit(f'{fix.name}: {fix.file} has {without.count(text)} times, not once: {text!r}')
    without = without.replace(text, replacement)
  return with_fix, without


def build(source, build_dir, targets):
  subprocess.run(['cmake', '--build', build_dir, '--parallel', str(os.cpu_count()), '--target', *targets],
                 cwd=source, check=True, stdout=subprocess.DEVNULL)


# The first line of what a test, an assertion or a sanitizer says.
REPORT = re.compile(r'Failure\n(.*)|(Assertion `.*|(?:ERROR|WARNING): \w+Sanitizer: .*|.*runtime error: .*|.*FATAL.*)')


def run_test(build_dir, executable, test_filter, limit):
  """Returns (how a test failed or None, seconds)."""
  begin = time.monotonic()
  environment = {**os.environ, 'TSAN_OPTIONS': 'halt_on_error=1'}
  process = subprocess.Popen([build_dir / 'bin' / executable, f'--gtest_filter={test_filter}',
                              '--gtest_fail_fast'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors='replace', env=environment)
  try:
    output, _ = process.communicate(timeout=limit)
    report = REPORT.search(output)
    how = (report[1] or report[2]).strip() if report else f'exit code {process.returncode}'
  except subprocess.TimeoutExpired:
    process.kill()
    output, _ = process.communicate()
    how = 'does not end'
  seconds = time.monotonic() - begin
  if process.returncode == 0:
    if '[  PASSED  ] 0 tests' in output:
      sys.exit(f'{executable} has no test {test_filter}')
    return None, seconds
  started = re.findall(r'^\[ RUN      \] (\S+)', output, re.MULTILINE)
  return f'{started[-1] if started else executable}: {how}', seconds


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'undo')
  parser.add_argument('--preset', default='asan')
  parser.add_argument('--check', action='store_true')
  parser.add_argument('names', nargs='*', metavar='NAME')
  arguments = parser.parse_args()
  unknown = set(arguments.names) - {fix.name for fix in FIXES}
  if unknown:
    parser.error(f'no such fix: {", ".join(sorted(unknown))}; there are {", ".join(f.name for f in FIXES)}')
  fixes = [fix for fix in FIXES if not arguments.names or fix.name in arguments.names]
  if arguments.check:
    for fix in fixes:
      undone(fix, ROOT)
    return 0

  source = arguments.build.resolve() / 'source'
  build_dir = source / 'build' / arguments.preset
  copy_sources(source)
  subprocess.run(['cmake', '--preset', arguments.preset], cwd=source, check=True, stdout=subprocess.DEVNULL)
  all_tests = sorted({test for fix in fixes for test in fix.tests})
  print('building with all fixes', flush=True)
  build(source, build_dir, sorted({executable for executable, _ in all_tests}))
  for executable, test_filter in all_tests:
    failed, seconds = run_test(build_dir, executable, test_filter, limit=10 * LIMIT_SECONDS)
    if failed:
      sys.exit(f'{executable}: with all fixes: {failed}')
    print(f'{executable} {test_filter}: passes with all fixes, {seconds:.0f} s', flush=True)

  num_unseen = 0
  for fix in fixes:
    path = source / fix.file
    with_fix, without = undone(fix, source)
    path.write_text(without)
    try:
      build(source, build_dir, sorted({executable for executable, _ in fix.tests}))
      for executable, test_filter in fix.tests:
        failed, seconds = run_test(build_dir, executable, test_filter, LIMIT_SECONDS)
        if failed:
          print(f'{fix.name}: {fix.what}: {failed}, after {seconds:.0f} s', flush=True)
        else:
          print(f'{fix.name}: NOT SEEN by {executable} {test_filter} in {seconds:.0f} s', flush=True)
          num_unseen += 1
    finally:
      path.write_text(with_fix)
  return 1 if num_unseen else 0


if __name__ == '__main__':
  sys.exit(main())
