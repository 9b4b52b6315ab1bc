import type { VerbatimFate } from '../block/loss';
import type { Branch } from '../conversation/branch';
import { type Conversation, idsWritten } from '../conversation/conversation';
import { type Entry, readableText } from '../conversation/entry';
import { millisecondsOf } from '../conversation/milliseconds-of';
import { type CoreState, coreState, coreText } from '../core/core';
import { isOriginalGoalOver, itemsAt } from '../core/items-at';
import type { JournalState } from '../journal/journal-state';
import { originalGoal } from '../journal/overlay';
import type { CompactionRecord } from '../journal/records';
import { VerbatimText } from '../language/verbatim';
import { firstMessages, type TrackedMessage } from './first-messages';
import { type GoalDrift, type GoalsAtMark, goalsAt } from './goal-drift';
import { prunes, takenBy } from './places';
import type { TimelineMark } from './timeline';

/** Number of the person's first messages by how much of them the context contains. */
export type Drift = Readonly<Record<VerbatimFate, number>>;

interface DriftOfMark {
  readonly messages: Drift;
  readonly goals: GoalDrift;
}

interface DriftOfMarks {
  /** Number of first messages that are tracked. */
  readonly messages: number;
  /** After each mark; null if nothing changed, or if an encrypted summary hides it. */
  readonly drifts: readonly (DriftOfMark | null)[];
}

/**
 * How much of the person's first messages and requests the context contains after each compaction. A message whose
 * entry is still in the context, or that comes later, counts as whole without a search. The others are searched in the
 * blocks, the core and the agent's summaries of that time.
 */
export function driftOf(
  conversation: Conversation,
  branch: Branch,
  state: JournalState,
  marks: readonly TimelineMark[],
): DriftOfMarks {
  const messages = firstMessages(branch);
  const goals = goalsAt(
    branch,
    marks.map(({ step }) => step),
  );
  const searched = new Set([
    ...messages,
    ...goals.flatMap(({ original, before, current }) => [original, before, current]),
  ]);
  const moment = new Moment(
    conversation,
    branch,
    state,
    [...searched].filter((one) => one !== null),
    marks,
  );
  const drifts = marks.map((mark, at) => {
    const traceOf = moment.after(mark);
    const own = goals[at];
    return traceOf === null || own === undefined
      ? null
      : { messages: count(messages, traceOf), goals: fates(own, traceOf) };
  });
  return { messages: messages.length, drifts };
}

type TraceOf = (message: TrackedMessage) => VerbatimFate;

function count(messages: readonly TrackedMessage[], traceOf: TraceOf): Drift {
  const drift = { whole: 0, shortened: 0, gone: 0 };
  for (const message of messages) drift[traceOf(message)] += 1;
  return drift;
}

function fates({ original, before, current }: GoalsAtMark, traceOf: TraceOf): GoalDrift {
  const fateOf = (message: TrackedMessage | null) => (message === null ? null : traceOf(message));
  return { original: fateOf(original), before: fateOf(before), current: fateOf(current) };
}

const strength: Readonly<Record<VerbatimFate, number>> = { whole: 2, shortened: 1, gone: 0 };

/** The part of the context after one compaction that concerns the followed messages. */
class Moment {
  /** The seqs of the standing blocks. */
  readonly #blocks = new Map<number, CompactionRecord>();
  /** The agent's summaries that it still sent. */
  readonly #summaries = new Map<string, Entry>();
  /** The entries that the agent removed by itself. */
  readonly #taken = new Set<string>();
  readonly #coveredBy: ReadonlyMap<string, readonly number[]>;
  readonly #endings = new Map<number, number[]>();
  readonly #traces = new Map<string, readonly VerbatimFate[]>();
  readonly #goal: { readonly entryId: string; readonly text: string } | null;
  #step = 0;

  constructor(
    conversation: Conversation,
    readonly branch: Branch,
    readonly state: JournalState,
    readonly followed: readonly TrackedMessage[],
    marks: readonly TimelineMark[],
  ) {
    this.#goal = originalGoal(conversation);
    this.#coveredBy = this.#coversOfInterest(marks);
  }

  /** Marks must be given in order. */
  after(mark: TimelineMark): TraceOf | null {
    this.#step = mark.step;
    if (mark.by === 'agent') this.#carryOut(mark);
    else if (!this.#addBlocks(mark)) return null;
    return this.#isReadable ? this.#traceOf(timeOf(mark)) : null;
  }

  /** The blocks over the relevant entries. */
  #coversOfInterest(marks: readonly TimelineMark[]): Map<string, number[]> {
    const summaries = this.branch.compactions.flatMap(({ compaction }) => idsWritten(compaction));
    const goal = this.#goal ? [this.#goal.entryId] : [];
    const wanted = new Set([...this.followed.flatMap(({ entryIds }) => entryIds), ...summaries, ...goal]);
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
    for (const seq of this.#endings.get(step) ?? []) this.#blocks.delete(seq);
    for (const id of takenBy(compaction)) {
      this.#taken.add(id);
      this.#summaries.delete(id);
    }
    for (const id of idsWritten(compaction)) {
      const written = this.#entryOf(id);
      if (written) this.#summaries.set(id, written);
    }
  }

  #entryOf(id: string): Entry | undefined {
    const step = this.branch.stepOf.get(id);
    return step === undefined ? undefined : this.branch.entries[step]?.entry;
  }

  /** Whether any of the run's blocks was active. */
  #addBlocks({ run }: Extract<TimelineMark, { by: 'strata' }>): boolean {
    const stood = run.records.filter(({ inContext }) => inContext !== null);
    for (const { record, inContext } of stood) {
      this.#blocks.set(record.seq, record);
      const until = inContext?.until ?? null;
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
    return (message) => {
      const number = this.followed.indexOf(message);
      return this.#isSent(message) ? 'whole' : strongest(texts.map((traces) => traces[number] ?? 'gone'));
    };
  }

  #isSent({ entryIds }: TrackedMessage): boolean {
    const soFar = entryIds.filter((id) => (this.branch.stepOf.get(id) ?? 0) <= this.#step);
    return soFar.length === 0 || soFar.some((id) => !this.#taken.has(id) && !this.#isCovered(id));
  }

  #isCovered(id: string): boolean {
    return (this.#coveredBy.get(id) ?? []).some((seq) => this.#blocks.has(seq));
  }

  /** The fate of each message in each text that replaces older entries. */
  #texts(time: number | null): (readonly VerbatimFate[])[] {
    const swallowed = new Set([...this.#blocks.values()].flatMap((record) => record.swallowed));
    const blocks = [...this.#blocks.values()].filter((record) => !swallowed.has(record.seq) && !prunes(record));
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
    const stands = this.#blocks.size > 0 || items.some(({ status }) => status === 'active');
    const isGone = goal !== null && (this.#taken.has(goal.entryId) || this.#isCovered(goal.entryId));
    const isOver = isOriginalGoalOver(this.state.itemHistory, time);
    const core: CoreState = coreState(items, stands && isGone && !isOver ? goal.text : null);
    return coreText(core);
  }

  #tracesIn(key: string, text: () => string): readonly VerbatimFate[] {
    const known = this.#traces.get(key);
    if (known) return known;
    const verbatim = new VerbatimText(text());
    const traces = this.followed.map(({ text: wanted }) => verbatim.fateOf(wanted));
    this.#traces.set(key, traces);
    return traces;
  }
}

function strongest(traces: readonly VerbatimFate[]): VerbatimFate {
  return traces.reduce<VerbatimFate>((best, trace) => (strength[trace] > strength[best] ? trace : best), 'gone');
}

function timeOf(mark: TimelineMark): number | null {
  return millisecondsOf(mark.by === 'agent' ? mark.compaction.timestamp : mark.run.records[0]?.record.time);
}
