import * as vscode from 'vscode';
import { defaultUpstreams, type Upstreams } from '../../gateway/address';
import { contextWindowOf } from '../../sessions/model-windows';
import { readSettings } from '../settings';

/** All of it is of the machine: a workspace must not send a person's keys elsewhere. */
export interface GatewaySettings {
  /** 0: any that is free. */
  readonly port: number;
  readonly upstreams: Upstreams;
}

const section = 'strata.gateway';

export function readGatewaySettings(): GatewaySettings {
  const configuration = vscode.workspace.getConfiguration(section);
  const { openai, anthropic } = defaultUpstreams;
  return {
    port: configuration.get<number>('port', 0),
    upstreams: {
      openai: configuration.get<string>('openaiBaseUrl', '').trim() || openai,
      anthropic: configuration.get<string>('anthropicBaseUrl', '').trim() || anthropic,
    },
  };
}

/** Tokens. As set, else as known for the model, else what the editor takes every unknown window to be. */
export function gatewayWindowOf(model: string): number {
  const set = vscode.workspace.getConfiguration(section).get<number>('contextWindow', 0);
  return set || contextWindowOf(model) || readSettings().fallbackContextWindow;
}

/** Whether a change is about what only a start takes up. */
export function needsRestart(change: Pick<vscode.ConfigurationChangeEvent, 'affectsConfiguration'>): boolean {
  return ['port', 'openaiBaseUrl', 'anthropicBaseUrl'].some((name) =>
    change.affectsConfiguration(`${section}.${name}`),
  );
}
