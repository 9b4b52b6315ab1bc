import { systemErrorCode } from './with-file';

/** Whether a process with this number exists. Signal 0 only checks. */
export function isRunning(pid: number): boolean {
  // Zero and negative numbers name groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Other errors come from a process that exists, for example one of another user.
    return systemErrorCode(error) !== 'ESRCH';
  }
}
