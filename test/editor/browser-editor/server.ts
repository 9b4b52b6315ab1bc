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
  /** Of code-server; by default the newest that is known here. */
  readonly version?: string;
  /** Kept after the server ends. By default a temporary folder, so that each server starts as if new. */
  readonly userDataDir?: string;
  /** By default a folder inside the user data, so that no other extension is there. */
  readonly extensionsDir?: string;
  /** A port, or the first free one of a range such as `8000-8099`. By default any that is free. */
  readonly port?: number | `${number}-${number}`;
  /** User settings, on top of `QUIET_SETTINGS`. */
  readonly settings?: Settings;
  /** Lets a page name an extension under development and its tests. Such an editor shows no notifications. */
  readonly runsTests?: boolean;
  /** Folders open in restricted mode until a person trusts them. By default all are trusted. */
  readonly asksForTrust?: boolean;
  /** Variables that the extension host gets on top of ours, such as a `HOME` with sessions in it. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EditorServer {
  readonly origin: string;
  readonly port: number;
  readonly userDataDir: string;
  /** Asked of whoever opens a page, as any web page on this machine may call the server. */
  readonly connectionToken: string;
  /** Settles when the server ends, however it ends. */
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

/** The server picks its port itself, so that no other program can take it in between, and prints it. */
const LISTENS = /^Extension host agent listening on (\d+)$/m;

/** The server prints this when its port is taken, and goes on running. */
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
      ...['--accept-server-license-terms', '--disable-telemetry'],
      ...(asksForTrust ? [] : ['--disable-workspace-trust']),
      ...(runsTests ? ['--enable-smoke-test-driver'] : []),
    ],
    folder: editor.serverFolder,
    environment: { ...ownEnvironment(), ...options.environment },
    logFile: files.log,
  });
}

/** Our environment without what a VS Code, in whose terminal we may run, has put there for its own processes. */
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
