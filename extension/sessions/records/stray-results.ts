import { type Entry, toolCalls, toolResults } from '../../engine/conversation/entry';
import { localizable } from '../../engine/wording/localizable-text';
import type { IssueAtLine } from './issues';

export function strayIssue({ origin }: Entry): IssueAtLine {
  return { line: origin.line, message: stray };
}

/**
 * The results of calls that no entry of a growing list has. Providers refuse such results, so agents do not send them.
 * Each search starts at the newest reply, which may have grown too.
 */
export class StrayResults {
  readonly #calls = new Set<string>();
  readonly #replaced = new Set<string>();
  #strays: { readonly at: number; readonly callId: string; readonly entry: Entry }[] = [];
  #newestReply: { readonly at: number; readonly id: string } | null = null;

  /** Calls that a later record may take out of their reply again. */
  note(parts: Entry['parts']): void {
    for (const { callId } of toolCalls(parts)) this.#replaced.add(callId);
  }

  in(entries: readonly Entry[]): Entry[] {
    const from = this.#seen(entries);
    this.#strays = this.#strays.filter(({ at }) => at < from);
    for (let at = from; at < entries.length; at += 1) {
      const entry = entries[at];
      if (entry !== undefined) this.#look(entry, at);
    }
    // A result may be written before its call.
    this.#strays = this.#strays.filter(({ callId }) => !this.#calls.has(callId) && !this.#replaced.has(callId));
    return this.#strays.map(({ entry }) => entry);
  }

  #look(entry: Entry, at: number): void {
    for (const { callId } of toolCalls(entry.parts)) this.#calls.add(callId);
    if (entry.role === 'assistant') this.#newestReply = { at, id: entry.id };
    if (entry.role !== 'tool') return;
    for (const { callId } of toolResults(entry.parts))
      if (!this.#calls.has(callId)) this.#strays.push({ at, callId, entry });
  }

  /** How many of these entries were looked at before. */
  #seen(entries: readonly Entry[]): number {
    const reply = this.#newestReply;
    if (reply !== null && entries[reply.at]?.id === reply.id) return reply.at;
    this.#calls.clear();
    this.#newestReply = null;
    return 0;
  }
}

const stray = localizable('The call of this tool result is not in the file, so the result is not sent');
