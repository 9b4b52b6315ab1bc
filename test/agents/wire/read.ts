import type * as s from '../../../extension/platform/json/schemas';
import { readChat } from './chat';
import { readGemini } from './gemini';
import { readMessages } from './messages';
import { readResponses } from './responses';
import type { WireRequest } from './utterance';

export type Api = 'chat' | 'responses' | 'messages' | 'gemini';

/** Null for a path that does not ask a model for a reply. */
export function apiOf(path: string): Api | null {
  const [address = ''] = path.split('?');
  if (address.endsWith('/chat/completions')) return 'chat';
  if (address.endsWith('/responses')) return 'responses';
  if (address.endsWith('/messages')) return 'messages';
  return /:(?:streamG|g)enerateContent$/.test(address) ? 'gemini' : null;
}

export const readers: Readonly<Record<Api, (body: s.JsonRecord) => WireRequest>> = {
  chat: readChat,
  responses: readResponses,
  messages: readMessages,
  gemini: readGemini,
};
