import * as vscode from 'vscode';
import type { RequestRecorder } from '../../conversations/requests/request-recorder';
import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import { outgoingOf } from '../../middleware/recognition/outgoing';
import { type ReceivedConversation, receivedConversation } from '../../middleware/recognition/received-entries';
import type { RecordedRequest } from '../../middleware/requests/recording';
import { cancellationBy } from '../cancellation';
import type { EditorConversation } from '../conversations/editor-conversations';
import type { ModelList } from './model-list';
import type { Offer, OfferSource } from './offers';
import { receivedMessages } from './received-messages';
import type { Counted, Target, TargetOrder } from './target';

type Information = vscode.LanguageModelChatInformation;

interface ProviderParts {
  readonly models: ModelList;
  readonly requests: RequestRecorder<EditorConversation>;
  readonly target: (source: Exclude<OfferSource, { kind: 'set-up' }>) => Target;
  /** Answer if there is no model. */
  readonly setUpText: () => string;
  /** The error for a model that is not offered any more. */
  readonly notFound: (id: string) => Error;
  readonly onDidChange: vscode.Event<void>;
  readonly now: () => string;
}

/** A request as VS Code hands it over. */
interface ProvidedRequest {
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly token: vscode.CancellationToken;
}

/** “Strata: <model>”: stores each request, compacts between requests, and lets the model answer. */
export class StrataProvider implements vscode.LanguageModelChatProvider {
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

  constructor(private readonly parts: ProviderParts) {
    this.onDidChangeLanguageModelChatInformation = parts.onDidChange;
  }

  provideLanguageModelChatInformation(): Information[] {
    return this.parts.models.offers.map(({ information }) => information);
  }

  async provideLanguageModelChatResponse(
    { id }: Information,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { target, setUpText } = this.parts;
    const { source } = this.#offer(id);
    if (source.kind === 'set-up') progress.report(new vscode.LanguageModelTextPart(setUpText()));
    else await this.#answer(target(source), { messages, options, progress, token });
  }

  async provideTokenCount({ id }: Information, content: Counted, token: vscode.CancellationToken): Promise<number> {
    const { source } = this.#offer(id);
    return source.kind === 'set-up' ? 0 : await this.parts.target(source).countTokens(content, token);
  }

  #offer(id: string): Offer {
    const offer = this.parts.models.find(id);
    if (offer === null) throw this.parts.notFound(id);
    return offer;
  }

  async #answer(target: Target, request: ProvidedRequest): Promise<void> {
    await target.admit();
    using cancellation = cancellationBy(request.token);
    const { signal } = cancellation;
    const { requests, now } = this.parts;
    const received = receivedConversation(receivedMessages(request.messages), now());
    const recorded = await requests.record({ ...surroundings(target, received, request), received, signal });
    const ended = (outcome: 'answered' | 'failed') =>
      recorded.answer?.end(request.token.isCancellationRequested ? 'cancelled' : outcome);
    try {
      await target.answer(orderOf(request, received, recorded, signal));
      await ended('answered');
    } catch (error) {
      await ended('failed');
      throw error;
    } finally {
      recorded.done();
    }
  }
}

function surroundings(
  { model, contextWindow }: Target,
  { system }: ReceivedConversation,
  { options }: ProvidedRequest,
) {
  return { model, contextWindow, system, tools: toolDefinitions(options.tools ?? []) };
}

function orderOf(
  { messages, options, progress, token }: ProvidedRequest,
  received: ReceivedConversation,
  { context, answer }: RecordedRequest,
  signal: AbortSignal,
): TargetOrder {
  return {
    received: messages,
    outgoing: outgoingOf(received, context.messages),
    context,
    options,
    signal,
    token,
    report: (part) => progress.report(part),
    heard: (piece) => answer?.add(piece),
  };
}

function toolDefinitions(tools: readonly vscode.LanguageModelChatTool[]): ToolDefinitionsPart | null {
  if (tools.length === 0) return null;
  const schemas = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { type: 'tool_definitions', names: tools.map(({ name }) => name), text: JSON.stringify(schemas) };
}
