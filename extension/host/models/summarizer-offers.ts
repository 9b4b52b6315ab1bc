import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { WriterChoice } from '../../inside/writers/offers';
import {
  termsOfCommand,
  termsOfEditorModel,
  termsOfOwnCommand,
  termsOfServer,
  termsOfUnknownServer,
  termsWithoutModel,
  type WriterTerms,
  type WritingSize,
} from '../../inside/writers/terms';
import type { ModelCommand } from '../../models/command/model-command';
import type { LocalModel } from '../../models/local-servers/local-servers';
import { priceOf } from '../../models/prices';
import { translated } from '../failures/failure-text';

interface FoundModels {
  readonly local: readonly LocalModel[];
  /** `model`: the one that the agent would be asked for; null for its own choice. */
  readonly agents: readonly { readonly command: ModelCommand; readonly model: string | null }[];
  readonly chats: readonly Pick<vscode.LanguageModelChat, 'id' | 'name' | 'vendor' | 'maxInputTokens'>[];
  /** The model of the server in the settings; null without one. */
  readonly serverModel: string | null;
}

export type SummarizerChoice =
  | WriterChoice
  /** The present choice. */
  | { readonly kind: 'as-set' }
  /** A command that is not known yet. */
  | { readonly kind: 'line' };

interface SummarizerOffer {
  readonly label: string;
  readonly description: string;
  /** Says where the text goes and what the writing costs; empty if neither is known. */
  readonly detail: string;
  readonly choice: SummarizerChoice;
}

/** Offers with the same kind of destination. */
export interface OfferGroup {
  readonly place: string;
  readonly offers: readonly SummarizerOffer[];
}

/** The nearest destination first. A price is shown if it is listed; for a sign-in, a quota may be shown instead. */
export function summarizerOffers(
  { local, agents, chats, serverModel }: FoundModels,
  size: WritingSize | null,
): OfferGroup[] {
  const groups: OfferGroup[] = [
    { place: l10n.t('On this machine'), offers: [withoutModel(), ...local.map((model) => localOffer(model, size))] },
    {
      place: l10n.t('To the provider of an agent that is installed here'),
      offers: agents.map((agent) => agentOffer(agent, size)),
    },
    { place: l10n.t('To another server: models of VS Code'), offers: chats.map((chat) => vscodeOffer(chat, size)) },
    { place: l10n.t('To a destination of your own'), offers: [serverOffer(serverModel, size), lineOffer(size)] },
  ];
  return groups.filter(({ offers }) => offers.length > 0);
}

/** The summarizer in the settings, for a person who chooses one for a single block. */
export function offerAsSet(label: string, destination: string | null): OfferGroup {
  const choice = { kind: 'as-set' } as const;
  return { place: l10n.t('Chosen now'), offers: [{ label, description: destination ?? '', detail: '', choice }] };
}

function detailOf({ costs, goes }: WriterTerms): string {
  return [costs, goes].map(translated).join('; ');
}

function withoutModel(): SummarizerOffer {
  return {
    label: l10n.t('No model'),
    description: l10n.t('messages are quoted, and omissions are marked'),
    detail: detailOf(termsWithoutModel()),
    choice: { kind: 'none' },
  };
}

function localOffer(model: LocalModel, size: WritingSize | null): SummarizerOffer {
  const { server, baseUrl, contextWindow } = model;
  return {
    label: model.model,
    description: contextWindow === null ? server : l10n.t('{0}, {1} tokens', server, contextWindow.toLocaleString()),
    detail: detailOf(termsOfServer({ host: null, price: null }, size)),
    // The window in the settings belongs to another model.
    choice: { kind: 'server', baseUrl, model: model.model, contextWindow: contextWindow ?? 0 },
  };
}

function agentOffer({ command, model }: FoundModels['agents'][number], size: WritingSize | null): SummarizerOffer {
  const { name, shown } = command;
  return {
    label: name,
    description: model === null ? shown : `${shown}, ${model}`,
    detail: detailOf(termsOfCommand({ name, price: priceOf(model), hasSession: false }, size)),
    choice: { kind: 'command', command },
  };
}

function vscodeOffer(
  { id, name, vendor, maxInputTokens }: FoundModels['chats'][number],
  size: WritingSize | null,
): SummarizerOffer {
  return {
    label: name,
    description: l10n.t('{0}, {1} tokens', vendor, maxInputTokens.toLocaleString()),
    detail: detailOf(termsOfEditorModel(vendor, size)),
    choice: { kind: 'vscode', model: { id, name, vendor } },
  };
}

function serverOffer(model: string | null, size: WritingSize | null): SummarizerOffer {
  const now = model === null ? [] : [l10n.t('now {0}', model)];
  return {
    label: l10n.t('OpenAI-Compatible…'),
    description: l10n.t('a server of your own, or a service'),
    detail: [...now, detailOf(termsOfUnknownServer(priceOf(model), size))].join('; '),
    choice: { kind: 'other-server' },
  };
}

function lineOffer(size: WritingSize | null): SummarizerOffer {
  return {
    label: l10n.t('A Command of Your Own…'),
    description: l10n.t('a program that reads the prompt from standard input and writes the answer'),
    detail: detailOf(termsOfOwnCommand(size)),
    choice: { kind: 'line' },
  };
}
