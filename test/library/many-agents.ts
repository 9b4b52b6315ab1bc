import type { Context } from '../../extension/engine/conversation/context';
import { type Conversations, type ConversationsOptions, createConversations } from '../../extension/library';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { receivedConversation } from '../../extension/middleware/recognition/received-entries';
import type { RequestIdentity } from '../../extension/middleware/requests/recording';

const countTokens = (text: string) => Math.ceil(text.length / 4);
const window = 16_000;

export function user(text: string): ReceivedMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function reply(text: string): ReceivedMessage {
  return { role: 'assistant', parts: [{ type: 'text', text }] };
}

export interface Program {
  readonly conversations: Conversations;
  readonly notices: readonly string[];
  /** Sends a history; the model's answer is `answer`. Resolves to what the model received. */
  send(said: readonly ReceivedMessage[], answer: string, identity?: RequestIdentity): Promise<Context>;
}

/** A program that serves agents with one set of conversations. */
export async function programWith(options: Partial<ConversationsOptions> = {}): Promise<Program> {
  const notices: string[] = [];
  const onNotice = (message: string) => notices.push(message);
  const conversations = await createConversations({ window, countTokens, onNotice, ...options });
  return {
    conversations,
    notices,
    async send(said, answer, identity) {
      const kept = await conversations.keep({
        received: receivedConversation(said, conversations.now()),
        ...{ system: ['Be brief.'], tools: null, model: 'scripted', contextWindow: window },
        signal: new AbortController().signal,
        ...(identity ? { identity } : {}),
      });
      kept.answer?.add({ type: 'text', text: answer });
      await kept.answer?.end('answered');
      kept.done();
      return kept.context;
    },
  };
}

export function textOfContext(context: Context): string {
  return JSON.stringify(context.messages.map(({ parts }) => parts));
}

/**
 * Agents that run at once. Each sends a request, a constraint is pinned in its conversation by hand, and it sends two
 * more. Resolves to the number of the later requests that lacked their own agent's pin or had another agent's.
 */
export async function wrongPins(
  { conversations, send }: Program,
  agents: number,
  scopeOf: (agent: number) => string | undefined = () => undefined,
): Promise<number> {
  const wrong = await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      const identity = { conversation: `thread-${agent}`, scope: scopeOf(agent) };
      const history = [user('Hello.')];
      await send(history, 'Hello, what is to be done?', identity);
      const context = await conversations.conversation(identity);
      await context.pin('constraint', `Never touch part <${agent}>.`);
      let missing = 0;
      for (const round of [1, 2]) {
        history.push(
          reply(round === 1 ? 'Hello, what is to be done?' : `Done ${round - 1}.`),
          user(`Go on with ${round}.`),
        );
        const sent = textOfContext(await send(history, `Done ${round}.`, identity));
        const pins = [...sent.matchAll(/Never touch part <(\d+)>/g)].map(([, number]) => Number(number));
        if (!pins.includes(agent) || pins.some((number) => number !== agent)) missing += 1;
      }
      return missing;
    }),
  );
  return wrong.reduce((total, one) => total + one, 0);
}
