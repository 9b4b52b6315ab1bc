import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import { endpointOf } from '../../models/openai/endpoint';
import { openAiAccess } from '../../models/openai/environment';
import { failureText } from '../failures/failure-text';
import { openAiDestination, vscodeDestination } from './destination';
import type { ModelAccess } from './model-access';
import { readModelSettings, writeModelSetting } from './model-settings';

interface SummarizerPick extends vscode.QuickPickItem {
  readonly choose: () => Promise<void>;
}

/** Lets a person choose the summarizer. Asks for consent before anything is sent from this machine. */
export async function chooseSummarizer(access: ModelAccess): Promise<void> {
  const chats = await vscode.lm.selectChatModels();
  const picks = [extractivePick(), ...chats.map((chat) => vscodePick(chat, access)), openAiPick(access)];
  const chosen = await vscode.window.showQuickPick(picks, {
    placeHolder: vscode.l10n.t('Choose what writes the summaries'),
    matchOnDescription: true,
  });
  await chosen?.choose();
}

function extractivePick(): SummarizerPick {
  return {
    label: vscode.l10n.t('Extractive'),
    description: vscode.l10n.t('no model; nothing leaves this machine'),
    choose: () => writeModelSetting('kind', 'extractive'),
  };
}

function vscodePick(chat: vscode.LanguageModelChat, { consent }: ModelAccess): SummarizerPick {
  const { id, name, vendor, maxInputTokens } = chat;
  return {
    label: name,
    description: vscode.l10n.t('{0}, {1} tokens', vendor, maxInputTokens.toLocaleString()),
    async choose() {
      if (!(await consent.ask(vscodeDestination(id)))) return;
      await writeModelSetting('vscode.model', id);
      await writeModelSetting('kind', 'vscode');
    },
  };
}

function openAiPick(access: ModelAccess): SummarizerPick {
  return {
    label: vscode.l10n.t('OpenAI-Compatible…'),
    description: vscode.l10n.t('a server of your own, or a service'),
    choose: () => chooseServer(access),
  };
}

async function chooseServer({ consent, apiKey }: ModelAccess): Promise<void> {
  const now = openAiAccess(readModelSettings().openAi, process.env);
  const baseUrl = await askFor(vscode.l10n.t('Base URL of the server'), now.baseUrl, addressProblem);
  if (baseUrl === undefined) return;
  const model = await askFor(vscode.l10n.t('Model of the server'), now.model, (value) =>
    value.trim() === '' ? vscode.l10n.t('Enter the name of a model.') : undefined,
  );
  if (model === undefined || !(await consent.ask(openAiDestination(baseUrl, model)))) return;
  await writeModelSetting('openai.baseUrl', baseUrl);
  await writeModelSetting('openai.model', model);
  await writeModelSetting('kind', 'openai');
  const hasKey = openAiAccess({ baseUrl, model, apiKey: await apiKey.read() }, process.env).apiKey !== null;
  if (!hasKey && !endpointOf(baseUrl).isLocal) await apiKey.set();
}

async function askFor(
  title: string,
  value: string,
  validateInput: (value: string) => string | undefined,
): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({ title, value, validateInput, ignoreFocusOut: true });
  return answer?.trim();
}

function addressProblem(value: string): string | undefined {
  try {
    endpointOf(value);
    return undefined;
  } catch (error) {
    if (error instanceof ModelFailed) return failureText(error);
    throw error;
  }
}
