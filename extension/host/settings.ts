import * as vscode from 'vscode';
import type { CompactionSettings } from '../conversations/compaction/settings';
import type { Parameters } from '../engine/block/plan';
import { type VerificationMode, verificationModes } from '../engine/compaction/verify';
import { aheadDefaults } from '../engine/run/automation/ahead';
import { defaultStrategy, findStrategy, parameterOwners } from '../engine/run/prepare/registry';
import { haloDefaults } from '../engine/strategies/halo-parameters';
import { targetWithoutModel } from '../engine/strategies/target';
import { assumedContextWindow } from '../sessions/model-windows';
import { translated } from './failures/failure-text';
import { readModelSettings } from './models/model-settings';

/** The settings. Read them again for each use, because they can change at any time. */
export interface Settings extends CompactionSettings {
  /** Extra folders to search for session files. */
  readonly sessionFolders: readonly string[];
  readonly fallbackContextWindow: number;
  readonly reserveTokens: number;
  /** Percent of the window above which the size of the core causes a warning. */
  readonly coreWarnAtPercent: number;
  /** A model is chosen to write the blocks. */
  readonly asksModel: boolean;
}

export const settingsSection = 'strata';
export const automationSetting = 'compaction.enabled';

/** Modes at startup for the newest session of the open folder. */
const startupModes = ['offer', 'open', 'none'] as const;
type StartupMode = (typeof startupModes)[number];

/** The value of a setting. `standard`: its default, as in `package.json`. Callers name the type: from `false` it would be inferred as `false`. */
export function readSetting<T>(name: string, standard: T): T {
  return vscode.workspace.getConfiguration(settingsSection).get<T>(name, standard);
}

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const number = (name: string, standard: number) => configuration.get<number>(name, standard);
  const asksModel = readModelSettings().kind !== 'none';
  return {
    sessionFolders: configuration.get<string[]>('sessions.folders', []),
    fallbackContextWindow: number('context.fallbackWindow', assumedContextWindow),
    strategy: configuration.get<string>('compaction.strategy', defaultStrategy),
    parameters: strategyParameters(configuration),
    reserveTokens: number('compaction.reserveTokens', haloDefaults.reserveTokens),
    verification: verificationMode(configuration.get<string>('compaction.verification')),
    coreWarnAtPercent: number('core.warnAtPercent', 5),
    asksModel,
    automation: {
      enabled: configuration.get<boolean>(automationSetting, true),
      floorTokens: number('compaction.floorTokens', haloDefaults.keepRecentTokens),
      pauseTokens: number('compaction.pauseTokens', 10_000),
      warnAtPercent: number('compaction.warnAtPercent', 90),
      schedule: configuration.get<string>('compaction.schedule') === 'size' ? 'size' : 'cost',
      smallestTarget: number('compaction.smallestTarget', targetWithoutModel),
      // Only a model that the person chose writes, not the one that requests ask.
      prepareAt: asksModel ? number('compaction.prepareAt', aheadDefaults.prepareAt) : 0,
      renewAfter: number('compaction.renewAfter', aheadDefaults.renewAfter),
      prepareTokens: number('compaction.prepareTokens', aheadDefaults.prepareTokens),
    },
  };
}

/** Whether a notification says what an agent forgot when it compacted by itself. */
export function notifiesOfRescue(): boolean {
  return readSetting<boolean>('rescue.notify', true);
}

export function startupMode(): StartupMode {
  const set = readSetting<string>('sessions.atStartup', 'offer');
  return startupModes.find((mode) => mode === set) ?? 'offer';
}

/** Writes a setting for this workspace if it is set there, otherwise for all workspaces. */
export async function writeSetting(name: string, value: boolean | number | string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const isInWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const target = isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update(name, value, target);
}

function verificationMode(set: string | undefined): VerificationMode {
  return verificationModes.find((mode) => mode === set) ?? 'repair';
}

/** Whether a parameter is a setting of its own, `strata.compaction.*`, because strategies share it with its default. */
function isShared(strategy: string, parameter: string, standard: unknown): boolean {
  return (
    strategy === defaultStrategy ||
    Object.entries(haloDefaults).some(([name, value]) => name === parameter && value === standard)
  );
}

/**
 * The editor reads `strata.strategies.prune.protectTokens`, a former setting, as a member of `strata.strategies`. It does not know the
 * former setting, so it cannot ignore it in an untrusted folder.
 */
function strategyParameters(configuration: vscode.WorkspaceConfiguration): Record<string, Parameters> {
  type Set = Readonly<Record<string, Parameters>>;
  const trusted = vscode.workspace.isTrusted
    ? configuration.get<Set>('strategies')
    : configuration.inspect<Set>('strategies')?.globalValue;
  const set = trusted ?? {};
  return Object.fromEntries(
    parameterOwners().map(({ name: strategy, defaults }) => [
      strategy,
      Object.fromEntries(
        Object.entries(defaults).map(([name, standard]) => [
          name,
          isShared(strategy, name, standard)
            ? configuration.get<Parameters[string]>(`compaction.${name}`, standard)
            : (set[strategy]?.[name] ?? standard),
        ]),
      ),
    ]),
  );
}

export function strategyTitle(name: string): string {
  const choice = findStrategy(name);
  return choice ? translated(choice.title) : name;
}
