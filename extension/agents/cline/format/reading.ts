import { localizable } from '../../../engine/wording/localizable-text';
import { stampOf } from '../../../platform/files/files-stamp';
import type { StoreOpening } from '../../../sessions/adapter';
import type { ReadOn, SessionReading } from '../../../sessions/reading';
import type { ParsedSession } from '../../../sessions/session';
import { type JsonFile, type JsonFileReading, readJsonFile } from './json-file';

/** The files of a session: its messages, and optional sidecar files. */
export interface SessionFiles {
  readonly messages: JsonFile;
  /** By path, without files that are missing or broken. */
  readonly sidecars: ReadonlyMap<string, JsonFile>;
}

export interface BuiltSession {
  readonly parsed: ParsedSession;
  readonly inUse: boolean;
}

/** Builds the session of a file each time it changes. Unchanged messages keep their entries. */
export interface WholeFileBuilder {
  build(files: SessionFiles): BuiltSession;
}

/** A session in JSON files that the agent rewrites completely with every change. */
export class WholeFileReading implements SessionReading {
  readonly watched: readonly string[];
  readonly tornLine = null;
  version = 0;
  #whole: ParsedSession;
  #shown: ParsedSession;
  #inUse: boolean;

  private constructor(
    private readonly file: string,
    private readonly sidecars: readonly string[],
    private readonly builder: WholeFileBuilder,
    private stamp: string,
    private files: SessionFiles,
  ) {
    this.watched = [file, ...sidecars];
    const built = builder.build(files);
    this.#whole = this.#shown = built.parsed;
    this.#inUse = built.inUse;
  }

  static async open(
    file: string,
    key: string | null,
    sidecars: readonly string[],
    builder: WholeFileBuilder,
  ): Promise<StoreOpening> {
    if (key !== null) return { kind: 'missing', message: localizable('There is no file {0}#{1}', file, key) };
    const stamp = await stampOf([file, ...sidecars]);
    const messages = await readJsonFile(file);
    if (messages.kind !== 'json') {
      const kind = messages.kind === 'broken' || messages.kind === 'directory' ? 'unreadable' : messages.kind;
      return { kind, message: messages.message };
    }
    const files = { messages, sidecars: await readSidecars(sidecars, new Map()) };
    return { kind: 'reading', reading: new WholeFileReading(file, sidecars, builder, stamp, files) };
  }

  get parsed(): ParsedSession {
    return this.#shown;
  }

  get inUse(): boolean {
    return this.#inUse;
  }

  get modified(): number {
    return Math.max(...[this.files.messages, ...this.files.sidecars.values()].map(({ modified }) => modified));
  }

  async readOn(): Promise<ReadOn> {
    const stamp = await stampOf(this.watched);
    if (stamp === this.stamp) return { kind: 'unchanged' };
    const messages = await readJsonFile(this.file);
    switch (messages.kind) {
      case 'json':
        this.#take({ messages, sidecars: await readSidecars(this.sidecars, this.files.sidecars) });
        break;
      case 'broken':
      case 'empty':
        this.#keep(messages);
        break;
      default:
        return messages;
    }
    this.stamp = stamp;
    this.version += 1;
    return { kind: 'read' };
  }

  #take(files: SessionFiles): void {
    this.files = files;
    const built = this.builder.build(files);
    this.#whole = this.#shown = built.parsed;
    this.#inUse = built.inUse;
  }

  /** The agent is writing the file, or died while writing. */
  #keep(broken: Extract<JsonFileReading, { kind: 'broken' | 'empty' }>): void {
    const line = broken.kind === 'broken' ? broken.line : 0;
    const issue = {
      file: this.file,
      line,
      message: localizable('{0}; the session is shown as it was read before', broken.message),
    };
    this.#shown = { ...this.#whole, issues: [issue, ...this.#whole.issues] };
  }
}

/** A file that is broken now keeps its previous content. */
async function readSidecars(
  files: readonly string[],
  before: ReadonlyMap<string, JsonFile>,
): Promise<Map<string, JsonFile>> {
  const readings = await Promise.all(files.map(async (file) => [file, await readJsonFile(file)] as const));
  return new Map(
    readings.flatMap(([file, reading]): [string, JsonFile][] => {
      if (reading.kind === 'json') return [[file, reading]];
      const known = reading.kind === 'broken' || reading.kind === 'empty' ? before.get(file) : undefined;
      return known === undefined ? [] : [[file, known]];
    }),
  );
}
