import { once } from 'node:events';
import { copyFileSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { finished } from 'node:stream/promises';
import { openSession } from '../../../extension/sessions/open';

/* Sessions of any length in the format of each agent: repeated fixtures, in which each repetition has its own ids. */

const fixtures = resolve(import.meta.dirname, '../../fixtures');

export interface LargeSession {
  readonly name: string;
  /** Whether the agent appends lines to the file. */
  readonly grows: boolean;
  /** Writes about this many bytes below `folder`. Resolves to the file to open. */
  write(folder: string, bytes: number): Promise<string>;
}

type JsonRecord = Record<string, unknown>;

interface TreeFields {
  readonly id: string;
  readonly parent: string;
}

interface LinesToRepeat {
  readonly name: string;
  readonly fixture: string;
  /** The fields that link the records as a tree. Absent if they have none. */
  readonly tree?: TreeFields;
  /** Whether a record is written only once, at the beginning. */
  isHeader(record: JsonRecord, index: number): boolean;
  /** Whether a record is written in each repetition. Default: all that are not headers. */
  isRepeated?(record: JsonRecord): boolean;
  /** Whether the fixture is cut off at this record. Default: nowhere. */
  isEnd?(record: JsonRecord): boolean;
}

/** The fields that contain ids of records, messages and calls. */
const ids =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?:call|toolu|msg|rs|fc|fco|resp|prt|chatcmpl)[_-][\da-zA-Z]+|(?<=[iI]d":")[\da-f]{8,32}(?=")/g;

function repeatedLines(lines: LinesToRepeat): LargeSession {
  const { name, fixture, tree } = lines;
  return {
    name,
    grows: true,
    async write(folder, bytes) {
      const { header, body } = recordsOf(lines);
      const kept = new Set(linesOf(header).match(ids));
      const text = linesOf(body);
      const file = join(folder, name.replaceAll(/\W+/g, '-'), basename(fixture));
      mkdirSync(dirname(file), { recursive: true });
      const output = createWriteStream(file);
      output.write(linesOf(header));
      for (let repetition = 0, written = 0; written < bytes; repetition += 1) {
        const renamed = text.replaceAll(ids, (id) => (kept.has(id) ? id : nameIn(repetition, id)));
        const linked = tree && repetition > 0 ? linkedTo(renamed, repetition - 1, body, tree) : renamed;
        if (!output.write(linked)) await once(output, 'drain');
        written += linked.length;
      }
      output.end();
      await finished(output);
      return file;
    },
  };
}

function recordsOf({ fixture, isHeader, isRepeated, isEnd }: LinesToRepeat) {
  const lines = readFileSync(join(fixtures, fixture), 'utf8').split('\n').slice(0, -1);
  const records = lines.map((line) => JSON.parse(line) as JsonRecord);
  const end = isEnd ? records.findIndex(isEnd) : -1;
  const before = end < 0 ? records : records.slice(0, end);
  return {
    header: before.filter(isHeader),
    body: before.filter((record, index) => !isHeader(record, index) && (isRepeated?.(record) ?? true)),
  };
}

function linesOf(records: readonly JsonRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The same text with the ids of a repetition. */
export function renamed(text: string, repetition: string): string {
  return text.replaceAll(ids, (id) => `${id}-${repetition}`);
}

function nameIn(repetition: number, id: string): string {
  return `${id}-${repetition}`;
}

/** Links the root of a repetition to the last record of the one before it. */
function linkedTo(text: string, before: number, body: readonly JsonRecord[], { id, parent }: TreeFields): string {
  const inTree = body.filter((record) => typeof record[id] === 'string');
  const root = JSON.stringify(inTree[0]?.[parent] ?? null);
  return text.replace(`"${parent}":${root}`, `"${parent}":"${nameIn(before, String(inTree.at(-1)?.[id]))}"`);
}

/** A database with the rows of the fixture's session: all of them, or those up to its compaction. Kilo Code has the same. */
function openCode(name: string, isCompacted: boolean, program = 'opencode'): LargeSession {
  return {
    name,
    grows: false,
    async write(folder, bytes) {
      const file = join(folder, `${program}-${isCompacted ? 'compacted' : 'whole'}.db`);
      copyFileSync(join(fixtures, 'opencode-1.18.33/opencode.db'), file);
      const database = new DatabaseSync(file);
      const session = database.prepare('SELECT id FROM session WHERE parent_id IS NULL').get()?.id as string;
      database.prepare('DELETE FROM session WHERE id <> ?').run(session);
      const end = isCompacted ? '~' : firstCompaction(database);
      database.prepare('DELETE FROM message WHERE session_id <> ? OR id >= ?').run(session, end);
      database.prepare('DELETE FROM part WHERE session_id <> ? OR message_id >= ?').run(session, end);
      const messages = database.prepare('SELECT * FROM message ORDER BY id').all();
      const parts = database.prepare('SELECT * FROM part').all();
      const span = 1 + Number(messages.at(-1)?.time_created) - Number(messages[0]?.time_created);
      const addMessage = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
      const addPart = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
      database.exec('PRAGMA journal_mode = DELETE; BEGIN');
      for (let repetition = 1, written = 0; written < bytes; repetition += 1) {
        const renamed = (text: unknown) => String(text).replaceAll(ids, (id) => nameIn(repetition, id));
        const later = (time: unknown) => Number(time) + repetition * span;
        for (const { id, time_created: created, time_updated: updated, data } of messages) {
          const row = [`${id}-${repetition}`, session, later(created), later(updated), renamed(data)] as const;
          addMessage.run(...row);
          written += row[4].length;
        }
        for (const { id, message_id: message, time_created: created, time_updated: updated, data } of parts) {
          const of = `${message}-${repetition}`;
          const row = [`${id}-${repetition}`, of, session, later(created), later(updated), renamed(data)] as const;
          addPart.run(...row);
          written += row[5].length;
        }
      }
      database.exec('COMMIT');
      database.close();
      return file;
    },
  };
}

/** The message with which the first compaction begins. Ids are ordered by time. */
function firstCompaction(database: DatabaseSync): string {
  const query = `SELECT min(message_id) AS id FROM part WHERE json_extract(data, '$.type') = 'compaction'`;
  return String(database.prepare(query).get()?.id);
}

const clineId = '1795293210255_q6yp4';
const clineFixture = join(fixtures, 'cline-3.0.65/before-compaction', clineId);

/** A JSON file with all of Cline's messages, repeated. `place` gives its path and the value around the messages. */
function cline(name: string, place: (folder: string, root: JsonRecord) => WholeFile): LargeSession {
  return {
    name,
    grows: false,
    async write(folder, bytes) {
      const { messages, ...root } = JSON.parse(readFileSync(join(clineFixture, `${clineId}.messages.json`), 'utf8'));
      const texts = (messages as unknown[]).map((message) => JSON.stringify(message));
      const all: unknown[] = [];
      for (let repetition = 0, written = 0; written < bytes; repetition += 1) {
        for (const text of texts) {
          const renamed = text.replaceAll(ids, (found) => nameIn(repetition, found));
          all.push(JSON.parse(renamed));
          written += renamed.length;
        }
      }
      const { file, around } = place(folder, root);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(around(all)));
      return file;
    },
  };
}

interface WholeFile {
  readonly file: string;
  readonly around: (messages: readonly unknown[]) => unknown;
}

function clineSession(folder: string, root: JsonRecord): WholeFile {
  const to = join(folder, 'cline', clineId);
  mkdirSync(to, { recursive: true });
  copyFileSync(join(clineFixture, `${clineId}.json`), join(to, `${clineId}.json`));
  return { file: join(to, `${clineId}.messages.json`), around: (messages) => ({ ...root, messages }) };
}

/** Roo Code's history is the list alone. No fixture has one; the messages are Cline's. */
function rooCodeTask(folder: string): WholeFile {
  const to = join(folder, 'rooveterinaryinc.roo-cline/tasks', clineId);
  return { file: join(to, 'api_conversation_history.json'), around: (messages) => messages };
}

/** The log of a chat: its requests, each with the changes of its answer. */
const vscodeChat: LargeSession = {
  name: 'VS Code chat',
  grows: true,
  async write(folder, bytes) {
    const { header, body } = recordsOf({
      name: 'VS Code chat',
      fixture: 'vscode-chat/tools-and-endings.jsonl',
      isHeader: ({ k }) => !Array.isArray(k) || k[0] !== 'requests',
    });
    const requests = body.filter(({ k }) => (k as unknown[]).length === 1).length;
    const chunks = [linesOf(header)];
    for (let repetition = 0, written = 0; written < bytes; repetition += 1) {
      const moved = body.map((record) => {
        const [list, index, ...path] = record.k as (string | number)[];
        return index === undefined ? record : { ...record, k: [list, Number(index) + repetition * requests, ...path] };
      });
      const text = linesOf(moved).replaceAll(/"(?:request|response|call)_\w+/g, (id) => nameIn(repetition, id));
      chunks.push(text);
      written += text.length;
    }
    const file = join(folder, 'vscode-chat.jsonl');
    writeFileSync(file, chunks.join(''));
    return file;
  },
};

/** The conversation of a fixture of Claude Code as Strata stores conversations. */
const strata: LargeSession = {
  name: 'Strata',
  grows: true,
  async write(folder, bytes) {
    const outcome = await openSession(join(fixtures, 'claude-code-2.1.330/before-compaction.jsonl'));
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    const entries = outcome.session.conversation.agentContext.filter(({ role }) => role !== 'system');
    const header = { type: 'strata-conversation', version: 1, id: 'large', time: entries[0]?.timestamp, cwd: '/work' };
    const chunks = [linesOf([{ ...header, madeBy: 'gateway' }])];
    let parent: string | null = null;
    for (let repetition = 0, written = 0; written < bytes; repetition += 1) {
      const records: JsonRecord[] = [];
      for (const { origin, ...entry } of entries) {
        const id = nameIn(repetition, entry.id);
        const named = JSON.parse(JSON.stringify(entry.parts).replaceAll(ids, (found) => nameIn(repetition, found)));
        records.push({ type: 'entry', parent, entry: { ...entry, id, parts: named } });
        parent = id;
      }
      const text = linesOf(records);
      chunks.push(text);
      written += text.length;
    }
    const file = join(folder, 'strata.jsonl');
    writeFileSync(file, chunks.join(''));
    return file;
  },
};

const claudeCode = {
  fixture: 'claude-code-2.1.330/after-compaction.jsonl',
  tree: { id: 'uuid', parent: 'parentUuid' },
  isHeader: ({ type }: JsonRecord) => String(type).startsWith('api-request-'),
};
const pi = {
  fixture: 'pi-0.87/after-compaction.jsonl',
  tree: { id: 'id', parent: 'parentId' },
  isHeader: (_record: JsonRecord, index: number) => index < 4,
};
const codex = {
  fixture: 'codex-0.169/after-compaction.jsonl',
  isHeader: ({ type }: JsonRecord) => type === 'session_meta',
};
const qwenCode = {
  fixture: 'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
  tree: { id: 'uuid', parent: 'parentUuid' },
  isHeader: () => false,
};

/**
 * Sessions of each agent as one long context and, if the fixture has a compaction, as a context that is compacted
 * repeatedly.
 */
export const largeSessions: readonly LargeSession[] = [
  repeatedLines({
    ...claudeCode,
    name: 'Claude Code',
    fixture: 'claude-code-2.1.330/before-compaction.jsonl',
  }),
  repeatedLines({ ...claudeCode, name: 'Claude Code, compacted' }),
  repeatedLines({ ...codex, name: 'Codex', isEnd: ({ type }) => type === 'compacted' }),
  repeatedLines({ ...codex, name: 'Codex, compacted' }),
  repeatedLines({ ...pi, name: 'pi', fixture: 'pi-0.87/before-compaction.jsonl' }),
  repeatedLines({ ...pi, name: 'pi, compacted' }),
  repeatedLines({ ...qwenCode, name: 'Qwen Code', isEnd: ({ subtype }) => subtype === 'chat_compression' }),
  repeatedLines({ ...qwenCode, name: 'Qwen Code, compacted' }),
  repeatedLines({
    name: 'Gemini CLI',
    fixture: 'gemini-cli-0.61/chats/session-2026-11-22T07-07-d29945c1.jsonl',
    isHeader: (_record, index) => index === 0,
    // A resumed session writes its header and all of its messages again.
    isRepeated: ({ $set, sessionId }) => sessionId === undefined && !Object.hasOwn(Object($set), 'messages'),
  }),
  repeatedLines({
    name: 'Copilot CLI',
    fixture: 'copilot-cli-1.0.102/session-state/dd198c05-81ff-4b86-8036-11283dc5ced1/events.jsonl',
    tree: { id: 'id', parent: 'parentId' },
    isHeader: ({ type }) => type === 'session.start',
    isEnd: ({ type }) => String(type).startsWith('session.compaction'),
  }),
  openCode('OpenCode', false),
  openCode('OpenCode, compacted', true),
  openCode('Kilo Code', false, 'kilo'),
  cline('Cline', clineSession),
  cline('Roo Code', rooCodeTask),
  vscodeChat,
  strata,
];
