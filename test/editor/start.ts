/**
 * `npm start` opens an editor with Strata in it, on a sample workspace whose session it shows. It first builds what is
 * older than its sources. The editor is the desktop VS Code if `code` is on the PATH, otherwise VS Code in the browser.
 * `STRATA_EDITOR=browser` always selects the latter. `--folder` names another folder for the workspace and the person's
 * settings.
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
 * The first free port of these is used. The storage of an extension for a workspace belongs to the server's address, so
 * the same port finds it again at the next start.
 */
const PORTS = '8347-8399';

/** The walkthrough opens as after an installation, and the sample session opens at once. */
const newcomerSettings = {
  'workbench.welcomePage.walkthroughs.openOnInstall': true,
  'strata.sessions.atStartup': 'open',
};

/** The builds of an installed Strata, including the command with its MCP server and the plugins for agents. */
const strataBuilds: readonly BuildName[] = [...contents.extension.builds, 'embeddings'];

const { values } = parseArgs({ options: { folder: { type: 'string', default: editorCacheFolder } } });

await buildForEditor();
const { folder, session, settings } = await prepareSampleWorkspace(join(values.folder, 'sample-workspace'), {
  isOfThisFolder: true,
});
if (session.kind === 'missing') console.error(`The sample workspace has no session: ${SAMPLE_SESSION} is missing.`);
else console.log(`Sample session: ${relative(process.cwd(), session.path)}`);

// The server ends with this process, even while it is still being installed or started.
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

/** Settings and storage of this editor alone, so the person's own are not touched. Changes in this editor are kept. */
async function keptUserData(name: string): Promise<string> {
  const userDataDir = join(values.folder, name);
  if (!existsSync(userSettingsFile(userDataDir)))
    await writeUserSettings(userDataDir, { ...newcomerSettings, ...settings });
  return userDataDir;
}
