import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import type { CoreItem, PinKind } from '../core/core';
import { personsAnswers } from '../ledger/answers';
import { toolStepsOf } from '../ledger/steps';
import { argumentsOf } from './typed-command';

/** A candidate for the core. Only a person can confirm it. */
export interface Proposal {
  readonly kind: PinKind;
  /** Verbatim from the entry, except for white space. */
  readonly text: string;
  /** Why a decision was taken: verbatim too. */
  readonly rationale: string | null;
  readonly entryId: string;
}

/** Commands by which agents set a goal, and by which they put something into their own memory. */
const goalCommands = ['/goal'];
const memoryCommands = ['/remember', '/memory add', '/memory save'];

/** Claude Code records a message that begins with `#`, its memory command, in this tag. */
const memoryTag = /<user-memory-input>([\s\S]*?)<\/user-memory-input>/;

/** In characters. A longer plan is proposed by its first line, a longer text is not proposed. */
const longest = 600;

/** A shorter line may be repeated by chance. */
const leastWords = 6;

/**
 * Proposals by structure, oldest first: a goal that the person set by a command of the agent, what they put into the
 * agent's memory, a plan that they accepted, and lines that they repeated verbatim in several messages. Wording is not
 * interpreted.
 */
export function proposalsByStructure(entries: readonly Entry[]): Proposal[] {
  const written = entries.filter(({ role, summary }) => role === 'user' && !summary);
  const found = [
    ...written.flatMap(commandedIn),
    ...acceptedPlans(entries),
    ...repeatedLines(entries.filter(isPrompt)),
  ].filter(({ text }) => text.length <= longest);
  const order = new Map(entries.map(({ id }, at) => [id, at]));
  return found.sort((a, b) => (order.get(a.entryId) ?? 0) - (order.get(b.entryId) ?? 0));
}

/** Whether the user or the agent wrote the entry, as opposed to tool output, reminders and summaries. */
export function isDialogue(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant';
}

function commandedIn({ id, parts }: Entry): Proposal[] {
  const text = textOf(parts);
  const goal = argumentsOf(text, goalCommands);
  if (goal !== null) return [proposal('goal', goal, id)];
  const remembered = memoryTag.exec(text)?.[1]?.replace(/^\s*#/, '').trim() ?? argumentsOf(text, memoryCommands);
  return remembered ? [proposal('constraint', remembered, id)] : [];
}

function acceptedPlans(entries: readonly Entry[]): Proposal[] {
  return personsAnswers(toolStepsOf(entries)).flatMap(({ kind, text, entryId }) => {
    if (kind !== 'accepted-plan') return [];
    const whole = text.length <= longest ? text : (firstLine(text) ?? '');
    return whole === '' ? [] : [proposal('decision', whole, entryId)];
  });
}

function firstLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '');
}

/** Each line is proposed from its newest message. Repetition within one message does not count. */
function repeatedLines(prompts: readonly Entry[]): Proposal[] {
  const found = new Map<string, { count: number; entryId: string }>();
  for (const { id, parts } of prompts) {
    const lines = textOf(parts).split('\n').map(oneLine);
    for (const line of new Set(lines.filter((one) => one.split(' ').length >= leastWords))) {
      found.set(line, { count: (found.get(line)?.count ?? 0) + 1, entryId: id });
    }
  }
  return [...found]
    .filter(([, { count }]) => count > 1)
    .map(([line, { entryId }]) => proposal('constraint', line, entryId));
}

function proposal(kind: PinKind, text: string, entryId: string): Proposal {
  return { kind, text: text.trim(), rationale: null, entryId };
}

/** The proposals that are not in the core with any status, without duplicates. Refused items are not proposed again. */
export function newProposals(proposals: readonly Proposal[], items: readonly CoreItem[]): Proposal[] {
  const known = new Set(items.map(proposalKey));
  return proposals.filter((proposal) => {
    const isNew = !known.has(proposalKey(proposal));
    known.add(proposalKey(proposal));
    return isNew;
  });
}

/** Puts goals first, so that a limited list contains the current goal. */
export function goalsFirst(proposals: readonly Proposal[]): Proposal[] {
  const isGoal = ({ kind }: Proposal) => kind === 'goal';
  return [...proposals.filter(isGoal), ...proposals.filter((proposal) => !isGoal(proposal))];
}

/** Equal for equal words, ignoring spacing and case. */
export function proposalKey({ kind, text }: Pick<Proposal, 'kind' | 'text'>): string {
  return `${kind} ${oneLine(text).toLowerCase()}`;
}
