import { createHash } from 'node:crypto';
import type { Entry, Role } from '../../../extension/engine/conversation/entry';
import * as s from '../../../extension/platform/json/schemas';
import { type Line, readLine } from '../../../extension/platform/lines/line';

/*
 * Version 2.1.330 of Claude Code logs each request in the session file. A request names its messages by their hashes:
 * `keep` counts those of the request it is based on, and `tail` names the others. A message's hash is the SHA-256 of
 * its JSON with sorted keys and text content as a list of blocks. Messages that cannot be made from the rows alone are
 * in the file as blobs.
 */

export interface Request {
  /** 1-based line of the record. The rows before it are what the agent knew. */
  readonly line: number;
  readonly hashes: readonly string[];
}

export interface RequestLog {
  readonly records: readonly s.JsonRecord[];
  readonly requests: readonly Request[];
  readonly blobs: ReadonlyMap<string, s.JsonRecord>;
}

export function requestLogOf(lines: readonly string[]): RequestLog {
  const records = lines.map((text, index) => recordOf({ number: index + 1, text }));
  const blobs = new Map<string, s.JsonRecord>();
  const requests: Request[] = [];
  const byId = new Map<string, readonly string[]>();
  for (const [index, record] of records.entries()) {
    if (record.type === 'api-request-blob') blobs.set(s.name(record.hash) ?? '', s.jsonRecord(record.message) ?? {});
    if (record.type !== 'api-request') continue;
    const base = byId.get(s.name(record.base) ?? '') ?? [];
    const hashes = [...base.slice(0, Number(record.keep)), ...s.texts(record.tail)];
    byId.set(s.name(record.id) ?? '', hashes);
    requests.push({ line: index + 1, hashes });
  }
  return { records, requests, blobs };
}

/** An empty record for a line that is not a record, so that the indices in the list match the lines of the file. */
function recordOf(line: Line): s.JsonRecord {
  const reading = readLine(line);
  return reading.kind === 'record' ? reading.record : {};
}

/** Consecutive messages of one role, which count as one message. */
export interface SentGroup {
  readonly role: string;
  readonly hashes: readonly string[];
  /** Contents of the sent messages. Null for a message of which the file has only the hash. */
  readonly contents: readonly (readonly s.JsonRecord[] | null)[];
}

export function sentGroups(log: RequestLog, request: Request): SentGroup[] {
  const groups: { role: string; hashes: string[]; contents: (readonly s.JsonRecord[] | null)[] }[] = [];
  let expected: 'user' | 'assistant' = 'user';
  for (const hash of request.hashes) {
    const blob = log.blobs.get(hash);
    // A hash alone does not show the role. Messages of user and assistant alternate.
    const role = s.name(blob?.role) ?? expected;
    const content = blob === undefined ? null : blocksOf(blob.content);
    if (role === 'assistant') expected = 'user';
    if (role === 'user') expected = 'assistant';
    // A system message without text only sets the effort.
    if (role === 'system' && content?.length === 0) continue;
    const last = groups.at(-1);
    if (last?.role === role) {
      last.hashes.push(hash);
      last.contents.push(content);
    } else groups.push({ role, hashes: [hash], contents: [content] });
  }
  return groups;
}

/** Consecutive entries of one role in a context. Tool results are sent in the user role. */
export function contextGroups(context: readonly Entry[]): { role: string; entries: Entry[] }[] {
  const groups: { role: string; entries: Entry[] }[] = [];
  for (const entry of context) {
    const role = wireRole(entry.role);
    const last = groups.at(-1);
    if (last?.role === role) last.entries.push(entry);
    else groups.push({ role, entries: [entry] });
  }
  return groups;
}

function wireRole(role: Role): string {
  return role === 'tool' ? 'user' : role;
}

export function blocksOf(content: unknown): s.JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return s.list(content).map((block) => s.jsonRecord(block) ?? {});
}

export function hashOf(role: string, blocks: readonly s.JsonRecord[]): string {
  return createHash('sha256')
    .update(sortedJson({ role, content: blocks }))
    .digest('hex');
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const record = s.jsonRecord(item);
    return record === null
      ? item
      : Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** The blocks of the rows from which an entry was made. */
export function rowBlocks(log: RequestLog, entry: Entry): s.JsonRecord[] {
  const row = log.records[entry.origin.line - 1];
  const message = s.jsonRecord(row?.message);
  const messageId = s.name(message?.id);
  if (messageId === null) return blocksOf(message?.content);
  return log.records
    .map((record) => s.jsonRecord(record.message))
    .filter((candidate) => candidate?.id === messageId)
    .flatMap((candidate) => blocksOf(candidate?.content));
}
