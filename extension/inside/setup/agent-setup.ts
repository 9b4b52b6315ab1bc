import type { UserFolders } from '../../platform/files/environment';
import type { AgentId } from '../../sessions/session';

/** How Strata is set up in one agent. One line in `setups.ts` adds it. */
export interface AgentSetup {
  readonly agent: AgentId;
  /** Names of its program on the search path. */
  readonly programs: readonly string[];
  /** Its configuration folder. The agent counts as installed if it exists, or if its program is found. */
  folder(place: UserFolders): string;
  /** Entry for the MCP server in the agent's configuration. */
  server(place: UserFolders, launch: Launch): JsonValue | TomlTable;
  /** The agent's own command that lists its MCP servers. */
  readonly check: AgentCheck;
  /** Absent: the agent has no plugin of Strata. */
  readonly plugin?: PluginSetup;
}

/** How the agent's plugin is installed: Strata keeps a copy in its own folder, and the agent's configuration refers to it. */
export interface PluginSetup {
  /** Path of the plugin in the copied folder; absent for the folder itself. */
  readonly within?: string;
  /** The file, in its own folder, from which the plugin reads the command that answers it. Absent: `command.js`. */
  readonly commandFile?: string;
  /** Further files of the copied folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** `node`: the words that start the Node.js that runs Strata. */
  edits(place: UserFolders, folder: string, node: readonly string[]): readonly ConfigurationEdit[];
}

interface AgentCheck {
  /** Absent: `mcp list`. */
  readonly words?: readonly string[];
  /** Matches the output if the server is listed and usable. */
  readonly expected: RegExp;
}

/** The command that starts the MCP server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** One change of a configuration file. Comments, order and all other values stay. */
export type ConfigurationEdit = JsonValue | JsonDefault | JsonItem | TomlTable | TextFile;

/** Sets a property of a JSON file, with or without comments. */
export interface JsonValue {
  readonly kind: 'json-value';
  readonly file: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Sets a property of a JSON file unless the file has it already. */
export interface JsonDefault extends Omit<JsonValue, 'kind'> {
  readonly kind: 'json-default';
}

/** Adds an item to an array of a JSON file, with or without comments. */
export interface JsonItem {
  readonly kind: 'json-item';
  readonly file: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Adds a table to the end of a TOML file. */
export interface TomlTable {
  readonly kind: 'toml-table';
  readonly file: string;
  readonly path: readonly string[];
  readonly values: Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;
}

/** A file of Strata's own in a place where the agent looks for files. */
export interface TextFile {
  readonly kind: 'text-file';
  readonly file: string;
  readonly text: string;
}

/** A hook that runs a command, in the form of Claude Code, which most agents share. Times are in seconds. */
export function commandHook(matcher: string, words: readonly string[]) {
  return {
    matcher,
    hooks: [{ type: 'command', command: words.map((word) => JSON.stringify(word)).join(' '), timeout: 15 }],
  };
}

/** The form that most agents use. */
export function stdioServer({ command, args, env }: Launch) {
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/** The entry for the server where most agents have it. */
export function mcpServerIn(file: string, value: unknown): JsonValue {
  return { kind: 'json-value', file, path: ['mcpServers', 'strata'], value };
}
