import * as v from 'valibot';
import type { Entry, Part } from '../../../engine/conversation/entry';
import type { Piece } from '../../../inside/carried';
import { type AgentDoor, HandedOverUnreadable } from '../../../inside/door';

/** Messages as the event `session.compact` of a hooks module has them. */
const handedMessages = v.array(
  v.looseObject({
    role: v.picklist(['user', 'assistant']),
    text: v.string(),
    toolUses: v.optional(v.array(v.looseObject({ tool_use_id: v.string(), tool: v.string(), input: v.unknown() })), []),
    toolResults: v.optional(
      v.array(v.looseObject({ tool_use_id: v.string(), text: v.string(), isError: v.optional(v.boolean(), false) })),
      [],
    ),
  }),
);

export const claudeCodeDoor: AgentDoor = {
  agent: 'claude-code',
  keepsMessages: true,
  handedOver(messages) {
    const parsed = v.safeParse(handedMessages, messages);
    if (!parsed.success) throw new HandedOverUnreadable(unreadable(parsed.issues[0]));
    return parsed.output.flatMap(entriesOf).reduce(withReplyWhole, []);
  },
  result: ({ pieces }) => ({ messages: messagesOf(pieces) }),
};

function unreadable(issue: v.BaseIssue<unknown>): string {
  return `message ${v.getDotPath(issue) ?? ''}: ${issue.message}`;
}

/** One reply arrives as several rows: thinking, text, and each call. */
function withReplyWhole(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const last = entries.at(-1);
  if (last?.role !== 'assistant' || entry.role !== 'assistant') return [...entries, entry];
  return [...entries.slice(0, -1), { ...last, parts: [...last.parts, ...entry.parts] }];
}

/** Results come before the text of the same message, as Claude Code sends them. */
function entriesOf(message: v.InferOutput<typeof handedMessages>[number], index: number): Entry[] {
  const { role, text, toolUses, toolResults } = message;
  const said: Part[] = text === '' ? [] : [{ type: 'text', text }];
  const calls = toolUses.map(
    ({ tool_use_id: callId, tool: name, input }): Part => ({ type: 'tool_call', callId, name, input }),
  );
  const results = toolResults.map(
    (result): Part => ({
      type: 'tool_result',
      callId: result.tool_use_id,
      name: null,
      text: result.text,
      isError: result.isError,
    }),
  );
  const parts = [...said, ...calls];
  return [
    ...results.map((result, place) => entryOf(`handed-over-${index}-${place}`, 'tool', [result])),
    ...(parts.length > 0 ? [entryOf(`handed-over-${index}`, role, parts)] : []),
  ];
}

function entryOf(id: string, role: Entry['role'], parts: readonly Part[]): Entry {
  return { id, role, parts, timestamp: null, origin: { file: '', line: 0 } };
}

/**
 * Omits the handles: a kept row would keep its old parent, and a resumed session would skip the compaction. The results
 * of one reply go into one message, as providers require.
 */
function messagesOf(pieces: readonly Piece[]): ClaudeMessage[] {
  const messages: ClaudeMessage[] = [];
  for (const { role, text, calls, result } of pieces) {
    const last = messages.at(-1);
    if (result === null) {
      const toolUses = calls.map(({ id, name, input }) => ({ tool_use_id: id, tool: name, input }));
      messages.push({ role: role === 'assistant' ? role : 'user', text, toolUses });
      continue;
    }
    const toolResult = { tool_use_id: result.id, text, isError: result.isError };
    if (last?.toolResults) last.toolResults.push(toolResult);
    else messages.push({ role: 'user', text: '', toolUses: [], toolResults: [toolResult] });
  }
  return messages;
}

interface ClaudeMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly toolUses: readonly { readonly tool_use_id: string; readonly tool: string; readonly input: unknown }[];
  readonly toolResults?: { readonly tool_use_id: string; readonly text: string; readonly isError: boolean }[];
}
