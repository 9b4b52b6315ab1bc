import { aheadOf, orderFrom } from '../conversations/compaction/settings';
import { type Context, unchangedTokens } from '../engine/conversation/context';
import { toolResults } from '../engine/conversation/entry';
import { projectAlone } from '../engine/conversation/projection';
import { coreText } from '../engine/core/core';
import { preparedFrom } from '../engine/run/automation/ahead';
import { startOf } from '../engine/run/automation/automation';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import { findStrategy, type StrategyChoice } from '../engine/run/prepare/registry';
import { localizable } from '../engine/wording/localizable-text';
import { keepsOwnCompaction } from '../inspection/effect';
import type { Inspection } from '../inspection/inspection';
import { forkPieces } from '../sessions/fork/fork-format';
import { toolsWithoutModel } from '../summarizers/without-model';
import type { AgentCall } from './call';
import { pieceOf } from './carried';
import {
  type AgentAnswer,
  type ClearedAnswer,
  type ClearedResult,
  type CompactedAnswer,
  type FallbackAnswer,
  fallback,
} from './exchange';
import { compactedText, previewText, systemTokens } from './words';

/** `own`: the agent's own model writes. Null: the person has already compacted in Strata, and that is enough. */
type NextRun = PreparedRun | null | 'own';

/** Carries out the next compaction in the agent. */
export async function compact(call: AgentCall): Promise<AgentAnswer> {
  const run = await nextRun(call);
  const answer = carriedOut(call, run);
  call.signal.throwIfAborted();
  if (answer.kind === 'compacted' && run !== null && run !== 'own') await call.inspection.apply(run, 'agent');
  return answer;
}

/** Describes the compaction that would happen now; the next one does exactly this. Null if the agent's own model would write. */
export async function preview(call: AgentCall): Promise<AgentAnswer | null> {
  const run = await nextRun(call);
  if (run === 'own') return null;
  if (run !== null && preparedRun(call) === null) await call.inspection.storeForAgent(run);
  const answer = carriedOut(call, run);
  return answer.kind === 'compacted' ? { ...answer, message: previewText(answer) } : answer;
}

/**
 * For an agent that asks before each request: the compacted context. If a compaction is due, it is carried out first; otherwise old tool
 * output is cleared.
 */
export async function compactedContext(call: AgentCall): Promise<AgentAnswer> {
  const { inspection } = call;
  const { path: journal } = inspection.journal;
  if (call.services.settings().automation.enabled) await carryOutWhatIsDue(call);
  const { tokens, isChanged } = inspection.context;
  if (!isChanged) return { kind: 'said', message: 'Nothing is compacted.', journal };
  const before = projectAlone(inspection.conversation, inspection.ledger).tokens.total;
  const message = `Strata sends ${tokens.total} of ${before} tokens. /strata undo takes the newest compaction back.`;
  return { ...delivered(call, inspection.context, before, message), journal };
}

async function carryOutWhatIsDue(call: AgentCall): Promise<void> {
  if (!isFull(call)) return await clearOldOutput(call);
  const run = await preparedElseNew(call);
  if (run === null || run === 'own') return;
  call.signal.throwIfAborted();
  await call.inspection.apply(run, 'agent');
}

export async function clear(call: AgentCall): Promise<AgentAnswer> {
  if (!call.services.settings().automation.enabled) return fallback('automatic compaction is off.');
  await clearOldOutput(call);
  return cleared(call.inspection);
}

/** A smaller share of the context is not worth a new prompt cache. */
const leastCleared = 0.1;

const clearing: StrategyChoice = {
  name: 'clearing',
  group: 'by-hand',
  title: localizable('Clearing'),
  description: localizable('One line replaces each superseded or old tool output.'),
  steps: ['superseded', 'cleared'].flatMap((name) => findStrategy(name)?.steps ?? []),
};

/** Replaces old tool output by one line each, if that frees enough to pay for a new prompt cache. */
async function clearOldOutput({ inspection, services, signal }: AgentCall): Promise<void> {
  const { parameters } = services.settings();
  // A run that waits for the next compaction must stay as it was shown, and what a person undid must stay undone.
  if (inspection.state.compactions.at(-1)?.active === false || inspection.preparedForAgent() !== null) return;
  const order = { instructions: null, parameters, tools: toolsWithoutModel, signal };
  const run = await inspection.prepare({ ...order, strategy: clearing, trigger: 'automatic', isDue: true });
  const { before, after } = run;
  if (before.tokens.total - after.tokens.total < before.tokens.total * leastCleared) return;
  signal.throwIfAborted();
  await inspection.apply(run, 'agent');
}

/** The tool results whose text in the context differs from what the agent would send. */
function cleared({ conversation, context }: Inspection): ClearedAnswer {
  const sent = new Map(conversation.agentContext.map((entry) => [entry.id, entry]));
  const results = context.messages.flatMap(({ key, parts, pruned }): ClearedResult[] => {
    const [result] = toolResults(parts);
    const [before] = toolResults(sent.get(key)?.parts ?? []);
    if (pruned === undefined || !result || !before || before.text === result.text) return [];
    return [{ entry: key, call: result.callId, text: result.text }];
  });
  const { total } = context.tokens;
  return { kind: 'cleared', message: `Strata cleared ${results.length} old tool results.`, tokens: total, results };
}

async function nextRun(call: AgentCall): Promise<NextRun> {
  const { inspection } = call;
  // The agent already has some of them, such as cleared results.
  const isWaiting = inspection.state.compactions.some(({ active, record }) => active && record.effect !== 'agent');
  const { total } = inspection.context.tokens;
  const isEnough =
    isWaiting &&
    isWorthIt(projectAlone(inspection.conversation, inspection.ledger).tokens.total, total) &&
    !isFull(call);
  return isEnough && preparedRun(call) === null ? null : await preparedElseNew(call);
}

/** The prepared run, or else one without a model if the person chose that. */
async function preparedElseNew(call: AgentCall): Promise<NextRun> {
  const prepared = preparedRun(call);
  if (prepared !== null) return await extendedIfLarge(call, prepared);
  return agentWrites(call) ? 'own' : await newRun(call);
}

/** A prepared run that fits. Not used with instructions, because its text is already written. */
function preparedRun({ request, inspection }: AgentCall): PreparedRun | null {
  const { instructions, trigger } = request;
  return instructions === null ? inspection.preparedForAgent(trigger) : null;
}

/**
 * Also compacts, without a model, what was said since the run was prepared, if the next compaction would otherwise be near.
 * A run that a person saw in a preview is carried out as it was shown.
 */
async function extendedIfLarge(call: AgentCall, run: PreparedRun): Promise<PreparedRun> {
  const { inspection } = call;
  const settings = call.services.settings();
  const { parameters, automation } = settings;
  const strategy = findStrategy(settings.strategy);
  const isShown = inspection.state.prepared?.records[0]?.trigger === 'manual';
  if (!strategy || isShown || automation.prepareAt === 0) return run;
  const { contextWindow } = inspection;
  const enough = preparedFrom({ settings: aheadOf(automation), strategy, parameters, contextWindow });
  return run.after.tokens.total < enough ? run : await inspection.extended(run, orderWithoutModel(call));
}

/** Whether the agent's own model writes if nothing is prepared, as it would without Strata. */
function agentWrites({ request, door, services }: AgentCall): boolean {
  if (request.ownFailed || services.writer().kind === 'nobody') return false;
  return request.action === 'context' || !keepsOwnCompaction(door.agent);
}

async function newRun(call: AgentCall): Promise<PreparedRun | null> {
  const { instructions } = call.request;
  const run = await call.inspection.prepare({ ...orderWithoutModel(call), instructions });
  return run.records.length > 0 ? run : null;
}

function orderWithoutModel({ request: { trigger }, services, signal }: AgentCall) {
  return orderFrom(services.settings(), { trigger, isDue: true, tools: toolsWithoutModel, signal });
}

/** Whether Strata's context has reached the size at which it is compacted automatically. */
function isFull({ inspection, services }: AgentCall): boolean {
  const { context, contextWindow } = inspection;
  const { strategy, parameters } = services.settings();
  const choice = findStrategy(strategy);
  const startsAt = choice ? startOf(choice, contextWindow, parameters) : null;
  return startsAt !== null && context.tokens.total >= startsAt;
}

function carriedOut(call: AgentCall, run: NextRun): CompactedAnswer | FallbackAnswer {
  const { inspection, services, door } = call;
  if (run === 'own') {
    const isUnanswered = services.writer().kind === 'unanswered';
    return leftToAgent(inspection, isUnanswered ? 'nobody was chosen to write' : 'no block is prepared');
  }
  const context = run?.after ?? inspection.context;
  const byAgent = projectAlone(inspection.conversation, inspection.ledger);
  const [before, after] = [byAgent.tokens.total, context.tokens.total];
  if (!isWorthIt(before, after)) return leftToAgent(inspection, 'nothing worth compacting was found.');
  const cached = door.keepsMessages ? unchangedTokens(byAgent, context) : systemTokens(byAgent);
  const message = compactedText(before, after, cached);
  return delivered(call, context, before, message);
}

/** If an agent's context shrinks by less than this share, its own compaction is better. */
const leastFreed = 0.05;

function isWorthIt(before: number, after: number): boolean {
  return after <= before * (1 - leastFreed);
}

function delivered(
  { inspection: { conversation }, door }: AgentCall,
  context: Context,
  before: number,
  message: string,
): CompactedAnswer {
  const tokens = { before, after: context.tokens.total };
  const sent = new Map(conversation.agentContext.map(({ id, parts }) => [id, parts]));
  const pieces = forkPieces(context.messages, conversation).map((piece) => pieceOf(piece, (id) => sent.get(id)));
  return { kind: 'compacted', message, tokens, pieces, result: door.result?.({ pieces, tokens }) };
}

/** The agent's own model writes. It gets instructions, and the core that follows its summary. */
function leftToAgent(inspection: Inspection, reason: string): FallbackAnswer {
  const [instructions, again] = [ownSummaryInstructions(inspection), coreAfterOwnSummary(inspection)];
  return { ...fallback(reason), instructions, ...(again === '' ? {} : { again }) };
}

/** Instructions for agents whose own model writes the summary: what it must contain so that the work can continue. */
const wanted = [
  'In the summary, state:',
  '- the newest request of the user, word for word, and exactly where the work on it stands;',
  '- the next concrete action;',
  '- what is decided, marked as settled; what was asked and is not answered; what is finished and must not be begun again;',
  '- signatures, values, errors and lines that were learned from files, so that they are not read again;',
  '- ways that failed, with the reason.',
].join('\n');

/** Instructions for an agent's own summarizer, with the core. */
export function ownSummaryInstructions(inspection: Inspection): string {
  const core = coreAfterOwnSummary(inspection);
  return core === '' ? wanted : `${wanted}\n\nKeep this word for word:\n\n${core}`;
}

/** The core, which no message states once all of them are summarised. Empty if there is no core. */
function coreAfterOwnSummary({ handedOver }: Inspection): string {
  return handedOver === null ? '' : coreText(handedOver);
}
