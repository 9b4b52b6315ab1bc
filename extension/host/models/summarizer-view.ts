import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import { commandNamed } from '../../models/command/presets';
import { openAiAccess } from '../../models/openai/environment';
import type { SummarizerView } from '../../protocol/view';
import { commandDestination, openAiDestination } from './destination';
import { isSummarizerChosen, type ModelSettings, readModelSettings } from './model-settings';

/** The current summarizer, shown to a person before anything is sent. */
export function summarizerView(): SummarizerView {
  return { ...shownAs(readModelSettings()), isChosen: isSummarizerChosen() };
}

type Shown = Omit<SummarizerView, 'isChosen'>;

function shownAs(settings: ModelSettings): Shown {
  switch (settings.kind) {
    case 'none':
      return { label: vscode.l10n.t('No model'), destination: null, usesModel: false };
    case 'command':
      return commandView(settings);
    case 'vscode':
      return { label: settings.vscodeModel, destination: vscode.l10n.t('a model of VS Code'), usesModel: true };
    case 'openai':
      return openAiView(settings);
  }
}

function commandView({ command: { agent, line, model } }: ModelSettings): Shown {
  try {
    const command = commandNamed(agent, line);
    const asked = model || command.cheapestModel;
    const label = asked ? `${command.name} (${asked})` : command.name;
    return { label, destination: commandDestination(command).name, usesModel: true };
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    // The run itself reports what is missing.
    return { label: agent, destination: null, usesModel: true };
  }
}

function openAiView({ openAi }: ModelSettings): Shown {
  try {
    const { baseUrl, model } = openAiAccess(openAi, process.env);
    const { isLocal, name } = openAiDestination(baseUrl, model);
    return { label: model, destination: isLocal ? null : name, usesModel: true };
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    // The run itself reports what is missing.
    return { label: openAi.model, destination: openAi.baseUrl, usesModel: true };
  }
}
