/**
 * `npm start`: an editor with Strata in it, on a sample workspace.
 *
 * It is the desktop VS Code if `code` is on the PATH, else VS Code in the browser. `STRATA_EDITOR=browser` asks for the
 * latter in any case.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { editorAddress } from './browser-editor/address.ts';
import { installStrata } from './browser-editor/installed-extension.ts';
import { startServer } from './browser-editor/server.ts';
import { editorCacheFolder } from './paths.ts';
import { findProgram } from './processes/find-program.ts';
import { interrupted } from './processes/interrupt.ts';
import { prepareSampleWorkspace, SAMPLE_SESSION } from './sample-workspace.ts';
import { strata } from './strata.ts';

/**
 * The first of these that is free. What an extension stores for a workspace is tied to the server's address, so a port
 * that stays the same lets it be found again on the next start.
 */
const PORTS = '8347-8399';

const { folder, session } = await prepareSampleWorkspace();
if (session.kind === 'missing') console.error(`The sample workspace has no session: ${SAMPLE_SESSION} is missing.`);

// The server ends with this process, also while it is still being installed or started.
interrupted().then(() => process.exit());

const code = process.env.STRATA_EDITOR === 'browser' ? undefined : findProgram('code');
if (code === undefined) await serveBrowserEditor(folder);
else await openDesktopEditor(code, folder);

async function serveBrowserEditor(workspace: string): Promise<void> {
  const userDataDir = join(editorCacheFolder, 'start-user-data');
  const extensionsDir = join(userDataDir, 'extensions');
  await installStrata(extensionsDir);
  const server = await startServer({ userDataDir, extensionsDir, port: PORTS });
  console.log(`Strata runs in VS Code at ${editorAddress(server, { folder: workspace })} (Ctrl+C ends it)`);
  throw new Error(`VS Code's server ended with exit code ${await server.exited}.`);
}

async function openDesktopEditor(command: string, workspace: string): Promise<void> {
  const editor = spawn(command, [`--extensionDevelopmentPath=${strata.folder}`, '--new-window', workspace], {
    stdio: 'inherit',
  });
  const [exitCode] = await once(editor, 'exit');
  if (exitCode !== 0) throw new Error(`"${command}" ended with exit code ${exitCode}.`);
}
