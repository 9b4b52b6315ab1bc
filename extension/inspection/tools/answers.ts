import type { CoreItem } from '../../engine/core/core';
import type { AgentProposalOutcome } from '../../engine/run/change/core-editor';
import { fittingText, type TokenBudget } from '../lookup/budget';
import { answerContext } from '../lookup/context-answer';
import { answerCore } from '../lookup/core-answer';
import { isIn } from '../lookup/find-session';
import { answerLoss } from '../lookup/loss-answer';
import { answerRecall } from '../lookup/recall-answer';
import type { SearchTools } from '../lookup/search-passages';
import { answerFromSession } from '../lookup/session-answer';
import { sessionLine, summaryLine } from '../lookup/session-line';
import { budgets } from './definitions';
import { quoted } from './quoted';
import type { ToolCall, ToolSurroundings, ToolTarget } from './tool';
import { readInput, readRecallInput, readSessionInput } from './tool-input';
import type { ToolKey } from './tool-names';

/** Throws errors with messages for the model. */
export type AnswerTool = (call: ToolCall, surroundings: ToolSurroundings) => Promise<string>;

/** The tools, by the keys of their names. All text from a session is quoted as data. */
export const answerTools: Readonly<Record<ToolKey, AnswerTool>> = {
  context: async (call, surroundings) => {
    const { session, maxTokens } = readInput('context', call.input);
    const target = await surroundings.targetOf(session);
    return about(target, quoted(answerContext(target.inspection, quotedBudget(target, maxTokens, call))));
  },

  core: async (call, surroundings) => {
    const { session } = readInput('core', call.input);
    const target = await surroundings.targetOf(session);
    const { inForce, others } = answerCore(target.inspection, quotedBudget(target, budgets.max, call));
    return about(target, `${inForce}\n${quoted(others)}`);
  },

  lost: async (call, surroundings) => {
    const { session, compaction, maxTokens } = readInput('lost', call.input);
    const target = await surroundings.targetOf(session);
    return about(target, quoted(answerLoss(target.inspection, compaction, quotedBudget(target, maxTokens, call))));
  },

  session: async (call, surroundings) => {
    const input = readSessionInput(call.input);
    if (input.kind === 'list') return await listText(input.maxTokens, call, surroundings);
    const { session, question, maxTokens } = input;
    const target = await surroundings.targetOf(session);
    const budget = quotedBudget(target, maxTokens, call);
    const tools = searchToolsOf(call, surroundings);
    return about(target, quoted(await answerFromSession(target.inspection, question, budget, tools)));
  },

  propose: async (call, surroundings) => {
    const { session, kind, text, reason } = readInput('propose', call.input);
    const target = await surroundings.targetOf(session);
    const proposedBy = call.model ?? target.inspection.session.model ?? 'an agent';
    call.signal.throwIfAborted();
    const outcome = await surroundings.change(target.inspection, (inspection) =>
      inspection.coreEditor.proposeByAgent({ kind, text, rationale: reason, proposedBy }),
    );
    if (outcome.kind === 'proposed') surroundings.announceProposal(target, outcome.item);
    const proposal = proposalText(outcome);
    return about(target, `${proposal}\n${quoted(sessionLine(target.inspection.session))}`);
  },

  recall: async (call, surroundings) => {
    const { question, session, maxTokens } = readRecallInput(call.input);
    const target = await surroundings.targetOf(session);
    const budget = quotedBudget(target, maxTokens, call);
    const tools = searchToolsOf(call, surroundings);
    return about(target, quoted(await answerRecall(target.inspection, question, budget, tools)));
  },

  compact: async (call, surroundings) => {
    const { reason, session } = readInput('compact', call.input);
    const target = await surroundings.targetOf(session);
    call.signal.throwIfAborted();
    const outcome = await surroundings.askForCompaction(target, reason);
    return about(target, `${fillingText(target)}\n${outcome}\n${quoted(sessionLine(target.inspection.session))}`);
  },
};

function about(target: Pick<ToolTarget, 'about'>, answer: string): string {
  return `${target.about}\n${answer}`;
}

/** Tokens left for the quoted text beside the first line and the marks. */
function quotedBudget({ inspection, about }: ToolTarget, asked: number, { most }: ToolCall): TokenBudget {
  const count = inspection.ledger.countText;
  return { tokens: Math.min(asked, most) - frameTokens(`${about}\n`, count), count };
}

function searchToolsOf({ signal }: ToolCall, { embedder, warn }: ToolSurroundings): SearchTools {
  return { embedder, signal, warn };
}

/** Hexadecimal marks split into different numbers of tokens. */
const markTolerance = 8;

function frameTokens(head: string, count: TokenBudget['count']): number {
  return count(`${head}${quoted('')}`) + markTolerance;
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
  const { countWithO200k: count } = await import('../../engine/conversation/tokenizer');
  const head = `The newest ${Math.min(maxListed, here.length)} of ${here.length} sessions of ${folders.join(', ')}. Next: { "session": id, "question": … }.${surroundings.reach ?? ''}\n`;
  const tokens = Math.min(maxTokens, most) - frameTokens(head, count);
  const lines = here.slice(0, maxListed).map(summaryLine);
  return head + quoted(fittingText([], lines, { tokens, count }, { tellLeftOut: (left) => `… and ${left} more.` }));
}

function proposalText(outcome: AgentProposalOutcome): string {
  switch (outcome.kind) {
    case 'proposed':
      return proposedText(outcome.item);
    case 'known':
      return knownText(outcome.item);
    case 'too-many':
      return `Nothing was proposed: agents have proposed ${outcome.proposed} items for this conversation in the last ${outcome.minutes} minutes, and no more are taken now. Do not try again; go on with the work.`;
  }
}

function proposedText({ id, kind }: CoreItem): string {
  return `Proposed as ${kind} ${id.slice(0, 8)}. It is not in force: the person is asked to accept or refuse it. Go on meanwhile.`;
}

const knownTexts: Readonly<Record<CoreItem['status'], string>> = {
  active: 'It is in force already.',
  proposed: 'It is proposed already and waits for the person.',
  done: 'It was in force and is done.',
  superseded: 'Something newer took its place.',
  refused: 'The person has refused it. Do not propose it again.',
};

function knownText({ id, kind, status }: CoreItem): string {
  return `Nothing was proposed: the core has these words as ${kind} ${id.slice(0, 8)}. ${knownTexts[status]}`;
}

function fillingText({ inspection }: ToolTarget): string {
  const { contextInAgent, contextWindow } = inspection;
  const share = Math.round((100 * contextInAgent.tokens.total) / contextWindow);
  return `${contextInAgent.tokens.total} of ${contextWindow} tokens (${share} %) are taken.`;
}
