import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import { openAiAccess } from '../../models/openai/environment';
import type { SummarizerView } from '../../protocol/view';
import { openAiDestination } from './destination';
import { type ModelSettings, readModelSettings } from './model-settings';

/** The current summarizer, shown to a person before anything is sent. */
export function summarizerView(): SummarizerView {
  const settings = readModelSettings();
  switch (settings.kind) {
    case 'extractive':
      return { label: vscode.l10n.t('Extractive'), destination: null, usesModel: false };
    case 'vscode':
      return { label: settings.vscodeModel, destination: vscode.l10n.t('a model of VS Code'), usesModel: true };
    case 'openai':
      return openAiView(settings);
  }
}

function openAiView({ openAi }: ModelSettings): SummarizerView {
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
