import { mergeMemories, type Observation, type SessionSummary } from '../block/memory';
import type { WriteOrder } from '../block/strategy';
import { replacedEntries } from '../compaction/request';
import { oneLine } from '../conversation/text';
import type { CountTokens } from '../conversation/tokens';
import type { CoreState } from '../core/core';
import type { Inquiry } from './inquiry';
import { under } from './note-lines';
import { economyOf, observationLine, summaryFieldLines, summaryLine } from './observation-lines';
import { type MadeObservations, makeObservations } from './observation-making';
import { summarizeSession } from './session-summary';

interface ObservationSettings {
  /** Maximum number of new observations per block. Older work gets none. */
  readonly observationsPerBlock: number;
  readonly observationsShown: number;
  readonly summariesShown: number;
  /** Whether the newest session summary is listed with all of its fields. */
  readonly isSummaryWhole?: boolean;
}

interface ObservationIndex {
  readonly text: string;
  /** Only the new ones. */
  readonly observations: readonly Observation[];
  readonly summaries: readonly SessionSummary[];
}

/** Observes the replaced entries and lists what is remembered of the session so far, newest last. */
export async function indexObservations(
  { request, remembered }: WriteOrder,
  settings: ObservationSettings,
  inquiry: Inquiry,
  room: number,
): Promise<ObservationIndex> {
  const earlier = mergeMemories(remembered);
  const known = new Set(earlier.observations.map(({ id }) => id));
  const made = await makeObservations(request, known, settings.observationsPerBlock, inquiry);
  const summary = await summarizeSession(replacedEntries(request), made.made, inquiry);
  const now = mergeMemories([earlier, { notes: [], observations: made.made, summaries: summary ? [summary] : [] }]);
  const newest = {
    observations: now.observations.slice(-settings.observationsShown),
    summaries: now.summaries.slice(-settings.summariesShown).map((one) => withoutCore(one, request.core)),
  };
  const header = (shown: readonly Observation[]) => headerOf(made, now.observations.length, shown, inquiry);
  const taken = request.countTokens([header(newest.observations), ...headings, ''].join('\n'));
  const left = room - taken;
  const inFull = wholeWithin(newest.summaries.at(-1), left * shareOfSummary, request.countTokens);
  const isWhole = (one: SessionSummary) => settings.isSummaryWhole !== false && one === newest.summaries.at(-1);
  const lineOf = (one: SessionSummary) => (isWhole(one) ? inFull : summaryLine(one));
  const lines = listed(newest, left, lineOf, request.countTokens);
  return {
    text: [
      header(lines.observations),
      ...under(headings[0], lines.summaries.map(lineOf)),
      ...under(headings[1], lines.observations.map(observationLine)),
    ].join('\n'),
    observations: made.made,
    summaries: summary ? [summary] : [],
  };
}

/** Omits what the core says, which is in the context anyway. The stored summary stays whole. */
function withoutCore(summary: SessionSummary, core: CoreState | null): SessionSummary {
  if (core === null) return summary;
  const texts = [core.original_goal, core.current_goal, ...core.hard_constraints].flatMap((text) => text ?? []);
  const asked = texts.reduce((left, text) => left.replace(text, ''), summary.request);
  return { ...summary, request: oneLine(asked) };
}

/**
 * Share of the block for the newest session summary: it says what was wanted, learned and left open, while the index only says where to
 * look.
 */
const shareOfSummary = 0.7;

const usualCharactersPerToken = 4;

/** The summary with as much of each field as there is room for. */
function wholeWithin(summary: SessionSummary | undefined, room: number, countTokens: CountTokens): string {
  if (!summary) return '';
  const line = summaryLine(summary);
  for (let characters = room * usualCharactersPerToken; characters > 200; characters *= 0.8) {
    const text = [line, ...summaryFieldLines(summary, characters)].join('\n');
    if (countTokens(text) <= room) return text;
  }
  return line;
}

const headings = ['## Sessions', '## Observations'] as const;

interface Listing {
  readonly observations: readonly Observation[];
  readonly summaries: readonly SessionSummary[];
}

/** The newest that fit. Summaries say more than observations, so they come first. */
function listed(
  newest: Listing,
  room: number,
  lineOf: (summary: SessionSummary) => string,
  countTokens: CountTokens,
): Listing {
  const summaries = newestFitting(newest.summaries, room, (summary) => countTokens(`${lineOf(summary)}\n`));
  const left = room - summaries.reduce((total, summary) => total + countTokens(`${lineOf(summary)}\n`), 0);
  const observations = newestFitting(newest.observations, left, (one) => countTokens(`${observationLine(one)}\n`));
  return { observations, summaries };
}

/** Without gaps: an index with gaps would be read as complete. */
function newestFitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let left = room;
  let first = items.length;
  for (; first > 0; first -= 1) {
    const item = items[first - 1];
    if (item === undefined || tokensOf(item) > left) break;
    left -= tokensOf(item);
  }
  return items.slice(first);
}

function headerOf(made: MadeObservations, all: number, shown: readonly Observation[], inquiry: Inquiry): string {
  const { read, work, saving } = economyOf(shown);
  const left = made.leftOut > 0 ? ` ${made.leftOut} older pieces of work got none.` : '';
  return [
    `Observations: the newest ${shown.length} of ${all} are listed. New: ${inquiry.authorsOf(made.made)}${inquiry.failureNote}.${left}`,
    `Reading the listed observations costs ${read} tokens; the work they stand for took ${work}; that saves ${saving}.`,
    'Each is stored in the journal and can be fetched by its id (`strata recall`).',
  ].join('\n');
}
