import { readdirSync, readFileSync } from 'node:fs';

/**
 * Ends the processes that an agent left running in its home, such as the hub that Cline starts. Their environment names
 * the home. On systems without `/proc`, it finds none.
 */
export function endProcessesOf(home: string): void {
  for (const pid of processIds()) {
    if (environmentOf(pid).includes(`HOME=${home}`)) end(pid);
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended, or that belongs to another user. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended meanwhile.
  }
}
