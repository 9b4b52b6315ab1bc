import { type Entry, toolResults } from '../../engine/conversation/entry';
import { PairedContext } from '../records/paired-context';
import type { Message } from './messages';

/** What Cline says where a call never got a result and work went on. */
const missing = 'Tool execution was interrupted before a result was produced.';

/** Entries in the order in which they are sent: each call followed by its result. */
export function contextOf(messages: readonly Message[], first: readonly Entry[]): Entry[] {
  const context = new PairedContext(missing);
  for (const entry of first) context.prompt(entry);
  for (const { entries } of messages) {
    for (const entry of entries) {
      if (entry.role === 'assistant') context.reply(entry);
      else if (entry.role === 'tool') context.result(entry);
      else context.text(entry);
    }
  }
  return context.end();
}

/** Version 3.0.65 also names the tool. What was made up in the same way before is the same object. */
export class MadeUpResults {
  readonly #known = new Map<string, Entry>();

  named(context: readonly Entry[]): Entry[] {
    return context.map((entry) => {
      const [part] = toolResults(entry.parts);
      if (part?.text !== missing || !part.name || !entry.id.endsWith(`:no-result:${part.callId}`)) return entry;
      const text = `${missing} Tool: ${part.name}.`;
      const known = this.#known.get(entry.id);
      if (known !== undefined && known.origin === entry.origin) return known;
      const named = { ...entry, parts: [{ ...part, text }] };
      this.#known.set(entry.id, named);
      return named;
    });
  }
}

/** Whether what came last asks for a reply: a prompt, results, or calls that have none yet. */
export function awaitsReply(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  if (last.fields.role !== 'assistant') return true;
  return last.entries.some((entry) => entry.parts.some((part) => part.type === 'tool_call'));
}
