import { dirname, join } from 'node:path';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { readLine, recordsIn } from '../../../platform/lines/line';
import {
  type Chance,
  type CompactedOrder,
  type CopyOrder,
  type ForkFormat,
  type ForkPlace,
  ForkRefused,
  type MendRules,
  type TitleOrder,
  timedUuid,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import type { ParsedSession } from '../../../sessions/session';
import { piIn } from '../format/running';
import { branchBefore } from './branch';
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
