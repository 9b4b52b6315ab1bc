import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KeptProcess, keep, tailOf } from '../processes/keep.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { type BrowserEditor, ensureBrowserEditor } from './install.ts';
import { type Settings, writeUserSettings } from './settings.ts';

export interface ServerOptions {
  /** Version of code-server. Default: the newest version listed here. */
  readonly version?: string;
  /** Kept after the server ends. Default: a temporary folder, so that each server starts as if new. */
  readonly userDataDir?: string;
  /** Default: a folder inside the user data, so that no other extension is installed. */
  readonly extensionsDir?: string;
  /** A port, or the first free one of a range such as `8000-8099`. Default: any free port. */
  readonly port?: number | `${number}-${number}`;
  /** User settings in addition to `QUIET_SETTINGS`. */
  readonly settings?: Settings;
  /** Lets a page name an extension under development and its tests. Such an editor shows no notifications. */
  readonly runsTests?: boolean;
  /** Folders open in restricted mode until a person trusts them. Default: all are trusted. */
  readonly asksForTrust?: boolean;
  /** Variables of the extension host in addition to ours, such as a `HOME` with sessions in it. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EditorServer {
  readonly origin: string;
  readonly port: number;
  readonly userDataDir: string;
  /** Required from every page, because any web page on this machine can call the server. */
  readonly connectionToken: string;
  /** Settles when the server ends, for whatever reason. */
  readonly exited: Promise<number>;
  close(): Promise<void>;
}

/** Its message ends with the last lines of the server's log. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
}

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** The server picks its port itself and prints it, so that no other program can take it in between. */
const LISTENS = /^Extension host agent listening on (\d+)$/m;

/** The server prints this if its port is in use, and continues to run. */
const CANNOT_LISTEN = /Error: (listen .*)/;

/** Serves VS Code on this machine only. The server ends with `close()`, and with this process. */
export async function startServer(options: ServerOptions = {}): Promise<EditorServer> {
  const editor = await ensureBrowserEditor(options.version);
  const userDataDir = options.userDataDir ?? temporaryFolder();
  const connectionToken = randomUUID();
  const files = { log: join(userDataDir, 'server.log'), token: join(userDataDir, 'connection-token') };
  await writeUserSettings(userDataDir, options.settings);
  await writeFile(files.log, '');
  await writeFile(files.token, connectionToken, { mode: 0o600 });

  const server = serve(editor, { ...options, userDataDir }, files);
  try {
    const port = await portWhenItAnswers(server, files.log);
    const close = () => server.stop();
    return { origin: originAt(port), port, userDataDir, connectionToken, exited: server.exited, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type ServerFiles = { readonly log: string; readonly token: string };

function serve(
  editor: BrowserEditor,
  options: ServerOptions & { userDataDir: string },
  files: ServerFiles,
): KeptProcess {
  const { userDataDir, extensionsDir = join(userDataDir, 'extensions'), port = 0, runsTests = false } = options;
  const { asksForTrust = false } = options;
  return keep({
    command: editor.node,
    arguments: [
      'out/server-main.js',
      ...['--host', HOST, '--port', String(port), '--connection-token-file', files.token],
      ...['--user-data-dir', userDataDir, '--extensions-dir', extensionsDir],
      ...['--accept-server-license-terms', '--disable-telemetry', '--disable-websocket-compression'],
      ...(asksForTrust ? [] : ['--disable-workspace-trust']),
      ...(runsTests ? ['--enable-smoke-test-driver'] : []),
    ],
    folder: editor.serverFolder,
    environment: { ...ownEnvironment(), NODE_COMPILE_CACHE: compiledCode(), ...options.environment },
    logFile: files.log,
  });
}

let compiled: string | undefined;

/** The folder in which Node.js keeps compiled code. All editors of this process share it. */
function compiledCode(): string {
  compiled ??= temporaryFolder();
  return compiled;
}

/**
 * Our environment without the variables that a VS Code sets for its own processes, because the tests may run in its
 * terminal.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  const belongsToOuterEditor = (name: string) => /^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !belongsToOuterEditor(name)));
}

async function portWhenItAnswers(server: KeptProcess, logFile: string): Promise<number> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const log = readFileSync(logFile, 'utf8');
    if (server.exitCode !== undefined) throw serverError(`ended with exit code ${server.exitCode}`, logFile);
    const refusal = CANNOT_LISTEN.exec(log)?.[1];
    if (refusal !== undefined) throw serverError(`cannot start (${refusal})`, logFile);
    const port = LISTENS.exec(log)?.[1];
    if (port !== undefined && (await answers(Number(port)))) return Number(port);
    await sleep(POLL_INTERVAL_MS);
  }
  throw serverError(`did not answer within ${START_TIMEOUT_MS / 1000} seconds`, logFile);
}

const serverError = (what: string, logFile: string) => new ServerError(`VS Code's server ${what}:\n${tailOf(logFile)}`);

async function answers(port: number): Promise<boolean> {
  const response = await fetch(`${originAt(port)}/version`);
  return response.ok;
}

const originAt = (port: number) => `http://${HOST}:${port}`;
