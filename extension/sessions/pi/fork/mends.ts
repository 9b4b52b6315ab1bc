import type { MendRules } from '../../fork/fork-format';
import * as s from '../../records/schemas';

const resultRecord = s.record({ message: s.record({ role: s.name, toolCallId: s.text, content: s.anything }) });

/** A header that was lost is written by every fork. */
export const piMends: MendRules = {
  links: { id: 'id', parent: 'parentId' },
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
