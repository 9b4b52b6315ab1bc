import { type Entry, toolResults } from '../../../engine/conversation/entry';
import { PairedContext } from '../../../sessions/records/paired-context';
import type { Message } from './messages';

/** Cline's placeholder for a missing result. */
const missing = 'Tool execution was interrupted before a result was produced.';

/** Entries in the order in which Cline sends them: each call followed by its result. */
export function contextOf(messages: readonly Message[], first: readonly Entry[]): Entry[] {
  const context = new PairedContext(missing);
  for (const entry of first) context.prompt(entry);
  for (const { entries } of messages) {
    for (const entry of entries) context.add(entry);
  }
  return context.end();
}

/** Adds the tool's name to placeholders, as Cline 3.0.65 does. The same placeholder stays the same object. */
export class PlaceholderResults {
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

/** Whether the last message is a prompt, a result or a call. */
export function awaitsReply(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  if (last.fields.role !== 'assistant') return true;
  return last.entries.some((entry) => entry.parts.some((part) => part.type === 'tool_call'));
}
