import type { Entry, Part } from '../../../extension/engine/conversation/entry';
import { spoken, type Utterance } from './utterance';

/** An entry, or a message of a projected context. */
export type Spoken = Pick<Entry, 'role' | 'parts'>;

/** A context of Strata as utterances, without the system prompt at its beginning. */
export function saidIn(context: readonly Spoken[]): Utterance[] {
  const start = context.findIndex(({ role }) => role !== 'system');
  return context.slice(Math.max(start, 0)).flatMap((entry) => entry.parts.flatMap((part) => utterance(entry, part)));
}

function utterance({ role }: Spoken, part: Part): Utterance[] {
  switch (part.type) {
    case 'text':
      return spoken(role === 'tool' ? 'user' : role, part.text);
    case 'tool_call':
      return [{ kind: 'call', callId: part.callId, name: part.name, input: part.input }];
    case 'tool_result':
      return [{ kind: 'result', callId: part.callId, text: part.text }];
    case 'reasoning':
    case 'image':
    case 'tool_definitions':
      return [];
  }
}
