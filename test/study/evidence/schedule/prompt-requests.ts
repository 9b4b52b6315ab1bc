import type { Branch } from '../../../../extension/engine/conversation/branch';
import { isPrompt } from '../../../../extension/engine/conversation/entry';

/** One request of a session, as its provider counted it. */
export interface PromptRequest {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  /** Tokens that the provider had in its cache. */
  readonly read: number;
  readonly written: number;
  readonly model: string | null;
  /** Milliseconds since the previous reply; 0 if the session has no times. */
  readonly idle: number;
  /** The agent compacted before it, or changed the model. */
  readonly isAnew: boolean;
  /** The first request after the person's message: the moment between two turns. */
  readonly opensTurn: boolean;
}

/** The requests whose usage the session reports, in order. */
export function promptRequestsOf({ entries, compactions }: Branch): PromptRequest[] {
  const requests: PromptRequest[] = [];
  let before: { step: number; time: number; model: string | null } | null = null;
  let isPrompted = false;
  for (const [step, { entry }] of entries.entries()) {
    isPrompted ||= isPrompt(entry);
    const { usage, model = null } = entry;
    if (!usage) continue;
    const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
    if (tokens === 0) continue;
    const asked = Date.parse(entries[step - 1]?.entry.timestamp ?? entry.timestamp ?? '');
    const since: typeof before = before;
    requests.push({
      tokens,
      read: usage.cacheRead,
      written: usage.cacheWrite,
      model,
      idle: since === null || Number.isNaN(asked - since.time) ? 0 : Math.max(0, asked - since.time),
      isAnew:
        since !== null &&
        (since.model !== model || compactions.some((each) => each.step >= since.step && each.step <= step)),
      opensTurn: isPrompted,
    });
    isPrompted = false;
    before = { step, time: Date.parse(entry.timestamp ?? ''), model };
  }
  return requests;
}
