import * as s from '../../../platform/json/schemas';
import type { MendRules } from '../../../sessions/fork/fork-format';

const messageRow = s.record({ message: s.record({ content: s.list }) });
const resultBlock = s.record({ type: s.name, tool_use_id: s.text, content: s.anything });

export const claudeCodeMends: MendRules = {
  links: { id: 'uuid', parent: 'parentUuid' },
  asText(row, strays) {
    const { content } = s.read(messageRow, row).message;
    if (row.type !== 'user' || !content.some((block) => strayIn(block, strays) !== null)) return row;
    const blocks = content.flatMap((block) => strayIn(block, strays) ?? [block]);
    return { ...row, isMeta: true, toolUseResult: undefined, message: { role: 'user', content: blocks } };
  },
};

/** The text of a result without its call, and its pictures. */
function strayIn(block: unknown, strays: ReadonlyMap<string, string>): unknown[] | null {
  const { type, tool_use_id: callId, content } = s.read(resultBlock, block);
  const text = type === 'tool_result' ? strays.get(callId) : undefined;
  if (text === undefined) return null;
  return [{ type: 'text', text }, ...s.read(s.jsonRecords, content).filter((part) => part.type !== 'text')];
}
