import { collectArtifacts } from '../../engine/compaction/artifacts';
import type { Artifact } from '../../engine/compaction/loss-report';
import type { SectionName } from '../../engine/compaction/sections';
import { isCode, isConstraint, sentencesOf } from '../../engine/compaction/sentences';
import type { RequestedTurn, SummaryRequest } from '../../engine/compaction/summary';
import { type Entry, textOf } from '../../engine/conversation/entry';
import { type Candidate, item } from './candidate';
import { cues, isFiller } from './cues';
import { failureCandidates, lastWorking, operationCandidates, operationsOf, statusOf } from './operations';

/** All lines that the sections of a block could have, in the order in which they were said. */
export function candidatesFor(request: SummaryRequest): Candidate[] {
  switch (request.summaryType) {
    case 'tool_call_batch':
      return toolCallBatch(request);
    case 'conversation':
      return conversation(request);
    default:
      return goalBatch(request);
  }
}

interface Sentence {
  readonly text: string;
  readonly entryId: string;
  /** 0 for the oldest, 1 for the newest. */
  readonly position: number;
}

function toolCallBatch({ turns }: SummaryRequest): Candidate[] {
  const entries = turns.flatMap((turn) => turn.entries);
  const operations = operationsOf(entries);
  const said = agentSentences(entries);
  const telling = said.filter((sentence) => !isFiller(sentence.text));
  const last = telling.at(-1) ?? said.at(-1);
  return [
    ...said.slice(0, 1).map(({ text, entryId }) => ({ ...item('Strategy', text, entryId, 1), line: text })),
    ...operationCandidates(operations),
    ...matching(telling, cues.finding, 'Discoveries'),
    ...failureCandidates(operations),
    ...matching(telling, cues.deadEnd, 'Dead Ends'),
    ...lastWorking(operations),
    ...matching(telling, cues.milestone, 'What Worked'),
    ...artifactItems(collectArtifacts(entries), 'Critical Artifacts'),
    ...(last
      ? [{ ...item('Status', last.text, last.entryId, 1), line: `${statusOf(operations)} — ${last.text}` }]
      : []),
  ];
}

function conversation({ turns }: SummaryRequest): Candidate[] {
  const entries = turns.flatMap((turn) => turn.entries);
  const said = agentSentences(entries).filter((sentence) => !isFiller(sentence.text));
  return [
    ...matching(said, cues.milestone, 'Milestones'),
    ...matching(said, cues.decision, 'Key Decisions'),
    ...matching(said, cues.finding, 'Findings'),
    ...artifactItems(collectArtifacts(entries), 'Findings'),
    ...matching(said, cues.deadEnd, 'Attempted & Abandoned'),
    ...said.slice(-3).map(({ text, entryId }, index) => item('Current State', text, entryId, 1 + index)),
    ...matching(said, cues.open, 'Open Items'),
  ];
}

function goalBatch({ turns }: SummaryRequest): Candidate[] {
  const entries = turns.flatMap(({ user, entries: rest }) => (user ? [user, ...rest] : [...rest]));
  const said = turns.flatMap((turn) => agentSentences(turn.entries)).filter((sentence) => !isFiller(sentence.text));
  const operations = operationsOf(entries);
  return [
    ...turns.flatMap(goalOf),
    ...turns.flatMap(directionsOf),
    ...turns.flatMap(outcomeOf),
    ...matching(said, cues.milestone, 'What Was Achieved'),
    ...failureCandidates(operations),
    ...matching(said, cues.deadEnd, 'Dead Ends'),
    ...artifactItems(collectArtifacts(entries), 'Key Artifacts'),
  ];
}

/** The person's words are first-class content (ADR 41): of what does not fit a section's share, they go before names. */
const personFirst = 1000;

/** What the person asked for first in each turn: how the goal moved from turn to turn. */
function goalOf({ user }: RequestedTurn): Candidate[] {
  const [first] = userSentences(user);
  return first ? [item('Goal Arc', first.text, first.entryId, personFirst + first.position)] : [];
}

/** The person's other sentences. One that lays down a rule still applies, and stands under the constraints. */
function directionsOf({ user }: RequestedTurn): Candidate[] {
  const [first, ...others] = userSentences(user);
  const rules = [first, ...others].filter((sentence) => sentence !== undefined && isConstraint(sentence.text));
  return [
    ...rules.flatMap((rule) => (rule ? [item('Lasting Constraints', rule.text, rule.entryId, personFirst + 2)] : [])),
    ...others
      .filter((sentence) => !isConstraint(sentence.text))
      .map((sentence) => item('Human Direction', sentence.text, sentence.entryId, personFirst + 1)),
  ];
}

/** The last thing the agent said in a turn is what came of it. */
function outcomeOf({ entries }: RequestedTurn): Candidate[] {
  const last = agentSentences(entries.slice(-1)).find((sentence) => !isFiller(sentence.text));
  return last ? [item('What Was Achieved', last.text, last.entryId, 3)] : [];
}

function userSentences(user: Entry | null): Sentence[] {
  return user ? sentencesIn([user]).filter((sentence) => !isCode(sentence.text)) : [];
}

function agentSentences(entries: readonly Entry[]): Sentence[] {
  return sentencesIn(entries.filter((entry) => entry.role === 'assistant'));
}

function sentencesIn(entries: readonly Entry[]): Sentence[] {
  return entries.flatMap((entry, index) =>
    sentencesOf(textOf(entry.parts)).map((text) => ({ text, entryId: entry.id, position: index / entries.length })),
  );
}

/** Sentences that show their kind by a cue; more cues and a later place weigh more. */
function matching(sentences: readonly Sentence[], cue: RegExp, section: SectionName): Candidate[] {
  return sentences
    .filter((sentence) => cue.test(sentence.text))
    .map(({ text, entryId, position }) => item(section, text, entryId, 1 + position));
}

/** Sentences of the person are no artifact of the block; they have sections of their own. */
function artifactItems(artifacts: readonly Artifact[], section: SectionName): Candidate[] {
  return artifacts
    .filter(({ kind }) => kind !== 'constraint' && kind !== 'direction')
    .map(({ text, entryIds, weight }) => item(section, text, entryIds.at(-1) ?? '', weight));
}
