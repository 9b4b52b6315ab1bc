import type { Row, RowKind } from '../../extension/protocol/view';
import { formatTokens, plural } from './format';

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

/** What stands where a compaction took the output of a tool out. */
export const prunedText = 'output taken out';

/** What a row says of itself: of a block, what lies beneath it where somebody put that into words. */
export function rowText(row: Row): string {
  return row.block?.displayLine ?? row.preview;
}

export const outcomeWords = { ok: 'succeeded', error: 'failed', running: 'running' } as const;

/** A row as one sentence for screen readers, which do not see its columns. */
export function spokenRow(row: Row): string {
  const spoken = [
    row.kind === 'user' && row.turn !== null ? `turn ${row.turn}, user` : rowLabels[row.kind],
    row.tool ? spokenTool(row) : rowText(row),
    row.block ? spokenBlock(row) : '',
    row.images > 0 ? plural(row.images, 'image') : '',
    row.pinned.length > 0 ? `pinned as ${row.pinned.join(' and ')}` : '',
    `${formatTokens(row.tokens)} tokens`,
  ];
  return spoken.filter((part) => part !== '').join(', ');
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
