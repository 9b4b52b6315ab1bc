import { stripVTControlCharacters } from 'node:util';
import pMap from 'p-map';

export interface ExampleOptions {
  /** For an example that takes longer than most. */
  readonly timeoutMs?: number;
}

/** One test: a sentence that says what holds, and the steps that show it on a stage, such as an editor. */
export interface Example<Stage> extends ExampleOptions {
  readonly sentence: string;
  readonly show: (stage: Stage) => void | Promise<void>;
}

export type Outcome = { readonly kind: 'passed' } | { readonly kind: 'failed'; readonly error: unknown };

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** Where test files put their examples while they are loaded. */
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

/** An example for what was found wrong before any test could run. */
export function failing<Stage>(sentence: string, error: unknown): Example<Stage> {
  return { sentence, show: () => Promise.reject(error) };
}

/** One after the other unless more may run at once. Prints a line for each, and what went wrong. */
export async function runExamples<Stage>(
  examples: readonly Example<Stage>[],
  run: (example: Example<Stage>) => Promise<Outcome>,
  concurrency = 1,
): Promise<Tally> {
  let failed = 0;
  const runOne = async (example: Example<Stage>) => {
    const start = performance.now();
    const outcome = await run(example);
    if (outcome.kind === 'failed') failed += 1;
    console.log(lineFor(example.sentence, outcome, performance.now() - start));
  };
  await pMap(examples, runOne, { concurrency });
  return { passed: examples.length - failed, failed };
}

/** `timeout` is in milliseconds; steps that take longer have failed. */
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
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  return { passed, failed };
}

/** Tells what `runExamples` printed from everything else that is printed in the same place. */
export const isTestLine = (text: string) => /^ {2}(passed|FAILED) {2}/.test(text);

function lineFor(sentence: string, outcome: Outcome, milliseconds: number): string {
  const time = `${(milliseconds / 1000).toFixed(1)} s`;
  if (outcome.kind === 'passed') return `  passed  ${sentence} (${time})`;
  return `  FAILED  ${sentence} (${time})\n${indented(describe(outcome.error))}`;
}

/** Playwright colours its messages, also where no terminal is. */
function describe(error: unknown): string {
  return stripVTControlCharacters(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

const indented = (text: string) => text.replace(/^/gm, '          ');
