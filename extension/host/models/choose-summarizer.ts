import { parseArgsStringToArgv } from 'string-argv';
import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import { installedPresets } from '../../models/command/find-programs';
import type { ModelCommand } from '../../models/command/model-command';
import { customCommand, customId } from '../../models/command/presets';
import { findLocalModels, type LocalModel } from '../../models/local-servers/local-servers';
import { endpointOf } from '../../models/openai/endpoint';
import { openAiAccess } from '../../models/openai/environment';
import { failureText } from '../failures/failure-text';
import { vendor as ownVendor } from '../provider/offers';
import { commandDestination, openAiDestination, vscodeDestination } from './destination';
import type { ModelAccess } from './model-access';
import { readModelSettings, writeModelSetting } from './model-settings';

interface SummarizerPick extends vscode.QuickPickItem {
  /** Absent for a heading. */
  readonly choose?: () => Promise<void>;
}

/** Lets a person choose the summarizer. Asks for consent before anything is sent from this machine. */
export async function chooseSummarizer(access: ModelAccess): Promise<void> {
  const [chats, agents, local] = await Promise.all([
    vscode.lm.selectChatModels(),
    installedPresets(),
    findLocalModels(),
  ]);
  const picks = [
    heading(vscode.l10n.t('On this machine')),
    extractivePick(),
    ...local.map((model) => localPick(model, access)),
    ...(agents.length > 0 ? [heading(vscode.l10n.t('The model of an agent that is installed here'))] : []),
    ...agents.map((agent) => agentPick(agent, access)),
    ...(chats.some(isForeign) ? [heading(vscode.l10n.t('Models of VS Code'))] : []),
    ...chats.filter(isForeign).map((chat) => vscodePick(chat, access)),
    heading(vscode.l10n.t('Your own')),
    openAiPick(access),
    linePick(access),
  ];
  const chosen = await vscode.window.showQuickPick(picks, {
    placeHolder: vscode.l10n.t('Choose what writes the summaries'),
    matchOnDescription: true,
  });
  await chosen?.choose?.();
}

function extractivePick(): SummarizerPick {
  return {
    label: vscode.l10n.t('Extractive'),
    description: vscode.l10n.t('no model; nothing leaves this machine'),
    choose: () => writeModelSetting('kind', 'extractive'),
  };
}

/** Strata's own models compact and pass on to one of these: not to themselves. */
function isForeign({ vendor }: vscode.LanguageModelChat): boolean {
  return vendor !== ownVendor;
}

function heading(label: string): SummarizerPick {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function localPick({ server, baseUrl, model, contextWindow }: LocalModel, { consent }: ModelAccess): SummarizerPick {
  return {
    label: model,
    description:
      contextWindow === null ? server : vscode.l10n.t('{0}, {1} tokens', server, contextWindow.toLocaleString()),
    detail: vscode.l10n.t('runs on this machine; nothing leaves it'),
    async choose() {
      if (!(await consent.ask(openAiDestination(baseUrl, model)))) return;
      await writeModelSetting('openai.baseUrl', baseUrl);
      await writeModelSetting('openai.model', model);
      await writeModelSetting('openai.contextWindow', contextWindow ?? 0);
      await writeModelSetting('kind', 'openai');
    },
  };
}

function agentPick(agent: ModelCommand, { consent }: ModelAccess): SummarizerPick {
  const { id, name, shown, cheapestModel } = agent;
  return {
    label: name,
    description: cheapestModel === null ? shown : `${shown}, ${cheapestModel}`,
    detail: vscode.l10n.t('uses your sign-in; the text goes to the provider of {0}', name),
    async choose() {
      if (!(await consent.ask(commandDestination(agent)))) return;
      await writeModelSetting('command.agent', id);
      await writeModelSetting('kind', 'command');
    },
  };
}

function linePick(access: ModelAccess): SummarizerPick {
  return {
    label: vscode.l10n.t('A Command of Your Own…'),
    description: vscode.l10n.t('a program that reads the prompt from standard input and writes the answer'),
    choose: () => chooseLine(access),
  };
}

async function chooseLine({ consent }: ModelAccess): Promise<void> {
  const { line } = readModelSettings().command;
  const typed = await askFor(
    vscode.l10n.t('Program and arguments, without a shell'),
    line.map(quotedWord).join(' '),
    (value) => (value.trim() === '' ? vscode.l10n.t('Enter a program, such as: llm -m small') : undefined),
  );
  if (typed === undefined) return;
  const words = parseArgsStringToArgv(typed);
  if (!(await consent.ask(commandDestination(customCommand(words))))) return;
  await writeModelSetting('command.line', words);
  await writeModelSetting('command.agent', customId);
  await writeModelSetting('kind', 'command');
}

function quotedWord(word: string): string {
  return /[\s"']/.test(word) || word === '' ? JSON.stringify(word) : word;
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
