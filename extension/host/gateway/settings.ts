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
 * The setting under its former name. The editor no longer knows that one, and so cannot keep a workspace from setting it: only the
 * person's own value counts.
 */
function formerly(configuration: vscode.WorkspaceConfiguration, api: ApiName): string {
  return configuration.inspect<string>(formerName(api))?.globalValue ?? '';
}

function formerName(api: ApiName): string {
  return `${api}BaseUrl`;
}

/** Former names under which a person still has addresses of providers. */
export function formerNamesInUse(): readonly string[] {
  const configuration = vscode.workspace.getConfiguration(section);
  const used = apiNames.filter((api) => formerly(configuration, api) !== '');
  return used.map((api) => `${section}.${formerName(api)}`);
}

/** Tokens. As set, else as known for the model, else what the editor takes every unknown window to be. */
export function gatewayWindowOf(model: string): number {
  const set = vscode.workspace.getConfiguration(section).get<number>('contextWindow', 0);
  return set || contextWindowOf(model) || readSettings().fallbackContextWindow;
}

/** Whether a change is about what only a start takes up. */
export function needsRestart(change: Pick<vscode.ConfigurationChangeEvent, 'affectsConfiguration'>): boolean {
  return ['port', 'baseUrls', ...apiNames.map(formerName)].some((name) =>
    change.affectsConfiguration(`${section}.${name}`),
  );
}
