import { millisecondsOf } from '../../../engine/conversation/milliseconds-of';
import * as s from '../../../platform/json/schemas';
import { titleOf } from '../../../sessions/records/title';

const manifestRecord = s.record({
  session_id: s.name,
  prompt: s.text,
  metadata: s.record({ title: s.name }),
  status: s.name,
  pid: s.countOrZero,
  started_at: s.text,
  cwd: s.name,
  workspace_root: s.name,
  model: s.name,
});

/** The content of `<id>.json` next to a command line session's messages. */
export interface Manifest {
  readonly id: string | null;
  readonly title: string | null;
  readonly folder: string | null;
  readonly model: string | null;
  /** The status says that a turn is running; its process may have died since. */
  readonly isUnfinished: boolean;
  /** A turn is running, and its process exists. */
  readonly isAtWork: boolean;
  /** Start time of the process that has the session open, in milliseconds since the epoch; null if it ended. */
  readonly processSince: number | null;
}

const ended = new Set(['completed', 'failed', 'cancelled']);

export function readManifest(value: unknown, isRunning: (pid: number) => boolean): Manifest {
  const { status, ...fields } = s.read(manifestRecord, value);
  const isOpen = status !== null && !ended.has(status) && isRunning(fields.pid);
  return {
    id: fields.session_id,
    title: titleOf(fields.metadata.title ?? fields.prompt),
    folder: fields.cwd ?? fields.workspace_root,
    model: fields.model,
    isUnfinished: status === 'running' || status === 'pending',
    isAtWork: isOpen && status === 'running',
    processSince: isOpen ? (millisecondsOf(fields.started_at) ?? 0) : null,
  };
}
