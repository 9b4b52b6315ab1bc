/**
 * Tags in which agents send text of their own in the role `user`, by how long the text matters. Seen in session files
 * and on the wire of the agents that Strata reads.
 *
 * `standing`: rules, permissions, environment; they hold for the whole conversation. `passing`: reminders, notifications,
 * output of commands; they belong to their turn. `reminder`: either of the two, depending on its text.
 */
type TagLife = 'standing' | 'passing' | 'reminder';

/**
 * Claude Code: commands that a person ran in its own prompt and their output, hooks, notifications, reminders, and what its
 * editor extension says about the file in front of the person.
 */
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
  'user-prompt-submit-hook': 'passing',
  'session-start-hook': 'standing',
  'available-deferred-tools': 'standing',
  'cross-session-message': 'passing',
  'teammate-message': 'passing',
  'mcp-resource-update': 'passing',
  'mcp-polling-update': 'passing',
  'agent-notification': 'passing',
  'background-task-output': 'passing',
  'new-diagnostics': 'passing',
  'fork-boilerplate': 'passing',
  ide_opened_file: 'passing',
  ide_selection: 'passing',
  ide_diagnostics: 'passing',
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
  recommended_plugins: 'standing',
  plugins_instructions: 'standing',
  apps_instructions: 'standing',
  'app-context': 'standing',
  realtime_conversation: 'standing',
  multi_agent_mode: 'standing',
  codex_internal_context: 'passing',
  goal_context: 'passing',
  hook_prompt: 'passing',
  token_budget: 'passing',
} as const satisfies Readonly<Record<string, TagLife>>;

/** Gemini CLI and Qwen Code. The latter has Claude Code's reminders, too. */
const geminiTags = {
  session_context: 'standing',
  hook_context: 'passing',
  'qwen:user-prompt-submit-context': 'passing',
} as const;

/** Cline and Roo Code: tags that are sent again with every message, and the content of mentions in it. */
const clineTags = {
  environment_details: 'passing',
  explicit_instructions: 'passing',
  file_content: 'passing',
  folder_content: 'passing',
  url_content: 'passing',
  workspace_diagnostics: 'passing',
  git_working_state: 'passing',
  terminal_output: 'passing',
} as const;

/** Copilot. Its other tags are words that people use too, so they count only around a `userRequest`. */
const copilotTags = {
  environment_info: 'standing',
  workspace_info: 'standing',
  current_datetime: 'passing',
  system_notification: 'passing',
  system_reminder: 'passing',
  'skill-context': 'passing',
  tagged_files: 'passing',
} as const;

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
export const frameTags: readonly string[] = [
  ...requestTags,
  'task',
  'feedback',
  'user_message',
  'user_input',
  'user_command',
];

/** Whether a text begins with one of these tags and does not end it: an agent's text that was cut off. */
export function beginsUnclosed(text: string, tags: Readonly<Record<string, TagLife>>): boolean {
  const name = /^\s*<([\w:-]+(?: instructions)?)[\s>]/.exec(text)?.[1];
  return name !== undefined && Object.hasOwn(tags, name) && !text.includes(`</${name}>`);
}
