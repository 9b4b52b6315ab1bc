import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import { inTurn } from './in-turn';
import { hasEnded, holderIn, holderText, knownMachine, newToken, thisMachine } from './lock-holder';
import { markAge, markMade, markMadeHere, markRemoved, markRemovedHere, markText, markTextHere } from './lock-mark';

/** Another process holds the lock, or it cannot be taken; the message names the file. */
export class LockNotTaken extends LocalizableError {
  override name = 'LockNotTaken';
}

/** Age at which a lock is stale if its process cannot be checked. A killed process leaves its lock behind. */
const staleAfterMs = 10_000;
const firstRetryMs = 2;
const longestRetryMs = 25;
const giveUpAfterMs = 15_000;

const inTurnHere = inTurn();

/**
 * Runs the work while holding the lock: one after the other within this process, and no other process of Strata at the
 * same time. `stillOurs`: whether this process still holds it, because another one may take over a lock that looks stale.
 */
export async function withLock<T>(path: string, work: (stillOurs: () => Promise<boolean>) => Promise<T>): Promise<T> {
  const deadline = Date.now() + giveUpAfterMs;
  return await inTurnHere(resolve(path), () => locked(path, deadline, work));
}

/** Runs short work on this thread, before work that waits for the lock. Undefined if the lock is not free; `withLock` waits for it. */
export function withFreeLock<T>(path: string, work: () => T): T | undefined {
  const machine = knownMachine();
  if (machine === null) return undefined;
  const ours = holderText({ machine, process: process.pid, token: newToken() });
  if (!markMadeHere(path, ours)) return undefined;
  const since = performance.now();
  try {
    return work();
  } finally {
    releaseHere(path, ours, performance.now() - since);
  }
}

async function locked<T>(
  path: string,
  deadline: number,
  work: (stillOurs: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const ours = holderText({ machine: await thisMachine(), process: process.pid, token: newToken() });
  await takeLock(path, ours, deadline);
  const since = performance.now();
  try {
    return await work(async () => (await markText(path)) === ours);
  } finally {
    await releaseLock(path, ours, performance.now() - since);
  }
}

/** Clocks of two machines may differ by a part of the age at which a lock is stale. */
const surelyOursMs = staleAfterMs / 10;

/** A lock that was held long enough to count as stale may belong to another process now. */
async function releaseLock(path: string, ours: string, heldMs: number): Promise<void> {
  if (heldMs < surelyOursMs || (await markText(path)) === ours) await markRemoved(path);
}

/** The same on this thread. */
function releaseHere(path: string, ours: string, heldMs: number): void {
  if (heldMs < surelyOursMs || markTextHere(path) === ours) markRemovedHere(path);
}

async function takeLock(path: string, ours: string, deadline: number): Promise<void> {
  for (let retryMs = firstRetryMs; !(await tryLock(path, ours)); retryMs = Math.min(retryMs * 2, longestRetryMs)) {
    if (Date.now() > deadline) throw new LockNotTaken(localizable('Another process keeps it locked: {0}', path));
    if (!(await removedIfLeft(path))) await delay(retryMs);
  }
}

async function tryLock(path: string, text: string): Promise<boolean> {
  try {
    return await markMade(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LockNotTaken(localizable('It cannot be locked for writing: {0}', reason), { cause: error });
  }
}

/**
 * Removes an abandoned lock. Only one process at a time does so, and only the very lock that it found abandoned:
 * another process may have taken it over in between.
 */
async function removedIfLeft(path: string): Promise<boolean> {
  const found = await markText(path);
  if (found === null || !(await isLeft(path, found))) return false;
  const removing = `${path}.removing`;
  if (!(await tryLock(removing, 'removing'))) {
    if (await isOld(removing)) await markRemoved(removing);
    return false;
  }
  try {
    const isSame = (await markText(path)) === found && (await isLeft(path, found));
    if (isSame) await markRemoved(path);
    return isSame;
  } finally {
    await markRemoved(removing);
  }
}

async function isLeft(path: string, text: string): Promise<boolean> {
  const holder = holderIn(text);
  return (holder !== null && hasEnded(holder, await thisMachine())) || (await isOld(path));
}

async function isOld(path: string): Promise<boolean> {
  return (await markAge(path)) > staleAfterMs;
}
