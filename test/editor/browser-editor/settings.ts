import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Values of VS Code settings by their full name, such as `workbench.colorTheme`. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * No welcome page, no tips, and no requests to trust, sign in or update, so that the screen shows only what a test did.
 */
export const QUIET_SETTINGS: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  // VS Code replaces the former `false` by this value, and would write the file while a walk changes it.
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'strata.sessions.atStartup': 'none',
};

/**
 * Writes the user settings of an editor whose user data are in this folder. Desktop VS Code and the browser editor read
 * them at the same path. The browser editor is a remote one, and reads settings of machine scope from those of the
 * remote machine. If the folder already has settings, they stay unless `settings` are given.
 */
export async function writeUserSettings(userDataFolder: string, settings?: Settings): Promise<void> {
  if (settings === undefined && existsSync(userSettingsFile(userDataFolder))) return;
  for (const place of ['User', 'Machine']) {
    await mkdir(join(userDataFolder, place), { recursive: true });
    await writeFile(
      join(userDataFolder, place, 'settings.json'),
      JSON.stringify({ ...QUIET_SETTINGS, ...settings }, undefined, 2),
    );
  }
}

export function userSettingsFile(userDataFolder: string): string {
  return join(userDataFolder, 'User/settings.json');
}
