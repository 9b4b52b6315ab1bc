import { commandNamed } from '../../models/command/presets';
import { commandDestination, type Destination, openAiDestination, vscodeDestination } from './destination';
import { type ModelSettings, readModelSettings, writeModelSetting } from './model-settings';

/** A summarizer that a person chose: for the settings, or for one block alone. */
export type ChosenSummarizer =
  | { readonly kind: 'none' }
  /** `line` for a command of the person's own. */
  | { readonly kind: 'command'; readonly agent: string; readonly line: readonly string[] | null }
  /** `contextWindow` null: the setting stays. */
  | {
      readonly kind: 'openai';
      readonly baseUrl: string;
      readonly model: string;
      readonly contextWindow: number | null;
    }
  | { readonly kind: 'vscode'; readonly model: string };

/** Where its text goes; null if nowhere. */
export function destinationOf(chosen: ChosenSummarizer): Destination | null {
  switch (chosen.kind) {
    case 'none':
      return null;
    case 'command':
      return commandDestination(commandNamed(chosen.agent, chosen.line ?? []));
    case 'openai':
      return openAiDestination(chosen.baseUrl, chosen.model);
    case 'vscode':
      return vscodeDestination(chosen.model);
  }
}

/** The settings with this choice applied. */
export function settingsWith(settings: ModelSettings, chosen: ChosenSummarizer): ModelSettings {
  const { kind } = chosen;
  switch (kind) {
    case 'none':
      return { ...settings, kind };
    case 'command': {
      const { command } = settings;
      const own = isSameCommand(settings, chosen) ? {} : { model: '', contextWindow: 0 };
      return { ...settings, kind, command: { ...command, ...own, agent: chosen.agent, line: chosen.line ?? [] } };
    }
    case 'openai': {
      const { baseUrl, model, contextWindow } = chosen;
      const window = contextWindow ?? settings.openAi.contextWindow;
      return { ...settings, kind, openAi: { ...settings.openAi, baseUrl, model, contextWindow: window } };
    }
    case 'vscode':
      return { ...settings, kind, vscodeModel: chosen.model };
  }
}

/** Makes it the summarizer of the settings. */
export async function writeChosen(chosen: ChosenSummarizer): Promise<void> {
  const now = readModelSettings();
  const { command } = settingsWith(now, chosen);
  switch (chosen.kind) {
    case 'command':
      if (chosen.line !== null) await writeModelSetting('command.line', chosen.line);
      await writeModelSetting('command.agent', chosen.agent);
      if (command.model !== now.command.model) await writeModelSetting('command.model', command.model);
      if (command.contextWindow !== now.command.contextWindow)
        await writeModelSetting('command.contextWindow', command.contextWindow);
      break;
    case 'openai':
      await writeModelSetting('openai.baseUrl', chosen.baseUrl);
      await writeModelSetting('openai.model', chosen.model);
      if (chosen.contextWindow !== null) await writeModelSetting('openai.contextWindow', chosen.contextWindow);
      break;
    case 'vscode':
      await writeModelSetting('vscode.model', chosen.model);
      break;
    case 'none':
  }
  await writeModelSetting('kind', chosen.kind);
}

/** Whether model and window in the settings belong to this command: they do not fit another program. */
function isSameCommand(
  { command }: ModelSettings,
  { agent, line }: Extract<ChosenSummarizer, { kind: 'command' }>,
): boolean {
  return command.agent === agent && (line === null || JSON.stringify(line) === JSON.stringify(command.line));
}
