import type { RequestedTurn, SummaryRequest } from '../../engine/block/summary';
import { replacedEntries } from '../../engine/compaction/request';
import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { coreText } from '../../engine/core/core';
import { collectArtifacts } from '../../engine/language/artifacts';
import { type Artifact, phraseMatcher } from '../../engine/language/loss-report';
import { isCode, isConditional, isQuestion, sentencesOf } from '../../engine/language/sentences';
import { isFiller, isReport } from './cues';
import { type Operation, operationsOf } from './operations';
import { type Relevance, relevanceTo } from './relevance';

export interface Sentence {
  readonly text: string;
  readonly entryId: string;
  /** 0 for the oldest entry, towards 1 for the newest. */
  readonly position: number;
}

/** The user's words in one turn, as far as they are replaced. */
export interface PersonTurn {
  readonly goal: Sentence | null;
  readonly others: readonly Sentence[];
}

/** The end of the replaced entries: only there can work be open or in progress. */
export interface End {
  /** The newest turn ends with an answer, and not with a tool call, a result or a user message. */
  readonly isAnswered: boolean;
  /** Informative sentences of the answer, or else of the last two informative replies. */
  readonly said: readonly Sentence[];
  /** The first request of the newest turn. */
  readonly goal: Sentence | null;
  /** Whether the user continued with another turn. */
  readonly isFollowed: boolean;
}

/** All material for a block, collected once for all sections. */
export interface Material {
  readonly operations: readonly Operation[];
  /** Informative sentences of the agent, oldest first. */
  readonly said: readonly Sentence[];
  /** The first report in the last reply of each turn: its outcome. */
  readonly outcomes: readonly Sentence[];
  readonly end: End;
  readonly person: readonly PersonTurn[];
  readonly artifacts: readonly Artifact[];
  /** Whether the protected core contains it, so that the block need not. */
  readonly isInCore: (text: string) => boolean;
  readonly relevance: Relevance;
}

export function materialOf(request: SummaryRequest): Material {
  const entries = replacedEntries(request);
  const relevance = relevanceTo(request.instructions, request.liveGoal);
  const isInCore = request.core ? phraseMatcher(coreText(request.core)) : () => false;
  const replies = entries.filter((entry) => entry.role === 'assistant');
  const person = personTurns(request, isInCore);
  return {
    operations: operationsOf(entries),
    said: telling(replies),
    outcomes: request.turns.flatMap(outcomeOf),
    end: endOf(request, person),
    person,
    artifacts: weighed(collectArtifacts(entries), relevance),
    isInCore,
    relevance,
  };
}

function telling(entries: readonly Entry[]): Sentence[] {
  return sentencesIn(entries).filter(({ text }) => !isFiller(text) && !isCode(text));
}

function outcomeOf({ entries }: RequestedTurn): Sentence[] {
  const last = entries.filter((entry) => entry.role === 'assistant').slice(-1);
  return reportsAmong(telling(last)).slice(0, 1);
}

export function reportsAmong(sentences: readonly Sentence[]): Sentence[] {
  return sentences.filter(({ text }) => isReport(text) && isStatement(text));
}

export function isStatement(text: string): boolean {
  return !isQuestion(text) && !isConditional(text);
}

const repliesUnderWay = 2;

function endOf({ turns, liveGoal }: SummaryRequest, person: readonly PersonTurn[]): End {
  const newest = turns.at(-1);
  const entries = newest ? newestTurnOf(newest) : [];
  const last = entries.findLast(({ injected }) => !injected);
  const isAnswered = last?.role === 'assistant' && toolCalls(last.parts).length === 0;
  const replies = entries.filter((entry) => entry.role === 'assistant' && textOf(entry.parts).trim() !== '');
  const goal = person.at(-1)?.goal ?? null;
  return {
    isAnswered,
    said: telling(replies.slice(isAnswered ? -1 : -repliesUnderWay)),
    goal: entries.some(({ id }) => id === goal?.entryId) ? goal : null,
    isFollowed: liveGoal !== null,
  };
}

/** Several turns may lie beneath an earlier block. */
function newestTurnOf({ user, userIsReplaced, entries }: RequestedTurn): readonly Entry[] {
  const opened = entries.findLastIndex(isPrompt);
  if (opened >= 0) return entries.slice(opened);
  return user && userIsReplaced ? [user, ...entries] : entries;
}

/**
 * The user's words are only material if their entry is replaced; a message that stays before the block need not be
 * repeated.
 */
function personTurns({ turns }: SummaryRequest, isInCore: (text: string) => boolean): PersonTurn[] {
  return turns.flatMap((turn, index) =>
    personEntries(turn).map((entry) => {
      const sentences = sentencesIn([entry])
        .filter(({ text }) => !isCode(text) && !isInCore(text))
        .map((sentence) => ({ ...sentence, position: index / turns.length }));
      const [goal = null, ...others] = sentences;
      return { goal, others };
    }),
  );
}

/** The replaced opening message of the turn, and those of turns beneath an earlier block. */
function personEntries({ user, userIsReplaced, entries }: RequestedTurn): Entry[] {
  const beneath = entries.filter(isPrompt);
  return user && userIsReplaced ? [user, ...beneath] : beneath;
}

function sentencesIn(entries: readonly Entry[]): Sentence[] {
  return entries.flatMap((entry, index) =>
    sentencesOf(textOf(entry.parts)).map((text) => ({ text, entryId: entry.id, position: index / entries.length })),
  );
}

function weighed(artifacts: readonly Artifact[], relevance: Relevance): Artifact[] {
  return artifacts
    .map((artifact) => ({ ...artifact, weight: artifact.weight * relevance(artifact.text) }))
    .sort((a, b) => b.weight - a.weight);
}
