import { rm } from 'node:fs/promises';
import * as v from 'valibot';
import { aheadOf, orderFrom } from '../conversations/compaction/settings';
import type { WritingTools } from '../engine/block/strategy';
import { type AheadDecision, decideAhead } from '../engine/run/automation/ahead';
import { findStrategy } from '../engine/run/prepare/registry';
import type { Inspection } from '../inspection/inspection';
import { isRunning } from '../platform/files/running-process';
import { readPrivate, writePrivate } from './private-file';
import type { AgentSettings } from './settings';
import type { ChosenWriter } from './writer';

/** The outcome of preparing the next compaction of a session. */
type AheadOutcome =
  | Exclude<AheadDecision, { readonly kind: 'due' }>
  /** No model writes in advance: the person chose none, or was not asked yet. */
  | { readonly kind: 'no-writer' }
  | { readonly kind: 'refused'; readonly message: string }
  /** Another process is writing it. */
  | { readonly kind: 'under-way' }
  /** `message` says why the writer failed. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'prepared'; readonly before: number; readonly after: number };

/** One line for a person. */
export function aheadText(outcome: AheadOutcome): string {
  switch (outcome.kind) {
    case 'off':
      return 'Nothing is prepared: preparing is off.';
    case 'early':
      return 'Nothing is prepared yet: the context is still small.';
    case 'recent':
      return 'The compaction that is prepared is recent enough.';
    case 'spent':
      return 'Nothing is prepared: it would spend more tokens than the settings allow for one session.';
    case 'no-writer':
      return 'Nothing is prepared: no model was chosen to write.';
    case 'under-way':
      return 'It is being prepared already.';
    case 'refused':
    case 'failed':
      return `Nothing is prepared: ${outcome.message}`;
    case 'prepared':
      return `Prepared for the next compaction: ${outcome.before} → ${outcome.after} tokens.`;
  }
}

interface AheadParts {
  readonly inspection: Inspection;
  readonly settings: AgentSettings;
  readonly writer: ChosenWriter;
  readonly signal: AbortSignal;
}

/** Has the writer write the blocks of the next compaction, if due, and stores them in the journal. */
export async function prepareAhead(parts: AheadParts): Promise<AheadOutcome> {
  const { inspection, writer } = parts;
  if (writer.kind !== 'model') return { kind: 'no-writer' };
  const decision = decide(parts);
  if (decision.kind !== 'due') return decision;
  const ready = await writer.tools();
  if (ready.kind === 'refused') return ready;
  return await alone(inspection.journal.path, () => write(parts, ready.tools, decision));
}

function decide({ inspection, settings }: AheadParts): AheadDecision {
  const strategy = findStrategy(settings.strategy);
  if (!strategy || !settings.automation.enabled) return { kind: 'off' };
  const { state, context, contextWindow } = inspection;
  const fits = inspection.preparedForAgent() !== null;
  const { parameters, automation } = settings;
  return decideAhead({ settings: aheadOf(automation), strategy, parameters, state, context, contextWindow, fits });
}

async function write(
  { inspection, settings, signal }: AheadParts,
  tools: WritingTools,
  { kind: _, ...target }: Extract<AheadDecision, { readonly kind: 'due' }>,
): Promise<AheadOutcome> {
  const order = { trigger: 'automatic', isDue: true, tools, signal, ...target } as const;
  const run = await inspection.prepare(orderFrom(settings, order));
  signal.throwIfAborted();
  await inspection.storeForAgent(run);
  const [failure] = run.failures;
  if (failure !== undefined) return { kind: 'failed', message: String(failure) };
  return { kind: 'prepared', before: run.before.tokens.total, after: run.after.tokens.total };
}

/** Milliseconds after which a lock is ignored even if a process with its number exists: it is then taken for another process. */
const longestWriting = 3_600_000;

const preparingFile = v.object({ pid: v.number(), since: v.number() });

/** Only one process at a time writes for a session, because each one costs tokens. */
async function alone(journal: string, work: () => Promise<AheadOutcome>): Promise<AheadOutcome> {
  const path = `${journal.replace(/\.jsonl$/, '')}.preparing.json`;
  const other = await readPrivate(path, preparingFile);
  const isUnderWay = other !== null && isRunning(other.pid) && Date.now() < other.since + longestWriting;
  if (isUnderWay) return { kind: 'under-way' };
  await writePrivate(path, { pid: process.pid, since: Date.now() });
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
