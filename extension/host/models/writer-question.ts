import * as vscode from 'vscode';
import { agentPlaces } from '../../inside/places';
import { answeredFirst, type FoundWriters, type WriterChoice, writerOffers } from '../../inside/writers/offers';
import { rememberedWriter } from '../../inside/writers/remembered';
import type { WritingSize } from '../../inside/writers/terms';
import { installedPresets } from '../../models/command/installed-presets';
import { findLocalModels } from '../../models/local-servers/local-servers';
import { openAiAccess } from '../../models/openai/environment';
import { processEnvironment } from '../../platform/files/environment';
import type { WriterOfferView } from '../../protocol/view';
import type { AgentId } from '../../sessions/session';
import { translated } from '../failures/failure-text';
import { chatModels } from '../language-api';
import { chooseSummarizer, chosenBy, isForeign, makeServerSummarizer } from './choose-summarizer';
import { destinationOf, writeChosen } from './chosen-summarizer';
import type { ModelAccess } from './model-access';
import { readModelSettings } from './model-settings';

/**
 * The answers to the question who writes the blocks of an agent's session. The first one is preselected: the one that the person gave on a
 * terminal, or else the first one that works.
 */
export async function readWriters(agent: AgentId, size: WritingSize | null): Promise<readonly WriterOfferView[]> {
  const offers = writerOffers(await foundWriters(agent), size);
  return answeredFirst(offers, await answeredOnTerminal()).map(({ choice, label, costs, goes }) => ({
    id: idOf(choice),
    label: translated(label),
    costs: translated(costs),
    goes: translated(goes),
  }));
}

interface Answering {
  readonly models: ModelAccess;
  /** Tokens that a compaction of the open session would send; the list shows them. */
  readonly size: () => Promise<WritingSize | null>;
}

/**
 * Makes an answer the summarizer of the settings. The question said where the text goes, so there is no further consent, unless the address
 * is only entered now. If the answer is no longer available, the list is shown instead. False if the person cancelled.
 */
export async function answerWriter(agent: AgentId, id: string, { models: access, size }: Answering): Promise<boolean> {
  const offer = writerOffers(await foundWriters(agent), null).find(({ choice }) => idOf(choice) === id);
  if (offer === undefined) {
    void vscode.window.showWarningMessage(vscode.l10n.t('This answer is no longer available.'));
    return await chooseSummarizer(access, size());
  }
  if (offer.choice.kind === 'other-server') return await makeServerSummarizer(access);
  const chosen = await chosenBy(offer.choice);
  if (chosen === null) return false;
  const destination = destinationOf(chosen);
  if (destination !== null) await access.consent.give(destination);
  await writeChosen(chosen);
  return true;
}

function answeredOnTerminal() {
  return rememberedWriter(agentPlaces(processEnvironment()));
}

async function foundWriters(agent: AgentId): Promise<FoundWriters> {
  const [commands, chats, local] = await Promise.all([installedPresets(), chatModels(), findLocalModels()]);
  const { baseUrl, model } = openAiAccess(readModelSettings().openAi, process.env);
  const answered = await answeredOnTerminal();
  const server = model !== '' ? { baseUrl, model } : answered.kind === 'openai' ? answered : null;
  return { agents: [agent], commands, chats: chats.filter(isForeign), server, local };
}

/** Equal for equal choices. */
function idOf(choice: WriterChoice): string {
  switch (choice.kind) {
    case 'command':
      return JSON.stringify([choice.kind, choice.command.id]);
    case 'vscode':
      return JSON.stringify([choice.kind, choice.model.id]);
    case 'server':
      return JSON.stringify([choice.kind, choice.baseUrl, choice.model]);
    default:
      return choice.kind;
  }
}
