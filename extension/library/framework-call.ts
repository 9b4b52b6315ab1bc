import type { ToolDefinitionsPart } from '../engine/conversation/entry';
import type { MessageGroup } from '../middleware/formats/format';
import { type Outgoing, outgoingOf } from '../middleware/recognition/outgoing';
import { receivedConversation } from '../middleware/recognition/received-entries';
import type { AnswerOutcome, AnswerRecord } from '../middleware/requests/answer-record';
import type { KeptRequest } from '../middleware/requests/kept-requests';
import type { ChatPiece } from '../models/chat-model';
import { Conversations, createConversations } from './conversations/conversations';
import type { ConversationsOptions } from './conversations/options';

/** A framework is about to call a model. */
export interface FrameworkCall<M> {
  /** One for each group of messages, in order; a system prompt is one of them. */
  readonly groups: readonly MessageGroup<M>[];
  /** System prompts that are in no group. */
  readonly system?: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  readonly model: string;
  readonly providerSide: ProviderSide;
}

/** What a provider, or the framework itself, does to the context of a call. */
export interface ProviderSide {
  /** The settings by which it compacts or edits the context, or what it left behind when it did. */
  readonly compacts: readonly string[];
  /** The settings by which older messages are kept there, and do not come with the call. */
  readonly remembers: readonly string[];
}

/** Whether a setting was given a value at all. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

export interface KeptCall<M> {
  /** Null where the messages go out as they came in. */
  readonly changed: ChangedMessages<M> | null;
  readonly answer: KeptAnswer;
}

export interface ChangedMessages<M> {
  readonly groups: readonly MessageGroup<M>[];
  readonly outgoing: readonly Outgoing[];
}

/** Takes conversations, or what they are made with, and keeps calls in them. */
export class FrameworkCalls {
  readonly #conversations: Promise<Conversations>;
  readonly #told = new Set<string>();

  constructor(given: Conversations | ConversationsOptions) {
    this.#conversations = given instanceof Conversations ? Promise.resolve(given) : createConversations(given);
    // Whoever calls first is told; until then nobody listens.
    this.#conversations.catch(() => undefined);
  }

  /** Rejects only where the call was given up meanwhile, or where the options were wrong. What cannot be read passes as it is. */
  async keep<M>(signal: AbortSignal, read: () => FrameworkCall<M>): Promise<KeptCall<M>> {
    const conversations = await this.#conversations;
    try {
      return await this.#kept(conversations, read(), signal);
    } catch (error) {
      signal.throwIfAborted();
      conversations.notify(`A request went out as it came in, because it could not be kept: ${String(error)}`);
      return unkept;
    }
  }

  async #kept<M>(conversations: Conversations, call: FrameworkCall<M>, signal: AbortSignal): Promise<KeptCall<M>> {
    const { compacts, remembers } = call.providerSide;
    if (compacts.length > 0) this.#tellOnce(conversations, compactsElsewhere(compacts));
    if (remembers.length === 0) return await keptIn(conversations, call, signal);
    this.#tellOnce(conversations, remembersElsewhere(remembers));
    return unkept;
  }

  #tellOnce(conversations: Conversations, message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    conversations.notify(message);
  }
}

function compactsElsewhere(settings: readonly string[]): string {
  return `The context is compacted elsewhere, too (${settings.join(', ')}). Strata compacts nothing by itself there.`;
}

function remembersElsewhere(settings: readonly string[]): string {
  return `The provider keeps the older messages itself (${settings.join(', ')}). Such requests pass as they are.`;
}

async function keptIn<M>(
  conversations: Conversations,
  { groups, system: outside = [], tools, model, providerSide }: FrameworkCall<M>,
  signal: AbortSignal,
): Promise<KeptCall<M>> {
  const said = groups.map((group) => group.said);
  const received = receivedConversation(said, conversations.now());
  const system = [...outside, ...received.system];
  const contextWindow = conversations.windowOf(model);
  const isCompactedElsewhere = providerSide.compacts.length > 0;
  const request = { received, system, tools, model, contextWindow, signal, isCompactedElsewhere };
  const kept = await conversations.keep(request);
  const outgoing = outgoingOf(received, kept.context.messages);
  const isSame = outgoing.every(({ kind }) => kind === 'original');
  return { changed: isSame ? null : { groups, outgoing }, answer: new KeptAnswer(kept, signal) };
}

/** The answer to a call, until it has ended once. */
export class KeptAnswer {
  #record: AnswerRecord | null;
  #done: () => void;

  constructor(
    { answer, done }: Pick<KeptRequest, 'answer' | 'done'>,
    private readonly signal: AbortSignal,
  ) {
    this.#record = answer;
    this.#done = done;
  }

  add(pieces: readonly ChatPiece[]): void {
    for (const piece of pieces) this.#record?.add(piece);
  }

  /** What was said so far is kept. */
  async failed(): Promise<void> {
    await this.end(this.signal.aborted ? 'cancelled' : 'failed');
  }

  async end(outcome: AnswerOutcome): Promise<void> {
    const record = this.#record;
    const done = this.#done;
    this.#record = null;
    this.#done = () => undefined;
    try {
      await record?.end(outcome);
    } finally {
      done();
    }
  }
}

const unkept: KeptCall<never> = {
  changed: null,
  answer: new KeptAnswer({ answer: null, done: () => undefined }, new AbortController().signal),
};
