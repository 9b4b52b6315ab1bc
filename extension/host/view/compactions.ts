import * as l10n from '@vscode/l10n';
import { blockForm, type ContextMessage } from '../../engine/conversation/context';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { ForkedBlock } from '../../engine/conversation/forked';
import { millisecondsOf } from '../../engine/conversation/milliseconds-of';
import type { JournalState } from '../../engine/journal/journal-state';
import type { CompactionRecord } from '../../engine/journal/records';
import { strategyChoices } from '../../engine/run/prepare/registry';
import { tokensReplaced } from '../../engine/run/prepare/run-sizes';
import type { Inspection } from '../../inspection/inspection';
import { isExclusionRun, type ListedBlock, type ListedRun, listedRuns, tagsOf } from '../../inspection/listed-runs';
import type { BlockView, CompactionView, RunBlockView } from '../../protocol/view';
import { transparentSummarizer } from '../../summarizers/transparent/transparent';
import { agentCompactionId, forkedId, runId, strataId } from './compaction-ids';
import { lossView } from './loss';

/** All runs of Strata and compactions of the agent, oldest first. */
export function compactionViews(inspection: Inspection): CompactionView[] {
  const { session, context } = inspection;
  const own = listedRuns(inspection).map((run) => runView(run, context.tokens.calibration));
  const agents = session.conversation.agentCompactions.map(agentView);
  return [...agents, ...own].sort((a, b) => (a.time ?? 0) - (b.time ?? 0) || (a.seq ?? 0) - (b.seq ?? 0));
}

function runView(listed: ListedRun, calibration: number): CompactionView {
  const { run, figures, coveredBy, inContext, trigger } = listed;
  const records = listed.blocks.map(({ record }) => record);
  return {
    id: runId(run.run),
    by: 'strata',
    seq: run.run,
    strategies: figures.strategies,
    tags: tagsOf(listed),
    time: Date.parse(listed.time),
    tokensBefore: figures.size?.before ?? null,
    tokensAfter: figures.size?.after ?? null,
    entryCount: figures.entries,
    active: run.active,
    coveredBy: coverId(coveredBy),
    lossText: lossView(figures.loss, calibration)?.text ?? null,
    summarizers: [...new Set(records.map(writerOf))],
    durationMs: figures.durationMs,
    trigger,
    tokensSpent: figures.tokensSpent,
    cacheTokensInvalidated: figures.cacheTokensInvalidated,
    repaired: records.reduce((sum, { repaired = [] }) => sum + repaired.length, 0),
    edited: records.some(({ edited }) => edited === true),
    excludes: isExclusionRun(listed),
    inContext,
    blocks: [...listed.blocks].sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place)).map(runBlockView),
  };
}

function coverId(cover: ListedRun['coveredBy']): string | null {
  if (cover === null) return null;
  return 'run' in cover ? runId(cover.run) : agentCompactionId({ id: cover.agent });
}

const places: readonly ListedBlock['place'][] = ['context', 'undone', 'covered'];

function runBlockView({ record, tag, place, before, after }: ListedBlock): RunBlockView {
  return {
    id: strataId(record.seq),
    seq: record.seq,
    strategy: record.strategy,
    tag,
    tokensBefore: before,
    tokensAfter: after,
    entryCount: record.entryIds.length,
    turnCount: record.turnCount,
    place,
    summarizer: writerOf(record),
    displayLine: record.displayLine ?? null,
    edited: record.edited === true,
  };
}

/** Names under which parts of Strata write without a summarizer: those that clear outputs, and an exclusion by the person. */
const ownSteps: ReadonlySet<string> = new Set([
  ...strategyChoices().flatMap(({ group, steps }) => (group === 'custom' ? [] : steps.map(({ name }) => name))),
  'person',
]);

/** The name of a model, or of the writer without one. */
function writerOf({ summarizer: { name, model } }: CompactionRecord): string {
  return model ?? (ownSteps.has(name) ? transparentSummarizer.name : name);
}

function agentView(compaction: AgentCompaction): CompactionView {
  return {
    id: agentCompactionId(compaction),
    by: 'agent',
    seq: null,
    strategies: [compaction.kind === 'summary' ? 'summary' : 'cleared tool results'],
    tags: [agentTag(compaction)],
    ...(compaction.isOpaque ? { opaque: true as const } : {}),
    ...(compaction.byStrata ? { inFork: true as const } : {}),
    time: millisecondsOf(compaction.timestamp),
    tokensBefore: compaction.tokensBefore,
    tokensAfter: compaction.tokensAfter,
    entryCount: compaction.replacedEntryIds.length,
    active: true,
    coveredBy: null,
    lossText: null,
    summarizers: [],
    durationMs: null,
    trigger: compaction.trigger,
    tokensSpent: null,
    cacheTokensInvalidated: null,
    repaired: 0,
    edited: false,
    excludes: false,
    inContext: null,
    blocks: [],
  };
}

export function agentTag({ kind, byStrata }: AgentCompaction): string {
  if (byStrata) return l10n.t('Fork');
  return kind === 'summary' ? l10n.t('Agent’s summary') : l10n.t('Agent’s clearing');
}

/** The compaction that wrote a block, for the block's row. */
export function blockView(
  message: ContextMessage,
  agentCompactions: readonly AgentCompaction[],
  state: JournalState,
  replacedTokens: (compaction: AgentCompaction) => number | null,
): BlockView | null {
  if (message.block) {
    const { seq } = message.block;
    const record = state.compactions.find((compaction) => compaction.record.seq === seq)?.record;
    return record ? strataBlock(record, tokensReplaced(state).get(seq) ?? record.tokensBefore) : null;
  }
  if (message.forked) return forkedBlock(message.key, message.forked, agentCompactions);
  if (message.kind !== 'summary') return null;
  const compaction =
    agentCompactions.find(({ repeatedBy }) => repeatedBy === message.key) ??
    agentCompactions.find(({ summaryEntryId }) => summaryEntryId === message.key);
  return compaction ? agentBlock(compaction, replacedTokens(compaction)) : null;
}

function strataBlock(record: CompactionRecord, tokensBefore: number): BlockView {
  return {
    tag: blockForm(record.summaryType).tag,
    by: 'strata',
    compactionId: strataId(record.seq),
    entryCount: record.entryIds.length,
    turnCount: record.turnCount,
    tokensBefore,
    displayLine: record.displayLine ?? null,
  };
}

function forkedBlock(key: string, block: ForkedBlock, agentCompactions: readonly AgentCompaction[]): BlockView {
  const compaction = agentCompactions.findLast(({ byStrata }) => byStrata?.includes(key));
  return {
    tag: blockForm(block.metadata.summary_type).tag,
    by: 'strata',
    compactionId: forkedId(key),
    ...(compaction ? { partOf: agentCompactionId(compaction) } : {}),
    entryCount: block.entryIds.length,
    turnCount: block.metadata.turn_count,
    tokensBefore: block.tokensBefore,
    displayLine: block.displayLine,
  };
}

function agentBlock(compaction: AgentCompaction, tokensBefore: number | null): BlockView {
  return {
    tag: l10n.t('Agent’s summary'),
    by: 'agent',
    compactionId: agentCompactionId(compaction),
    entryCount: compaction.replacedEntryIds.length,
    turnCount: null,
    tokensBefore,
    displayLine: null,
  };
}
