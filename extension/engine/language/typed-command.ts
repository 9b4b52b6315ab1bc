import { oneLine } from '../conversation/text';

/** Commands of Claude Code that ask nothing of the agent. */
const commandsOfAgents: ReadonlySet<string> = new Set(
  '/clear /compact /model /exit /quit /login /logout /status /cost /context /config /resume /mcp /help /plugin /ide /usage /rewind /permissions /hooks /agents /doctor /memory /vim /theme /fast /effort'.split(
    ' ',
  ),
);

/**
 * The command that the person typed, with its arguments: agents log it in tags. Null for text without one, and for commands
 * that ask nothing of the agent.
 */
export function typedCommand(text: string): string | null {
  const name = /<command-name>\s*(\/[^<\s]+)\s*<\/command-name>/.exec(text)?.[1];
  if (name === undefined || commandsOfAgents.has(name)) return null;
  const passed = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  return oneLine(`${name} ${passed}`).trim();
}
