import type { Row, RowKind } from '../../extension/protocol/view';
import { formatShare, formatTokens, plural } from './format';
import { visibleText } from './safe-text';
import type { HiddenRows } from './turns';

/** What the first column calls a row. */
export const rowLabels: Readonly<Record<RowKind, string>> = {
  system: 'system',
  core: 'core',
  goal_batch: 'goal batch',
  summary: 'summary',
  user: 'user',
  injected: 'injected',
  reasoning: 'reasoning',
  assistant: 'assistant',
  tool: 'tool',
};

export function rowLabel(row: Row): string {
  return row.kind === 'user' && row.turn !== null ? `turn ${row.turn}` : rowLabels[row.kind];
}

/** `Image 1 of 2, image/png`. */
export function imageName(index: number, count: number, mediaType: string): string {
  return `Image ${index + 1} of ${count}, ${visibleText(mediaType)}`;
}

/** What stands where a compaction took the output of a tool out. */
export const prunedText = 'output taken out';

/** What a row says of itself: of a block, what lies beneath it where somebody put that into words. */
export function rowText(row: Row): string {
  return row.block?.displayLine ?? row.preview;
}

export const outcomeWords = { ok: 'succeeded', error: 'failed', running: 'running' } as const;

/** What a row's line says besides the row itself. */
export interface SpokenContext {
  /** Tokens of the whole context; 0 leaves the share out. */
  readonly contextTokens: number;
  readonly isLive: boolean;
  /** What a folded turn hides. */
  readonly hidden: HiddenRows | null;
}

const alone: SpokenContext = { contextTokens: 0, isLive: false, hidden: null };

/** A row as one sentence for screen readers, which do not see its columns. */
export function spokenRow(row: Row, around: SpokenContext = alone): string {
  const share = around.contextTokens > 0 ? ` (${formatShare(row.tokens, around.contextTokens)} of the context)` : '';
  const spoken = [
    row.kind === 'user' && row.turn !== null ? `turn ${row.turn}, user` : rowLabels[row.kind],
    around.isLive ? 'live' : '',
    row.tool ? spokenTool(row) : rowText(row),
    row.block ? spokenBlock(row) : '',
    row.images > 0 ? plural(row.images, 'image') : '',
    row.pinned.length > 0 ? `pinned as ${row.pinned.join(' and ')}` : '',
    `${formatTokens(row.tokens)} tokens${share}`,
    around.hidden ? `folded: ${hiddenText(around.hidden)}` : '',
  ];
  return visibleText(spoken.filter((part) => part !== '').join(', '));
}

/** What a folded turn hides, the worst first; what went well needs no word. */
export function hiddenText({ rows, tokens, failed, running }: HiddenRows): string {
  const parts = [
    failed > 0 ? `${failed} failed` : '',
    running > 0 ? `${running} running` : '',
    plural(rows, 'row'),
    `${formatTokens(tokens)} tokens`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function spokenTool({ tool }: Row): string {
  if (!tool) return '';
  const result = tool.pruned ? prunedText : tool.result;
  return [tool.name, tool.subject, outcomeWords[tool.outcome], result].filter(Boolean).join(' ');
}

function spokenBlock({ block }: Row): string {
  if (!block) return '';
  const was = block.tokensBefore === null ? '' : `, was ${formatTokens(block.tokensBefore)} tokens`;
  return `stands for ${blockExtent(block)}${was}`;
}

/** `6 turns, 84 entries`, as far as it is known. */
export function blockExtent(extent: { readonly turnCount: number | null; readonly entryCount: number }): string {
  const entries = plural(extent.entryCount, 'entry', 'entries');
  return extent.turnCount ? `${plural(extent.turnCount, 'turn')}, ${entries}` : entries;
}

/** A block's preview often repeats the tag that stands in front of it. */
export function withoutTag(preview: string, tag: string): string {
  return preview.startsWith(tag) ? preview.slice(tag.length).trimStart() : preview;
}

/** The stratum a tag belongs to, which decides its colour. Agents' own summaries count as summaries. */
export function stratumOf(tag: string): 'goal_batch' | 'summary' {
  return tag.toUpperCase().includes('GOAL BATCH') ? 'goal_batch' : 'summary';
}
