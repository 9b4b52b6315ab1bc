import type { AgentCompaction } from '../engine/conversation/conversation';
import type { ModelInUse } from '../sessions/adapter';
import { adapterOf } from '../sessions/adapters';
import { merged, type SeenSize, type SettingsFile, sizeOfLast } from '../sessions/own-compaction/own-compaction';
import type { Session } from '../sessions/session';

/** Facts from outside the session about when its agent compacts by itself. */
export interface OwnCompactionFacts {
  /** The agent's settings files, the weakest first. */
  readonly settings: readonly SettingsFile[];
  /** When it last did so in an earlier session with the same model; null if that is not known. */
  readonly earlierSession: SeenSize | null;
  readonly variables: ModelInUse['variables'];
}

export const noOwnCompactionFacts: OwnCompactionFacts = { settings: [], earlierSession: null, variables: {} };

/** When an agent compacts by itself. `tokens`: the size of the context; null if it does not. */
export type AgentThreshold =
  | {
      readonly from: 'settings';
      readonly tokens: number | null;
      /** Null if a variable of the environment sets it. */
      readonly file: string | null;
      /** Milliseconds since the epoch: when the file was written. */
      readonly since: number;
    }
  | {
      readonly from: 'default';
      readonly tokens: number;
      /** When the newest settings file was written, because a setting may have been deleted then. 0 without such a file. */
      readonly since: number;
    }
  | { readonly from: 'session' | 'earlier-session'; readonly tokens: number };

interface ThresholdSource {
  readonly session: Pick<Session, 'agent' | 'model'>;
  readonly conversation: { readonly agentCompactions: readonly AgentCompaction[] };
  readonly contextWindow: number;
  readonly ownCompaction: OwnCompactionFacts;
}

/**
 * From its settings if they were changed after it last compacted by itself, else from its last compaction, else its default. Null if it is
 * not known.
 */
export function agentThreshold(source: ThresholdSource): AgentThreshold | null {
  const { conversation, contextWindow, ownCompaction } = source;
  const bySettings = settingsThreshold(source);
  const since = bySettings && 'since' in bySettings ? bySettings.since : 0;
  const isValid = (size: SeenSize | null): size is SeenSize =>
    size !== null && size.tokens <= contextWindow && size.time >= since;
  const here = sizeOfLast(conversation.agentCompactions);
  if (isValid(here)) return { from: 'session', tokens: here.tokens };
  const earlier = ownCompaction.earlierSession;
  if (isValid(earlier)) return { from: 'earlier-session', tokens: earlier.tokens };
  return bySettings;
}

/** It comes from the settings if the size differs from the size without any. */
function settingsThreshold({ session, contextWindow, ownCompaction }: ThresholdSource): AgentThreshold | null {
  const own = adapterOf(session.agent).ownCompaction;
  if (!own) return null;
  const { settings } = ownCompaction;
  const sizeWith = (count: number, variables: ModelInUse['variables']) => {
    const contents = settings.slice(0, count).map(({ content }) => content);
    return own.size(merged(contents), { model: session.model, contextWindow, variables });
  };
  const byDefault = sizeWith(0, {});
  const size = sizeWith(settings.length, ownCompaction.variables);
  if (size === byDefault) {
    const since = Math.max(0, ...settings.map(({ modified }) => modified));
    return typeof size === 'number' ? { from: 'default', tokens: size, since } : null;
  }
  if (size === null) return null;
  const tokens = size === 'off' ? null : size;
  if (sizeWith(settings.length, {}) !== size)
    return { from: 'settings', tokens, file: null, since: Number.POSITIVE_INFINITY };
  const last = settings.findLastIndex((_, index) => sizeWith(index, {}) !== size);
  const { file = null, modified = 0 } = settings[last] ?? {};
  return { from: 'settings', tokens, file, since: modified };
}
