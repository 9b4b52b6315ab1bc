import type { Stats } from 'node:fs';
import type { LongWork } from '../engine/conversation/long-work';
import type { NoFile } from '../platform/files/with-file';
import type { ParsedSession } from './session';

/** One session that is being read: what was read so far, and a way to read further. */
export interface SessionReading {
  /** The session as far as it was read. The same object until more was read. */
  readonly parsed: ParsedSession;
  /** Files whose change may bring news of this session. */
  readonly watched: readonly string[];
  /** Milliseconds since the epoch: when the session was written last, as of the newest reading. */
  readonly modified: number;
  /** Changes whenever something is read. */
  readonly version: number;
  /** The last line, 1-based, where the file ends in the middle of it. */
  readonly tornLine: number | null;
  /** The store says that an agent is at work in this session. */
  readonly inUse?: boolean;
  /** Reads what was added since the last time. The cost depends only on that. */
  readOn(): Promise<ReadOn>;
  /**
   * Accepts lines that were just appended without reading them from the file. False: they do not directly follow what was read, so the file
   * must be read.
   */
  takeIn?(appended: Appended): LongWork<boolean>;
}

/** Whole lines that were appended to a file. */
export interface Appended {
  readonly bytes: Buffer;
  /** The records of the lines, one for each. */
  readonly records: readonly object[];
  readonly before: FileState;
  readonly after: FileState;
}

type FileState = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>;

export type ReadOn =
  | { readonly kind: 'unchanged' | 'read' }
  /** The reading is outdated: the file must be read again from the start. */
  | { readonly kind: 'shrunk' | 'replaced' }
  | NoFile;
