import type { Sdk } from './sdk';

/** Parameters that a server does not take are refused as a bad request, or as one that cannot be processed. */
const badRequest = new Set([400, 422]);

/** What a server says against a request that it does not take as it is; null for every other failure. */
export function complaintOf(error: unknown, { APIError }: Sdk): string | null {
  if (!(error instanceof APIError) || !badRequest.has(error.status ?? 0)) return null;
  return typeof error.param === 'string' ? error.param : error.message;
}
