import type { RefusalReason } from './protocol';

const codes: Readonly<Record<RefusalReason, { readonly type: string; readonly code: string }>> = {
  'not-allowed': { type: 'invalid_request_error', code: 'not_allowed' },
  'too-large': { type: 'invalid_request_error', code: 'request_too_large' },
  unreachable: { type: 'server_error', code: 'upstream_unreachable' },
  failed: { type: 'server_error', code: 'gateway_failed' },
};

/** An error body in OpenAI's format. */
export function openAiError(reason: RefusalReason, message: string): object {
  const { type, code } = codes[reason];
  return { error: { message, type, param: null, code } };
}
