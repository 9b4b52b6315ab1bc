import { Copies, type SessionToMeasure } from '../measure/replay/copies';
import type { FoundSessions } from './find-sessions';
import type { Measured, ReplayOwner, SessionOrder, SessionRead } from './replay-owner';
import { mendedRecords, type ReplayHeader, type ReplayLine, ReplayWriter, replayLines } from './replay-records';

export interface ReplayProgress {
  /** Sessions. */
  readonly done: number;
  readonly of: number;
  /** Boundaries measured so far, of all runs of this replay. */
  readonly boundaries: number;
  /** The session that a thread began or measured last. */
  readonly file: string;
}

/** A session that may still have boundaries to measure. */
interface KnownSession {
  readonly chosen: SessionToMeasure;
  readonly left: Set<string>;
}

/**
 * One replay: distributes its sessions in order, and stores the findings in a file. Starting the same replay again continues a killed one:
 * complete sessions are not opened again.
 */
export class ReplayRun implements ReplayOwner {
  readonly #copies: Copies;
  readonly #known = new Map<number, KnownSession>();
  /** By the place of a session: settles once it is read. */
  readonly #reading: readonly PromiseWithResolvers<void>[];
  #next = 0;
  #done = 0;
  #boundaries = 0;

  private constructor(
    readonly addresses: readonly string[],
    readonly writer: ReplayWriter,
    /** The header of a continued replay has the time at which it began. */
    readonly header: ReplayHeader,
    readonly onProgress: (progress: ReplayProgress) => void,
  ) {
    this.#copies = new Copies(header.simulatedPerSession);
    this.#reading = addresses.map(() => Promise.withResolvers());
  }

  /**
   * Begins again if the file has results of other sessions, other strategies or another Strata. Throws `ResultsUnusable` for
   * a damaged file, and for one that is not of a replay.
   */
  static async open(
    path: string,
    header: ReplayHeader,
    { addresses }: FoundSessions,
    onProgress: (progress: ReplayProgress) => void,
  ): Promise<ReplayRun> {
    const earlier = (await mendedRecords(path)) ? replayLines(path) : null;
    const first = await earlier?.next();
    const isSame = first?.value !== undefined && contentOf(first.value) === contentOf(header);
    const writer = await ReplayWriter.open(path, isSame ? null : header);
    const begun = isSame && first?.value?.kind === 'header' ? first.value : header;
    const run = new ReplayRun(addresses, writer, begun, onProgress);
    if (isSame && earlier) for await (const line of earlier) run.#recall(line);
    else await earlier?.return(undefined);
    return run;
  }

  async next(): Promise<SessionOrder | null> {
    for (; this.#next < this.addresses.length; this.#next += 1) {
      const [at, address] = [this.#next, this.addresses[this.#next] ?? ''];
      this.#tell(address);
      if (this.#known.get(at)?.left.size === 0) this.#done += 1;
      else {
        this.#next += 1;
        return { at, address };
      }
    }
    return null;
  }

  async read(read: SessionRead): Promise<SessionToMeasure> {
    await this.#reading[read.at - 1]?.promise;
    const known = this.#known.get(read.at) ?? (await this.#choose(read));
    this.#reading[read.at]?.resolve();
    if (known.left.size === 0) this.#done += 1;
    return { session: known.chosen.session, keys: known.chosen.keys.filter((key) => known.left.has(key)) };
  }

  async measured(result: Measured): Promise<void> {
    const line: ReplayLine = { kind: 'measured', ...result } as ReplayLine;
    await this.writer.append(line);
    this.#recall(line);
    if (this.#known.get(result.at)?.left.size === 0) this.#done += 1;
    this.#tell(this.addresses[result.at] ?? '');
  }

  async #choose(read: SessionRead): Promise<KnownSession> {
    const line = { kind: 'session', ...read } as ReplayLine;
    await this.writer.append(line);
    this.#recall(line);
    return this.#known.get(read.at) ?? { chosen: nothing, left: new Set() };
  }

  /** Sessions are recorded in order, so copies are recognized as they were in the first run. */
  #recall(line: ReplayLine): void {
    if (line.kind === 'session') {
      const { at, session, boundaries } = line;
      const chosen = session === null ? nothing : this.#copies.boundariesToMeasure({ ...session, boundaries });
      this.#known.set(at, { chosen, left: new Set(chosen.keys) });
      this.#reading[at]?.resolve();
    } else if (line.kind === 'measured') {
      if (this.#known.get(line.at)?.left.delete(line.key)) this.#boundaries += 1;
    }
  }

  #tell(file: string): void {
    this.onProgress({ done: this.#done, of: this.addresses.length, boundaries: this.#boundaries, file });
  }
}

const nothing: SessionToMeasure = { session: '', keys: [] };

/** Without the time, which differs from run to run. */
function contentOf(line: ReplayLine): string {
  return JSON.stringify({ ...line, time: '' });
}
