import type { IncomingRequest } from '../../middleware/requests/recording';
import type { TooLong } from '../../middleware/requests/too-long';
import { usualReplyTokens } from '../compaction/fit';

/** What remains of a request that was refused without a number. */
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
