import type { Part } from '../../engine/conversation/entry';
import { beginsWithTag, claudeCodeTags } from '../injected/tags';
import { claudeCodeInterruption } from '../injected/whole-texts';
import * as s from '../records/schemas';

const userRow = s.record({ isCompactSummary: s.flag, isMeta: s.flag, origin: s.record({ kind: s.name }) });

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
export function authorOf(row: s.JsonRecord, parts: readonly Part[]): Author {
  const { isCompactSummary, isMeta, origin } = s.read(userRow, row);
  const [first] = parts;
  const text = first?.type === 'text' ? first.text : '';
  // It may quote what it sums up.
  if (isCompactSummary) return 'agent';
  if (origin.kind === 'task-notification' || notification.test(text)) return 'notification';
  if (claudeCodeInterruption.test(text)) return 'interruption';
  if (isMeta || wrapper.test(text)) return 'agent';
  return 'person';
}
