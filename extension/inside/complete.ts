import { type Entry, textOf, toolCalls, toolResults } from '../engine/conversation/entry';
import type { Session } from '../sessions/session';

/** Number of messages compared at the end of the file. One message could repeat an earlier one; two in a row hardly could. */
const comparedAtEnd = 2;

/**
 * The session, completed with the messages that the agent has in memory and its file lacks. Null if the newest messages of the file are not
 * in memory: the two then belong to different conversations.
 */
export function completed(session: Session, handed: readonly Entry[]): Session | null {
  const { conversation } = session;
  const known = conversation.agentContext.filter(isSaid).map(wordsOf).slice(-comparedAtEnd);
  const said = handed.filter(isSaid);
  const words = said.map(wordsOf);
  const last = words.findLastIndex((_, index) => endsAt(words, index, known));
  if (known.length > 0 && last < 0) return null;
  const missing = said.slice(last + 1);
  if (missing.length === 0) return session;
  return {
    ...session,
    conversation: {
      ...conversation,
      entries: [...conversation.entries, ...missing],
      agentContext: [...conversation.agentContext, ...missing],
    },
  };
}

function endsAt(words: readonly string[], index: number, known: readonly string[]): boolean {
  return known.every((word, place) => words[index - (known.length - 1 - place)] === word);
}

function isSaid({ role, injected, standing, parts }: Entry): boolean {
  return role !== 'system' && !injected && !standing && parts.some(({ type }) => type !== 'reasoning');
}

/** Distinguishes messages: calls and results by their ids, which agents do not change, all others by their text. */
function wordsOf({ role, parts }: Entry): string {
  const ids = [...toolCalls(parts), ...toolResults(parts)].map(({ callId }) => callId);
  return ids.length > 0 ? `${role} ${ids.join(' ')}` : `${role} ${textOf(parts).replace(/\s+/gu, '')}`;
}
