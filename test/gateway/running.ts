import { onTestFinished } from 'vitest';
import { conversationFolder } from '../../extension/conversations/shelves/conversation-folder';
import type { ServedRequest } from '../../extension/gateway/app';
import { type Gateway, type GatewayOptions, startGateway } from '../../extension/gateway/gateway';
import { createConversations } from '../../extension/library/conversations';
import type { ConversationsOptions } from '../../extension/library/conversations-options';
import { upstreamsAt } from './apis';

export interface Running {
  /** With the token, without a slash at the end. */
  readonly address: string;
  readonly gateway: Gateway;
  readonly notices: readonly string[];
  readonly log: readonly ServedRequest[];
}

interface Place {
  readonly upstream: string;
  readonly folder: string;
}

export const smallWindow = 8_000;

/** A gateway as `strata gateway` runs it, in front of one upstream. Closed after the test. */
export async function startRunning(
  { upstream, folder }: Place,
  options: Partial<ConversationsOptions> = {},
  more: Partial<GatewayOptions> = {},
): Promise<Running> {
  const notices: string[] = [];
  const log: ServedRequest[] = [];
  const conversations = await createConversations({
    window: smallWindow,
    countTokens: (text) => Math.ceil(text.length / 4),
    shelf: conversationFolder({ folder, cwd: null, madeBy: 'gateway', onWarning: (text) => notices.push(text) }),
    onNotice: (text) => notices.push(text),
    goesBack: true,
    ...options,
  });
  const gateway = await startGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: ({ message }) => notices.push(message),
    log: (passed) => log.push(passed),
    upstreams: upstreamsAt(upstream),
    ...more,
  });
  onTestFinished(() => gateway.close());
  return { address: `${gateway.url}/${gateway.token}`, gateway, notices, log };
}
