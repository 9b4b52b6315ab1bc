import type { Branch, PlacedCompaction } from '../conversation/branch';
import type { Entry } from '../conversation/entry';
import { type LineRange, type Reading, readingsOf } from '../ledger/readings';
import { filesOf, type ToolStep, toolStepsOf } from '../ledger/steps';

export interface ReadCount {
  readonly calls: number;
  readonly tokens: number;
}

/**
 * Counts the reads that an agent repeated after a compaction. `usual` is the same measure over as many reads directly before the
 * compaction, because agents also read files again without one.
 */
export interface Rereading {
  /** File reads after the compaction, until the next one; at most 40. */
  readonly reads: number;
  /**
   * Reads of files or parts that were read before the compaction and not since, and that were not changed in between.
   */
  readonly again: ReadCount;
  /** Such reads of files that were changed in between. */
  readonly changedSince: ReadCount;
  /** Null if either side has too few reads to compare. */
  readonly usual: { readonly reads: number; readonly again: number } | null;
}

/** Maximum number of reads compared: later ones depend less on the compaction. */
const mostReads = 40;

/** Minimum number of reads on each side for a comparison. */
const fewestReads = 5;

/** Reads after an earlier compaction that are not counted as usual, because that compaction may have caused them. */
const readsToSettle = 10;

/** A call that read files, with what is needed to detect repetition. */
interface ReadCall {
  /** Index in the branch of the entry that contains the call. */
  readonly step: number;
  /** Ordinal among all tool steps. */
  readonly at: number;
  readonly readings: readonly Reading[];
  readonly text: string;
  readonly tokens: number;
}

/** An output that an agent had before. */
export interface RepeatedOutput {
  readonly tokens: number;
  readonly text: string;
}

interface Repeated {
  readonly again: readonly ReadCall[];
  /** Repeated reads of files that changed in between. */
  readonly changedSince: readonly ReadCall[];
}

interface Change {
  readonly at: number;
  readonly paths: readonly string[];
}

/** By the agent's compaction, for each one after which files were read. */
export function rereadings(branch: Branch, tokensOf: (entry: Entry) => number): ReadonlyMap<string, Rereading> {
  const { compactions } = branch;
  if (compactions.length === 0) return new Map();
  const history = new ReadHistory(branch, tokensOf);
  const found = compactions.flatMap((compaction, index) => {
    // The session file does not contain what was read before.
    if (compaction.compaction.replacedEntryIds.length === 0) return [];
    const since = compactions[index - 1]?.step ?? null;
    const rereading = history.around(compaction, since, compactions[index + 1]?.step ?? Number.POSITIVE_INFINITY);
    return rereading === null ? [] : [[compaction.compaction.id, rereading] as const];
  });
  return new Map(found);
}

/** The calls of a branch that read files, and if wanted those that searched, in order. */
export class ReadHistory {
  readonly #reads: readonly ReadCall[];
  readonly #changes: readonly Change[];

  constructor(
    { entries, stepOf }: Branch,
    tokensOf: (entry: Entry) => number,
    { searches = false }: { readonly searches?: boolean } = {},
  ) {
    const steps = toolStepsOf(entries.map(({ entry }) => entry));
    const resultOf = (step: ToolStep) => entries[stepOf.get(step.entryIds.at(-1) ?? '') ?? -1]?.entry;
    this.#changes = steps.flatMap((step, at) => (isChange(step) ? [{ at, paths: filesOf(step.call) }] : []));
    // The tools of one script share its result.
    const counted = new Set<Entry>();
    this.#reads = steps.flatMap((step, at) => {
      const readings = step.result === null ? [] : searches ? lookupsOf(step) : readingsOf(step);
      const result = resultOf(step);
      if (readings.length === 0 || !result) return [];
      const place = stepOf.get(step.entryIds[0] ?? '') ?? 0;
      const tokens = counted.has(result) ? 0 : tokensOf(result);
      counted.add(result);
      return [{ step: place, at, readings, text: step.result?.text ?? '', tokens }];
    });
  }

  /** Steps of the calls, in order. */
  get steps(): readonly number[] {
    return this.#reads.map(({ step }) => step);
  }

  /**
   * The outputs of `count` calls from the call with number `first` on that repeat one of the `reach` calls before it: of the
   * same file or search, not seen since, and not changed in between.
   */
  repeatedFrom(first: number, count: number, reach: number): readonly RepeatedOutput[] {
    return this.#repeated(first, count, reach).again.map(({ tokens, text }) => ({ tokens, text }));
  }

  /** Null if nothing was read after it. */
  around({ step }: PlacedCompaction, since: number | null, until: number): Rereading | null {
    const first = this.#reads.findIndex((read) => read.step > step);
    if (first < 0) return null;
    const earlier = this.#reads.slice(0, first).filter((read) => read.step > (since ?? -1)).length;
    const after = this.#reads.slice(first).filter((read) => read.step <= until).length;
    const matched = Math.min(after, since === null ? earlier : earlier - readsToSettle, mostReads);
    const reads = matched < fewestReads ? Math.min(after, mostReads) : matched;
    if (reads === 0) return null;
    const { again, changedSince } = this.#repeated(first, reads);
    const before = matched < fewestReads ? null : this.#repeated(first - reads, reads).again.length;
    const usual = before === null ? null : { reads, again: before };
    return { reads, again: countOf(again), changedSince: countOf(changedSince), usual };
  }

  /** The reads from index `first` on that repeat one of the reads before it. */
  #repeated(first: number, count: number, reach = first): Repeated {
    const before = new Map<string, ReadCall[]>();
    for (const read of this.#reads.slice(Math.max(0, first - reach), first)) remember(before, read);
    const since = new Map<string, ReadCall[]>();
    const again: ReadCall[] = [];
    const changedSince: ReadCall[] = [];
    for (const read of this.#reads.slice(first, first + count)) {
      const earlier = read.readings.map((reading) => covering(reading, before));
      const isNew = earlier.includes(undefined) || read.readings.some((reading) => covering(reading, since));
      if (!isNew) (this.#isChanged(read, earlier) ? changedSince : again).push(read);
      remember(since, read);
    }
    return { again, changedSince };
  }

  /** Whether the agent changed a file in between, or the same part has other content. */
  #isChanged(read: ReadCall, earlier: readonly (ReadCall | undefined)[]): boolean {
    return read.readings.some((reading, index) => {
      const before = earlier[index];
      if (!before) return false;
      const between = this.#changes.filter(({ at }) => at > before.at && at < read.at);
      if (between.some(({ paths }) => paths.some((path) => isSameFile(path, reading.path)))) return true;
      return readsTheSame(read, before) && read.text !== before.text;
    });
  }
}

/** The file that a step read, or its search. All arguments of a search identify it. */
function lookupsOf(step: ToolStep): readonly Reading[] {
  const readings = readingsOf(step);
  const isSearch =
    readings.length === 0 && step.kind === 'look' && step.problem === null && searching.test(step.call.name);
  return isSearch ? [{ path: `${step.call.name} ${JSON.stringify(step.call.input)}`, lines: null }] : readings;
}

const searching = /grep|search|glob|find|^ls$|bash|shell|exec|command|terminal/i;

function isChange({ kind, problem, result }: ToolStep): boolean {
  return kind === 'change' && problem === null && result !== null;
}

function remember(reads: Map<string, ReadCall[]>, read: ReadCall): void {
  for (const { path } of read.readings) {
    const known = reads.get(path);
    if (known) known.push(read);
    else reads.set(path, [read]);
  }
}

/** The newest earlier call that read some of the same lines. */
function covering({ path, lines }: Reading, reads: ReadonlyMap<string, readonly ReadCall[]>): ReadCall | undefined {
  return reads
    .get(path)
    ?.findLast(({ readings }) => readings.some((other) => other.path === path && overlaps(other.lines, lines)));
}

/** Null lines mean the whole file. */
function overlaps(one: LineRange | null, other: LineRange | null): boolean {
  return one === null || other === null || (one.from <= other.to && other.from <= one.to);
}

function readsTheSame(one: ReadCall, other: ReadCall): boolean {
  return JSON.stringify(one.readings) === JSON.stringify(other.readings);
}

/** Paths in a patch are relative to an unknown folder. */
function isSameFile(changed: string, read: string): boolean {
  return changed === read || read.endsWith(`/${changed.replace(/^\.\//, '')}`) || changed.endsWith(`/${read}`);
}

function countOf(reads: readonly ReadCall[]): ReadCount {
  return { calls: reads.length, tokens: reads.reduce((sum, { tokens }) => sum + tokens, 0) };
}
