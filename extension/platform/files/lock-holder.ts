import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parsedJson } from '../json/json-text';
import * as s from '../json/schemas';
import { systemErrorCode } from './with-file';

/** Who holds a lock. Written into it as one line. */
interface LockHolder {
  /** Where its process number means this process and no other. */
  readonly machine: string;
  readonly process: number;
  /** Each holding has its own. */
  readonly token: string;
}

const written = s.record({ machine: s.textOrNull, process: s.countOrZero, token: s.textOrNull });

export function holderText({ machine, process, token }: LockHolder): string {
  return JSON.stringify({ machine, process, token });
}

/** Null for text that is not from Strata or is incomplete. */
export function holderIn(text: string): LockHolder | null {
  const { machine, process, token } = s.read(written, parsedJson(text));
  if (machine === null || token === null) return null;
  return Number.isSafeInteger(process) && process > 0 ? { machine, process, token } : null;
}

/** Known for processes of this machine alone. A number may have been given to another process: then it is not gone. */
export function isGone(holder: LockHolder, machine: string): boolean {
  if (holder.machine !== machine) return false;
  try {
    process.kill(holder.process, 0);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH';
  }
}

let known: Promise<string> | undefined;

/** This machine since it was last started; in a container, this container: process numbers are its own. */
export function thisMachine(): Promise<string> {
  known ??= machineName();
  return known;
}

async function machineName(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const start = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(noneSaid);
  const numbers = await readlink('/proc/self/ns/pid').catch(noneSaid);
  return [hostname(), start.trim(), numbers].join(' ');
}

/** Some sandboxes lack these files. */
function noneSaid(error: unknown): string {
  if (systemErrorCode(error) === null) throw error;
  return '';
}
