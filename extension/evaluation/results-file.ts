import { open, readFile, rename, truncate } from 'node:fs/promises';
import { LocalizableError, localizable } from '../engine/wording/localizable-text';
import { exists } from '../platform/files/exists';
import { oneByOne } from '../platform/files/in-turn';
import { privateFile } from '../platform/files/private-modes';
import { systemErrorCode } from '../platform/files/with-file';
import { type EvaluationResults, ResultsUnusable, readResults } from './measure/evaluation-results';
import type { PlayedUnit } from './measure/play';
import { type EvaluationSettings, type HeaderLine, type ResultLine, unitKey } from './measure/results';

/** A line could not be written. Everything written before is intact. */
export class ResultsNotWritten extends LocalizableError {
  override name = 'ResultsNotWritten';
}

/**
 * The results of one run on disk, one line per unit. A run that was killed can continue: finished units are not played
 * again, and an incomplete last line is cut off first.
 */
export class ResultsFile {
  readonly #written: Set<string>;
  readonly #texts: Set<string>;
  /** Expected size of the file, in bytes. */
  #size: number;
  /** Writes run one after the other in the order of the calls. */
  readonly #inTurn = oneByOne();

  private constructor(
    readonly path: string,
    /** The last line was incomplete. */
    readonly wasTorn: boolean,
    { units, texts }: Pick<EvaluationResults, 'units' | 'texts'>,
    size: number,
  ) {
    this.#size = size;
    this.#written = new Set(units.map(unitKey));
    this.#texts = new Set(texts.keys());
  }

  /** Throws `ResultsUnusable` for results of other settings, and for a file that is not a results file. */
  static async open(path: string, header: HeaderLine): Promise<ResultsFile> {
    const content = await contentOf(path);
    if (content === null || isTornHeader(content)) {
      const size = await writeResults(path, `${JSON.stringify(header)}\n`, null);
      return new ResultsFile(path, content !== null && content !== '', { units: [], texts: new Map() }, size);
    }
    const { results, tornFrom } = readResults(path, content);
    refuseOtherRun(path, results.header, header);
    const size = Buffer.byteLength(tornFrom === null ? content : content.slice(0, tornFrom));
    if (tornFrom !== null) await truncate(path, size);
    return new ResultsFile(path, tornFrom !== null, results, size);
  }

  has(unit: Parameters<typeof unitKey>[0]): boolean {
    return this.#written.has(unitKey(unit));
  }

  /**
   * Writes the texts first, so that a complete unit line never lacks one. Throws `ResultsNotWritten`, also if another
   * process wrote to the file: two runs in one file would write units twice.
   */
  append(unit: PlayedUnit): Promise<void> {
    return this.#inTurn(() => this.#append(unit));
  }

  async #append({ line, texts }: PlayedUnit): Promise<void> {
    const fresh = [...texts].filter(([key]) => !this.#texts.has(key));
    const lines: ResultLine[] = fresh.length > 0 ? [{ kind: 'texts', texts: Object.fromEntries(fresh) }, line] : [line];
    this.#size = await writeResults(this.path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''), this.#size);
    this.#written.add(unitKey(line));
    for (const [key] of fresh) this.#texts.add(key);
  }
}

/** Throws `ResultsUnusable` for a missing or damaged file. */
export async function loadResults(path: string): Promise<EvaluationResults> {
  const content = await contentOf(path);
  if (content === null) throw new ResultsUnusable(localizable('{0}: there is no such file.', path));
  return readResults(path, content).results;
}

const headerBegins = '{"kind":"header"';

/** A process was killed while it wrote the header. Any other content may be a person's file and is not overwritten. */
function isTornHeader(content: string): boolean {
  return !content.includes('\n') && (content.startsWith(headerBegins) || headerBegins.startsWith(content));
}

async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return null;
    throw new ResultsUnusable(localizable('{0}: the results could not be read: {1}', path, String(cause)), { cause });
  }
}

/** Appends if the file has this size; for null, replaces the file. Returns the new size in bytes. */
export async function writeResults(path: string, text: string, size: number | null): Promise<number> {
  try {
    await using file = await open(path, size === null ? 'w' : 'a', privateFile);
    if (size !== null && (await file.stat()).size !== size) {
      throw new ResultsNotWritten(
        localizable('{0}: another process is writing these results. Use a separate folder for each run.', path),
      );
    }
    await file.writeFile(text);
    await file.sync();
    return (size ?? 0) + Buffer.byteLength(text);
  } catch (cause) {
    if (cause instanceof ResultsNotWritten) throw cause;
    throw new ResultsNotWritten(localizable('{0}: results could not be written: {1}', path, String(cause)), { cause });
  }
}

/** All numbers of one run must have the same settings. Throws `ResultsUnusable`. */
export function refuseOtherRun(path: string, found: HeaderLine, wanted: HeaderLine): void {
  const differing = (Object.keys(wanted.settings) as (keyof EvaluationSettings)[]).filter(
    (key) => JSON.stringify(found.settings[key]) !== JSON.stringify(wanted.settings[key]),
  );
  if (JSON.stringify(found.shard) !== JSON.stringify(wanted.shard)) {
    throw new ResultsUnusable(localizable('{0}: these results belong to another shard.', path));
  }
  if (found.madeWith.strata !== wanted.madeWith.strata) {
    throw new ResultsUnusable(
      localizable('{0}: these results were made with Strata {1}. Use another folder.', path, found.madeWith.strata),
    );
  }
  if (differing.length > 0) {
    throw new ResultsUnusable(
      localizable(
        '{0}: these results were made with other settings ({1}). Use another folder, or the same settings.',
        path,
        differing.join(', '),
      ),
    );
  }
}

/** The results that a run finds at the path where it will write its own. */
type EarlierResults =
  | { readonly kind: 'none' }
  /** A run with the same settings was stopped. `done`: keys of the units it finished. */
  | { readonly kind: 'begun'; readonly done: ReadonlySet<string> }
  | { readonly kind: 'complete' }
  /** Damaged, or from other settings or another version of Strata. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** Reads only; changes nothing. */
export async function findEarlierResults(path: string, header: HeaderLine): Promise<EarlierResults> {
  if (!(await exists(path))) return { kind: 'none' };
  try {
    const results = await loadResults(path);
    refuseOtherRun(path, results.header, header);
    const done = new Set(results.units.map(unitKey));
    return done.size < header.units ? { kind: 'begun', done } : { kind: 'complete' };
  } catch (error) {
    if (error instanceof ResultsUnusable) return { kind: 'unusable', reason: error.message };
    throw error;
  }
}

/**
 * Moves results that a new run cannot continue to `setAsidePath`. Results that were set aside before are overwritten.
 */
export async function setAside(path: string, found: EarlierResults): Promise<void> {
  if (found.kind !== 'complete' && found.kind !== 'unusable') return;
  try {
    await rename(path, setAsidePath(path));
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null) throw cause;
    if (code !== 'ENOENT')
      throw new ResultsUnusable(localizable('{0}: these results cannot be replaced ({1}).', path, code), { cause });
  }
}

function setAsidePath(path: string): string {
  return path.replace(/(\.\w+)?$/, '.earlier$1');
}
