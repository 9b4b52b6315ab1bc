import type { ToolDefinitionsPart } from '../engine/conversation/entry';
import { shortWork } from '../engine/conversation/long-work';
import type { MessageGroup } from '../middleware/formats/format';
import type { Outgoing } from '../middleware/recognition/outgoing';
import { receiving } from '../middleware/recognition/received-entries';
import { notCompacted } from '../middleware/requests/not-compacted';
import { PassingAnswer } from '../middleware/requests/passing-answer';
import { type Recorder, type RewrittenRequest, recordAndRewrite } from '../middleware/requests/record-request';
import type { RequestIdentity } from '../middleware/requests/recording';
import { tooLongThrown } from '../middleware/requests/too-long';
import type { Conversations } from './conversations';
import { conversationsOf, type GivenConversations } from './conversations-of';

/** A call of a model that a framework is about to make. */
export interface FrameworkCall<M> {
  /** One for each group of messages, in order, including a system prompt. */
  readonly groups: readonly MessageGroup<M>[];
  /** System prompts that are in no group. */
  readonly system?: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  readonly model: string;
  readonly providerSide: ProviderSide;
  readonly identity?: RequestIdentity;
  /** Records the call. Default: the conversations themselves. */
  readonly recorder?: (conversations: Conversations) => Recorder;
  /**
   * Messages for the developer, each reported once: about a middleware in the wrong order, or a journal that is not
   * used.
   */
  readonly advice?: readonly string[];
}

/** Changes that a provider makes to the context of a call. */
export interface ProviderSide {
  /** The settings by which it compacts or edits the context. */
  readonly compacts: readonly string[];
  /** The settings by which the provider stores older messages, which are then not in the call. */
  readonly remembers: readonly string[];
}

/** Whether a setting was given a value at all. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

export type RewrittenCall<M> = RewrittenRequest<ChangedMessages<M>>;

export interface ChangedMessages<M> {
  readonly groups: readonly MessageGroup<M>[];
  readonly outgoing: readonly Outgoing[];
}

/** Records the calls of a framework in conversations, which are given or made from options. */
export class FrameworkCalls {
  readonly #conversations: () => Promise<Conversations>;
  readonly #advised = new Set<string>();

  /** Throws `InvalidOption`. */
  constructor(given: GivenConversations) {
    this.#conversations = conversationsOf(given);
  }

  /** A call that cannot be read passes unchanged. Rejects only if it was aborted, for wrong options, and with `NotCompacted`. */
  async record<M>(signal: AbortSignal, read: () => FrameworkCall<M>): Promise<RewrittenCall<M>> {
    const conversations = await this.#conversations();
    try {
      return await this.#recorded(conversations, read(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (conversations.whenItFails === 'throw') throw notCompacted(error);
      conversations.notify(`A request was sent unchanged, because it could not be recorded: ${String(error)}`);
      return unrecorded(signal);
    }
  }

  async #recorded<M>(
    conversations: Conversations,
    call: FrameworkCall<M>,
    signal: AbortSignal,
  ): Promise<RewrittenCall<M>> {
    const { compacts, remembers } = call.providerSide;
    if (compacts.length > 0) this.#tellOnce(conversations, compactsElsewhere(compacts));
    for (const advice of call.advice ?? []) this.#tellOnce(conversations, advice);
    if (remembers.length === 0) return await recordedIn(conversations, call, signal);
    this.#tellOnce(conversations, remembersElsewhere(remembers));
    return unrecorded(signal);
  }

  #tellOnce(conversations: Conversations, message: string): void {
    if (this.#advised.has(message)) return;
    this.#advised.add(message);
    conversations.notify(message);
  }
}

function compactsElsewhere(settings: readonly string[]): string {
  return `The context is also compacted elsewhere (${settings.join(', ')}), so Strata does not compact it automatically.`;
}

function remembersElsewhere(settings: readonly string[]): string {
  return `The provider keeps the older messages itself (${settings.join(', ')}). Such requests pass unchanged.`;
}

async function recordedIn<M>(
  conversations: Conversations,
  { groups, system = [], tools, model, providerSide, identity = {}, recorder }: FrameworkCall<M>,
  signal: AbortSignal,
): Promise<RewrittenCall<M>> {
  const messages = groups.map((group) => group.said);
  const isCompactedByProvider = providerSide.compacts.length > 0;
  const request = { system, tools, model, signal, isCompactedByProvider, identity };
  const received = (time: string) => receiving(messages, time);
  return await recordAndRewrite(
    recorder?.(conversations) ?? conversations,
    { ...request, receiving: received },
    (outgoing) => shortWork(() => ({ groups, outgoing })),
  );
}

/** A call that its provider refused as too long; `cause` is what it threw. */
class Refused extends Error {}

/** The error to throw for a failed call. */
export async function afterFailure(error: unknown, answer: PassingAnswer): Promise<unknown> {
  const tooLong = tooLongThrown(error);
  if (tooLong !== null && (await answer.refused(tooLong))) return new Refused('Too long', { cause: error });
  await answer.failed();
  return error;
}

/** Sends a call once more, shorter, if its provider says that it is too long. */
export async function sentUntilItFits<C, A>(prepare: () => Promise<C>, send: (call: C) => Promise<A>): Promise<A> {
  try {
    return await send(await prepare());
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  try {
    return await send(await prepare());
  } catch (error) {
    throw error instanceof Refused ? error.cause : error;
  }
}

function unrecorded(signal: AbortSignal): RewrittenCall<never> {
  const answer = new PassingAnswer({ answer: null, done: () => undefined }, signal, () => undefined);
  return { changed: null, answer, context: null };
}
