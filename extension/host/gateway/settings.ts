import * as vscode from 'vscode';
import { type ApiName, defaultUpstreams, type Upstreams } from '../../gateway/address';
import { contextWindowOf } from '../../sessions/model-windows';
import { readSettings } from '../settings';

/** Machine settings only: a workspace must not redirect a person's keys to another server. */
interface GatewaySettings {
  /** 0: any free port. */
  readonly port: number;
  readonly upstreams: Upstreams;
}

const section = 'strata.gateway';
const apiNames: readonly ApiName[] = ['openai', 'anthropic'];

export function readGatewaySettings(): GatewaySettings {
  const configuration = vscode.workspace.getConfiguration(section);
  return { port: configuration.get<number>('port', 0), upstreams: upstreams(configuration) };
}

function upstreams(configuration: vscode.WorkspaceConfiguration): Upstreams {
  const set = configuration.inspect<Partial<Upstreams>>('baseUrls')?.globalValue ?? {};
  const of = (api: ApiName) => (set[api] ?? formerly(configuration, api)).trim() || defaultUpstreams[api];
  return { openai: of('openai'), anthropic: of('anthropic') };
}

/**
 * The setting under its former name. The editor no longer knows this name, so it cannot stop a workspace from setting it. Therefore only
 * the person's own value counts.
 */
function formerly(configuration: vscode.WorkspaceConfiguration, api: ApiName): string {
  return configuration.inspect<string>(formerName(api))?.globalValue ?? '';
}

function formerName(api: ApiName): string {
  return `${api}BaseUrl`;
}

/** Former names of the settings for providers' addresses, which a person may still use. */
export function formerNamesInUse(): readonly string[] {
  const configuration = vscode.workspace.getConfiguration(section);
  const used = apiNames.filter((api) => formerly(configuration, api) !== '');
  return used.map((api) => `${section}.${formerName(api)}`);
}

/** Tokens: as set, or else as known for the model, or else the editor's default for an unknown window. */
export function gatewayWindowOf(model: string): number {
  const set = vscode.workspace.getConfiguration(section).get<number>('contextWindow', 0);
  return set || contextWindowOf(model) || readSettings().fallbackContextWindow;
}

/** Whether a changed setting takes effect only at the next start. */
export function needsRestart(change: Pick<vscode.ConfigurationChangeEvent, 'affectsConfiguration'>): boolean {
  return ['port', 'baseUrls', ...apiNames.map(formerName)].some((name) =>
    change.affectsConfiguration(`${section}.${name}`),
  );
}
