import { pathToFileURL } from 'node:url';
import type { AgentEnvironment } from '../../platform/files/environment';
import type { AgentId } from '../../sessions/session';
import type { Launch } from './agent-setup';

/** How this Strata is started. */
export interface Program {
  /** The Node.js that runs it. */
  readonly node: string;
  /** Variables that this Node.js needs. */
  readonly variables: Readonly<Record<string, string>>;
  /** The file of the `strata` command. */
  readonly file: string;
}

/** The words that start this Node.js if variables cannot be set; null on Windows, which has no program for that. */
export function nodeWords({ node, variables }: Program, platform = process.platform): readonly string[] | null {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  if (set.length === 0) return [node];
  return platform === 'win32' ? null : ['/usr/bin/env', ...set, node];
}

/** Variables that say where agents and Strata keep their files. Not all agents pass them on. */
const placeVariables = [
  'CLAUDE_CONFIG_DIR',
  'CLINE_DIR',
  'CODEX_HOME',
  'COPILOT_HOME',
  'GEMINI_CLI_HOME',
  'PI_CODING_AGENT_DIR',
  'QWEN_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
] as const;

/** The module that agents' configurations name. It starts the Strata that is currently installed. */
export function launcherText({ file }: Program, { variables }: Pick<AgentEnvironment, 'variables'>): string {
  const places = placeVariables.filter((name) => variables[name]);
  return [
    '// Written by `strata setup`. Starts the installed Strata, also after an update.',
    ...places.map((name) => `process.env.${name} ??= ${JSON.stringify(variables[name])};`),
    `await import(${JSON.stringify(pathToFileURL(file).href)}).catch((error) => {`,
    `  process.stderr.write(\`strata: \${error.message}\\nRun "strata setup" again.\\n\`);`,
    '  process.exitCode = 1;',
    '});',
    '',
  ].join('\n');
}

/** The command that starts the MCP server for an agent. */
export function launchOf(agent: AgentId, { node, variables }: Program, launcher: string, allProjects: boolean): Launch {
  const reach = allProjects ? ['--all-projects'] : [];
  return { command: node, args: [launcher, '--agent', agent, 'mcp', ...reach], env: variables };
}
