import type { LossReport } from '../engine/block/loss';
import { type Parameters, replacedMessages } from '../engine/block/plan';
import type { VerificationMode } from '../engine/compaction/verify';
import { blockForm } from '../engine/conversation/context';
import { blockMetadata } from '../engine/journal/journal-state';
import type { CompactionRecord } from '../engine/journal/records';
import { calibratedLoss, lossText } from '../engine/run/prepare/loss-text';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import { blocksIn, recordsInContext } from '../engine/run/prepare/run-blocks';
import { cacheTokensInvalidated } from '../engine/run/prepare/run-figures';
import { type BlockSize, expectedWriting, sizesOfRun } from '../engine/run/prepare/run-sizes';
import { counted } from '../engine/wording/counts';
import { type OpenedWriter, toolsWith } from '../inside/service/writer';
import { writingSize } from '../inside/writers/terms';
import { costText, type TokenPrice } from '../models/prices';
import { toolsWithoutModel } from '../summarizers/without-model';
import { CommandFailed } from './command-failed';
import { interruptSignal } from './interrupt';
import { chosenModel, namesWriter, type SummarizerOptions } from './models';
import { openInspection } from './opened';
import { print, printJson, warn } from './output';
import { parametersFrom, strategyNamed } from './parameters';
import type { JournalOptions } from './session-with-journal';
import { hasTerminal } from './terminal';
import { writerOnTerminal } from './writer';

interface CompactOptions extends JournalOptions, SummarizerOptions {
  readonly strategy: string;
  readonly verification: VerificationMode;
  readonly set?: readonly string[];
  readonly dryRun?: boolean;
  readonly instructions?: string;
  readonly json?: boolean;
}

export async function compact(file: string, options: CompactOptions): Promise<void> {
  const choice = strategyNamed(options.strategy);
  const parameters: Readonly<Record<string, Parameters>> = parametersFrom(options.set ?? [], choice);
  const named = namesWriter(options) ? chosenModel(options) : null;
  const inspection = await openInspection(file, options);
  const signal = interruptSignal();
  const order = {
    ...{ strategy: choice.name, instructions: options.instructions ?? null },
    ...{ verification: options.verification, parameters, signal },
  };
  let withoutModel: Promise<PreparedRun> | undefined;
  const dryRun = () =>
    (withoutModel ??= inspection.prepare({ ...order, tools: toolsWithoutModel, sizedForModel: true }));
  const isAsked = !namesWriter(options) && !options.json && hasTerminal();
  const model = isAsked
    ? await writerOnTerminal([inspection.session.agent], async () => writingSize(await dryRun()))
    : named;
  if (model !== null) tellExpected(model, await dryRun());
  const run = await inspection.prepare({ ...order, tools: model === null ? toolsWithoutModel : toolsWith(model) });
  signal.throwIfAborted();
  if (!options.dryRun) await inspection.apply(run);
  if (options.json) printJson(runAsJson(run, options.dryRun === true));
  else print(runAsText(run, options.dryRun === true, model?.price ?? null));
  for (const failure of run.failures) warn(String(failure));
  const { input, output } = run.tokensSpent;
  if (run.records.length === 0 && run.failures.length + input + output > 0) {
    throw new CommandFailed('no usable summary was written');
  }
}

/** Output contract of docs/cli.md: fields may be added, but not renamed or removed. */
function runAsJson(run: PreparedRun, dryRun: boolean) {
  const sizes = sizesOfRun(run);
  const inContext = new Set(recordsInContext(run.records));
  return {
    strategy: run.strategy,
    dryRun,
    tokensBefore: run.before.tokens.total,
    tokensAfter: run.after.tokens.total,
    tokensAdded: sizes.added,
    inContext: blocksIn(run.after, run.records),
    cacheTokensInvalidated: cacheTokensInvalidated(run.records),
    blocks: run.records.map((record, index) => ({
      ...blockAsJson(record, run.plans[index], sizes.blocks[index]),
      loss: inUnitOf(run, record.loss),
      isBeneath: !inContext.has(record),
    })),
    loss: inUnitOf(run, run.loss),
    notes: run.notes,
    failures: run.failures,
    tokensSpent: run.tokensSpent,
  };
}

function blockAsJson(
  record: CompactionRecord,
  plan: PreparedRun['plans'][number] | undefined,
  size: BlockSize | undefined,
) {
  return {
    seq: record.seq,
    strategy: record.strategy,
    tier: record.tier ?? null,
    summaryType: record.summaryType,
    tag: blockForm(record.summaryType).tag,
    metadata: blockMetadata(record),
    reason: plan?.reason,
    replaced: plan ? replacedMessages(plan).map((message) => message.key) : [],
    entryIds: record.entryIds,
    tokensBefore: size?.before ?? 0,
    tokensAfter: size?.after ?? 0,
    summarizer: record.summarizer,
    tokensSpent: record.tokensSpent,
    cacheTokensInvalidated: record.cacheTokensInvalidated ?? 0,
    durationMs: record.durationMs,
    displayLine: record.displayLine ?? null,
    text: record.text,
    spans: record.spans,
    repaired: record.repaired ?? [],
  };
}

function runAsText(run: PreparedRun, dryRun: boolean, price: TokenPrice | null): string {
  const { records, before, after, notes } = run;
  if (records.length === 0) return ['Nothing was compacted.', ...notes].join('\n');
  const saved = Math.round((1 - after.tokens.total / before.tokens.total) * 100);
  const { blocks, added } = sizesOfRun(run);
  const inContext = new Set(recordsInContext(records));
  const beneath = records.length - inContext.size;
  return [
    `${dryRun ? 'Would compact' : 'Compacted'} ${before.tokens.total} → ${after.tokens.total} tokens (${saved} % less)`,
    ...records.flatMap((record, index) => {
      if (!inContext.has(record)) return [];
      const { before = 0, after = 0 } = blocks[index] ?? {};
      return `  #${record.seq} ${blockForm(record.summaryType).tag} ${record.strategy}: ${before} → ${after} tokens, ${record.entryIds.length} entries, ${writerText(record)}`;
    }),
    ...(beneath === 0 ? [] : [`  ${counted(beneath, 'block')} inside other blocks, not read by the model`]),
    ...lossLines(run),
    ...(added === 0 ? [] : [`  The protected core, stated again, adds ${added} tokens.`]),
    ...costs(run, price),
    ...notes,
  ].join('\n');
}

/** `written by claude -p (haiku) with 12000 + 900 tokens` */
function writerText({ summarizer, tokensSpent: { input, output } }: CompactionRecord): string {
  if (summarizer.model === null) return 'written without a model';
  return `written by ${summarizer.model} with ${input} + ${output} tokens`;
}

/** Lists the losses: a summary line, then each message of the person that the context no longer contains. */
function lossLines(run: PreparedRun): string[] {
  const loss = inUnitOf(run, run.loss);
  const text = loss === null ? null : lossText(loss);
  if (loss === null || text === null) return [];
  const items = [...loss.messages.listed, ...loss.open.listed].slice(-mostLost);
  return [`  Afterwards ${text}.`, ...items.map((item) => `    not whole: ${item.text}`)];
}

/** In the unit of the context. */
function inUnitOf({ after }: PreparedRun, loss: LossReport | null): LossReport | null {
  return loss && calibratedLoss(loss, after.tokens.calibration);
}

const mostLost = 10;

/** Prints what the model is about to read and write, estimated from a run without a model. */
function tellExpected({ model, price }: OpenedWriter, run: PreparedRun): void {
  const { sent: input, written: output } = expectedWriting(run);
  if (input === 0) return;
  const cost = dollars(price, { input, output });
  warn(`${model.model} reads up to ${input} tokens and writes about ${output}${cost}`);
}

/** Empty if the price is not known. */
function dollars(price: TokenPrice | null, tokens: { readonly input: number; readonly output: number }): string {
  const cost = costText(price, tokens);
  return cost === null ? '' : `, ${cost}`;
}

/** Tokens spent, if a model was called, and how much of the provider's prompt cache becomes invalid. */
function costs({ records, tokensSpent }: PreparedRun, price: TokenPrice | null): string[] {
  const { input, output } = tokensSpent;
  const seconds = records.reduce((total, { durationMs }) => total + durationMs, 0) / 1000;
  const cached = cacheTokensInvalidated(records);
  return [
    ...(input + output > 0
      ? [`  Spent ${input} + ${output} tokens in ${seconds.toFixed(1)} s${dollars(price, tokensSpent)}.`]
      : []),
    `  Up to ${cached} tokens of the provider's prompt cache become invalid once.`,
  ];
}
