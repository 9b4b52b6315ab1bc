import type { Entry } from '../conversation/entry';
import { groupedBy } from '../conversation/grouped-by';
import { brief, oneLine } from '../conversation/text';
import { personSaid, type Utterance } from '../language/directions';
import { type Remark, remarksIn } from '../language/remarks';
import { sentencesOf } from '../language/sentences';
import { stepsByEntry, type ToolStep } from '../ledger/steps';
import { announcementLength } from './goals-told';
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
const maxPerMessage = { person: 6, agent: 3, summary: 10 };

const weights: Readonly<Record<Exclude<NoteCategory, 'conclusion'>, number>> = {
  constraint: 5,
  direction: 4,
  'tool step': 2,
};

/** The candidates in these entries, at most `most`: the heaviest and newest, in order. */
export function noteCandidates(entries: readonly Entry[], most: number, known: ReadonlySet<string>): ChosenCandidates {
  const statements = statementsOf(entries);
  const all = requestSpans(entries).flatMap((span) => candidatesOf(span, statements));
  const found = uniqueById(all).filter(({ id }) => !known.has(id));
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

/** What was said, by entry. */
interface Statements {
  readonly person: ReadonlyMap<string, readonly Utterance[]>;
  readonly agent: ReadonlyMap<string, readonly Remark[]>;
}

function statementsOf(entries: readonly Entry[]): Statements {
  const said = personSaid(entries).filter(
    ({ kind, endedBy }) => kind !== 'chat' && kind !== 'question' && endedBy === null,
  );
  const told = remarksIn(entries).filter((remark) => !remark.isEarlier && weightOf(remark) > 0);
  return {
    person: groupedBy(said, ({ entryId }) => entryId),
    agent: groupedBy(told, ({ entryId }) => entryId),
  };
}

function candidatesOf({ request, entries }: RequestSpan, { person, agent }: Statements): NoteCandidate[] {
  const goal = request ? (person.get(request.id)?.[0]?.text ?? '') : '';
  const steps = stepsByEntry(entries);
  return [...(request ? [request] : []), ...entries].flatMap((entry) => [
    ...directionsOf(entry, person.get(entry.id) ?? []),
    ...conclusionsOf(entry, agent.get(entry.id) ?? [], goal),
    ...(steps.get(entry.id) ?? []).flatMap((step) => stepCandidate(step, goal)),
  ]);
}

/**
 * What the person asked for, answered and ruled: consecutive sentences together, because one alone ("Change of plan.") says
 * little; each rule and each answer, with its question, alone.
 */
function directionsOf(entry: Entry, said: readonly Utterance[]): NoteCandidate[] {
  const most = entry.summary ? maxPerMessage.summary : maxPerMessage.person;
  const parts = partsOf(said).slice(0, most);
  return parts.map(({ category, text }, at) => {
    const beside = parts[at === 0 ? 1 : at - 1]?.text ?? '';
    return candidate({ category, type: category, content: text, context: beside, entry }, weights[category]);
  });
}

interface Part {
  readonly category: 'direction' | 'constraint';
  readonly text: string;
  readonly isRedirect: boolean;
}

function partsOf(said: readonly Utterance[]): Part[] {
  const parts: Part[] = [];
  let open: Part | null = null;
  for (const { kind, text, question: put, option, isRedirect } of said) {
    const question = option?.text ?? put;
    const category = kind === 'rule' ? 'constraint' : 'direction';
    const own: Part = { category, text: question === null ? text : `${question} -> ${text}`, isRedirect };
    if (open !== null && question === null && goesOn(open, own)) parts.pop();
    else open = null;
    const part: Part = open === null ? own : { ...own, text: `${open.text} ${text}` };
    parts.push(part);
    open = question === null && category === 'direction' ? part : null;
  }
  return parts;
}

function goesOn(open: Part, next: Part): boolean {
  if (next.category === 'constraint') return open.isRedirect && open.text.length <= announcementLength;
  return open.text.length + next.text.length < contentLength;
}

function conclusionsOf(entry: Entry, told: readonly Remark[], goal: string): NoteCandidate[] {
  const most = entry.summary ? maxPerMessage.summary : maxPerMessage.agent;
  const heaviest = [...told].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, most);
  return told
    .filter((remark) => heaviest.includes(remark))
    .map((remark) => {
      const type = types[remark.kind];
      const { text } = remark;
      return candidate({ category: 'conclusion', type, content: text, context: goal || text, entry }, weightOf(remark));
    });
}

const types: Readonly<Record<Remark['kind'], string>> = {
  goal: 'finding',
  cause: 'finding',
  decision: 'decision',
  'given-up': 'dead-end',
  report: 'done',
  open: 'open',
  other: 'finding',
};

/** The reply that closes a turn says what came of it; beside a tool call, only causes and choices last. */
function weightOf({ kind, place }: Remark): number {
  const weight = { goal: 3, cause: 3, decision: 3.5, 'given-up': 3, report: 2, open: 2.5, other: 1.5 }[kind];
  if (place !== 'interim') return weight + 0.5;
  return kind === 'other' || kind === 'report' ? 0 : weight - 1;
}

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
      context: brief(sentencesOf(step.replyText)[0] ?? goal, contextLength),
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

function candidate({ category, type, content, context, entry }: CandidateFields, weight: number): NoteCandidate {
  return {
    id: memoryId('n', entry.id, oneLine(content)),
    category,
    type,
    content: brief(content, contentLength),
    context: brief(context, contextLength),
    timestamp: entry.timestamp,
    entryIds: [entry.id],
    weight,
  };
}
