import type { Part } from '../../engine/conversation/entry';
import { beginsWithTag, claudeCodeTags } from '../injected/tags';
import { claudeCodeInterruption } from '../injected/whole-texts';
import { asRecord, type JsonRecord } from '../records/json';

/** All text in these tags is sent to the model (seen in Claude Code's request log), and none of it is a request. */
const wrapper = beginsWithTag(Object.keys(claudeCodeTags));
const notification = /^\s*<task-notification[\s>]/;

export type Author =
  | 'person'
  /** Claude Code itself, in the user role. */
  | 'agent'
  /** Claude Code, on behalf of a task that ended: unlike its other texts, this one asks for a reply. */
  | 'notification'
  /** Claude Code, telling that a person stopped it: nothing is expected from it then. */
  | 'interruption';

/** Who wrote the text of a user row. */
export function authorOf(row: JsonRecord, parts: readonly Part[]): Author {
  const [first] = parts;
  const text = first?.type === 'text' ? first.text : '';
  // It may quote what it sums up.
  if (row.isCompactSummary === true) return 'agent';
  if (asRecord(row.origin)?.kind === 'task-notification' || notification.test(text)) return 'notification';
  if (claudeCodeInterruption.test(text)) return 'interruption';
  if (row.isMeta === true || wrapper.test(text)) return 'agent';
  return 'person';
}
