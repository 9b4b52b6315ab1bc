import { parseArgsStringToArgv } from 'string-argv';
import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import { installedPresets } from '../../models/command/installed-presets';
import type { ModelCommand } from '../../models/command/model-command';
import { customCommand, customId } from '../../models/command/presets';
import { findLocalModels, type LocalModel } from '../../models/local-servers/local-servers';
import { endpointOf } from '../../models/openai/endpoint';
import { openAiAccess } from '../../models/openai/environment';
import { failureText } from '../failures/failure-text';
import { chatModels } from '../language-api';
import { vendor as ownVendor } from '../provider/offers';
import { commandDestination, openAiDestination, vscodeDestination } from './destination';
import type { ModelAccess } from './model-access';
import { readModelSettings, writeModelSetting } from './model-settings';
import { type CompactionSize, type SummarizerChoice, summarizerOffers } from './summarizer-offers';

interface SummarizerPick extends vscode.QuickPickItem {
  /** Absent for a heading. */
  readonly choice?: SummarizerChoice;
}

/**
 * Lets a person choose the summarizer, ordered by where the text goes. Asks for consent before anything is sent from this
 * machine. `size`: what a compaction of the open session would send.
 */
export async function chooseSummarizer(access: ModelAccess, size: Promise<CompactionSize | null>): Promise<void> {
  const [known, chats, agents, local] = await Promise.all([size, chatModels(), installedPresets(), findLocalModels()]);
  const groups = summarizerOffers({ local, agents, chats: chats.filter(isForeign) }, known);
  const picks = groups.flatMap(({ place, offers }): SummarizerPick[] => [
    { label: place, kind: vscode.QuickPickItemKind.Separator },
    ...offers,
  ]);
  const chosen = await vscode.window.showQuickPick(picks, {
    placeHolder: vscode.l10n.t('Choose what writes the summaries'),
    matchOnDescription: true,
  });
  if (chosen?.choice) await choose(chosen.choice, access);
}

/** Strata's own models compact and pass on to one of these: not to themselves. */
function isForeign({ vendor }: vscode.LanguageModelChat): boolean {
  return vendor !== ownVendor;
}

async function choose(choice: SummarizerChoice, access: ModelAccess): Promise<void> {
  switch (choice.kind) {
    case 'extractive':
      return await writeModelSetting('kind', 'extractive');
    case 'local':
      return await chooseLocal(choice.model, access);
    case 'agent':
      return await chooseAgent(choice.agent, access);
    case 'vscode':
      return await chooseVscode(choice.id, access);
    case 'server':
      return await chooseServer(access);
    case 'line':
      return await chooseLine(access);
  }
}

async function chooseLocal({ baseUrl, model, contextWindow }: LocalModel, { consent }: ModelAccess): Promise<void> {
  if (!(await consent.ask(openAiDestination(baseUrl, model)))) return;
  await writeModelSetting('openai.baseUrl', baseUrl);
  await writeModelSetting('openai.model', model);
  await writeModelSetting('openai.contextWindow', contextWindow ?? 0);
  await writeModelSetting('kind', 'openai');
}

async function chooseAgent(agent: ModelCommand, { consent }: ModelAccess): Promise<void> {
  if (!(await consent.ask(commandDestination(agent)))) return;
  await writeModelSetting('command.agent', agent.id);
  await writeModelSetting('kind', 'command');
}

async function chooseVscode(id: string, { consent }: ModelAccess): Promise<void> {
  if (!(await consent.ask(vscodeDestination(id)))) return;
  await writeModelSetting('vscode.model', id);
  await writeModelSetting('kind', 'vscode');
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
