import type { Part } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { isAgentsOnly } from '../../../sessions/injected/split-by-author';
import { beginsUnclosed, claudeCodeTags } from '../../../sessions/injected/tags';
import { claudeCodeInterruption } from '../../../sessions/injected/whole-texts';

const userRow = s.record({ isCompactSummary: s.flag, isMeta: s.flag, origin: s.record({ kind: s.name }) });

/** Version 2.1.49 queues a notification as JSON with its keys in this order. */
const notification = /^\s*(?:<task-notification[\s>]|\{"task_id":".*"task_type":"\w+"\}\s*$)/;

export type Author =
  | 'person'
  /** Claude Code, in the user role. */
  | 'agent'
  /** Claude Code, reporting that a task ended. Unlike its other texts, this one asks for a reply. */
  | 'notification'
  /** Claude Code, reporting that the person stopped it. No reply is expected. */
  | 'interruption';

/** Who wrote the text of a user row. */
export function authorOf(row: s.JsonRecord, parts: readonly Part[]): Author {
  const { isCompactSummary, isMeta, origin } = s.read(userRow, row);
  const [first] = parts;
  const text = first?.type === 'text' ? first.text : '';
  // A summary may quote the person's words.
  if (isCompactSummary) return 'agent';
  if (origin.kind === 'task-notification' || notification.test(text)) return 'notification';
  if (claudeCodeInterruption.test(text)) return 'interruption';
  if (isMeta || isAgentsOnly(parts) || beginsUnclosed(text, claudeCodeTags)) return 'agent';
  return 'person';
}
