import type { Part } from '../../engine/conversation/entry';
import { asRecord, type JsonRecord } from '../records/json';

/**
 * Tags that Claude Code itself puts around text of the user role: commands a person ran in its own prompt and their
 * output, notifications, reminders. All of it is sent to the model (seen in its request log), none of it is a request.
 */
const wrapperTags = [
  'command-name',
  'command-message',
  'command-args',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'system-reminder',
  'user-memory-input',
];

const wrapper = new RegExp(`^\\s*<(?:${wrapperTags.join('|')})[\\s>]`);
/** Written in a person's place when they stop the agent. */
const interruption = /^\[Request interrupted by user/;
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
  if (interruption.test(text)) return 'interruption';
  if (row.isMeta === true || wrapper.test(text)) return 'agent';
  return 'person';
}
