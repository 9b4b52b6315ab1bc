import * as vscode from 'vscode';

/**
 * VS Code's API of language models and chat. Editors that are built on VS Code may lack all or parts of it, whatever their version; the
 * types do not show that. Missing parts are undefined.
 */
type LanguageApi = Partial<typeof vscode.lm>;
type ChatApi = Partial<typeof vscode.chat>;

export function languageApi(): LanguageApi {
  return (vscode as { readonly lm?: LanguageApi }).lm ?? {};
}

export function chatApi(): ChatApi {
  return (vscode as { readonly chat?: ChatApi }).chat ?? {};
}

interface MaybeMissing {
  readonly LanguageModelThinkingPart?: new (value: string) => { readonly value: string | readonly string[] };
  readonly LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): object };
}

/** Classes of message parts that are not in the types, and not in every version. */
export function newerParts(): MaybeMissing {
  return vscode as MaybeMissing;
}

/** The models of other extensions; empty in an editor without them. */
export async function chatModels(selector?: vscode.LanguageModelChatSelector): Promise<vscode.LanguageModelChat[]> {
  return (await languageApi().selectChatModels?.(selector)) ?? [];
}

/** The names of the parts that Strata would use and this editor lacks. */
export function missingInEditor(): readonly string[] {
  const wanted = {
    'lm.registerTool': languageApi().registerTool,
    'lm.registerLanguageModelChatProvider': languageApi().registerLanguageModelChatProvider,
    'lm.registerMcpServerDefinitionProvider': languageApi().registerMcpServerDefinitionProvider,
    'chat.createChatParticipant': chatApi().createChatParticipant,
  };
  return Object.entries(wanted).flatMap(([name, found]) => (found === undefined ? [name] : []));
}

/** Replaces a registration that this editor does not support. */
export const nothingRegistered: vscode.Disposable = { dispose: () => undefined };
