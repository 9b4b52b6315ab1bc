import { oneLine } from '../conversation/text';

/** Commands of Claude Code that ask the agent for nothing. */
const commandsOfAgents: ReadonlySet<string> = new Set(
  '/clear /compact /model /exit /quit /login /logout /status /cost /context /config /resume /mcp /help /plugin /ide /usage /rewind /permissions /hooks /agents /doctor /memory /vim /theme /fast /effort'.split(
    ' ',
  ),
);

/**
 * The command that the person typed, with its arguments, from the tags in which agents log it. Null if the text has no such tags, or if the
 * command asks the agent for nothing.
 */
export function typedCommand(text: string): string | null {
  const command = loggedCommand(text);
  return command === null || commandsOfAgents.has(command.split(' ')[0] ?? '') ? null : command;
}

function loggedCommand(text: string): string | null {
  const name = /<command-name>\s*(\/[^<\s]+)\s*<\/command-name>/.exec(text)?.[1];
  if (name === undefined) return null;
  const passed = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  return oneLine(`${name} ${passed}`).trim();
}

/** The text after one of these commands, in a message that begins with it or in the tags in which agents log it; null if none was typed. */
export function argumentsOf(text: string, commands: readonly string[]): string | null {
  const typed = loggedCommand(text) ?? oneLine(text).trim();
  for (const command of commands) {
    if (typed.startsWith(`${command} `)) return typed.slice(command.length).trim() || null;
  }
  return null;
}
