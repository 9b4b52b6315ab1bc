import { systemErrorCode } from './with-file';

/** Whether a process with this number exists. Signal 0 only checks. */
export function isRunning(pid: number): boolean {
  // Zero and negative numbers name groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return systemErrorCode(error) === 'EPERM';
  }
}
