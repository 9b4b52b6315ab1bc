import * as s from '../../../platform/json/schemas';
import type { MendRules } from '../../../sessions/fork/fork-format';
import { currentVersion } from './migration';

const resultRecord = s.record({ message: s.record({ role: s.name, toolCallId: s.text, content: s.anything }) });

export const piMends: MendRules = {
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
    const told = [{ type: 'text', text }, ...pictures];
    return { ...place, type: 'custom_message', customType: 'strata', content: told, display: true };
  },
};
