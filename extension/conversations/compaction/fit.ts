import type { Context } from '../../engine/conversation/context';
import type { IncomingRequest } from '../../middleware/requests/recording';
import type { TooLong } from '../../middleware/requests/too-long';

/**
 * The size of a context in tokens: the larger of the reported and the counted one. Some servers report nothing, or only the tokens that
 * were not in their cache.
 */
export function tokensAtLeast({ tokens: { total, counted } }: Pick<Context, 'tokens'>): number {
  return Math.max(total, counted);
}

/** A limit in tokens of the gauge. A usage report that is too low must not raise it. */
export function inGauge(mostTokens: number, context: Context): number {
  return Math.floor((mostTokens * context.tokens.total) / Math.max(1, tokensAtLeast(context)));
}

/** Share of a window that is reserved for the answer if request and answer share the window. */
const replyShare = 0.1;

export function usualReplyTokens(contextWindow: number | null): number {
  return Math.round((contextWindow ?? 0) * replyShare);
}

/** The share of a request to aim for if the refusal gave no number. */
const shareWithoutNumbers = 0.9;

/**
 * The window of a model whose provider refused a request, in Strata's tokens: the provider's limit, made smaller by as
 * much as the provider counts more tokens than Strata did. Less than the request had, so that it has to become shorter.
 *
 * @param sent tokens of the request as Strata counted them
 */
export function limitAfter({ tokens, most }: TooLong, sent: number, contextWindow: number | null): number {
  const asSent = Math.min(contextWindow ?? sent, sent);
  if (most === null) return Math.floor(asSent * shareWithoutNumbers);
  const counted = tokens === null ? Math.min(most, asSent * shareWithoutNumbers) : (most * sent) / Math.max(tokens, 1);
  return Math.floor(Math.min(most, counted));
}

/** The request to a model whose window is known to be smaller. */
export function withLimit(request: IncomingRequest, limit: number | undefined): IncomingRequest {
  const { contextWindow, replyTokens } = request;
  if (limit === undefined || (contextWindow !== null && contextWindow <= limit)) return request;
  if (replyTokens === undefined) return { ...request, contextWindow: limit };
  return { ...request, contextWindow: limit, replyTokens: Math.min(replyTokens, usualReplyTokens(limit)) };
}
