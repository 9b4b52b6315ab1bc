import type { BlocksView, CompactionDetail, CompactionView, StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatShare, formatTokens } from '../shared/format';
import { strategyTitle } from '../shared/strategy-groups';

/** `#5` for a run of Strata, `agent` for a compaction by the agent. */
export function compactionNumber(compaction: CompactionView): string {
  return compaction.seq === null ? t('agent') : `#${compaction.seq}`;
}

/** The number of a run from its id, such as `run:5`. */
export function numberOfId(id: string): string {
  const [by, number] = id.split(':');
  return by === 'run' && number ? `#${number}` : t('one of the agent');
}

/** `#3 Ladder`, `by pi`, `#5 Excluded` */
export function compactionName(
  compaction: CompactionView,
  agentName: string,
  strategies: readonly StrategyView[],
): string {
  if (compaction.inFork) return t('by Strata, as this fork began');
  if (compaction.by === 'agent') return t('by {0}', agentName);
  const number = compactionNumber(compaction);
  if (compaction.excludes) return t('{0} Excluded', number);
  return `${number} ${compaction.strategies.map((name) => strategyTitle(strategies, name)).join(', ')}`;
}

/** `2 blocks, 31 outputs in one line each`; null if the context has nothing of a run. */
export function inContextText({ blocks, outputs }: BlocksView): string | null {
  const parts = [
    blocks === 0 ? '' : blocks === 1 ? t('1 block') : t('{0} blocks', blocks),
    outputs === 0 ? '' : outputs === 1 ? t('1 output in one line') : t('{0} outputs in one line each', outputs),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

/** `3 blocks inside other blocks, not read by the model`. Those others may be of a later run. */
export function beneathText(count: number): string {
  return count === 1
    ? t('1 block inside other blocks, not read by the model')
    : t('{0} blocks inside other blocks, not read by the model', count);
}

/** Number of blocks of an active run that were undone one by one. */
export function undoneBlocks({ active, blocks }: CompactionView): number {
  return active ? blocks.filter(({ place }) => place === 'undone').length : 0;
}

/** Names under which Strata wrote without a model; journals keep the older one. */
const namesWithoutModel: ReadonlySet<string> = new Set(['transparent', 'extractive']);

/** Who wrote a block: a model by its name, or Strata itself. */
export function writerName(summarizer: string): string {
  return namesWithoutModel.has(summarizer) ? t('Strata, without a model') : summarizer;
}

type Rereading = NonNullable<CompactionDetail['rereading']>;

/** `Read again: 7 of the next 22 reads (32 %), 13k tokens.` */
export function rereadingText({ reads, again }: Rereading): string {
  const tokens = formatTokens(again.tokens);
  if (again.calls === 0) return t('It read nothing again: 0 of the next {0} reads.', reads);
  return t(
    'Read again: {0} of the next {1} reads ({2}), {3} tokens.',
    again.calls,
    reads,
    formatShare(again.calls, reads),
    tokens,
  );
}

/** Says what it is compared with, and what else may explain it. */
export function rereadingNotes({ usual, changedSince }: Rereading): readonly string[] {
  return [
    usual === null
      ? t('There are too few reads around it to say what is usual.')
      : t(
          'Just before the compaction it was {0} of {1} ({2}).',
          usual.again,
          usual.reads,
          formatShare(usual.again, usual.reads),
        ),
    ...(changedSince.calls === 0 ? [] : [changedText(changedSince.calls)]),
  ];
}

function changedText(count: number): string {
  return count === 1
    ? t('1 more read is not counted, because the file had changed since.')
    : t('{0} more reads are not counted, because the files had changed since.', count);
}
