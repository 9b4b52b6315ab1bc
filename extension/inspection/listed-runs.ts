import { blockForm } from '../engine/conversation/context';
import { blockKey } from '../engine/conversation/projection';
import { isExclusion } from '../engine/journal/excluded';
import type { JournaledCompaction } from '../engine/journal/journal-state';
import type { CompactionRecord } from '../engine/journal/records';
import { type JournaledRun, runsOf } from '../engine/journal/runs';
import { type BlocksInContext, blocksIn, coveredBy, seqsIn } from '../engine/run/prepare/run-blocks';
import { figuresOf, type RunFigures } from '../engine/run/prepare/run-figures';
import { tokensReplaced } from '../engine/run/prepare/run-sizes';
import { historyOf } from './history';
import type { Inspection } from './inspection';

/** A run of a session's journal, with the figures that every list shows. */
export interface ListedRun {
  readonly run: JournaledRun;
  /** ISO 8601. */
  readonly time: string;
  readonly trigger: CompactionRecord['trigger'];
  readonly figures: RunFigures;
  /** The part of the run that the context still has, from its blocks. Null if all of it is undone. */
  readonly inContext: BlocksInContext | null;
  /** The later run, or the agent's compaction, that covers all of it. */
  readonly coveredBy: { readonly run: number } | { readonly agent: string } | null;
  /** In the order of creation. */
  readonly blocks: readonly ListedBlock[];
}

export interface ListedBlock {
  readonly record: CompactionRecord;
  readonly tag: string;
  /** `covered`: other blocks replace it, so the context does not have it; in an undone run, other blocks of the same run. */
  readonly place: 'context' | 'covered' | 'undone';
  /** Tokens of the messages that it replaced, as they were in the context before the run, and of the block. */
  readonly before: number;
  readonly after: number;
}

/** All runs, oldest first, undone ones included. */
export function listedRuns(inspection: Inspection): ListedRun[] {
  const { state, context, conversation } = inspection;
  const { calibration } = context.tokens;
  const there = seqsIn(context);
  const replaced = tokensReplaced(state);
  const tokensByKey = new Map(context.messages.map(({ key }, index) => [key, context.tokens.ofMessages[index]]));
  const blockOf = ({ record, active }: JournaledCompaction): ListedBlock => {
    const { seq, tokensBefore, tokensAfter, summaryType } = record;
    return {
      record,
      tag: blockForm(summaryType).tag,
      place: !active ? 'undone' : there.has(seq) ? 'context' : 'covered',
      before: Math.round((replaced.get(seq) ?? tokensBefore) * calibration),
      after: tokensByKey.get(blockKey(seq)) ?? Math.round(tokensAfter * calibration),
    };
  };
  return runsOf(state).map((run) => {
    const nested = coveredBy(run.blocks.map(({ record }) => record));
    const blocks = run.blocks.map((block, index) => {
      const listed = blockOf(block);
      return !run.active && nested[index] != null ? { ...listed, place: 'covered' as const } : listed;
    });
    const active = run.blocks.filter((block) => block.active).map(({ record }) => record);
    const isCovered = run.active && blocks.every(({ place }) => place !== 'context');
    const [first] = blocks;
    return {
      run,
      time: first?.record.time ?? '',
      trigger: first?.record.trigger ?? 'manual',
      figures: figuresOf(run),
      inContext: run.active ? blocksIn(context, active) : null,
      coveredBy: isCovered ? coverOf(active[0]?.entryIds[0], { context, state, conversation }) : null,
      blocks,
    };
  });
}

/** The same, with the sizes of runs whose records lack them, from the session's history. */
export function sizedRuns(inspection: Inspection): ListedRun[] {
  const runs = listedRuns(inspection);
  if (runs.every(({ figures }) => figures.size !== null)) return runs;
  const sizes = new Map(
    historyOf(inspection).marks.flatMap((mark) =>
      mark.by === 'strata'
        ? [[mark.run.records[0]?.record.run, { before: mark.before, after: mark.after }] as const]
        : [],
    ),
  );
  return runs.map((listed) => {
    const { figures, run } = listed;
    return { ...listed, figures: { ...figures, size: figures.size ?? sizes.get(run.run) ?? null } };
  });
}

function coverOf(
  entryId: string | undefined,
  { context, state, conversation }: Pick<Inspection, 'context' | 'state' | 'conversation'>,
): ListedRun['coveredBy'] {
  if (entryId === undefined) return null;
  const block = context.messages.find(({ entryIds, block }) => block && entryIds.includes(entryId))?.block;
  const record = state.compactions.find((each) => each.record.seq === block?.seq)?.record;
  if (record) return { run: record.run };
  const agents = conversation.agentCompactions.findLast(({ replacedEntryIds }) => replacedEntryIds.includes(entryId));
  return agents ? { agent: agents.id } : null;
}

/** The tags of the blocks in the context, or else of those that the run made; each once. */
export function tagsOf({ run, blocks }: Pick<ListedRun, 'run' | 'blocks'>): string[] {
  const present = blocks.filter(({ place }) => place === (run.active ? 'context' : 'undone'));
  return [...new Set((present.length > 0 ? present : blocks).map(({ tag }) => tag))];
}

export function isExclusionRun({ blocks }: Pick<ListedRun, 'blocks'>): boolean {
  return blocks.every(({ record }) => isExclusion(record));
}
