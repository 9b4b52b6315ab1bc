import { aheadOf } from '../conversations/compaction/settings';
import { hasLoss } from '../engine/block/loss';
import { coreText } from '../engine/core/core';
import { lossOfAgent } from '../inspection/compaction-loss';
import { answerLoss } from '../inspection/lookup/loss-answer';
import { isByAgentItself } from '../inspection/rescue';
import { agentNames } from '../sessions/session';
import { type AgentCall, type AgentServices, openCall } from './call';
import { clear, compact, compactedContext, ownSummaryInstructions, preview } from './compaction';
import { doorOf } from './doors';
import { type AgentAction, type AgentAnswer, type AgentRequest, fallback, type SaidAnswer } from './exchange';
import { withSession } from './find-session';
import { noteInside } from './inside';
import { aheadText, prepareAhead } from './prepare-ahead';
import { undoInAgent } from './undo';
import { newestText, reminderText, statusText, whyText } from './words';

/**
 * Answers a plugin inside an agent. No model is asked while an agent waits, but a run that was prepared before may have been written by
 * one. Rejects only if the signal aborts; every other failure is part of the answer.
 */
export async function answerAgent(
  agent: string,
  request: AgentRequest,
  services: AgentServices,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const door = doorOf(agent);
  if (door === undefined) return fallback(`there is no plugin for ${agent}.`);
  try {
    const named = await withSession(door.agent, request, services.environment);
    await noteInside(door.agent, named.session, services.environment, services.now());
    if (named.action === 'hello') return said('Strata is inside this session.');
    const prepareInBackground = () => door.result && services.prepares?.(agent, { agent: door.agent, ...named });
    if (named.action === 'prepare' && services.prepares) {
      prepareInBackground();
      return said('The next compaction is prepared if it is due.');
    }
    const call = await openCall({ door, request: named, services, signal });
    const answer = 'kind' in call ? call : await answerCall(call, named.action);
    if (growing.has(named.action)) prepareInBackground();
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    return fallback(error instanceof Error ? error.message : String(error));
  }
}

/** Actions that a plugin requests as its session grows. Each may first clear old output. */
const growing: ReadonlySet<AgentAction> = new Set(['context', 'clear']);

/** Actions that give the agent another context. */
const compacting: ReadonlySet<AgentAction> = new Set(['compact', 'prepare', 'preview', 'context', 'clear', 'undo']);

async function answerCall(call: AgentCall, action: Exclude<AgentAction, 'hello'>): Promise<AgentAnswer> {
  const { door } = call;
  if (door.result === undefined && compacting.has(action)) {
    return fallback(`${agentNames[door.agent]} takes no other text for its summary.`);
  }
  return await answers[action](call);
}

const answers: Readonly<
  Record<Exclude<AgentAction, 'hello'>, (call: AgentCall) => AgentAnswer | Promise<AgentAnswer>>
> = {
  compact,
  prepare: async (call) => said(aheadText(await prepareAhead(partsOf(call)))),
  preview: async (call) => (await preview(call)) ?? status(call),
  context: compactedContext,
  clear,
  core,
  reminder,
  status,
  why: ({ inspection }) => said(whyText(inspection)),
  pin,
  undo: ({ inspection }) => undoInAgent(inspection),
};

function partsOf({ inspection, services, signal }: AgentCall) {
  return { inspection, settings: services.settings(), writer: services.writer(), signal };
}

function status({ inspection, door, services }: AgentCall): SaidAnswer {
  const { automation } = services.settings();
  const prepared = inspection.preparedForAgent();
  const parts = { prepared, door, writer: services.writer(), ahead: aheadOf(automation) };
  return said(statusText(inspection, parts));
}

/** For an agent that runs its own summarizer; empty if its context already has the core. */
function core({ inspection }: AgentCall): SaidAnswer {
  const again = inspection.core === null ? '' : coreText(inspection.core);
  return { ...said('The protected core.'), again, instructions: ownSummaryInstructions(inspection) };
}

/** The reminder must not fill what the compaction freed. */
const reminderTokens = 2000;

/** After a compaction by the agent itself: the core, and what the agent's summary left out. */
function reminder({ inspection, door }: AgentCall): SaidAnswer {
  const { core, session, ledger } = inspection;
  const budget = { tokens: reminderTokens, count: ledger.countText };
  const own = session.conversation.agentCompactions.at(-1);
  const isOwn = own !== undefined && isByAgentItself(own, inspection);
  const loss = isOwn ? lossOfAgent(own, session.conversation, ledger) : null;
  const isLossKnown = loss !== null && hasLoss(loss);
  // An encrypted summary may have left out anything, so the model is told how to look.
  const lost = isLossKnown || (isOwn && loss === null) ? answerLoss(inspection, null, budget) : '';
  const again = [core === null ? '' : coreText(core), lost].filter((text) => text !== '').join('\n\n');
  const done = isOwn ? null : newestText(inspection, door);
  const parts = { core, loss: isLossKnown ? 'known' : lost === '' ? 'none' : 'unknown', isOwn } as const;
  return { ...said(reminderText(parts, ledger.countText(again))), again, ...(done === null ? {} : { done }) };
}

async function pin({ inspection, request }: AgentCall): Promise<SaidAnswer> {
  const text = request.text?.trim() ?? '';
  if (text === '') return said('Say what is to be pinned: /strata pin TEXT.');
  await inspection.coreEditor.pin('constraint', text, null);
  return said(`Pinned: “${text}”. It is in the context word for word after each compaction.`);
}

function said(message: string): SaidAnswer {
  return { kind: 'said', message };
}
