/**
 * Calls `end` once the parent process has ended. It notices that by standard input, which must be a pipe that the
 * parent holds open, as `child_process.spawn` makes it by default.
 */
export function onParentGone(end: () => void): void {
  process.stdin.once('end', end);
  process.stdin.once('error', end);
  process.stdin.resume();
}
