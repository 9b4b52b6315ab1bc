import { readdirSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shortCalls } from '../../platform/files/short-calls';
import { orIfMissing } from '../../platform/files/with-file';
import * as s from '../../platform/json/schemas';
import { readLine } from '../../platform/lines/line';
import type { Beginning } from './records';

const header = s.record({ id: s.name, begins: s.name, time: s.text, key: s.name, scope: s.name });

/** Maximum length of a conversation's first line, in bytes. */
const longestHeader = 16_384;

/** Number of files that are listed faster than a thread is asked. */
const fewNames = 200;

/** How the conversations in a folder begin. One line of each file is read, once. */
export class Beginnings {
  /** Null for a file that is not a conversation of Strata's models. One that could not be read is tried again. */
  readonly #ofFile = new Map<string, Beginning | null>();
  /** Whether the last listing had few names. */
  #isSmall = false;
  #listing: Promise<void> | null = null;
  /**
   * A listing that starts when the present one ends, shared by all callers until then: the present one may lack files
   * that were created since it began.
   */
  #nextListing: Promise<void> | null = null;

  constructor(
    private readonly folder: string,
    private readonly warn: (message: string) => void,
  ) {}

  /** Conversations that begin with this entry, including ones that another window has just created. */
  async of(begins: string): Promise<Beginning[]> {
    return (await this.all()).filter((beginning) => beginning.begins === begins);
  }

  async all(): Promise<Beginning[]> {
    this.#nextListing ??= this.#listNext();
    await this.#nextListing;
    return [...this.#ofFile.values()].filter((beginning) => beginning !== null);
  }

  async #listNext(): Promise<void> {
    // Its own caller gets its failure.
    await this.#listing?.catch(() => undefined);
    this.#listing = this.#nextListing;
    this.#nextListing = null;
    const names = await this.#names();
    if (names === null) return;
    for (const known of this.#ofFile.keys()) if (!names.has(known)) this.#ofFile.delete(known);
    for (const name of names) if (name.endsWith('.jsonl') && !this.#ofFile.has(name)) await this.#read(name);
  }

  /** Null if they could not be read. */
  async #names(): Promise<Set<string> | null> {
    try {
      const names = await shortCalls.call(
        () => (this.#isSmall ? readdirSync(this.folder) : undefined),
        () => orIfMissing(readdir(this.folder), []),
      );
      this.#isSmall = names.length <= fewNames;
      return new Set(names);
    } catch (error) {
      this.warn(`The conversations in ${this.folder} could not be listed: ${error}`);
      return null;
    }
  }

  async #read(name: string): Promise<void> {
    const file = join(this.folder, name);
    try {
      const line = await firstLine(file);
      // Another window may be about to write it.
      if (line !== null) this.#ofFile.set(name, beginningOf(line));
    } catch (error) {
      this.warn(`The conversation ${file} could not be read: ${error}`);
    }
  }
}

/** Null while the line is not whole. */
async function firstLine(file: string): Promise<string | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestHeader), 0, longestHeader, 0);
    const [line, ...rest] = buffer.toString('utf8', 0, bytesRead).split('\n', 2);
    return rest.length === 0 && bytesRead < longestHeader ? null : (line ?? '');
  } finally {
    await handle.close();
  }
}

function beginningOf(text: string): Beginning | null {
  const { id, begins, time, key, scope } = headerIn(text);
  if (id === null || begins === null) return null;
  return { id, begins, created: time, ...(key === null ? {} : { key }), ...(scope === null ? {} : { scope }) };
}

/** The id of the conversation in a file; null if the file is not a conversation. Reads one line. */
export async function conversationId(file: string): Promise<string | null> {
  return headerIn((await firstLine(file)) ?? '').id;
}

/** Fields are null if the line is not the first one of a conversation. */
function headerIn(text: string): s.Read<typeof header> {
  const reading = readLine({ number: 1, text });
  const isHeader = reading.kind === 'record' && reading.record.type === 'strata-conversation';
  return s.read(header, isHeader ? reading.record : null);
}
