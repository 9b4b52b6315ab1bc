import type { CoreItem } from '../../engine/core/core';
import { fittingText } from '../../inspection/lookup/budget';
import { answerCore } from '../../inspection/lookup/core-answer';
import { isIn } from '../../inspection/lookup/find-session';
import { answerRecall } from '../../inspection/lookup/recall-answer';
import { answerFromSession } from '../../inspection/lookup/session-answer';
import { sessionLine, summaryLine } from '../../inspection/lookup/session-line';
import { type AnswerTool, budgetOf, searchToolsOf, type ToolCall, type ToolSurroundings } from './tool-call';
import { budgets } from './tool-input';
import {
  readCompactInput,
  readCoreInput,
  readProposeInput,
  readRecallInput,
  readSessionInput,
  type toolNames,
} from './tool-inputs';
import { reasonText, type ToolTarget, targetOf } from './tool-target';

/** The tools, by the keys of their names. */
export const answerTools: Readonly<Record<keyof typeof toolNames, AnswerTool>> = {
  core: async (call, surroundings) => {
    const { session } = readCoreInput(call.input);
    const target = await targetOf({ session, token: call.token }, surroundings);
    return about(target, answerCore(target.inspection, budgetLessReason(target, budgets.max, call)));
  },

  session: async (call, surroundings) => {
    const input = readSessionInput(call.input);
    if (input.kind === 'list') return await listText(input.maxTokens, call, surroundings);
    const { session, question, maxTokens } = input;
    const { inspection } = await targetOf({ session, token: call.token }, surroundings);
    const budget = budgetOf(inspection, maxTokens, call);
    return await answerFromSession(inspection, question, budget, searchToolsOf(call, surroundings));
  },

  propose: async (call, surroundings) => {
    const { session, kind, text, reason } = readProposeInput(call.input);
    const target = await targetOf({ session, token: call.token }, surroundings);
    const proposedBy = call.model ?? target.inspection.session.model ?? 'an agent';
    call.signal.throwIfAborted();
    const outcome = await surroundings.change(target.inspection, (inspection) =>
      inspection.proposeItem({ kind, text, rationale: reason, proposedBy }),
    );
    if (outcome.kind === 'proposed') surroundings.announceProposal(target, outcome.item);
    const told = outcome.kind === 'proposed' ? proposedText(outcome.item) : knownText(outcome.item);
    return about(target, `${sessionLine(target.inspection.session)}\n${told}`);
  },

  recall: async (call, surroundings) => {
    const { question, session, maxTokens } = readRecallInput(call.input);
    const target = await targetOf({ session, token: call.token }, surroundings);
    const budget = budgetLessReason(target, maxTokens, call);
    return about(target, await answerRecall(target.inspection, question, budget, searchToolsOf(call, surroundings)));
  },

  compact: async (call, surroundings) => {
    const { reason, session } = readCompactInput(call.input);
    const target = await targetOf({ session, token: call.token }, surroundings);
    call.signal.throwIfAborted();
    const isAutomatic = surroundings.automationEnabled();
    if (isAutomatic) surroundings.requestCompaction(target, reason);
    else surroundings.offerCompaction(target, reason);
    return about(target, `${fillingText(target)}\n${isAutomatic ? whenTurnEnds : personDecides}`);
  },
};

function about({ reason }: ToolTarget, answer: string): string {
  return `${reasonText[reason]}\n${answer}`;
}

function budgetLessReason({ inspection, reason }: ToolTarget, asked: number, call: ToolCall) {
  const { tokens, count } = budgetOf(inspection, asked, call);
  return { tokens: tokens - count(reasonText[reason]) - 1, count };
}

const maxListed = 12;

async function listText(
  maxTokens: number,
  { most, signal }: ToolCall,
  surroundings: ToolSurroundings,
): Promise<string> {
  const folders = surroundings.openFolders();
  const sessions = await surroundings.sessions();
  signal.throwIfAborted();
  const here = sessions.filter((session) => isIn(session, folders));
  if (here.length === 0) return `There are no sessions of ${folders.join(', ') || 'an open folder'}.`;
  const { countWithO200k } = await import('../../engine/conversation/tokenizer');
  const head = `The newest ${Math.min(maxListed, here.length)} of ${here.length} sessions of ${folders.join(', ')}. Next: { "session": id, "question": … }.`;
  return fittingText(
    [head],
    here.slice(0, maxListed).map(summaryLine),
    { tokens: Math.min(maxTokens, most), count: countWithO200k },
    { tellLeftOut: (count) => `… and ${count} more.` },
  );
}

function proposedText({ id, kind }: CoreItem): string {
  return `Proposed as ${kind} ${id.slice(0, 8)}. It is not in force: the person is asked to accept or refuse it. Go on meanwhile.`;
}

const knownTexts: Readonly<Record<CoreItem['status'], string>> = {
  active: 'It is in force already.',
  proposed: 'It is proposed already and waits for the person.',
  done: 'It was in force and is done.',
  superseded: 'It was in force and something newer took its place.',
  refused: 'The person has refused it. Do not propose it again.',
};

function knownText({ id, kind, status }: CoreItem): string {
  return `Nothing was proposed: the core has these words as ${kind} ${id.slice(0, 8)}. ${knownTexts[status]}`;
}

function fillingText({ inspection }: ToolTarget): string {
  const { session, context, contextWindow } = inspection;
  const share = Math.round((100 * context.tokens.total) / contextWindow);
  return `${sessionLine(session)}: ${context.tokens.total} of ${contextWindow} tokens (${share} %) are taken.`;
}

const whenTurnEnds = 'The context will be compacted when this turn is over. Finish what you are doing.';
const personDecides =
  'Automatic compaction is off, so the person was asked whether to open a preview. Nothing is compacted before they agree.';
