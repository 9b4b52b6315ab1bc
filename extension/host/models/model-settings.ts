import * as vscode from 'vscode';
import { openAiDefaults } from '../../models/openai/client';

const summarizerKinds = ['none', 'command', 'openai', 'vscode'] as const;
type SummarizerKind = (typeof summarizerKinds)[number];

export interface ModelSettings {
  readonly kind: SummarizerKind;
  readonly openAi: {
    readonly baseUrl: string;
    readonly model: string;
    /** Empty: embeddings are computed on this machine. */
    readonly embeddingModel: string;
    readonly timeoutMs: number;
    /** In tokens; 0 stands for the known window of the model. */
    readonly contextWindow: number;
  };
  readonly command: {
    /** Id of a preset, or `custom`. */
    readonly agent: string;
    /** Program and arguments of a command of the person's own. */
    readonly line: readonly string[];
    /** Empty: the cheapest known model of the program. */
    readonly model: string;
    readonly timeoutMs: number;
    /** In tokens; 0 stands for the known window of the model or the agent. */
    readonly contextWindow: number;
  };
  /** Id of a VS Code model. */
  readonly vscodeModel: string;
  /** A chat model of the server of `openAi`. `contextWindow` is in tokens; 0 stands for the known window of the model. */
  readonly chat: { readonly model: string; readonly contextWindow: number };
}

const modelSettingsSection = 'strata.summarizer';

export function readModelSettings(): ModelSettings {
  const chat = vscode.workspace.getConfiguration('strata.chat');
  const chatModel = chat.get<string>('model', '');
  const configuration = vscode.workspace.getConfiguration(modelSettingsSection);
  const kind = configuration.get<string>('kind');
  const seconds = configuration.get<number>('openai.timeoutSeconds', openAiDefaults.timeoutMs / 1000);
  const openAi = {
    baseUrl: configuration.get<string>('openai.baseUrl', ''),
    model: configuration.get<string>('openai.model', ''),
    embeddingModel: configuration.get<string>('openai.embeddingModel', ''),
    timeoutMs: Math.max(1, seconds) * 1000,
    contextWindow: configuration.get<number>('openai.contextWindow', 0),
  };
  return {
    // `none` was once called `extractive`, which settings may still contain.
    kind: summarizerKinds.find((known) => known === kind) ?? 'none',
    openAi,
    command: {
      agent: configuration.get<string>('command.agent', ''),
      line: configuration.get<readonly string[]>('command.line', []).filter((word) => typeof word === 'string'),
      model: configuration.get<string>('command.model', ''),
      timeoutMs: Math.max(1, configuration.get<number>('command.timeoutSeconds', 300)) * 1000,
      contextWindow: configuration.get<number>('command.contextWindow', 0),
    },
    vscodeModel: configuration.get<string>('vscode.model', ''),
    chat: chatModel === '' ? openAi : { model: chatModel, contextWindow: chat.get<number>('contextWindow', 0) },
  };
}

/** Whether the person set who writes. If not, the kind is only the default. */
export function isSummarizerChosen(): boolean {
  const set = vscode.workspace.getConfiguration(modelSettingsSection).inspect<string>('kind');
  return [set?.globalValue, set?.workspaceValue, set?.workspaceFolderValue].some((value) => value !== undefined);
}

type ModelSettingName =
  | 'kind'
  | 'command.agent'
  | 'command.line'
  | 'command.model'
  | 'command.contextWindow'
  | 'openai.baseUrl'
  | 'openai.model'
  | 'openai.contextWindow'
  | 'vscode.model';

/** Writes to the user's settings, never to the workspace. */
export async function writeModelSetting(
  name: ModelSettingName,
  value: string | number | readonly string[],
): Promise<void> {
  await vscode.workspace.getConfiguration(modelSettingsSection).update(name, value, vscode.ConfigurationTarget.Global);
}
