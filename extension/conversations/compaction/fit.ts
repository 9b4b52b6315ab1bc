import type { Context } from '../../engine/conversation/context';

/**
 * What a context takes of a window, at the least. Servers report too little now and then (nothing, or only what they did not
 * have in their cache), so a report never makes a context smaller than it is by the tokenizer.
 */
export function tokensAtLeast({ tokens, messages }: Context): number {
  const counted = messages.reduce((total, message) => total + message.tokens, 0);
  return Math.max(tokens.total, counted);
}

/** A limit in tokens of the gauge. A usage report that is too low must not raise it. */
export function inGauge(mostTokens: number, context: Context): number {
  return Math.floor((mostTokens * context.tokens.total) / Math.max(1, tokensAtLeast(context)));
}

/** Share of a window that is reserved for the answer, where request and answer share the window. */
const replyShare = 0.1;

export function usualReplyTokens(contextWindow: number | null): number {
  return Math.round((contextWindow ?? 0) * replyShare);
}
