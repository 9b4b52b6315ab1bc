import { newestById } from '../block/memory';
import { type Entry, textOf, toolCalls } from '../conversation/entry';
import { brief, oneLine } from '../conversation/text';
import { stepsByEntry, type ToolStep } from '../ledger/steps';
import { memoryId } from './identity';
import { type RequestSpan, requestSpans } from './request-spans';
import { stepFact } from './tool-facts';

/** A message of the person, the agent's closing reply of a turn, a summary of the agent, or a tool step. */
export type NoteCategory = 'request' | 'reply' | 'summary' | 'tool step';

/** Something worth a note, before keywords, tags and context are added. */
export interface NoteCandidate {
  readonly id: string;
  readonly category: NoteCategory;
  /** For a tool step, what it did; else the category. */
  readonly type: string;
  /**
   * Verbatim except for white space and an ellipsis where it is cut. For a tool step: its arguments and its outcome.
   */
  readonly content: string;
  /** The request that it belongs to, or the reply to it; empty if there is none. */
  readonly context: string;
  readonly timestamp: string | null;
  readonly entryIds: readonly string[];
  readonly weight: number;
}

interface ChosenCandidates {
  /** Oldest first. */
  readonly chosen: readonly NoteCandidate[];
  /** Number of further candidates. */
  readonly leftOut: number;
}

/** In characters. */
const contentLength = 280;
const contextLength = 160;

const weights: Readonly<Record<NoteCategory, number>> = { request: 5, reply: 3, summary: 3, 'tool step': 2 };

/** The candidates in these entries, at most `most`: the heaviest and newest, in order. */
export function noteCandidates(entries: readonly Entry[], most: number, known: ReadonlySet<string>): ChosenCandidates {
  const all = requestSpans(entries).flatMap(candidatesOf);
  const found = newestById(all).filter(({ id }) => !known.has(id));
  const ranked = found
    .map((candidate, index) => ({ index, rank: candidate.weight * (0.5 + (index + 1) / (2 * found.length)) }))
    .sort((a, b) => b.rank - a.rank || b.index - a.index)
    .slice(0, most);
  const chosen = new Set(ranked.map(({ index }) => index));
  return { chosen: found.filter((_, index) => chosen.has(index)), leftOut: found.length - chosen.size };
}

function candidatesOf({ request, entries }: RequestSpan): NoteCandidate[] {
  const asked = request === null ? '' : textOf(request.parts);
  const closing = entries.findLast((entry) => closes(entry));
  const answered = closing === undefined ? '' : textOf(closing.parts);
  const steps = stepsByEntry(entries);
  return [
    ...(request === null ? [] : [spoken('request', request, answered)]),
    ...entries.flatMap((entry) => [
      ...(entry.summary ? [spoken('summary', entry, asked)] : []),
      ...(steps.get(entry.id) ?? []).flatMap((step) => stepCandidate(step, asked)),
      ...(entry === closing ? [spoken('reply', entry, asked)] : []),
    ]),
  ].filter(({ content }) => content !== '');
}

/** A reply with text and without calls ends the agent's work on a request. */
function closes({ role, summary, parts }: Entry): boolean {
  return role === 'assistant' && !summary && toolCalls(parts).length === 0 && textOf(parts).trim() !== '';
}

function spoken(category: Exclude<NoteCategory, 'tool step'>, entry: Entry, context: string): NoteCandidate {
  const content = brief(textOf(entry.parts), contentLength);
  return {
    ...{ id: memoryId('n', entry.id, oneLine(content)), category, type: category, content },
    ...{ context: brief(context, contextLength), timestamp: entry.timestamp, entryIds: [entry.id] },
    weight: weights[category],
  };
}

/** Only steps that changed something or failed. Looking at something is not worth a note. */
function stepCandidate(step: ToolStep, asked: string): NoteCandidate[] {
  if (step.problem === null && step.kind !== 'change') return [];
  const content = brief(stepFact(step), contentLength);
  return [
    {
      id: memoryId('n', ...step.entryIds, content),
      category: 'tool step',
      type: step.problem === null ? 'change' : 'error',
      content,
      context: brief(step.replyText.trim() === '' ? asked : step.replyText, contextLength),
      timestamp: step.timestamp,
      entryIds: step.entryIds,
      weight: weights['tool step'],
    },
  ];
}
