import * as s from '../../../platform/json/schemas';
import type { MendRules } from '../../../sessions/fork/fork-format';
import { summaryItem } from './items';

const itemRecord = s.record({ payload: s.record({ type: s.name, call_id: s.text, output: s.anything }) });

export const codexMends: MendRules = {
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
