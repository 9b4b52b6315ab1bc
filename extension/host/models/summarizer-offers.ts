import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ModelCommand } from '../../models/command/model-command';
import type { LocalModel } from '../../models/local-servers/local-servers';
import { tokensText } from '../view/tokens-text';

/** What a compaction would have a model read and write, in tokens. */
export interface CompactionSize {
  readonly sent: number;
  readonly written: number;
}

export interface FoundModels {
  readonly local: readonly LocalModel[];
  readonly agents: readonly ModelCommand[];
  readonly chats: readonly Pick<vscode.LanguageModelChat, 'id' | 'name' | 'vendor' | 'maxInputTokens'>[];
}

export type SummarizerChoice =
  | { readonly kind: 'extractive' }
  | { readonly kind: 'local'; readonly model: LocalModel }
  | { readonly kind: 'agent'; readonly agent: ModelCommand }
  | { readonly kind: 'vscode'; readonly id: string }
  | { readonly kind: 'server' }
  | { readonly kind: 'line' };

export interface SummarizerOffer {
  readonly label: string;
  readonly description: string;
  /** Where the text goes, and what a compaction of the open session takes; empty if neither is known. */
  readonly detail: string;
  readonly choice: SummarizerChoice;
}

/** Offers whose text goes to the same kind of place. */
export interface OfferGroup {
  readonly place: string;
  readonly offers: readonly SummarizerOffer[];
}

/** The nearest place first. A price is only said where it is none: what a provider charges for a sign-in is not known here. */
export function summarizerOffers({ local, agents, chats }: FoundModels, size: CompactionSize | null): OfferGroup[] {
  const spent = size === null ? [] : [spentText(size)];
  const groups: OfferGroup[] = [
    { place: l10n.t('On this machine'), offers: [extractive(), ...local.map((model) => localOffer(model, spent))] },
    {
      place: l10n.t('To the provider of an agent that is installed here'),
      offers: agents.map((agent) => agentOffer(agent, spent)),
    },
    { place: l10n.t('To another server: models of VS Code'), offers: chats.map((chat) => vscodeOffer(chat, spent)) },
    { place: l10n.t('To wherever you say: your own'), offers: [serverOffer(spent), lineOffer(spent)] },
  ];
  return groups.filter(({ offers }) => offers.length > 0);
}

function spentText({ sent, written }: CompactionSize): string {
  return l10n.t('a compaction reads at most about {0} tokens, writes about {1}', tokensText(sent), tokensText(written));
}

function sentence(...parts: readonly string[]): string {
  return parts.join('; ');
}

function extractive(): SummarizerOffer {
  return {
    label: l10n.t('No model (extractive)'),
    description: l10n.t('no model; nothing leaves this machine'),
    detail: l10n.t('costs nothing'),
    choice: { kind: 'extractive' },
  };
}

function localOffer(model: LocalModel, spent: readonly string[]): SummarizerOffer {
  const { server, contextWindow } = model;
  return {
    label: model.model,
    description: contextWindow === null ? server : l10n.t('{0}, {1} tokens', server, contextWindow.toLocaleString()),
    detail: sentence(l10n.t('runs on this machine; nothing leaves it'), ...spent, l10n.t('costs nothing')),
    choice: { kind: 'local', model },
  };
}

function agentOffer(agent: ModelCommand, spent: readonly string[]): SummarizerOffer {
  const { name, shown, cheapestModel } = agent;
  return {
    label: name,
    description: cheapestModel === null ? shown : `${shown}, ${cheapestModel}`,
    detail: sentence(l10n.t('uses your sign-in; the text goes to the provider of {0}', name), ...spent),
    choice: { kind: 'agent', agent },
  };
}

function vscodeOffer(
  { id, name, vendor, maxInputTokens }: FoundModels['chats'][number],
  spent: readonly string[],
): SummarizerOffer {
  return {
    label: name,
    description: l10n.t('{0}, {1} tokens', vendor, maxInputTokens.toLocaleString()),
    detail: sentence(...spent),
    choice: { kind: 'vscode', id },
  };
}

function serverOffer(spent: readonly string[]): SummarizerOffer {
  return {
    label: l10n.t('OpenAI-Compatible…'),
    description: l10n.t('a server of your own, or a service'),
    detail: sentence(...spent),
    choice: { kind: 'server' },
  };
}

function lineOffer(spent: readonly string[]): SummarizerOffer {
  return {
    label: l10n.t('A Command of Your Own…'),
    description: l10n.t('a program that reads the prompt from standard input and writes the answer'),
    detail: sentence(...spent),
    choice: { kind: 'line' },
  };
}
