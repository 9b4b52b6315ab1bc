import { open, readFile, truncate } from 'node:fs/promises';
import { systemErrorCode } from '../sessions/files/with-file';
import { type EvaluationResults, ResultsUnusable, readResults } from './measure/evaluation-results';
import type { PlayedUnit } from './measure/play';
import { type EvaluationSettings, type HeaderLine, type ResultLine, unitKey } from './measure/results';

/** A line could not be written; what was written before is whole. */
export class ResultsNotWritten extends Error {
  override name = 'ResultsNotWritten';
}

/**
 * The results of one run on disk, one line a unit. A run that was killed goes on where it was: units that are there are
 * not played again, and what is not whole at the end is cut off first.
 */
export class ResultsFile {
  readonly #written: Set<string>;
  readonly #texts: Set<string>;
  /** Bytes of the file as this run knows it. */
  #size: number;
  /** One line after the other, in the order they were asked for. */
  #last: Promise<void> = Promise.resolve();

  private constructor(
    readonly path: string,
    /** A line was found that is not whole. */
    readonly wasTorn: boolean,
    { units, texts }: Pick<EvaluationResults, 'units' | 'texts'>,
    size: number,
  ) {
    this.#size = size;
    this.#written = new Set(units.map(unitKey));
    this.#texts = new Set(texts.keys());
  }

  /** Throws `ResultsUnusable` where there are results of other settings, or a file that cannot be read as results. */
  static async open(path: string, header: HeaderLine): Promise<ResultsFile> {
    const content = await contentOf(path);
    if (content === null || isTornHeader(content)) {
      const size = await write(path, `${JSON.stringify(header)}\n`, null);
      return new ResultsFile(path, content !== null && content !== '', { units: [], texts: new Map() }, size);
    }
    const { results, tornFrom } = readResults(path, content);
    refuseOther(path, results.header, header);
    const size = Buffer.byteLength(tornFrom === null ? content : content.slice(0, tornFrom));
    if (tornFrom !== null) await truncate(path, size);
    return new ResultsFile(path, tornFrom !== null, results, size);
  }

  has(unit: Parameters<typeof unitKey>[0]): boolean {
    return this.#written.has(unitKey(unit));
  }

  /**
   * Texts first, so that a unit whose line is whole has all of them. Throws `ResultsNotWritten`, also where somebody else
   * wrote to the file: two runs in one file would tell units twice.
   */
  append(unit: PlayedUnit): Promise<void> {
    const written = this.#last.then(() => this.#append(unit));
    // Who asked for it hears of a failure; the next one is tried all the same.
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #append({ line, texts }: PlayedUnit): Promise<void> {
    const fresh = [...texts].filter(([key]) => !this.#texts.has(key));
    const lines: ResultLine[] = fresh.length > 0 ? [{ kind: 'texts', texts: Object.fromEntries(fresh) }, line] : [line];
    this.#size = await write(this.path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''), this.#size);
    this.#written.add(unitKey(line));
    for (const [key] of fresh) this.#texts.add(key);
  }
}

/** Throws `ResultsUnusable`, also where the last line is not whole. */
export async function loadResults(path: string): Promise<EvaluationResults> {
  const content = await contentOf(path);
  if (content === null) throw new ResultsUnusable(`${path}: there is no such file.`);
  return readResults(path, content).results;
}

const headerBegins = '{"kind":"header"';

/** What a process leaves that was killed while it wrote the first line. Anything else is somebody's file. */
function isTornHeader(content: string): boolean {
  return !content.includes('\n') && (content.startsWith(headerBegins) || headerBegins.startsWith(content));
}

async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return null;
    throw new ResultsUnusable(`${path}: the results could not be read: ${String(cause)}`, { cause });
  }
}

/** Appends where the file has this size, or begins it anew for null; its size afterwards, in bytes. */
async function write(path: string, text: string, size: number | null): Promise<number> {
  try {
    await using file = await open(path, size === null ? 'w' : 'a');
    if (size !== null && (await file.stat()).size !== size) {
      throw new ResultsNotWritten(`${path}: somebody else writes to these results. Give each run a folder of its own.`);
    }
    await file.writeFile(text);
    await file.sync();
    return (size ?? 0) + Buffer.byteLength(text);
  } catch (cause) {
    if (cause instanceof ResultsNotWritten) throw cause;
    throw new ResultsNotWritten(`${path}: results could not be written: ${String(cause)}`, { cause });
  }
}

/** What a number is made of must not change half way. Throws `ResultsUnusable`. */
export function refuseOther(path: string, found: HeaderLine, wanted: HeaderLine): void {
  const differing = (Object.keys(wanted.settings) as (keyof EvaluationSettings)[]).filter(
    (key) => JSON.stringify(found.settings[key]) !== JSON.stringify(wanted.settings[key]),
  );
  if (JSON.stringify(found.shard) !== JSON.stringify(wanted.shard)) {
    throw new ResultsUnusable(`${path}: these are the results of another shard.`);
  }
  if (found.madeWith.strata !== wanted.madeWith.strata) {
    throw new ResultsUnusable(
      `${path}: these results were made with Strata ${found.madeWith.strata}. Give another folder.`,
    );
  }
  if (differing.length > 0) {
    throw new ResultsUnusable(
      `${path}: these results were made with other settings (${differing.join(', ')}). Give another folder, or the same settings.`,
    );
  }
}
