import { basename, extname } from 'node:path';
import { LocalizableError, type LocalizableText, localizable, wordingOf } from '../../engine/wording/localizable-text';

/** How a thread ended. */
type ThreadEnd =
  /** Its program is missing, or could not be loaded. */
  | 'not-started'
  | 'died'
  | 'out-of-memory'
  /** It sent nothing for too long. */
  | 'silent'
  /** Its owner ended it. */
  | 'disposed';

/** A thread could not be started, or ended before it replied. */
export class ThreadEnded extends LocalizableError {
  override name = 'ThreadEnded';

  constructor(
    readonly end: ThreadEnd,
    wording: LocalizableText,
    options?: ErrorOptions,
  ) {
    super(wording, options);
  }
}

/** The errors of the thread with this program. */
export class ThreadEnds {
  readonly #name: string;

  constructor(program: string | URL) {
    const path = program instanceof URL ? program.pathname : program;
    this.#name = basename(path, extname(path));
  }

  notStarted(cause: unknown): ThreadEnded {
    const wording = localizable('A thread could not be started ({0}): {1}', this.#name, wordingOf(cause));
    return new ThreadEnded('not-started', wording, { cause });
  }

  /** `hasReplied`: the program had been loaded. */
  failed(error: Error, hasReplied: boolean): ThreadEnded {
    const code = 'code' in error ? error.code : null;
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
      const wording = localizable('A thread ran out of memory ({0}).', this.#name);
      return new ThreadEnded('out-of-memory', wording, { cause: error });
    }
    if (!hasReplied && (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')) return this.notStarted(error);
    const wording = localizable('A thread failed ({0}): {1}', this.#name, wordingOf(error));
    return new ThreadEnded('died', wording, { cause: error });
  }

  exited(code: number): ThreadEnded {
    return new ThreadEnded('died', localizable('A thread ended with exit code {1} ({0}).', this.#name, code));
  }

  silent(milliseconds: number): ThreadEnded {
    const seconds = Math.round(milliseconds / 1000);
    const wording = localizable('A thread did not answer for {1} seconds and was ended ({0}).', this.#name, seconds);
    return new ThreadEnded('silent', wording);
  }

  disposed(): ThreadEnded {
    return new ThreadEnded('disposed', localizable('A thread was ended ({0}).', this.#name));
  }
}
