import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Line } from '../adapter';
import { LineAssembler } from '../files/line-assembler';
import { systemErrorCode } from '../files/with-file';
import { append } from '../records/append';

/** The other threads of the same Codex, as far as a thread refers to them. */
export interface Rollouts {
  /** The file of a thread; null where it is not found. Looks at a few folders' names only. */
  find(threadId: string): string | null;
  /** The lines within the first so many bytes of a file; null where it cannot be read, or is too long for this. */
  linesBefore(file: string, byte: number): Iterable<Line> | null;
}

export const noRollouts: Rollouts = { find: () => null, linesBefore: () => null };

/** Of the beginning that a fork shares with its original: it is read at once, while the person waits. */
const longestBeginning = 128 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const dayMilliseconds = 24 * 60 * 60 * 1000;

export function rolloutsBeside(file: string): Rollouts {
  return {
    find: (threadId) => findRollout(file, threadId),
    linesBefore: (other, byte) => (byte > longestBeginning ? null : linesBefore(other, byte)),
  };
}

/** The folder with the years in it, for a file in `sessions/<year>/<month>/<day>` or in `archived_sessions`. */
export function sessionsFolder(file: string): string | null {
  const folders = dirname(file).split(sep);
  if (folders.at(-1) === 'archived_sessions') return [...folders.slice(0, -1), 'sessions'].join(sep);
  const isDay = /^\d{4}\/\d\d\/\d\d$/.test(folders.slice(-3).join('/'));
  return isDay ? folders.slice(0, -3).join(sep) : null;
}

export function dayFolder(sessions: string, time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return join(sessions, ...parts.map((part) => String(part).padStart(2, '0')));
}

function findRollout(file: string, threadId: string): string | null {
  for (const folder of new Set([dirname(file), ...likelyFolders(file, threadId)])) {
    const name = namesIn(folder).find((candidate) => candidate.endsWith(`-${threadId}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return null;
}

/** A thread's id begins with the time it was made (UUID version 7); its folder is that day's, in some time zone. */
function likelyFolders(file: string, threadId: string): string[] {
  const sessions = sessionsFolder(file);
  if (sessions === null) return [];
  const made = Number.parseInt(threadId.replaceAll('-', '').slice(0, 12), 16);
  const days = Number.isNaN(made) ? [] : [0, -1, 1].map((days) => new Date(made + days * dayMilliseconds));
  return [...days.map((day) => dayFolder(sessions, day)), join(dirname(sessions), 'archived_sessions')];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return [];
  }
}

function linesBefore(file: string, byte: number): Iterable<Line> | null {
  try {
    const handle = openSync(file, 'r');
    try {
      return readLines(handle, byte);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}

function readLines(handle: number, end: number): Line[] {
  const assembler = new LineAssembler();
  const lines: Line[] = [];
  for (let offset = 0; offset < end; ) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, end - offset));
    const length = readSync(handle, chunk, 0, chunk.length, offset);
    if (length === 0) break;
    append(lines, assembler.push(chunk.subarray(0, length)).lines);
    offset += length;
  }
  return lines;
}
