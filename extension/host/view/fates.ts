import type { VerbatimFate } from '../../engine/block/loss';
import { type Entry, type Part, textOf, toolCalls, toolResults } from '../../engine/conversation/entry';
import { subjectOf } from '../../engine/conversation/tool-subject';
import type { FateView, RowKind } from '../../protocol/view';
import { oneLine } from './preview';

/** A replaced entry in the list of a compaction. */
export function fateView(entry: Entry, fate: VerbatimFate, tokens: number): FateView {
  return {
    entryId: entry.id,
    fate,
    kind: kindOf(entry),
    preview: previewOf(entry.parts),
    tokens,
  };
}

/** A reply without text counts as its calls, or as reasoning. */
function kindOf({ role, injected, summary, parts }: Entry): RowKind {
  if (summary) return 'summary';
  if (role === 'user') return injected ? 'injected' : 'user';
  if (role !== 'assistant') return role;
  if (textOf(parts).trim() !== '') return 'assistant';
  if (toolCalls(parts).length > 0) return 'tool';
  return parts.some(({ type }) => type === 'reasoning') ? 'reasoning' : 'assistant';
}

/** Its text; else its first call, result or reasoning. */
function previewOf(parts: readonly Part[]): string {
  const said = oneLine(textOf(parts));
  if (said !== '') return said;
  const [call] = toolCalls(parts);
  if (call) return oneLine(`${call.name} ${subjectOf(call)}`);
  const [result] = toolResults(parts);
  if (result) return oneLine(result.text);
  const reasoning = parts.find((part) => part.type === 'reasoning');
  return reasoning?.type === 'reasoning' ? oneLine(reasoning.text) : '';
}
