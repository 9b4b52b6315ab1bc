import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { systemErrorCode } from '../../../platform/files/with-file';
import { append } from '../../../platform/json/append';
import type { Line } from '../../../platform/lines/line';
import { LineAssembler } from '../../../platform/lines/line-assembler';
import { LineMender } from '../../../platform/lines/line-mender';
import { likelyFolders, RolloutFiles } from './rollout-names';

/** Finds other files of the same Codex installation to which a session refers. */
export interface Rollouts {
  /** The newest file of a thread; null if none is found. Lists a few folders, reads no file. */
  findThread(threadId: string): string | null;
  /** The file of a segment, or of a thread if the id is the thread's; null if it is not found. */
  findSegment(segmentId: string): string | null;
  /** The lines within the first `byte` bytes of a file; null if it cannot be read. */
  linesBefore(file: string, byte: number): Iterable<Line> | null;
}

export const noRollouts: Rollouts = { findThread: () => null, findSegment: () => null, linesBefore: () => null };

const chunkBytes = 1024 * 1024;

export function rolloutsBeside(file: string): Rollouts {
  return {
    findThread: (threadId) => filesIn(likelyFolders(file, threadId)).newestOf(threadId),
    findSegment: (segmentId) => findSegment(file, segmentId),
    linesBefore,
  };
}

function findSegment(file: string, segmentId: string): string | null {
  for (const folder of likelyFolders(file, segmentId)) {
    const found = filesIn([folder]).ofSegment(segmentId);
    if (found !== null) return found;
  }
  return null;
}

function filesIn(folders: readonly string[]): RolloutFiles {
  const files = new RolloutFiles();
  for (const folder of folders) files.add(folder, namesIn(folder));
  return files;
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
      return readLines(handle, Math.floor(byte));
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
  const mender = new LineMender();
  const lines: Line[] = [];
  for (let offset = 0; offset < end; ) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, end - offset));
    const length = readSync(handle, chunk, 0, chunk.length, offset);
    if (length === 0) break;
    append(lines, mender.take(assembler.push(chunk.subarray(0, length))).lines);
    offset += length;
  }
  return lines;
}
