import type { Row } from '../../../extension/protocol/view';
import { visibleText } from '../../../extension/protocol/visible-text';
import { t } from '../../l10n';
import { formatClock, formatCount, formatShare, formatTokens } from '../shared/format';
import { isExcluded } from './row-actions';
import { labelOf } from './row-kinds';
import type { HiddenRows } from './turns';

export function rowLabel(row: Row): string {
  return row.turn !== null ? t('turn {0}', row.turn) : labelOf(row.kind);
}

/** `Image 1 of 2, image/png`. */
export function imageName(index: number, count: number, mediaType: string): string {
  return t('Image {0} of {1}, {2}', index + 1, count, visibleText(mediaType));
}

/** Shown in place of a tool output that a compaction removed. */
export const prunedText = t('output taken out');

/** The text of a row; for a block, the description of the rows beneath it if there is one. */
function rowText(row: Row): string {
  return row.block?.displayLine ?? row.preview;
}

export const outcomeWords = { ok: t('succeeded'), error: t('failed'), running: t('running') } as const;

/** Context for the spoken text of a row. */
interface SpokenContext {
  /** Tokens of the whole context; 0 omits the share. */
  readonly contextTokens: number;
  readonly isLive: boolean;
  /** The preview on screen would replace it. */
  readonly isLeaving?: boolean;
  /** The rows that a folded turn hides. */
  readonly hidden: HiddenRows | null;
}

const alone: SpokenContext = { contextTokens: 0, isLive: false, hidden: null };

/** A row as one sentence for screen readers, which cannot use its columns. */
export function spokenRow(row: Row, around: SpokenContext = alone): string {
  const spoken = [
    spokenKind(row),
    around.isLive ? t('live') : '',
    around.isLeaving ? t('would be compacted') : '',
    row.tool ? spokenTool(row) : rowText(row),
    row.block ? spokenBlock(row) : '',
    row.images > 0 ? imageCount(row.images) : '',
    row.pinned.length > 0 ? t('pinned as {0}', row.pinned.join(t(' and '))) : '',
    row.kind === 'earlier' ? '' : spokenSize(row.tokens, around.contextTokens),
    row.time === null ? '' : formatClock(row.time),
    around.hidden ? t('folded: {0}', hiddenText(around.hidden)) : '',
  ];
  return visibleText(spoken.filter((part) => part !== '').join(', '));
}

function spokenKind(row: Row): string {
  if (row.turn !== null) return t('turn {0}, {1}', row.turn, labelOf(row.kind));
  return isExcluded(row) ? t('excluded') : labelOf(row.kind);
}

/** Says what a folded turn hides, most severe first; successes are not mentioned. */
export function hiddenText({ rows, tokens, failed, running }: HiddenRows): string {
  const parts = [
    failed > 0 ? t('{0} failed', failed) : '',
    running > 0 ? t('{0} running', running) : '',
    rowCount(rows),
    t('{0} tokens', formatTokens(tokens)),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function spokenTool({ tool }: Row): string {
  if (!tool) return '';
  const result = tool.pruned ? prunedText : tool.result;
  return [tool.name, tool.subject, outcomeWords[tool.outcome], result].filter(Boolean).join(' ');
}

function spokenBlock({ block, kind }: Row): string {
  if (!block) return '';
  if (kind === 'earlier') return notInContext;
  const extent = blockExtent(block);
  if (block.tokensBefore === null) return t('replaces {0}', extent);
  return t('replaces {0}, was {1} tokens', extent, formatTokens(block.tokensBefore));
}

export const notInContext = t('not in this context');

/** `6 turns, 84 messages`, as far as known. An agent can summarize messages that its session file no longer has. */
export function blockExtent(extent: { readonly turnCount: number | null; readonly entryCount: number }): string {
  if (extent.entryCount === 0) return t('messages that are not in this file');
  const messages = extent.entryCount === 1 ? t('1 message') : t('{0} messages', extent.entryCount);
  if (!extent.turnCount) return messages;
  const turns = extent.turnCount === 1 ? t('1 turn') : t('{0} turns', extent.turnCount);
  return `${turns}, ${messages}`;
}

export function rowCount(count: number): string {
  return count === 1 ? t('1 row') : t('{0} rows', count);
}

function imageCount(count: number): string {
  return count === 1 ? t('1 image') : t('{0} images', count);
}

/** All digits, for tooltips. */
export function sizeNote(tokens: number, contextTokens: number): string {
  if (contextTokens <= 0) return t('{0} tokens', formatCount(tokens));
  return t('{0} tokens, {1} of the context', formatCount(tokens), formatShare(tokens, contextTokens));
}

/** `9.8 %`; empty without a context. */
export function shareText(tokens: number, contextTokens: number): string {
  if (contextTokens <= 0) return '';
  const percent = (tokens / contextTokens) * 100;
  return percent > 0 && percent < 0.1 ? '<0.1 %' : `${percent.toFixed(1)} %`;
}

function spokenSize(tokens: number, contextTokens: number): string {
  const size = formatTokens(tokens);
  if (contextTokens <= 0) return t('{0} tokens', size);
  return t('{0} tokens ({1} of the context)', size, formatShare(tokens, contextTokens));
}

/** Removes the tag from a block's preview, because it is shown before it. */
export function withoutTag(preview: string, tag: string): string {
  return preview.startsWith(tag) ? preview.slice(tag.length).trimStart() : preview;
}

/** The stratum of a tag, which determines its colour. Agents' own summaries count as summaries. */
export function stratumOf(tag: string): 'goal_batch' | 'summary' {
  return tag.toUpperCase().includes('GOAL BATCH') ? 'goal_batch' : 'summary';
}
