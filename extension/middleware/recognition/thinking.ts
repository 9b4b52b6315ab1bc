import { textOf } from '../../engine/conversation/entry';
import { hashOf } from './chain';
import type { Outgoing } from './outgoing';
import type { UnplacedEntry } from './received';
import type { LinkedMessage, ReceivedConversation } from './received-entries';

/**
 * Anthropic merges neighbouring messages of one role, and a reply with pending results must begin with its thinking.
 * Gemini accepts calls only directly after a message of the user. So a block before such a reply gets the user role.
 * Source: https://ai.google.dev/gemini-api/docs/function-calling
 */
export function asUserBeforeReply(
  outgoing: readonly Outgoing[],
  { messages }: Pick<ReceivedConversation, 'messages'>,
  model: string,
): readonly Outgoing[] {
  if (!outgoing.some(({ kind }) => kind === 'made')) return outgoing;
  const isGemini = /\bgemini\b/i.test(model);
  const followsUser = (index: number) =>
    messages[index]?.thinking === 'first' || (isGemini && replyOf(messages[index]) !== undefined);
  const turned: Outgoing[] = [];
  let isBeforeReply = false;
  for (const one of [...outgoing].reverse()) {
    if (one.kind !== 'made') isBeforeReply = followsUser(one.index);
    const speaksAsUser = one.kind === 'made' && one.message.role === 'assistant' && isBeforeReply;
    turned.push(speaksAsUser ? { kind: 'made', message: { ...one.message, role: 'user' } } : one);
  }
  return turned.reverse();
}

/**
 * Newer Anthropic models accept thinking only if everything before it is as it was when the model produced it. Otherwise
 * they refuse the request. Leaving thinking out is always accepted, and older models require the newest one.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
export function bindsThinking(model: string): boolean {
  // Versions from 5.1 on. A date may follow the version: `claude-opus-5-20260901` is version 5.
  const [, major = '0', minor = '0'] = /claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2})(?!\d))?(?!\d)/.exec(model) ?? [];
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 1);
}

/** Whether the model's thinking in the request has to be left out as soon as anything before it changes. */
export function wouldLoseThinking({ messages }: Pick<ReceivedConversation, 'messages'>, model: string): boolean {
  return bindsThinking(model) && messages.some(({ thinking }) => thinking !== undefined);
}

/** A request as it is sent. */
interface SentRequest {
  readonly outgoing: readonly Outgoing[];
  /** Identifies what was changed of it, in every request in which the same was changed. Empty: nothing. */
  readonly prefix: string;
}

/**
 * Removes the thinking of each reply whose prefix is no longer the one that was sent when the model produced it. The
 * messages of the agent need not be compared: the id of a reply stands for all of them. `prefixOf`: the prefix of a reply
 * by its entry; undefined if it is unknown, as where Strata did not send its request. Then nothing had been changed.
 */
export function withBoundThinking(
  outgoing: readonly Outgoing[],
  received: ReceivedConversation,
  prefixOf: (reply: string) => string | undefined,
): SentRequest {
  const { messages } = received;
  const linkOf = (index: number) => messages[index]?.link;
  const sent: Outgoing[] = [];
  let prefix = '';
  let next = 0;
  const change = (...what: readonly unknown[]) => {
    prefix = hashOf(JSON.stringify([prefix, ...what]));
  };
  for (const one of outgoing) {
    if (one.kind === 'made') {
      change('made', linkOf(next - 1), one.message.role, textOf(one.message.parts));
      sent.push(one);
      continue;
    }
    const { index } = one;
    if (index !== next) change('without', linkOf(next - 1), linkOf(index - 1));
    next = index + 1;
    const reply = replyOf(messages[index])?.id;
    const isStale = messages[index]?.thinking !== undefined && prefix !== ((reply && prefixOf(reply)) ?? '');
    if (isStale && one.kind === 'original') {
      sent.push({ kind: 'without-thinking', index });
      change('without-thinking', linkOf(index));
      continue;
    }
    sent.push(one);
    if (one.kind === 'altered') change('altered', linkOf(index), [...one.results], one.keepsRest, one.remaining);
  }
  return { outgoing: sent, prefix };
}

function replyOf(message: LinkedMessage | undefined): UnplacedEntry | undefined {
  return message?.entries.find(({ role }) => role === 'assistant');
}
