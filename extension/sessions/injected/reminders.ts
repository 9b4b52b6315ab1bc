/** Beginnings of Claude Code's reminders that apply only to their turn. */
const passing = [
  'Note: ',
  'The user opened the file ',
  'The user selected ',
  'This is a reminder that your todo list',
  'Your todo list has changed',
  'The task tools haven',
  'The TodoWrite tool hasn',
  'Plan mode ',
  'New diagnostics',
  'Whenever you read a file',
];

/** Beginning of a reminder with text that a person typed while the agent was working. */
const fromPerson = /^The user sent (?:a new|the following) message/;

const toolOutput = /^(?:Called the |Result of calling the )/;

/** Files of rules, by their names. */
const rules = /\b(?:CLAUDE|AGENTS|GEMINI|QWEN)(?:\.local)?\.md\b|\binstructions are shown below/;

/** In characters: the beginning of a reminder shows its kind. */
const headLength = 1000;

/**
 * The author of a reminder, and how long it holds. An agent's texts before the first reply set up the conversation, so they stay; a later
 * reminder stays if it contains rules.
 */
export function authorOfReminder(text: string, isBeginning: boolean): 'person' | 'standing' | 'passing' {
  const head = text.slice(0, headLength).trimStart();
  if (fromPerson.test(head)) return 'person';
  // The output of a tool may name files of rules.
  if (toolOutput.test(head)) return 'passing';
  if (rules.test(head)) return 'standing';
  return isBeginning && !passing.some((beginning) => head.startsWith(beginning)) ? 'standing' : 'passing';
}
