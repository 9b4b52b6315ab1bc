import * as v from 'valibot';
import type { Entry, Part } from '../../engine/conversation/entry';
import type { Piece } from '../carried';
import { type AgentDoor, HandedOverUnreadable } from '../door';

/** Messages as the event `session.compact` of a hooks module has them. */
const handedMessages = v.array(
  v.looseObject({
    role: v.picklist(['user', 'assistant']),
    text: v.optional(v.string(), ''),
    toolUses: v.optional(v.array(v.looseObject({ id: v.string(), name: v.string(), input: v.unknown() })), []),
    toolResults: v.optional(v.array(v.looseObject({ toolUseId: v.string() })), []),
  }),
);

export const claudeCodeDoor: AgentDoor = {
  agent: 'claude-code',
  handedOver(messages) {
    const parsed = v.safeParse(handedMessages, messages);
    if (!parsed.success) throw new HandedOverUnreadable(v.summarize(parsed.issues));
    return parsed.output.flatMap(entriesOf);
  },
  result: ({ pieces }) => ({ messages: messagesOf(pieces) }),
};

function entriesOf(message: v.InferOutput<typeof handedMessages>[number], index: number): Entry[] {
  const { role, text, toolUses, toolResults } = message;
  const text_: Part[] = text === '' ? [] : [{ type: 'text', text }];
  const calls = toolUses.map(({ id, name, input }): Part => ({ type: 'tool_call', callId: id, name, input }));
  const results = toolResults.map((result) => ({ result: resultOf(result) }));
  return [
    ...results.map(({ result }, place) => entryOf(`handed-over-${index}-${place}`, 'tool', [result])),
    ...(text_.length + calls.length > 0 ? [entryOf(`handed-over-${index}`, role, [...text_, ...calls])] : []),
  ];
}

function resultOf(result: Record<string, unknown> & { readonly toolUseId: string }): Part {
  const { toolUseId, content, isError } = result;
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return { type: 'tool_result', callId: toolUseId, name: null, text, isError: isError === true };
}

function entryOf(id: string, role: Entry['role'], parts: readonly Part[]): Entry {
  return { id, role, parts, timestamp: null, origin: { file: '', line: 0 } };
}

/** Without handles: a kept row would keep its old parent, and a resumed session would walk past the compaction. */
function messagesOf(pieces: readonly Piece[]) {
  return pieces.map(({ role, text, calls, result }) => {
    if (result !== null) {
      return {
        role: 'user',
        text: '',
        toolResults: [{ toolUseId: result.id, content: text, isError: result.isError }],
      };
    }
    const toolUses = calls.map(({ id, name, input }) => ({ id, name, input }));
    return { role, text, ...(toolUses.length > 0 ? { toolUses } : {}) };
  });
}
