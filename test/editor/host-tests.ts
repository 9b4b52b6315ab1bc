import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { writeUserSettings } from './browser-editor/settings.ts';
import { bundleHostTests } from './host-bundle.ts';
import { editorCacheFolder, hostEditorLog, projectFolder } from './paths.ts';
import { temporaryFolder } from './processes/temporary-folder.ts';
import type { Tally } from './suite.ts';

/** Runs the tests of `host/` in the extension host of the editor that `STRATA_EDITOR` names. */
export async function runHostTests(): Promise<Tally> {
  const report = join(temporaryFolder(), 'report.json');
  const exit = await runInEditor(await bundleHostTests(), report);
  const tally = tallyOf(exit, report);
  if (tally.failed > 0 && !inDesktopEditor()) console.log(`The log of the editor they ran in is ${hostEditorLog}`);
  return tally;
}

type Exit = { readonly kind: 'succeeded' } | { readonly kind: 'failed'; readonly error: unknown };

async function runInEditor(extensionTestsPath: string, report: string): Promise<Exit> {
  const userData = temporaryFolder();
  await writeUserSettings(userData, { 'strata.strategies.prune.protectTokens': 12_345 });
  try {
    await runTests({
      ...editorProgram(temporaryFolder(), userData),
      extensionDevelopmentPath: projectFolder,
      extensionTestsPath,
      extensionTestsEnv: { STRATA_TEST_REPORT: report },
    });
    return { kind: 'succeeded' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** test-electron downloads the desktop editor unless it gets a program. Ours is Node.js with the launcher. */
function editorProgram(workspace: string, userData: string) {
  const editorArguments = [
    workspace,
    `--user-data-dir=${userData}`,
    `--extensions-dir=${join(userData, 'extensions')}`,
  ];
  if (inDesktopEditor()) return { launchArgs: editorArguments, cachePath: editorCacheFolder };
  const launcher = join(import.meta.dirname, 'browser-editor/launcher.ts');
  return { vscodeExecutablePath: process.execPath, launchArgs: [launcher, ...editorArguments] };
}

const inDesktopEditor = () => process.env.STRATA_EDITOR === 'desktop';

/** If the tests were not run to the end, or the editor failed after all of them passed, one more failure is counted. */
function tallyOf(exit: Exit, report: string): Tally {
  const tally = readReport(report);
  if (tally !== undefined && (exit.kind === 'succeeded' || tally.failed > 0)) return tally;
  console.log(`  FAILED  the editor runs the in-host tests to their end: ${whyNot(exit)}`);
  return { passed: tally?.passed ?? 0, failed: 1 };
}

function whyNot(exit: Exit): string {
  return exit.kind === 'failed' ? String(exit.error) : 'it exited without having reported any result';
}

function readReport(report: string): Tally | undefined {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
}
