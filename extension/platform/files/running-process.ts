import { textOf } from './text-of';
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

/**
 * Whether the process that had this number at that time, in milliseconds, is still running. Only Linux reports when a process began;
 * elsewhere another process with the same number cannot be detected.
 */
export async function isRunningSince(pid: number, time: number): Promise<boolean> {
  if (!isRunning(pid)) return false;
  const [own, other] = await Promise.all([ticksAtStart(process.pid), ticksAtStart(pid)]);
  return own === null || other === null || ownStart + (other - own) * tick <= time + clockTolerance;
}

/** When this process began. Computed once, because `process.uptime` does not count the time for which the machine sleeps later. */
const ownStart = Date.now() - process.uptime() * 1000;
/** In milliseconds; clock ticks in `/proc` are 100 a second on every Linux. */
const tick = 10;
/** Tolerance in milliseconds, because clocks are corrected while programs run. */
const clockTolerance = 60_000;

/** When the process began, in clock ticks: field 22 of `/proc/<pid>/stat` (proc_pid_stat(5)). Null if that is not known. */
async function ticksAtStart(pid: number): Promise<number | null> {
  const text = await textOf(`/proc/${pid}/stat`);
  if (text === null) return null;
  // Field 2, the name in brackets, may have spaces and brackets in it.
  const ticks = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isFinite(ticks) ? ticks : null;
}
