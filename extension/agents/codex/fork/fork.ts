import { dirname, join } from 'node:path';
import * as s from '../../../platform/json/schemas';
import {
  type Chance,
  type ForkFormat,
  type ForkPlace,
  type MendRules,
  timedUuid,
} from '../../../sessions/fork/fork-format';
import type { ParsedSession } from '../../../sessions/session';
import { dayFolder, sessionsFolder } from '../format/rollout-names';
import { compacted, titled } from './compaction';
import { copy } from './copy';
import { summaryItem } from './items';

const itemRecord = s.record({ payload: s.record({ type: s.name, call_id: s.text, output: s.anything }) });

const codexMends: MendRules = {
  beginning: {
    type: 'session_meta',
    make({ id, cwd }, { timestamp, ordinal }) {
      const payload = {
        id,
        timestamp,
        cwd: cwd ?? '',
        originator: 'codex_cli_rs',
        cli_version: '0.0.0',
        source: 'cli',
      };
      return {
        timestamp,
        ...(ordinal === undefined ? {} : { ordinal: 0 }),
        type: 'session_meta',
        payload: ordinal === undefined ? payload : { ...payload, session_id: id, history_mode: 'paginated' },
      };
    },
  },
  asText(record, strays) {
    const { type, call_id: callId, output } = s.read(itemRecord, record).payload;
    const text = type?.endsWith('_output') ? strays.get(callId) : undefined;
    if (record.type !== 'response_item' || text === undefined) return record;
    const pictures = s.read(s.jsonRecords, output).filter((part) => part.type === 'input_image');
    return { ...record, payload: summaryItem([{ type: 'input_text', text }, ...pictures]) };
  },
};

export const fork: ForkFormat = { place, copy, compacted, titled, mends: codexMends };

/** A new thread is stored in the folder of the current day, whenever its original was created. */
function place({ file }: Pick<ParsedSession, 'file'>, chance: Chance): ForkPlace {
  const now = chance.now();
  // Codex locates a thread by the time encoded in its id.
  const id = timedUuid(now, chance.uuid());
  const sessions = sessionsFolder(file);
  const folder = sessions === null ? dirname(file) : dayFolder(sessions, now);
  return { id, file: join(folder, `rollout-${localTime(now)}-${id}.jsonl`) };
}

function localTime(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())];
  return `${day.join('-')}T${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-')}`;
}
