import { inSlices } from '../platform/files/in-slices';
import { oneByOne } from '../platform/files/in-turn';
import { type NotOpened, type OpenOptions, sessionOf, startReading } from './open';
import type { Appended, SessionReading } from './reading';
import type { Session } from './session';
import { SessionGone } from './session-gone';

/** Reads a session. Each time that the session is requested, it first reads what was added to the file. */
export class SessionReader {
  /** Reads run one after the other, because two at once would process the same lines twice. */
  readonly #inTurn = oneByOne();

  private constructor(
    readonly file: string,
    private readonly options: OpenOptions,
    private reading: SessionReading,
  ) {}

  static async open(
    file: string,
    options: OpenOptions = {},
  ): Promise<{ readonly kind: 'reading'; readonly reader: SessionReader } | NotOpened> {
    const start = await startReading(file, options.adapter);
    if (start.kind !== 'reading') return start;
    return { kind: 'reading', reader: new SessionReader(file, options, start.reading) };
  }

  /** The amount read so far; bytes of a file of lines. */
  get version(): number {
    return this.reading.version;
  }

  /** The current session. A file that was truncated or replaced is read again from the start. */
  session(): Promise<Session> {
    return this.#inTurn(() => this.#session());
  }

  /** The session with what was just appended, without reading the file; null if the file has to be read. */
  appended(appended: Appended): Promise<Session | null> {
    return this.#inTurn(async () => {
      const taking = this.reading.takeIn?.(appended);
      const isIn = taking !== undefined && (await inSlices(taking));
      return isIn ? await sessionOf(this.reading, [], this.options) : null;
    });
  }

  async #session(): Promise<Session> {
    const read = await this.reading.readOn();
    if ('message' in read) throw new SessionGone(read.message);
    if (read.kind === 'shrunk' || read.kind === 'replaced') await this.#reread();
    return await sessionOf(this.reading, [], this.options);
  }

  async #reread(): Promise<void> {
    const start = await startReading(this.file, this.options.adapter);
    if (start.kind !== 'reading') throw new SessionGone(start.message);
    this.reading = start.reading;
  }
}
