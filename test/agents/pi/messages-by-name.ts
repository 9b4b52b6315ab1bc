/*
 * Sessions of pi without a header and without ids, written as their messages in order: `u` a user message, `a` a reply,
 * `t` a result, each with the number of its turn.
 */

export type Said = Readonly<Record<string, unknown>>;

/** `u1, a1, t1` and so on. A reply has as many calls as results follow it. */
export function messages(names: string): Said[] {
  const all = names.split(', ');
  return all.map((name, at) => {
    const results = all.slice(at + 1).findIndex((next) => !next.startsWith('t'));
    const count = results === -1 ? all.length - at - 1 : results;
    return { type: 'message', timestamp: '2025-12-01T00:00:00.000Z', message: messageOf(name, at, count, all) };
  });
}

function messageOf(name: string, at: number, calls: number, all: readonly string[]) {
  if (name.startsWith('u')) return { role: 'user', content: name, timestamp: at };
  if (name.startsWith('a')) {
    const toolCall = (call: number) => ({ type: 'toolCall', id: `${name}@${at}:${call}`, name: 'read', arguments: {} });
    const content = [{ type: 'text', text: name }, ...Array.from({ length: calls }, (_, call) => toolCall(call))];
    return { role: 'assistant', content, model: 'scripted', stopReason: 'stop', timestamp: at };
  }
  const reply = all.slice(0, at).findLastIndex((before) => before.startsWith('a'));
  const toolCallId = `${all[reply]}@${reply}:${at - reply - 1}`;
  return { role: 'toolResult', toolCallId, toolName: 'read', content: [{ type: 'text', text: name }], isError: false };
}

export function compaction(summary: string, keepLastMessages: number): Said {
  return { type: 'compaction', timestamp: '', summary, keepLastMessages, tokensBefore: 1000 };
}

export const first = messages('u1, a1, t1, t1, a1, u2, a2, u3, a3, t3, a3, t3, a3, u4, a4, t4, a4');
export const single = [...first, compaction('one', 4)];
export const multiple = [...single, ...messages('u5, a5, u6, a6, t6, a6, u7, a7'), compaction('two', 3)];
