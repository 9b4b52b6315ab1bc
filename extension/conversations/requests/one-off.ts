import type { IncomingRequest } from '../../middleware/requests/keeping';
import { hasReply } from './continuation';

/**
 * A question that is asked once, as agents ask for a title: no tools, and nothing answered yet. If it is gone on with after all, the
 * next request has all of it, and is kept.
 */
export function isOneOff({ received, tools }: Pick<IncomingRequest, 'received' | 'tools'>): boolean {
  return tools === null && !hasReply(received.entries);
}
