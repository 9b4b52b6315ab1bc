import { parseArgsStringToArgv } from 'string-argv';
import * as vscode from 'vscode';
import type { WritingSize } from '../../inside/writers/terms';
import { installedPresets } from '../../models/command/installed-presets';
import { customId } from '../../models/command/presets';
import { findLocalModels } from '../../models/local-servers/local-servers';
import { addressProblem, endpointOf } from '../../models/openai/endpoint';
import { openAiAccess } from '../../models/openai/environment';
import { translated } from '../failures/failure-text';
import { chatModels } from '../language-api';
import { vendor as ownVendor } from '../provider/offers';
import { type ChosenSummarizer, destinationOf, settingsWith, writeChosen } from './chosen-summarizer';
import type { ModelAccess } from './model-access';
import { type ModelSettings, readModelSettings } from './model-settings';
import { type OfferGroup, offerAsSet, type SummarizerChoice, summarizerOffers } from './summarizer-offers';
import { summarizerView } from './summarizer-view';

interface SummarizerPick extends vscode.QuickPickItem {
  /** Absent for a heading. */
  readonly choice?: SummarizerChoice;
}

/**
 * Lets a person choose the summarizer. `size`: what a compaction of the open session would send. False if the person
 * cancelled.
 */
export async function chooseSummarizer(access: ModelAccess, size: Promise<WritingSize | null>): Promise<boolean> {
  const placeHolder = vscode.l10n.t('Choose what writes the summaries');
  const choice = await pick({ size, placeHolder, asSet: null });
  return choice !== null && (await makeSummarizer(choice, access));
}

/**
 * Lets a person choose the model that writes one block. Resolves with the settings for it; null if nothing was chosen. A server becomes the
 * summarizer in the settings, because its key is stored for that server.
 */
export async function chooseForBlock(access: ModelAccess, size: WritingSize): Promise<ModelSettings | null> {
  const settings = readModelSettings();
  const { label, destination, usesModel } = summarizerView();
  const placeHolder = vscode.l10n.t('Choose what writes this block again');
  const asSet = usesModel ? offerAsSet(label, destination) : null;
  const choice = await pick({ size: Promise.resolve(size), placeHolder, asSet });
  if (choice === null) return null;
  if (choice.kind === 'as-set') return settings;
  if (choice.kind === 'other-server') return (await makeSummarizer(choice, access)) ? readModelSettings() : null;
  const chosen = await chosenBy(choice);
  return chosen === null ? null : settingsWith(settings, chosen);
}

interface Picking {
  readonly size: Promise<WritingSize | null>;
  readonly placeHolder: string;
  /** Offered first. */
  readonly asSet: OfferGroup | null;
}

/** Offers the available summarizers, ordered by where the text goes. */
async function pick({ size, placeHolder, asSet }: Picking): Promise<SummarizerChoice | null> {
  const [known, chats, agents, local] = await Promise.all([size, chatModels(), installedPresets(), findLocalModels()]);
  const { command, openAi } = readModelSettings();
  const models = {
    local,
    agents: agents.map((each) => ({
      command: each,
      model: (each.id === command.agent && command.model) || each.cheapestModel,
    })),
    chats: chats.filter(isForeign),
    serverModel: openAiAccess(openAi, process.env).model || null,
  };
  const groups = [...(asSet ? [asSet] : []), ...summarizerOffers(models, known)];
  const picks = groups.flatMap(({ place, offers }): SummarizerPick[] => [
    { label: place, kind: vscode.QuickPickItemKind.Separator },
    ...offers,
  ]);
  const picked = await vscode.window.showQuickPick(picks, { placeHolder, matchOnDescription: true });
  return picked?.choice ?? null;
}

/** Strata's own models pass requests on to one of these, so they must not be offered themselves. */
export function isForeign({ vendor }: vscode.LanguageModelChat): boolean {
  return vendor !== ownVendor;
}

/** Writes the choice to the settings after the person agreed to the text's destination. False if they did not. */
async function makeSummarizer(choice: SummarizerChoice, { consent, apiKey }: ModelAccess): Promise<boolean> {
  const chosen = await chosenBy(choice);
  if (chosen === null) return false;
  const destination = destinationOf(chosen);
  if (destination !== null && !(await consent.ask(destination))) return false;
  await writeChosen(chosen);
  if (choice.kind === 'other-server' && chosen.kind === 'openai') await askForKey(chosen, apiKey);
  return true;
}

/** Asks for the address of a server and makes its model the summarizer. False if the person cancelled. */
export async function makeServerSummarizer(access: ModelAccess): Promise<boolean> {
  return await makeSummarizer({ kind: 'other-server' }, access);
}

/** Asks for the details that the choice leaves open. Null if the person cancelled. */
export async function chosenBy(choice: SummarizerChoice): Promise<ChosenSummarizer | null> {
  switch (choice.kind) {
    case 'as-set':
      return null;
    case 'none':
      return { kind: 'none' };
    case 'command':
      return { kind: 'command', agent: choice.command.id, line: null };
    case 'vscode':
      return { kind: 'vscode', model: choice.model.id };
    case 'server':
      return { ...choice, kind: 'openai' };
    case 'other-server':
      return await askForServer();
    case 'line':
      return await askForLine();
  }
}

async function askForLine(): Promise<ChosenSummarizer | null> {
  const { line } = readModelSettings().command;
  const typed = await askFor(
    vscode.l10n.t('Program and arguments, without a shell'),
    line.map(quotedWord).join(' '),
    (value) => (value.trim() === '' ? vscode.l10n.t('Enter a program, such as: llm -m small') : undefined),
  );
  return typed === undefined ? null : { kind: 'command', agent: customId, line: parseArgsStringToArgv(typed) };
}

function quotedWord(word: string): string {
  return /[\s"']/.test(word) || word === '' ? JSON.stringify(word) : word;
}

async function askForServer(): Promise<ChosenSummarizer | null> {
  const now = openAiAccess(readModelSettings().openAi, process.env);
  const baseUrl = await askFor(vscode.l10n.t('Base URL of the server'), now.baseUrl, (value) => {
    const problem = addressProblem(value);
    return problem === null ? undefined : translated(problem);
  });
  if (baseUrl === undefined) return null;
  const model = await askFor(vscode.l10n.t('Model of the server'), now.model, (value) =>
    value.trim() === '' ? vscode.l10n.t('Enter the name of a model.') : undefined,
  );
  if (model === undefined) return null;
  // The window in the settings belongs to another model.
  const contextWindow = baseUrl === now.baseUrl && model === now.model ? null : 0;
  return { kind: 'openai', baseUrl, model, contextWindow };
}

async function askForKey(
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  apiKey: ModelAccess['apiKey'],
): Promise<void> {
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
