import type { Sdk } from './sdk';

/** The statuses with which servers refuse a parameter: bad request, or unprocessable. */
const badRequest = new Set([400, 422]);

/** The server's message about a request that it refuses as it is; null for other failures. */
export function complaintOf(error: unknown, { APIError }: Sdk): string | null {
  if (!(error instanceof APIError) || !badRequest.has(error.status ?? 0)) return null;
  return typeof error.param === 'string' ? error.param : error.message;
}
