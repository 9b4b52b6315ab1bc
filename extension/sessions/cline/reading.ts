import type { StoreOpening } from '../adapter';
import { stampOf } from '../files/files-stamp';
import type { ReadOn, SessionReading } from '../reading';
import type { ParsedSession } from '../session';
import { type JsonFile, type JsonFileReading, readJsonFile } from './json-file';

/** What a session is made of: its messages, and files beside them that may be absent. */
export interface SessionFiles {
  readonly messages: JsonFile;
  /** By their paths; those that are not there, or broken, are left out. */
  readonly beside: ReadonlyMap<string, JsonFile>;
}

export interface MadeSession {
  readonly parsed: ParsedSession;
  readonly inUse: boolean;
}

/** Makes sessions of one file, one after the other; entries of messages that stayed the same stay the same. */
export interface SessionMaker {
  make(files: SessionFiles): MadeSession;
}

/** A session that is kept in whole JSON files, which its agent writes anew with every change. */
export class WholeFilesReading implements SessionReading {
  readonly watched: readonly string[];
  readonly tornLine = null;
  version = 0;
  #whole: ParsedSession;
  #shown: ParsedSession;
  #inUse: boolean;

  private constructor(
    private readonly file: string,
    private readonly beside: readonly string[],
    private readonly maker: SessionMaker,
    private print: string,
    private files: SessionFiles,
  ) {
    this.watched = [file, ...beside];
    const made = maker.make(files);
    this.#whole = this.#shown = made.parsed;
    this.#inUse = made.inUse;
  }

  static async open(file: string, beside: readonly string[], maker: SessionMaker): Promise<StoreOpening> {
    const print = await stampOf([file, ...beside]);
    const messages = await readJsonFile(file);
    switch (messages.kind) {
      case 'json':
        break;
      case 'broken':
      case 'directory':
        return { kind: 'unreadable', message: messages.message };
      default:
        return { kind: messages.kind, message: messages.message };
    }
    const files = { messages, beside: await readBeside(beside, new Map()) };
    return { kind: 'reading', reading: new WholeFilesReading(file, beside, maker, print, files) };
  }

  get parsed(): ParsedSession {
    return this.#shown;
  }

  get inUse(): boolean {
    return this.#inUse;
  }

  get modified(): number {
    return Math.max(...[this.files.messages, ...this.files.beside.values()].map(({ modified }) => modified));
  }

  async readOn(): Promise<ReadOn> {
    const print = await stampOf(this.watched);
    if (print === this.print) return { kind: 'unchanged' };
    const messages = await readJsonFile(this.file);
    switch (messages.kind) {
      case 'json':
        this.#take({ messages, beside: await readBeside(this.beside, this.files.beside) });
        break;
      case 'broken':
      case 'empty':
        this.#keep(messages);
        break;
      default:
        return messages;
    }
    this.print = print;
    this.version += 1;
    return { kind: 'read' };
  }

  #take(files: SessionFiles): void {
    this.files = files;
    const made = this.maker.make(files);
    this.#whole = this.#shown = made.parsed;
    this.#inUse = made.inUse;
  }

  /** The agent is just writing the file, or died at it. */
  #keep(broken: Extract<JsonFileReading, { kind: 'broken' | 'empty' }>): void {
    const line = broken.kind === 'broken' ? broken.line : 0;
    const issue = { file: this.file, line, message: `${broken.message}; this is what was read before` };
    this.#shown = { ...this.#whole, issues: [issue, ...this.#whole.issues] };
  }
}

/** One that is broken now stays as it was read before. */
async function readBeside(
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
