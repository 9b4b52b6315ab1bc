/**
 * `npm start`: an editor with Strata in it, on a sample workspace, whose session it shows. Builds what is older than its
 * sources.
 *
 * It is the desktop VS Code if `code` is on the PATH, else VS Code in the browser. `STRATA_EDITOR=browser` asks for the
 * latter in any case. `--folder` names another folder for the workspace and the person's settings.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, faultsOf, secondsSince } from '../../scripts/builds.ts';
import { contents } from '../../scripts/packages/contents.ts';
import type { BuildName } from '../../vite.config.ts';
import { editorAddress } from './browser-editor/address.ts';
import { installStrata } from './browser-editor/installed-extension.ts';
import { startServer } from './browser-editor/server.ts';
import { userSettingsFile, writeUserSettings } from './browser-editor/settings.ts';
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

/** The walkthrough opens as after an installation, and the sample session at once. */
const newcomerSettings = {
  'workbench.welcomePage.walkthroughs.openOnInstall': true,
  'strata.sessions.atStartup': 'open',
};

/** All that an installed Strata consists of, the command with its MCP server and the agents' plugins included. */
const strataBuilds: readonly BuildName[] = [...contents.extension.builds, 'embeddings'];

const { values } = parseArgs({ options: { folder: { type: 'string', default: editorCacheFolder } } });

await buildForEditor();
const { folder, session, settings } = await prepareSampleWorkspace(join(values.folder, 'sample-workspace'), {
  isOfThisFolder: true,
});
if (session.kind === 'missing') console.error(`The sample workspace has no session: ${SAMPLE_SESSION} is missing.`);
else console.log(`Sample session: ${relative(process.cwd(), session.path)}`);

// The server ends with this process, also while it is still being installed or started.
interrupted().then(() => process.exit());

const code = process.env.STRATA_EDITOR === 'browser' ? undefined : findProgram('code');
if (code === undefined) await serveBrowserEditor(folder);
else await openDesktopEditor(code, folder);

async function buildForEditor(): Promise<void> {
  const started = performance.now();
  const built = await buildStale(strataBuilds).catch((error) => {
    console.error(faultsOf(error).join('\n'));
    process.exit(1);
  });
  const what = built.length === 0 ? 'Nothing has changed since the last build' : `Built ${built.join(', ')}`;
  console.log(`${what} (${secondsSince(started)} s)`);
}

async function serveBrowserEditor(workspace: string): Promise<void> {
  const userDataDir = await keptUserData('start-browser');
  const extensionsDir = join(userDataDir, 'extensions');
  await installStrata(extensionsDir);
  const server = await startServer({ userDataDir, extensionsDir, port: PORTS });
  console.log(`VS Code: ${editorAddress(server, { folder: workspace })}`);
  console.log('Open this address in a browser. Ctrl+C ends the editor.');
  throw new Error(`VS Code's server ended with exit code ${await server.exited}.`);
}

async function openDesktopEditor(command: string, workspace: string): Promise<void> {
  console.log(`VS Code: ${command} ${relative(process.cwd(), workspace)}`);
  const userDataDir = await keptUserData('start-desktop');
  const places = [`--user-data-dir=${userDataDir}`, `--extensionDevelopmentPath=${strata.folder}`];
  const editor = spawn(command, [...places, '--new-window', workspace], { stdio: 'inherit' });
  const [exitCode] = await once(editor, 'exit');
  if (exitCode !== 0) throw new Error(`"${command}" ended with exit code ${exitCode}.`);
}

/** Settings and storage of this editor alone: the person's own are not touched. What they set in it is kept. */
async function keptUserData(name: string): Promise<string> {
  const userDataDir = join(values.folder, name);
  if (!existsSync(userSettingsFile(userDataDir)))
    await writeUserSettings(userDataDir, { ...newcomerSettings, ...settings });
  return userDataDir;
}
