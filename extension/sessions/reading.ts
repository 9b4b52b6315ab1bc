import type { Stats } from 'node:fs';
import type { LongWork } from '../engine/conversation/long-work';
import type { NoFile } from '../platform/files/with-file';
import type { ParsedSession } from './session';

/** One session that is being read: what was read so far, and a way to read on. */
export interface SessionReading {
  /** The session as far as it was read. The same object until more was read. */
  readonly parsed: ParsedSession;
  /** Files whose change may bring news of this session. */
  readonly watched: readonly string[];
  /** Milliseconds since the epoch: when the session was written last, as of the newest reading. */
  readonly modified: number;
  /** Differs whenever something was read since. */
  readonly version: number;
  /** The last line, 1-based, where the file ends in the middle of it. */
  readonly tornLine: number | null;
  /** The store says that an agent is at work in this session. */
  readonly inUse?: boolean;
  /** Takes in what came since the last time, at a cost that depends on that, and not on what was there. */
  readOn(): Promise<ReadOn>;
  /** Takes in what was just appended without reading it. False: it does not follow what was read, so it has to be read. */
  takeIn?(appended: Appended): LongWork<boolean>;
}

/** Whole lines that were written behind the end of a file. */
export interface Appended {
  readonly bytes: Buffer;
  /** What the lines say, one record each. */
  readonly records: readonly object[];
  readonly before: FileState;
  readonly after: FileState;
}

type FileState = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>;

export type ReadOn =
  | { readonly kind: 'unchanged' | 'read' }
  /** What was read is no longer what the file says: it has to be read anew. */
  | { readonly kind: 'shrunk' | 'replaced' }
  | NoFile;
