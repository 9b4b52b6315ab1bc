import type { Branch } from '../conversation/branch';
import type { Conversation } from '../conversation/conversation';
import { type Entry, readableText } from '../conversation/entry';
import { type CoreState, coreState, coreText } from '../core/core';
import { isOriginalGoalOver, itemsAt } from '../core/items-at';
import type { JournalState } from '../journal/journal-state';
import { originalGoal } from '../journal/overlay';
import type { CompactionRecord } from '../journal/records';
import { TextIndex } from '../language/paraphrase';
import { type Direction, firstDirections } from './directions';
import { type GoalDrift, type GoalsAtMark, goalsAt, type Trace, traceOfAll } from './goal-drift';
import { prunes, takenBy } from './places';
import type { TimelineMark } from './timeline';

/** What the context still says of the directions in the first turns. */
export interface Drift {
  readonly kept: number;
  readonly paraphrased: number;
  readonly dropped: number;
}

/** After one mark. */
export interface DriftOfMark {
  readonly directions: Drift;
  readonly goals: GoalDrift;
}

export interface DriftOfMarks {
  readonly directions: number;
  /** After each mark; null if nothing changed, or if an encrypted summary makes it unknown. */
  readonly drifts: readonly (DriftOfMark | null)[];
}

/**
 * What remains of the first directions and of the goals after each compaction, in the context of that time. A direction whose own entry
 * is still in the context, or that is not given yet, counts as kept without a search. The others are searched in the
 * blocks, the core and the agent's summaries of that time.
 */
export function driftOf(
  conversation: Conversation,
  branch: Branch,
  state: JournalState,
  marks: readonly TimelineMark[],
): DriftOfMarks {
  const directions = firstDirections(branch);
  const goals = goalsAt(
    branch,
    marks.map(({ step }) => step),
  );
  const searched = new Set([...directions, ...goals.flatMap((goal) => Object.values(goal).flat())]);
  const moment = new Moment(conversation, branch, state, [...searched], marks);
  const drifts = marks.map((mark, at) => {
    const traceOf = moment.after(mark);
    const own = goals[at];
    return traceOf === null || own === undefined
      ? null
      : { directions: count(directions, traceOf), goals: fates(own, traceOf) };
  });
  return { directions: directions.length, drifts };
}

type TraceOf = (direction: Direction) => Trace;

function count(directions: readonly Direction[], traceOf: TraceOf): Drift {
  const drift = { kept: 0, paraphrased: 0, dropped: 0 };
  for (const direction of directions) drift[traceOf(direction)] += 1;
  return drift;
}

function fates({ original, before, current }: GoalsAtMark, traceOf: TraceOf): GoalDrift {
  const [ofOriginal = null, ofBefore = null, ofCurrent = null] = [original, before, current].map((goal) =>
    traceOfAll(goal.map(traceOf)),
  );
  return { original: ofOriginal, before: ofBefore, current: ofCurrent };
}

const strength: Readonly<Record<Trace, number>> = { kept: 2, paraphrased: 1, dropped: 0 };

/** The part of the context after one compaction that concerns the first directions. */
class Moment {
  /** The seqs of the standing blocks. */
  readonly #standing = new Map<number, CompactionRecord>();
  /** The agent's summaries that it still sent. */
  readonly #summaries = new Map<string, Entry>();
  /** The entries that the agent removed by itself. */
  readonly #taken = new Set<string>();
  readonly #coveredBy: ReadonlyMap<string, readonly number[]>;
  readonly #endings = new Map<number, number[]>();
  readonly #traces = new Map<string, readonly Trace[]>();
  readonly #goal: { readonly entryId: string; readonly text: string } | null;
  #step = 0;

  constructor(
    conversation: Conversation,
    readonly branch: Branch,
    readonly state: JournalState,
    readonly directions: readonly Direction[],
    marks: readonly TimelineMark[],
  ) {
    this.#goal = originalGoal(conversation);
    this.#coveredBy = this.#coversOfInterest(marks);
  }

  /** Marks must be given in order. */
  after(mark: TimelineMark): TraceOf | null {
    this.#step = mark.step;
    if (mark.by === 'agent') this.#carryOut(mark);
    else if (!this.#stand(mark)) return null;
    return this.#isReadable ? this.#traceOf(timeOf(mark)) : null;
  }

  /** The blocks over the relevant entries. */
  #coversOfInterest(marks: readonly TimelineMark[]): Map<string, number[]> {
    const summaries = this.branch.compactions.flatMap(({ compaction }) => compaction.summaryEntryId ?? []);
    const goal = this.#goal ? [this.#goal.entryId] : [];
    const wanted = new Set([...this.directions.flatMap(({ entryIds }) => entryIds), ...summaries, ...goal]);
    const covers = new Map<string, number[]>([...wanted].map((id) => [id, []]));
    for (const mark of marks) {
      for (const { record } of mark.by === 'strata' ? mark.run.records : []) {
        if (prunes(record)) continue;
        for (const id of record.entryIds) covers.get(id)?.push(record.seq);
      }
    }
    return covers;
  }

  #carryOut({ step, compaction }: Extract<TimelineMark, { by: 'agent' }>): void {
    for (const seq of this.#endings.get(step) ?? []) this.#standing.delete(seq);
    for (const id of takenBy(compaction)) {
      this.#taken.add(id);
      this.#summaries.delete(id);
    }
    const summary = this.#entryOf(compaction.summaryEntryId);
    if (summary) this.#summaries.set(summary.id, summary);
  }

  #entryOf(id: string | null): Entry | undefined {
    const step = id === null ? undefined : this.branch.stepOf.get(id);
    return step === undefined ? undefined : this.branch.entries[step]?.entry;
  }

  /** Whether any of its blocks stood. */
  #stand({ run }: Extract<TimelineMark, { by: 'strata' }>): boolean {
    const stood = run.records.filter(({ standing }) => standing !== null);
    for (const { record, standing } of stood) {
      this.#standing.set(record.seq, record);
      const until = standing?.until ?? null;
      if (until !== null) this.#endings.set(until, [...(this.#endings.get(until) ?? []), record.seq]);
    }
    return stood.length > 0;
  }

  get #isReadable(): boolean {
    const opaque = this.branch.compactions.filter(({ compaction }) => compaction.isOpaque);
    return opaque.every(({ compaction: { summaryEntryId } }) => {
      return summaryEntryId === null || !this.#summaries.has(summaryEntryId) || this.#isCovered(summaryEntryId);
    });
  }

  #traceOf(time: number | null): TraceOf {
    const texts = this.#texts(time);
    return (direction) => {
      const number = this.directions.indexOf(direction);
      return this.#isSent(direction) ? 'kept' : strongest(texts.map((traces) => traces[number] ?? 'dropped'));
    };
  }

  #isSent({ entryIds }: Direction): boolean {
    const said = entryIds.filter((id) => (this.branch.stepOf.get(id) ?? 0) <= this.#step);
    return said.length === 0 || said.some((id) => !this.#taken.has(id) && !this.#isCovered(id));
  }

  #isCovered(id: string): boolean {
    return (this.#coveredBy.get(id) ?? []).some((seq) => this.#standing.has(seq));
  }

  /** What each text that replaces older entries says about each direction. */
  #texts(time: number | null): (readonly Trace[])[] {
    const beneath = new Set([...this.#standing.values()].flatMap(({ swallowed }) => swallowed));
    const blocks = [...this.#standing.values()].filter((record) => !beneath.has(record.seq) && !prunes(record));
    const summaries = [...this.#summaries.values()].filter(({ id }) => !this.#isCovered(id));
    const core = this.#core(time);
    return [
      ...blocks.map(({ seq, text }) => this.#tracesIn(`block ${seq}`, () => text)),
      ...summaries.map(({ id, parts }) => this.#tracesIn(`entry ${id}`, () => parts.map(readableText).join('\n'))),
      this.#tracesIn(`core ${core}`, () => core),
    ];
  }

  #core(time: number | null): string {
    const items = itemsAt(this.state, time);
    const goal = this.#goal;
    const stands = this.#standing.size > 0 || items.some(({ status }) => status === 'active');
    const isGone = goal !== null && (this.#taken.has(goal.entryId) || this.#isCovered(goal.entryId));
    const isOver = isOriginalGoalOver(this.state.itemHistory, time);
    const core: CoreState = coreState(items, stands && isGone && !isOver ? goal.text : null);
    return coreText(core);
  }

  #tracesIn(key: string, text: () => string): readonly Trace[] {
    const known = this.#traces.get(key);
    if (known) return known;
    // As it is sent: without lone surrogates.
    const index = new TextIndex(text().toWellFormed());
    const traces = this.directions.map((direction) => traceIn(index, direction.text.toWellFormed()));
    this.#traces.set(key, traces);
    return traces;
  }
}

function traceIn(index: TextIndex, text: string): Trace {
  if (index.contains(text)) return 'kept';
  return index.paraphrases(text) ? 'paraphrased' : 'dropped';
}

function strongest(traces: readonly Trace[]): Trace {
  return traces.reduce<Trace>((best, trace) => (strength[trace] > strength[best] ? trace : best), 'dropped');
}

function timeOf(mark: TimelineMark): number | null {
  const time = Date.parse((mark.by === 'agent' ? mark.compaction.timestamp : mark.run.records[0]?.record.time) ?? '');
  return Number.isNaN(time) ? null : time;
}
