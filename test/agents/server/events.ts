import type { ServerResponse } from 'node:http';

/** One event of a stream whose events have names. */
export function sendEvent(response: ServerResponse, type: string, fields: Readonly<Record<string, unknown>>): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}
