import { readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Entry } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import { namesIn } from '../../../platform/files/names-in';
import { textOf } from '../../../platform/files/text-of';
import { orIfUnreadable } from '../../../platform/files/with-file';
import * as s from '../../../platform/json/schemas';
import { type Line, readLine, recordsIn } from '../../../platform/lines/line';
import {
  type Chance,
  type CompactedOrder,
  type CopyOrder,
  type ForkFormat,
  type ForkPlace,
  ForkRefused,
  type MendRules,
  refusals,
  type TitleOrder,
  timedUuid,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import type { ParsedSession } from '../../../sessions/session';
import { partsWithoutCalls } from '../format/content';
import { CompactedRecords, freshId } from './compacted-records';
import { currentVersion, Migration } from './migration';
import { originalRecords } from './original-records';

const resultRecord = s.record({ message: s.record({ role: s.name, toolCallId: s.text, content: s.anything }) });

const piMends: MendRules = {
  links: { id: 'id', parent: 'parentId' },
  beginning: {
    type: 'session',
    // Records have ids since version 2.
    make: ({ id, cwd }, { id: ownId, timestamp }) => ({
      type: 'session',
      version: ownId === undefined ? 1 : currentVersion,
      id,
      timestamp,
      cwd: cwd ?? '',
    }),
  },
  asText(record, strays) {
    const { role, toolCallId, content } = s.read(resultRecord, record).message;
    const text = role === 'toolResult' ? strays.get(toolCallId) : undefined;
    if (text === undefined) return record;
    const { message: _result, ...place } = record;
    const pictures = s.read(s.jsonRecords, content).filter((block) => block.type === 'image');
    const blocks = [{ type: 'text', text }, ...pictures];
    return { ...place, type: 'custom_message', customType: 'strata', content: blocks, display: true };
  },
};

/** When pi 0.87.1 forks a session, it copies the records below a header with the path of the original. */
export const piFork: ForkFormat = {
  place,
  copy,
  compacted,
  titled,
  mends: piMends,
  appends: true,
  mayBeOpen: ({ cwd }) => (cwd === null ? Promise.resolve('unknown') : piIn(cwd)),
};

function place(original: ParsedSession, chance: Chance): ForkPlace {
  const id = timedUuid(chance.now(), chance.uuid());
  const time = chance.now().toISOString().replace(/[:.]/g, '-');
  return { id, file: join(dirname(original.file), `${time}_${id}.jsonl`) };
}

async function* copy({ original, place: { id }, lines, before, chance }: CopyOrder): AsyncGenerator<string> {
  const kept = before === null ? null : await branchBefore(before, lines());
  const migration = new Migration(original);
  let hasHeader = false;
  for await (const line of lines()) {
    const reading = readLine(line);
    // pi also skips unreadable lines.
    if (reading.kind === 'no-object') migration.passOver();
    if (reading.kind !== 'record') continue;
    const record = migration.migrated(reading.record, line.number);
    if (record.type === 'session') {
      const timestamp = chance.now().toISOString();
      if (!hasHeader)
        yield recordLine({ ...record, version: currentVersion, id, timestamp, parentSession: original.file });
      hasHeader = true;
      continue;
    }
    if (!hasHeader) yield recordLine(headerOf(original, id, chance));
    hasHeader = true;
    if (kept === null || kept.has(line.number)) {
      yield record === reading.record ? line.text : recordLine(record);
    }
  }
}

/** The header for a file that has none. */
function headerOf({ cwd, file }: ParsedSession, id: string, chance: Chance): s.JsonRecord {
  const timestamp = chance.now().toISOString();
  return { type: 'session', version: currentVersion, id, timestamp, cwd: cwd ?? '', parentSession: file };
}

/** Extensions keep their state in records of the type `custom`; pi sends nothing of them. */
async function titled({ lines, title, chance }: TitleOrder): Promise<s.JsonRecord> {
  const ids = new Set<string>();
  let leaf: string | null = null;
  for await (const { record } of recordsIn(lines())) {
    const id = record.type === 'session' ? null : s.read(s.name, record.id);
    leaf = id ?? leaf;
    if (id !== null) ids.add(id);
  }
  const place = { id: freshId(ids, chance), parentId: leaf, timestamp: chance.now().toISOString() };
  if (title === null) return { type: 'custom', customType: 'strata', ...place };
  return { type: 'session_info', ...place, name: title };
}

async function* compacted(order: CompactedOrder): AsyncGenerator<string> {
  const original = await originalRecords(order.pieces, order.lines());
  if (original.version < 2)
    throw new ForkRefused(
      localizable('This session is of the first version of the format. Open it once in pi, which converts it.'),
    );
  yield* new CompactedRecords(order, original).lines();
}

/** Names of pi's process, interactive and started by a program (observed with 0.87.1 on Linux). */
const piProcessNames = new Set(['pi', 'pi-rpc']);

/**
 * Whether a pi process runs in this folder. It may have any session of the folder open: pi keeps no file open and no
 * list of open sessions, and it continues from its memory, whatever was appended to the file meanwhile. Works only on
 * Linux (elsewhere `unknown`), and not for processes in containers or of other users, so `none` is no proof.
 */
export async function piIn(folder: string, processes = '/proc'): Promise<'running' | 'none' | 'unknown'> {
  const running = (await namesIn(processes)).filter((id) => /^\d+$/.test(id));
  if (running.length === 0) return 'unknown';
  // The system reports a process's folder with links resolved.
  const wanted = await orIfUnreadable(realpath(folder), folder);
  for (const id of running) if (await isPiIn(wanted, join(processes, id))) return 'running';
  return 'none';
}

async function isPiIn(folder: string, process: string): Promise<boolean> {
  const name = (await textOf(join(process, 'comm')))?.trim() ?? '';
  return piProcessNames.has(name) && (await orIfUnreadable(readlink(join(process, 'cwd')), null)) === folder;
}

interface TreeNode {
  readonly line: number;
  readonly parent: TreeNode | null;
}

const treeRecord = s.record({
  id: s.name,
  parentId: s.anything,
  message: s.record({ content: s.anything }),
});

/** The lines of the records on the path to this prompt. */
async function branchBefore(prompt: Entry, lines: AsyncIterable<Line>): Promise<ReadonlySet<number>> {
  const byId = new Map<string, TreeNode>();
  let newest: TreeNode | null = null;
  for await (const { record, line } of recordsIn(lines)) {
    if (record.type === 'session') continue;
    const fields = s.read(treeRecord, record);
    const { id, parentId } = fields;
    const named = typeof parentId === 'string' ? (byId.get(parentId) ?? null) : null;
    const parent: TreeNode | null = parentId === undefined ? newest : named;
    newest = { line: line.number, parent };
    byId.set(id ?? `line-${line.number}`, newest);
    if (line.number === prompt.origin.line && isRecordOf(fields, prompt)) return pathTo(parent);
    if (line.number >= prompt.origin.line) break;
  }
  throw refusals.promptMoved();
}

/** A suffix distinguishes copies of an id. Version 1 has no ids, so the content has to be the same. */
function isRecordOf(record: s.Read<typeof treeRecord>, { id, parts }: Entry): boolean {
  if (record.id !== null) return id === record.id || id.startsWith(`${record.id}#`);
  return JSON.stringify(partsWithoutCalls(record.message.content)) === JSON.stringify(parts);
}

function pathTo(leaf: TreeNode | null): Set<number> {
  const lines = new Set<number>();
  // A parent comes before its child in the file, so the path ends.
  for (let place = leaf; place !== null; place = place.parent) lines.add(place.line);
  return lines;
}
