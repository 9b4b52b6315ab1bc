import { createHash, randomBytes } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parsedJson } from '../json/json-text';
import * as s from '../json/schemas';
import { isRunning } from './running-process';
import { orIfUnreadable } from './with-file';

/**
 * The holder of a lock, which is written into the lock as one line of at most 59 bytes. ext4 stores a longer target of a
 * symbolic link in a block, and takes up to a millisecond to free it.
 * Source: https://docs.kernel.org/filesystems/ext4/dynamic.html#symbolic-links
 */
interface LockHolder {
  /** Identifies the machine and its start; pids alone are reused. See `thisMachine`. */
  readonly machine: string;
  readonly process: number;
  /** Unique for each time the lock is held. See `newToken`. */
  readonly token: string;
}

/** Bytes of the names of machines and of tokens; base64 makes four characters of three. */
const nameBytes = 6;

let counted = randomBytes(nameBytes).readUIntBE(0, nameBytes);

/** The next number of this process, which begins at a random one. */
export function newToken(): string {
  counted = (counted + 1) % 2 ** (8 * nameBytes);
  const bytes = Buffer.allocUnsafe(nameBytes);
  bytes.writeUIntBE(counted, 0, nameBytes);
  return bytes.toString('base64url');
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

/** Whether the holder is a process of this machine that has ended. Its number may have been given to another process since. */
export function hasEnded(holder: LockHolder, machine: string): boolean {
  return holder.machine === machine && !isRunning(holder.process);
}

let known: Promise<string> | undefined;
let machine: string | null = null;

/** The same at once; null until `thisMachine` has resolved for the first time. */
export function knownMachine(): string | null {
  return machine;
}

/** A hash that identifies this machine since its last start, or this container, because a container has its own process numbers. */
export function thisMachine(): Promise<string> {
  known ??= machineName().then((name) => {
    machine = createHash('sha256').update(name).digest().subarray(0, nameBytes).toString('base64url');
    return machine;
  });
  return known;
}

async function machineName(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  // Some sandboxes lack these files.
  const start = await orIfUnreadable(readFile('/proc/sys/kernel/random/boot_id', 'utf8'), '');
  const numbers = await orIfUnreadable(readlink('/proc/self/ns/pid'), '');
  return [hostname(), start.trim(), numbers].join(' ');
}
