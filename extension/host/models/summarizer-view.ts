import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import { commandNamed } from '../../models/command/presets';
import { openAiAccess } from '../../models/openai/environment';
import type { SummarizerView } from '../../protocol/view';
import { commandDestination, openAiDestination } from './destination';
import { isSummarizerChosen, type ModelSettings, readModelSettings } from './model-settings';

/** The current summarizer, shown to a person before anything is sent. */
export function summarizerView(): SummarizerView {
  const settings = readModelSettings();
  const isChosen = isSummarizerChosen();
  if (settings.kind === 'none') {
    return { label: vscode.l10n.t('No model'), destination: null, usesModel: false, isChosen };
  }
  return { ...named(settings), usesModel: true, isChosen };
}

type Named = Pick<SummarizerView, 'label' | 'destination'>;

function named(settings: ModelSettings): Named {
  const { kind, command, openAi, vscodeModel } = settings;
  if (kind === 'vscode') return { label: vscodeModel, destination: vscode.l10n.t('a model of VS Code') };
  try {
    return kind === 'command' ? namedCommand(command) : namedServer(openAi);
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    // The run itself reports what is missing.
    return kind === 'command'
      ? { label: command.agent, destination: null }
      : { label: openAi.model, destination: openAi.baseUrl };
  }
}

function namedCommand({ agent, line, model }: ModelSettings['command']): Named {
  const command = commandNamed(agent, line);
  const asked = model || command.cheapestModel;
  const label = asked ? `${command.name} (${asked})` : command.name;
  return { label, destination: commandDestination(command).name };
}

function namedServer(openAi: ModelSettings['openAi']): Named {
  const { baseUrl, model } = openAiAccess(openAi, process.env);
  const { isLocal, name } = openAiDestination(baseUrl, model);
  return { label: model, destination: isLocal ? null : name };
}
