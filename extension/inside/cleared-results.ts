import { toolResults } from '../engine/conversation/entry';
import type { Inspection } from '../inspection/inspection';
import type { ClearedAnswer, ClearedResult } from './exchange';

/** The tool results that the context has with another text than the agent would send. */
export function cleared({ conversation, context }: Inspection): ClearedAnswer {
  const sent = new Map(conversation.agentContext.map((entry) => [entry.id, entry]));
  const results = context.messages.flatMap(({ key, parts, pruned }): ClearedResult[] => {
    const [result] = toolResults(parts);
    const [before] = toolResults(sent.get(key)?.parts ?? []);
    if (pruned === undefined || !result || !before || before.text === result.text) return [];
    return [{ entry: key, call: result.callId, text: result.text }];
  });
  const { total } = context.tokens;
  return { kind: 'cleared', message: `Strata cleared ${results.length} old tool results.`, tokens: total, results };
}
