import { type Entry, type Part, textOf, toolCalls, toolResults } from '../../engine/conversation/entry';
import type { TokenLedger } from '../../engine/conversation/tokens';
import { subjectOf } from '../../engine/conversation/tool-subject';
import type { Fate } from '../../engine/history/fates';
import type { FateView, RowKind } from '../../protocol/view';
import { oneLine } from './preview';

/** One replaced entry, as the list of a compaction shows it. */
export function fateView(entry: Entry, fate: Fate, ledger: TokenLedger): FateView {
  return {
    entryId: entry.id,
    fate,
    kind: kindOf(entry),
    preview: previewOf(entry.parts),
    tokens: ledger.ofEntry(entry),
  };
}

/** A reply that says nothing itself is what it calls. */
function kindOf({ role, injected, summary, parts }: Entry): RowKind {
  if (summary) return 'summary';
  if (role === 'user') return injected ? 'injected' : 'user';
  if (role !== 'assistant') return role;
  if (textOf(parts).trim() !== '') return 'assistant';
  if (toolCalls(parts).length > 0) return 'tool';
  return parts.some(({ type }) => type === 'reasoning') ? 'reasoning' : 'assistant';
}

/** What it says; else what it calls, what it got, or what it thinks. */
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
