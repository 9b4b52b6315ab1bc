import type * as vscode from 'vscode';

/** The vendor of Strata's models, which are never offered a second time through Strata. */
export const vendor = 'strata';

export interface OfferedEndpoint {
  readonly model: string;
  readonly contextWindow: number;
}

export type OfferSource =
  | { readonly kind: 'endpoint' }
  | { readonly kind: 'lm'; readonly chat: vscode.LanguageModelChat }
  | { readonly kind: 'set-up' };

/** A model as the picker shows it, and the model that answers for it. */
export interface Offer {
  readonly information: vscode.LanguageModelChatInformation;
  readonly source: OfferSource;
}

export interface Available {
  /** Null if none is set up. */
  readonly endpoint: OfferedEndpoint | null;
  /** Null until VS Code has reported its models. */
  readonly chats: readonly vscode.LanguageModelChat[] | null;
  readonly wrapsModels: boolean;
  /** Name of the entry that is offered if there is no model. */
  readonly setUpName: string;
}

/** Maximum output in tokens; VS Code does not report it for models of other extensions. */
const assumedOutput = 4096;

/** Maximum number of tokens reserved for the answer in an endpoint's window, and the share in a small window. */
const answerRoom = { most: 16_384, share: 0.25 };

export function offersOf({ endpoint, chats, wrapsModels, setUpName }: Available): Offer[] {
  const others = (chats ?? []).filter((chat) => chat.vendor !== vendor);
  const offers = [...(endpoint ? [endpointOffer(endpoint)] : []), ...(wrapsModels ? others.map(chatOffer) : [])];
  const isNone = endpoint === null && chats !== null && others.length === 0;
  return isNone ? [setUpOffer(setUpName)] : withDistinctIds(offers);
}

function endpointOffer({ model, contextWindow }: OfferedEndpoint): Offer {
  const maxOutputTokens = Math.floor(Math.min(answerRoom.most, contextWindow * answerRoom.share));
  return {
    source: { kind: 'endpoint' },
    information: {
      id: `endpoint/${model}`,
      name: `Strata: ${model}`,
      family: model,
      version: '1',
      maxInputTokens: contextWindow - maxOutputTokens,
      maxOutputTokens,
      capabilities: { toolCalling: true, imageInput: true },
    },
  };
}

function chatOffer(chat: vscode.LanguageModelChat): Offer {
  const { vendor: from, id, name, family, version, maxInputTokens } = chat;
  return {
    source: { kind: 'lm', chat },
    information: {
      id: `${from}/${id}`,
      name: `Strata: ${name}`,
      detail: from,
      family,
      version,
      maxInputTokens,
      maxOutputTokens: assumedOutput,
      capabilities: capabilitiesOf(chat),
    },
  };
}

/** Missing in the typings of the oldest supported VS Code. If it is missing, nothing is reserved. */
function capabilitiesOf(
  chat: vscode.LanguageModelChat & {
    readonly capabilities?: { readonly supportsToolCalling?: boolean; readonly supportsImageToText?: boolean };
  },
): vscode.LanguageModelChatInformation['capabilities'] {
  const { supportsToolCalling = true, supportsImageToText = true } = chat.capabilities ?? {};
  return { toolCalling: supportsToolCalling, imageInput: supportsImageToText };
}

function setUpOffer(name: string): Offer {
  return {
    source: { kind: 'set-up' },
    information: {
      id: 'set-up',
      name,
      family: vendor,
      version: '1',
      maxInputTokens: 100_000,
      maxOutputTokens: assumedOutput,
      // VS Code's agent mode offers only models with tools.
      capabilities: { toolCalling: true, imageInput: true },
    },
  };
}

/** VS Code would use the first of two models with one id, and warn about the other each time. */
function withDistinctIds(offers: readonly Offer[]): Offer[] {
  return [...new Map([...offers].reverse().map((offer) => [offer.information.id, offer])).values()].reverse();
}
