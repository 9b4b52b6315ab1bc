import * as l10n from '@vscode/l10n';
import { type Parameters, replacedMessages } from '../../engine/block/plan';
import { blockForm, type Context, type ContextMessage } from '../../engine/conversation/context';
import { divided } from '../../engine/conversation/whole-tokens';
import type { CompactionRecord } from '../../engine/journal/records';
import { editableText } from '../../engine/run/change/edit';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { mayAskModel, type StrategyChoice } from '../../engine/run/prepare/registry';
import { blocksIn, recordsInContext } from '../../engine/run/prepare/run-blocks';
import { cacheTokensInvalidated } from '../../engine/run/prepare/run-figures';
import { type BlockSize, expectedWriting, sizesOfRun } from '../../engine/run/prepare/run-sizes';
import { type ComparedStrategy, compareStrategy } from '../../inspection/compare';
import type { Inspection } from '../../inspection/inspection';
import { messagesAsText } from '../../middleware/text';
import { costText, type TokenPrice } from '../../models/prices';
import type { ComparisonRow, PreviewBlock, PreviewView, WritingCostView } from '../../protocol/view';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { translated } from '../failures/failure-text';
import { strategyTitle } from '../settings';
import { lossView } from '../view/loss';
import { rowKeysOf } from '../view/rows';
import { RecentItems } from './recent-items';

const mostPreviews = 40;

export type Previews = RecentItems<PreparedRun>;

export function newPreviews(): Previews {
  return new RecentItems(mostPreviews, {
    gone: () => l10n.t('This preview no longer exists. Prepare it again.'),
    ofOther: () => l10n.t('This preview belongs to another session. Prepare it again.'),
  });
}

export function previewView(id: string, run: PreparedRun): PreviewView {
  const inContext = new Set(recordsInContext(run.records));
  const sizes = sizesOfRun(run);
  return {
    id,
    ...figuresOf(run),
    strategy: run.strategy,
    tokensAdded: sizes.added,
    byKindAfter: run.after.tokens.byKind,
    inContext: blocksIn(run.after, run.records),
    blocks: run.records.map((record, index) =>
      previewBlock(run, index, { record, size: sizes.blocks[index], isBeneath: !inContext.has(record) }),
    ),
    loss: lossView(run.loss, run.after.tokens.calibration),
    cacheTokensInvalidated: cacheTokensInvalidated(run.records),
  };
}

interface MadeBlock {
  readonly record: CompactionRecord;
  readonly size: BlockSize | undefined;
  readonly isBeneath: boolean;
}

function previewBlock(run: PreparedRun, index: number, { record, size, isBeneath }: MadeBlock): PreviewBlock {
  const { before = 0, after = 0 } = size ?? {};
  const plan = run.plans[index];
  const replaced = isBeneath ? (plan ? replacedMessages(plan) : []) : replacedBy(record, run.before);
  return {
    tag: blockForm(record.summaryType).tag,
    strategy: strategyTitle(record.strategy),
    reason: plan ? translated(plan.reason) : '',
    turnCount: record.turnCount,
    entryCount: record.entryIds.length,
    tokensBefore: before,
    tokensAfter: after,
    before: replacedText(replaced, before),
    after: record.text,
    loss: lossView(record.loss, run.after.tokens.calibration),
    summarizer: record.summarizer.model,
    tokensSpent: record.tokensSpent,
    editable: isBeneath ? null : editableText(record),
    edited: record.edited === true,
    leaving: isBeneath ? [] : rowKeysOf(replaced, run.before.messages),
    isBeneath,
  };
}

/** The messages of the context before the run that the block replaces, without blocks of the same run. */
function replacedBy({ entryIds }: CompactionRecord, { messages }: Context): ContextMessage[] {
  const own = new Set(entryIds);
  return messages.filter((message) => message.entryIds.length > 0 && message.entryIds.every((id) => own.has(id)));
}

/** `tokens`: of all replaced messages. */
function replacedText(messages: readonly ContextMessage[], tokens: number): string {
  const counted = messages.map((message) => message.tokens);
  return messagesAsText(messages, divided(tokens, counted));
}

/** The figures that a preview and a row of the comparison have in common. */
function figuresOf({ before, after, records, notes, failures, tokensSpent }: PreparedRun) {
  const models = new Set(records.flatMap(({ summarizer }) => summarizer.model ?? []));
  return {
    tokensBefore: before.tokens.total,
    tokensAfter: after.tokens.total,
    notes: notes.map(translated),
    failures: failures.map(translated),
    summarizer: [...models].join(', ') || null,
    tokensSpent,
  };
}

export function comparisonRow(previewId: string | null, compared: ComparedStrategy): ComparisonRow {
  const { choice, run, durationMs } = compared;
  const { messages, files } = run.loss ?? {};
  return {
    strategy: choice.name,
    title: translated(choice.title),
    previewId,
    ...figuresOf(run),
    blocks: blocksIn(run.after, run.records).blocks,
    durationMs: Math.round(durationMs),
    messagesWhole: messages?.whole ?? 0,
    messagesNotWhole: (messages?.shortened ?? 0) + (messages?.gone ?? 0),
    filesNamed: files?.named ?? 0,
    filesUnnamed: files?.unnamed ?? 0,
  };
}

interface ExpectedWriter {
  /** The price of the model; null if unknown. */
  readonly price: TokenPrice | null;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly signal: AbortSignal;
}

/**
 * Estimates what a model would read and write for a strategy now, by a dry run to the target for a model. Null if it
 * would not be asked.
 */
export async function writingCost(
  inspection: Inspection,
  choice: StrategyChoice,
  { price, ...order }: ExpectedWriter,
): Promise<WritingCostView | null> {
  if (!mayAskModel(choice)) return null;
  const sized = { ...order, tools: toolsWithoutModel, sizedForModel: true } as const;
  const { sent, written } = expectedWriting((await compareStrategy(inspection, choice, sized)).run);
  if (sent === 0) return null;
  const cost = costText(price, { input: sent, output: written });
  return { maxInput: sent, output: written, price: cost && translated(cost) };
}
