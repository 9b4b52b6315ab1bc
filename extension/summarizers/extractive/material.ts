import { collectArtifacts } from '../../engine/compaction/artifacts';
import { type Artifact, holder } from '../../engine/compaction/loss-report';
import { replacedEntries } from '../../engine/compaction/request';
import { isCode, sentencesOf } from '../../engine/compaction/sentences';
import type { RequestedTurn, SummaryRequest } from '../../engine/compaction/summary';
import { type Entry, textOf } from '../../engine/conversation/entry';
import { coreText } from '../../engine/core/core';
import { isFiller } from './cues';
import { type Operation, operationsOf } from './operations';
import { type Relevance, relevanceTo } from './relevance';

export interface Sentence {
  readonly text: string;
  readonly entryId: string;
  /** 0 for the oldest, towards 1 for the newest. */
  readonly position: number;
}

/** What the person said in one turn, as far as it goes with the turn. */
export interface PersonTurn {
  readonly goal: Sentence | null;
  readonly others: readonly Sentence[];
}

/** Everything that a block can be made of, found once for all of its sections. */
export interface Material {
  readonly operations: readonly Operation[];
  /** Telling sentences of the agent, oldest first. */
  readonly said: readonly Sentence[];
  /** The last telling sentence of each turn: what came of it. */
  readonly outcomes: readonly Sentence[];
  readonly person: readonly PersonTurn[];
  readonly artifacts: readonly Artifact[];
  /** Whether the protected core says it, so that the block need not. */
  readonly isInCore: (text: string) => boolean;
  readonly relevance: Relevance;
}

export function materialOf(request: SummaryRequest): Material {
  const entries = replacedEntries(request);
  const relevance = relevanceTo(request.instructions, request.liveGoal);
  const isInCore = request.core ? holder(coreText(request.core)) : () => false;
  const replies = entries.filter((entry) => entry.role === 'assistant');
  return {
    operations: operationsOf(entries),
    said: telling(replies),
    outcomes: request.turns.flatMap(outcomeOf),
    person: personTurns(request, isInCore),
    artifacts: weighed(collectArtifacts(entries), relevance),
    isInCore,
    relevance,
  };
}

function telling(entries: readonly Entry[]): Sentence[] {
  return sentencesIn(entries).filter(({ text }) => !isFiller(text) && !isCode(text));
}

function outcomeOf({ entries }: RequestedTurn): Sentence[] {
  return telling(entries.filter((entry) => entry.role === 'assistant').slice(-1)).slice(0, 1);
}

/** The person's words go only where the person's entry goes; what stays before the block need not be said again. */
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

/** What opened the turn, if it goes with it, and what opened the turns beneath an earlier block. */
function personEntries({ user, userIsReplaced, entries }: RequestedTurn): Entry[] {
  const beneath = entries.filter(({ role, injected, summary }) => role === 'user' && !injected && !summary);
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
