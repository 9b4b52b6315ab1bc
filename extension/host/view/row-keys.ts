import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls, toolResults } from '../../engine/conversation/entry';

/** Keys of the rows that show these messages of a context. A result is shown in the row of its call. */
export function rowKeysOf(messages: readonly ContextMessage[], context: readonly ContextMessage[]): readonly string[] {
  const callers = new Map(
    context.flatMap((message) => toolCalls(message.parts).map(({ callId }) => [callId, message.key] as const)),
  );
  const keys = new Set<string>();
  for (const { key, parts } of messages) {
    keys.add(key);
    if (parts.some(({ type }) => type === 'reasoning')) keys.add(`${key}#reasoning`);
    for (const { callId } of toolCalls(parts)) keys.add(`${key}#${callId}`);
    for (const { callId } of toolResults(parts)) keys.add(`${callers.get(callId) ?? key}#${callId}`);
  }
  return [...keys];
}
