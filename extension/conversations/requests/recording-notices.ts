import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { type LocalizableText, wordingOf } from '../../engine/wording/localizable-text';
import type { IncomingRequest } from '../../middleware/requests/recording';
import { type ContextEvent, eventConversation, type Shrunk, shrunkEvent } from '../events';
import type { ServedConversation } from '../served-conversation';

export interface Notices<C extends ServedConversation> {
  /** A conversation was compacted automatically. The message says when, and gives the sizes. */
  compacted(message: string, conversation: C, run: PreparedRun): void;
  warn(message: string): void;
  /** A request or an answer could not be written; the person is informed. */
  notRecorded(message: LocalizableText): void;
  /** The same, and more, as values. */
  event?(event: ContextEvent): void;
}

type NotRecorded = Extract<ContextEvent, { readonly kind: 'not-kept' }>;

type Moment = Shrunk['moment'];

const moments: Readonly<Record<Moment, string>> = {
  'between-turns': 'between turns',
  'within-turn': 'within a turn',
  'too-large': 'because the context does not fit the model’s window',
};

/** Reports what happened to a request, as a message and as an event. */
export class RecordingNotices<C extends ServedConversation> {
  constructor(
    private readonly notices: Notices<C>,
    private readonly now: () => string,
  ) {}

  warn(message: string): void {
    this.notices.warn(message);
  }

  compacted(moment: Moment, conversation: C, request: IncomingRequest, run: PreparedRun): void {
    const { before, after } = run;
    const sizes = `${before.tokens.total} → ${after.tokens.total} tokens`;
    this.notices.compacted(`Compacted ${moments[moment]}: ${sizes}.`, conversation, run);
    const about = { time: this.now(), conversation: eventConversation(conversation.id, request), moment };
    this.notices.event?.(shrunkEvent(run, about));
  }

  /** Returns the message. */
  tooLarge(tokens: number, { id }: C, request: IncomingRequest & { readonly contextWindow: number }): string {
    const { model, contextWindow } = request;
    const message = tooLargeText(tokens, request);
    this.warn(message);
    const about = { time: this.now(), conversation: eventConversation(id, request), model };
    this.notices.event?.({ kind: 'overflow', tokens, contextWindow, ...about });
    return message;
  }

  notRecorded(
    what: NotRecorded['what'],
    message: LocalizableText,
    error: unknown,
    conversation: NotRecorded['conversation'],
  ): void {
    this.notices.notRecorded(message);
    const reason = String(wordingOf(error));
    this.notices.event?.({ kind: 'not-kept', time: this.now(), conversation, what, reason });
  }
}

/** The request has this many tokens and cannot be made smaller. */
export function tooLargeText(
  tokens: number,
  { model, contextWindow, replyTokens = 0 }: Pick<IncomingRequest, 'model' | 'contextWindow' | 'replyTokens'>,
): string {
  const reply = replyTokens === 0 ? '' : `, of which ${replyTokens} are for its answer`;
  return `The context has ${tokens} tokens, and nothing more of it can be compacted; ${model} takes ${contextWindow}${reply}.`;
}
