import { asCount, asName, asRecord } from '../records/json';
import { titleOf } from '../records/title';

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
  const fields = asRecord(value) ?? {};
  const title = asName(asRecord(fields.metadata)?.title) ?? asName(fields.prompt);
  const status = asName(fields.status);
  const isOpen = status !== null && !ended.has(status) && isRunning(asCount(fields.pid) ?? 0);
  const since = Date.parse(asName(fields.started_at) ?? '');
  return {
    id: asName(fields.session_id),
    title: title === null ? null : titleOf(title),
    folder: asName(fields.cwd) ?? asName(fields.workspace_root),
    model: asName(fields.model),
    isUnfinished: status === 'running' || status === 'pending',
    isAtWork: isOpen && status === 'running',
    processSince: isOpen ? (Number.isNaN(since) ? 0 : since) : null,
  };
}
