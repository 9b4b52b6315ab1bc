import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The outcome of a run of the command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program in one process, so that it is loaded only once for many runs. */
export class Resident {
  #last: Promise<unknown> = Promise.resolve();

  private constructor(readonly child: ChildProcess) {}

  /** `command` is the built `strata.js`. */
  static async start(command: string): Promise<Resident> {
    const program = pathToFileURL(join(dirname(command), 'program.js')).href;
    const child = fork(join(import.meta.dirname, 'resident-program.mjs'), [program]);
    await next(child);
    return new Resident(child);
  }

  /** Runs are carried out one after the other. */
  run(args: readonly string[]): Promise<Outcome> {
    const outcome = this.#last.then(async () => {
      this.child.send(args);
      return (await next(this.child)) as Outcome;
    });
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  stop(): void {
    this.child.kill();
  }
}

/** Rejects if the process ends instead. */
async function next(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`The program ended with ${code}.`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
