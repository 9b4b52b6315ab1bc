/**
 * Tags in which agents send text of their own in the role `user`, by how long the text matters. Seen in session files
 * and on the wire of the agents that Strata reads.
 *
 * `standing`: rules, permissions, environment; they hold for the whole conversation. `passing`: reminders, notifications,
 * output of commands; they belong to their turn. `reminder`: either, which its text tells.
 */
export type TagLife = 'standing' | 'passing' | 'reminder';

/** Claude Code: commands that a person ran in its own prompt and their output, notifications, reminders. */
export const claudeCodeTags = {
  'command-name': 'passing',
  'command-message': 'passing',
  'command-args': 'passing',
  'local-command-caveat': 'passing',
  'local-command-stdout': 'passing',
  'local-command-stderr': 'passing',
  'bash-input': 'passing',
  'bash-stdout': 'passing',
  'bash-stderr': 'passing',
  'task-notification': 'passing',
  'system-reminder': 'reminder',
  'user-memory-input': 'passing',
} as const satisfies Readonly<Record<string, TagLife>>;

/** Codex, versions 0.2 to 0.169. */
export const codexTags = {
  environment_context: 'standing',
  user_instructions: 'standing',
  INSTRUCTIONS: 'standing',
  'permissions instructions': 'standing',
  skills_instructions: 'standing',
  collaboration_mode: 'standing',
  model_switch: 'standing',
  personality_spec: 'standing',
  turn_aborted: 'passing',
  subagent_notification: 'passing',
  user_shell_command: 'passing',
  user_action: 'passing',
  skill: 'passing',
} as const satisfies Readonly<Record<string, TagLife>>;

/** Gemini CLI and Qwen Code. The latter has Claude Code's reminders, too. */
const geminiTags = {
  session_context: 'standing',
  hook_context: 'passing',
  'qwen:user-prompt-submit-context': 'passing',
} as const;

/** Cline and Roo Code. Sent anew with every message. */
const clineTags = { environment_details: 'passing' } as const;

/** Copilot. Other tags of it are words that people use as well; they count only around a `userRequest`. */
const copilotTags = { environment_info: 'standing', workspace_info: 'standing' } as const;

export const agentTags: ReadonlyMap<string, TagLife> = new Map<string, TagLife>([
  ...Object.entries(claudeCodeTags),
  ...Object.entries(codexTags),
  ...Object.entries(geminiTags),
  ...Object.entries(clineTags),
  ...Object.entries(copilotTags),
]);

/** Tags around a person's words, with text of the agent before and after them. */
export const requestTags: readonly string[] = ['userRequest', 'user_query'];

/** Tags around a person's words, alone in their text. */
export const frameTags: readonly string[] = [...requestTags, 'task', 'user_message', 'user_input', 'user_command'];

/** The pattern of a text that begins with one of these tags. */
export function beginsWithTag(tags: Iterable<string>): RegExp {
  return new RegExp(`^\\s*<(?:${[...tags].join('|')})[\\s>]`);
}
