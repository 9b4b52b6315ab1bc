import { type Entry, textOf } from '../conversation/entry';
import { brief, oneLine } from '../conversation/text';
import { isCode, isConstraint, sentencesOf } from '../language/sentences';
import { stepsByEntry, type ToolStep } from '../language/work/steps';
import { type ConclusionKind, conclusionsOf, informativeSentences } from './conclusions';
import { memoryId } from './identity';
import { type RequestSpan, requestSpans } from './request-spans';
import { stepFact } from './tool-facts';

export type NoteCategory = 'direction' | 'constraint' | 'conclusion' | 'tool step';

/** Something worth a note, before keywords, tags and context are added. */
export interface NoteCandidate {
  readonly id: string;
  readonly category: NoteCategory;
  /** The kind of conclusion, or what the tool did. */
  readonly type: string;
  /**
   * Verbatim except for white space and an ellipsis where it is cut. For a tool step: its arguments and its outcome.
   */
  readonly content: string;
  /** One verbatim sentence about the topic; empty if there is none. */
  readonly context: string;
  readonly timestamp: string | null;
  readonly entryIds: readonly string[];
  readonly weight: number;
}

export interface ChosenCandidates {
  /** Oldest first. */
  readonly chosen: readonly NoteCandidate[];
  /** Number of further candidates. */
  readonly leftOut: number;
}

const contentLength = 280;
const contextLength = 160;

/** Maximum notes per message, so that a pasted document does not fill the memory. */
const maxPerMessage = { person: 4, agent: 3, summary: 10 };

const weights: Readonly<Record<NoteCategory, number>> = {
  constraint: 5,
  direction: 4,
  conclusion: 2.5,
  'tool step': 2,
};

/** The candidates in these entries, at most `most`: the heaviest and newest, in order. */
export function noteCandidates(entries: readonly Entry[], most: number, known: ReadonlySet<string>): ChosenCandidates {
  const found = uniqueById(requestSpans(entries).flatMap(candidatesOf)).filter(({ id }) => !known.has(id));
  const ranked = found
    .map((candidate, index) => ({ index, rank: candidate.weight * (0.5 + (index + 1) / (2 * found.length)) }))
    .sort((a, b) => b.rank - a.rank || b.index - a.index)
    .slice(0, most);
  const chosen = new Set(ranked.map(({ index }) => index));
  return { chosen: found.filter((_, index) => chosen.has(index)), leftOut: found.length - chosen.size };
}

function uniqueById(candidates: readonly NoteCandidate[]): NoteCandidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.id, candidate])).values()];
}

function candidatesOf({ request, entries }: RequestSpan): NoteCandidate[] {
  const goal = request ? (sentencesOf(textOf(request.parts)).find((sentence) => !isCode(sentence)) ?? '') : '';
  const steps = stepsByEntry(entries);
  return [
    ...(request ? directionsOf(request) : []),
    ...entries.flatMap((entry) => [
      ...conclusionsOfEntry(entry, goal),
      ...(steps.get(entry.id) ?? []).flatMap((step) => stepCandidate(step, goal)),
    ]),
  ];
}

/** The first request of a message, and every rule in it. */
function directionsOf(entry: Entry): NoteCandidate[] {
  const sentences = sentencesOf(textOf(entry.parts)).filter((sentence) => !isCode(sentence));
  const telling = sentences.filter((sentence, index) => index === 0 || isConstraint(sentence));
  return telling.slice(0, maxPerMessage.person).map((sentence) => {
    const at = sentences.indexOf(sentence);
    const beside = sentences[at === 0 ? 1 : at - 1] ?? sentence;
    const category = isConstraint(sentence) ? 'constraint' : 'direction';
    return candidate({ category, type: category, content: sentence, context: beside, entry });
  });
}

function conclusionsOfEntry(entry: Entry, goal: string): NoteCandidate[] {
  if (entry.role !== 'assistant' && !entry.summary) return [];
  const found = conclusionsOf(textOf(entry.parts)).map(({ kind, sentence }) =>
    candidate({ category: 'conclusion', type: kind, content: sentence, context: goal || sentence, entry }, kind),
  );
  const most = entry.summary ? maxPerMessage.summary : maxPerMessage.agent;
  return found.slice(-most);
}

const weightOfConclusion: Readonly<Record<ConclusionKind, number>> = {
  decision: 3.5,
  finding: 3,
  'dead-end': 3,
  done: 2,
  open: 2.5,
};

/** Only steps that changed something or failed. Looking at something is not worth a note. */
function stepCandidate(step: ToolStep, goal: string): NoteCandidate[] {
  if (step.problem === null && step.kind !== 'change') return [];
  const content = brief(stepFact(step), contentLength);
  return [
    {
      id: memoryId('n', ...step.entryIds, content),
      category: 'tool step',
      type: step.problem === null ? 'change' : 'error',
      content,
      context: brief(informativeSentences(step.replyText)[0] ?? goal, contextLength),
      timestamp: step.timestamp,
      entryIds: step.entryIds,
      weight: weights['tool step'],
    },
  ];
}

interface CandidateFields {
  readonly category: NoteCategory;
  readonly type: string;
  readonly content: string;
  readonly context: string;
  readonly entry: Entry;
}

function candidate({ category, type, content, context, entry }: CandidateFields, kind?: ConclusionKind): NoteCandidate {
  return {
    id: memoryId('n', entry.id, oneLine(content)),
    category,
    type,
    content: brief(content, contentLength),
    context: brief(context, contextLength),
    timestamp: entry.timestamp,
    entryIds: [entry.id],
    weight: kind === undefined ? weights[category] : weightOfConclusion[kind],
  };
}
