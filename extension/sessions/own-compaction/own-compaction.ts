import { join } from 'node:path';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import { isRecord, type JsonRecord } from '../../platform/json/schemas';
import type { SettingsPlace } from '../adapter';

/** These files in the session's folder, if the folder is known. */
export function inFolder({ cwd }: SettingsPlace, file: (cwd: string) => string): readonly string[] {
  return cwd === null ? [] : [file(cwd)];
}

/** An organisation's settings file of an agent; none if no folder for such files is known. */
export function inSystem({ systemFolder }: SettingsPlace, ...path: readonly string[]): readonly string[] {
  return systemFolder === undefined ? [] : [join(systemFolder, ...path)];
}

export interface SettingsFile {
  readonly file: string;
  readonly content: JsonRecord;
  /** Milliseconds since the epoch: when it was written last. */
  readonly modified: number;
}

/** Later files win, value by value. */
export function merged(contents: readonly JsonRecord[]): JsonRecord {
  return contents.reduce<JsonRecord>(withValues, {});
}

function withValues(under: JsonRecord, over: JsonRecord): JsonRecord {
  const values = Object.entries(over).map(([name, value]) => {
    const before = under[name];
    return [name, isRecord(before) && isRecord(value) ? withValues(before, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(values) };
}

/** Null for a size that no context reaches. */
export function sizeWithin(tokens: number, contextWindow: number): number | null {
  return tokens > 0 && tokens <= contextWindow ? Math.round(tokens) : null;
}

const yes: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on']);

/** Whether a variable of the environment is set to yes. */
export function isOn(variable: unknown): boolean {
  return yes.has(String(variable ?? '').toLowerCase());
}

/** A size at which an agent compacted by itself. */
export interface SeenSize {
  readonly tokens: number;
  /** Milliseconds since the epoch; 0 if the session does not say when. */
  readonly time: number;
}

/** The size of the newest compaction that the agent began by itself; null if that is unknown or there is no such compaction. */
export function sizeOfLast(compactions: readonly AgentCompaction[]): SeenSize | null {
  const last = compactions.findLast(isByItself);
  if (!last?.tokensBefore) return null;
  return { tokens: last.tokensBefore, time: (last.timestamp && Date.parse(last.timestamp)) || 0 };
}

/** Whether the agent began it, not a person. */
export function isByItself({ kind, trigger }: AgentCompaction): boolean {
  return kind === 'summary' && trigger === 'automatic';
}
