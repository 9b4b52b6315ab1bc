import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressText } from '../../../extension/sessions/address';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';

type Sqlite = typeof import('node:sqlite');
export const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite;

/** The tables of OpenCode 1.18.33 with conversations, without unused columns. */
const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL, revert text,
    model text, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX part_session_idx ON part (session_id);`;

type Fields = Readonly<Record<string, unknown>>;

/** An OpenCode database. Each row is written in a separate transaction, as OpenCode does. */
export class TestDatabase {
  readonly file: string;
  readonly #database: InstanceType<Sqlite['DatabaseSync']>;
  #clock = 1_795_000_000_000;
  readonly #messageOf = new Map<string, string>();

  constructor(readonly folder: string) {
    this.file = join(folder, 'opencode.db');
    this.#database = new sqlite.DatabaseSync(this.file);
    this.#database.exec(schema);
  }

  /** Sets the clock for the times of later rows. */
  set clock(milliseconds: number) {
    this.#clock = milliseconds;
  }

  session(id: string, fields: Fields = {}): void {
    const now = this.#tick();
    this.#database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        id,
        textOrNull(fields.parent),
        '/home/ada/scratch',
        String(fields.title ?? 'A session'),
        null,
        null,
        now,
        now,
      );
  }

  /** A message with its parts; each part has the id `<message>/<number>`. */
  message(session: string, id: string, data: Fields, parts: readonly (Fields | string)[] = []): void {
    const now = this.#tick();
    const insert = this.#database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
    insert.run(id, session, now, now, JSON.stringify(data));
    this.#messageOf.set(id, session);
    for (const [index, part] of parts.entries()) this.part(id, `${id}/${index + 1}`, part);
  }

  /** Adds or replaces a part. A string is written as it is, for data that is not JSON. */
  part(message: string, id: string, data: Fields | string): void {
    const now = this.#tick();
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.#database
      .prepare(
        `INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated`,
      )
      .run(id, message, this.#messageOf.get(message) ?? 'nobody', now, now, text);
  }

  update(message: string, data: Fields): void {
    const update = this.#database.prepare('UPDATE message SET data = ?, time_updated = ? WHERE id = ?');
    update.run(JSON.stringify(data), this.#tick(), message);
  }

  revert(session: string, revert: Fields | null): void {
    const text = revert === null ? null : JSON.stringify(revert);
    this.#database.prepare('UPDATE session SET revert = ? WHERE id = ?').run(text, session);
  }

  delete(message: string): void {
    this.#database.prepare('DELETE FROM part WHERE message_id = ?').run(message);
    this.#database.prepare('DELETE FROM message WHERE id = ?').run(message);
  }

  run(sql: string): void {
    this.#database.exec(sql);
  }

  /** Copies the file and its log, and other files next to them only if they are named. */
  copyTo(folder: string, suffixes: readonly string[] = ['-wal']): string {
    const copy = join(folder, 'opencode.db');
    copyFileSync(this.file, copy);
    for (const name of suffixes) copyFileSync(`${this.file}${name}`, `${copy}${name}`);
    return copy;
  }

  address(session: string): string {
    return addressText({ file: this.file, key: session });
  }

  async read(session = 's'): Promise<Session> {
    return await opened(this.address(session));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #tick(): number {
    this.#clock += 10;
    return this.#clock;
  }
}

export async function opened(address: string): Promise<Session> {
  const outcome = await openSession(address, { environment: { home: '/nowhere', variables: {} } });
  if (outcome.kind !== 'opened') throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.session;
}

export const asked: Fields = { role: 'user', model: { providerID: 'p', modelID: 'm' } };

export const replied: Fields = {
  role: 'assistant',
  providerID: 'p',
  modelID: 'm',
  finish: 'stop',
  time: { completed: 1 },
};

export function text(words: string, more: Fields = {}): Fields {
  return { type: 'text', text: words, ...more };
}

export function tool(callID: string, state: Fields): Fields {
  return { type: 'tool', tool: 'bash', callID, state: { input: { command: 'ls' }, ...state } };
}

export function done(callID: string, output: string, more: Fields = {}): Fields {
  return tool(callID, { status: 'completed', output, ...more });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
