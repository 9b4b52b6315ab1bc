import { stripVTControlCharacters } from 'node:util';
import pMap from 'p-map';

export interface ExampleOptions {
  /** For an example that takes longer than most. */
  readonly timeoutMs?: number;
}

/** One test: a sentence that must hold, and the steps that show it on a stage, such as an editor. */
export interface Example<Stage> extends ExampleOptions {
  readonly sentence: string;
  readonly show: (stage: Stage) => void | Promise<void>;
}

export type Outcome = { readonly kind: 'passed' } | { readonly kind: 'failed'; readonly error: unknown };

export interface Tally {
  readonly passed: number;
  /** Number of passed examples that had failed before in the same run. */
  readonly flaky?: number;
  readonly failed: number;
  /** The sentences of the failed examples. */
  readonly failures?: readonly string[];
}

/** Collects the examples of test files while they are loaded. */
export class Suite<Stage> {
  readonly #examples: Example<Stage>[] = [];

  add(sentence: string, show: Example<Stage>['show'], options: ExampleOptions = {}): void {
    this.#examples.push({ sentence, show, ...options });
  }

  /** The examples of one test file. A file that cannot be loaded or has none gives one example, which fails. */
  async examplesOf(file: string, load: () => Promise<unknown>): Promise<readonly Example<Stage>[]> {
    const before = this.#examples.length;
    try {
      await load();
    } catch (error) {
      return [failing(`${file} can be loaded`, error)];
    }
    const examples = this.#examples.slice(before);
    return examples.length > 0 ? examples : [failing(`${file} has tests`, new Error('It has none.'))];
  }
}

/** An example that fails, for an error that occurred before any test could run. */
export function failing<Stage>(sentence: string, error: unknown): Example<Stage> {
  return { sentence, show: () => Promise.reject(error) };
}

export interface RunOptions {
  /** Number of examples that run at once at their first attempt. */
  readonly concurrency?: number;
  /** Maximum number of attempts of an example. A failure before it passed is printed and counted as flaky. */
  readonly attempts?: number;
}

/**
 * Runs the examples one after the other, unless more may run at once. Failed examples run again after all others,
 * alone, because they may have failed for lack of processor time. Prints a line for each attempt, and the errors.
 */
export async function runExamples<Stage>(
  examples: readonly Example<Stage>[],
  run: (example: Example<Stage>) => Promise<Outcome>,
  { concurrency = 1, attempts = 1 }: RunOptions = {},
): Promise<Tally> {
  let failedFirst = 0;
  let remaining = examples;
  for (let attempt = 1; attempt <= attempts && remaining.length > 0; attempt++) {
    const failed = new Set<Example<Stage>>();
    const runOne = async (example: Example<Stage>) => {
      const start = performance.now();
      const outcome = await run(example);
      const mark = outcome.kind === 'failed' && attempt < attempts ? 'retried' : outcome.kind;
      console.log(lineFor(mark, example.sentence, outcome, performance.now() - start));
      if (outcome.kind === 'failed') failed.add(example);
    };
    await pMap(remaining, runOne, { concurrency: attempt === 1 ? concurrency : 1 });
    remaining = remaining.filter((example) => failed.has(example));
    if (attempt === 1) failedFirst = remaining.length;
  }
  const failures = remaining.map((example) => example.sentence);
  return {
    passed: examples.length - failures.length,
    flaky: failedFirst - failures.length,
    failed: failures.length,
    failures,
  };
}

/** `timeout` is in milliseconds. Steps that take longer have failed. */
export async function outcomeOf(steps: () => void | Promise<void>, timeout: number): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${timeout / 1000} seconds.`)), timeout);
  });
  try {
    await Promise.race([steps(), timedOut]);
    return { kind: 'passed' };
  } catch (error) {
    return { kind: 'failed', error };
  } finally {
    clearTimeout(timer);
  }
}

export function addUp(tallies: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0);
  return {
    passed: sum((it) => it.passed),
    flaky: sum((it) => it.flaky ?? 0),
    failed: sum((it) => it.failed),
    failures: tallies.flatMap((it) => it.failures ?? []),
  };
}

/** Names the failed examples again, because the lines of the run may be far above. */
export function verdict({ passed, flaky, failed, failures = [] }: Tally): string {
  const atALaterAttempt = flaky ? ` (${flaky} of them at a later attempt)` : '';
  const lines = [`${passed} passed${atALaterAttempt}, ${failed} failed`, ...failures.map((it) => `  FAILED  ${it}`)];
  return lines.join('\n');
}

/** Distinguishes the lines that `runExamples` printed from everything else in the same output. */
export const isTestLine = (text: string) => /^ {2}(passed|FAILED|retried) {2}/.test(text);

type Mark = 'passed' | 'failed' | 'retried';

function lineFor(mark: Mark, sentence: string, outcome: Outcome, milliseconds: number): string {
  const time = `${(milliseconds / 1000).toFixed(1)} s`;
  const line = `  ${mark === 'failed' ? 'FAILED' : mark}  ${sentence} (${time})`;
  return outcome.kind === 'passed' ? line : `${line}\n${indented(describe(outcome.error))}`;
}

/** Playwright colours its messages, even without a terminal. */
function describe(error: unknown): string {
  return stripVTControlCharacters(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

const indented = (text: string) => text.replace(/^/gm, '          ');
