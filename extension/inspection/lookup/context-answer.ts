import { type ContextMessage, type TokenKind, tokenKinds } from '../../engine/conversation/context';
import { brief } from '../../engine/conversation/text';
import { shortTime } from '../../engine/memory/observation-lines';
import type { Inspection } from '../inspection';
import { sizedRuns } from '../listed-runs';
import { fittingText, type TokenBudget } from './budget';
import { type PlacedEntry, placedEntries } from './placed-entries';
import { goalLine, sessionLine } from './session-line';

const kindNames: Readonly<Record<TokenKind, string>> = {
  system: 'system prompt and tools',
  earlier: 'earlier messages, not in this file',
  core: 'protected core',
  goal_batch: 'goal batches',
  summary: 'summaries',
  user: 'user',
  assistant: 'assistant',
  tool_call: 'tool calls',
  tool_result: 'tool results',
  unexplained: 'growth that no record explains',
};

/** Number of messages that are named as the largest. */
const mostLargest = 8;
const lineLength = 100;

/** Describes the context: size by kind, its compactions, and the largest messages with their ids. */
export function answerContext(inspection: Inspection, budget: TokenBudget): string {
  const { session, context } = inspection;
  const lines = [
    fillingLine(inspection),
    ...kindLines(inspection),
    `${context.messages.length} messages in the context; the session has ${session.conversation.entries.length}.`,
    ...compactionLines(inspection),
    ...largestLines(inspection),
  ];
  const head = [sessionLine(session), goalLine(inspection)];
  return fittingText(head, lines, budget, { tellLeftOut: (count) => `… and ${count} more lines.` });
}

function fillingLine({ context, contextWindow, knownWindow }: Inspection): string {
  const { total, source } = context.tokens;
  const share = Math.round((100 * total) / contextWindow);
  const assumed = knownWindow === null ? ' (assumed window)' : '';
  return `${total} of ${contextWindow} tokens${assumed}, ${share} %, ${source}.`;
}

function kindLines({ context }: Inspection): string[] {
  const { byKind } = context.tokens;
  return tokenKinds.filter((kind) => byKind[kind] > 0).map((kind) => `- ${kindNames[kind]}: ${byKind[kind]}`);
}

function compactionLines(inspection: Inspection): string[] {
  const { session } = inspection;
  const own = sizedRuns(inspection)
    .filter(({ run }) => run.active)
    .map(({ run, time, figures: { strategies, entries, size } }) => {
      const sizes = `${size?.before ?? '?'} → ${size?.after ?? '?'} tokens`;
      return `- #${run.run} ${strategies.join(', ')}, ${shortTime(time)}: ${entries} messages, ${sizes}`;
    });
  const agents = session.conversation.agentCompactions.map(({ kind, timestamp, replacedEntryIds, ...tokens }) => {
    const sizes = `${tokens.tokensBefore ?? '?'} → ${tokens.tokensAfter ?? '?'} tokens`;
    return `- the agent’s own (${kind}), ${shortTime(timestamp)}: ${replacedEntryIds.length} messages, ${sizes}`;
  });
  const all = [...agents, ...own];
  return all.length === 0 ? ['Nothing was compacted.'] : ['Compactions in effect:', ...all];
}

function largestLines(inspection: Inspection): string[] {
  const placed = new Map(placedEntries(inspection).map((entry) => [entry.entry.id, entry]));
  const largest = inspection.context.messages
    .filter(({ kind }) => kind !== 'system' && kind !== 'core')
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, mostLargest);
  if (largest.length === 0) return [];
  return ['Largest messages:', ...largest.map((message) => messageLine(message, placed))];
}

function messageLine(message: ContextMessage, placed: ReadonlyMap<string, PlacedEntry>): string {
  const name = message.block ? `#${message.block.seq}` : (placed.get(message.key)?.ref ?? message.key);
  return `- ${name} ${message.kind}, ${message.tokens} tokens: ${brief(beginningOf(message), lineLength)}`;
}

function beginningOf({ parts }: ContextMessage): string {
  const texts = parts.map((part) => {
    if (part.type === 'tool_call') return `${part.name} ${JSON.stringify(part.input) ?? ''}`;
    return 'text' in part && typeof part.text === 'string' ? part.text : '';
  });
  return texts.join(' ');
}
