import { createParser } from 'eventsource-parser';
import { parsedJson } from '../../platform/json/json-text';
import * as s from '../../platform/json/schemas';
import { type TooLong, tooLongIn } from '../requests/too-long';
import { decodedAnswer, encodingOf, textOfAnswer } from './headers';

/** An answer whose beginning was read. */
interface BegunAnswer {
  /** The same answer, with all of its bytes. */
  readonly response: Response;
  /** Null unless the provider refuses the request as too long. */
  readonly tooLong: TooLong | null;
}

/** Statuses with which providers refuse a request as too long. */
const refusing: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Reads as much of an answer as is needed to tell whether the request is too long: a whole error, or the events of a stream before the
 * first one with content. These arrive at once.
 */
export async function begunAnswer(response: Response): Promise<BegunAnswer> {
  const { status, body, headers } = response;
  const encoding = encodingOf(headers);
  if (body === null || encoding === undefined) return { response, tooLong: null };
  if (refusing.has(status)) {
    const bytes = await response.arrayBuffer();
    return { response: again(response, bytes), tooLong: tooLongIn(await textOfAnswer(bytes, headers)) };
  }
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  if (!response.ok || !isStream) return { response, tooLong: null };
  return encoding === null ? await begunStream(response, body) : await begunEncoded(response, body);
}

/** The client gets the received bytes; only the beginning is decoded. */
async function begunEncoded(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<BegunAnswer> {
  const [whole, looked] = body.tee();
  const { response: beginning, tooLong } = await begunAnswer(decodedAnswer(again(response, looked)));
  void beginning.body?.cancel().catch(() => undefined);
  return { response: again(response, whole), tooLong };
}

function again({ status, statusText, headers }: Response, body: BodyInit): Response {
  return new Response(body, { status, statusText, headers });
}

/** Events before the content of an answer. */
const opening: ReadonlySet<unknown> = new Set(['ping', 'response.created', 'response.queued', 'response.in_progress']);

/** Opening events are at most this long, in bytes. */
const mostOpening = 256 * 1024;

const streamed = s.record({ type: s.name, error: s.jsonRecord, response: s.record({ error: s.jsonRecord }) });

async function begunStream(response: Response, body: ReadableStream<Uint8Array>): Promise<BegunAnswer> {
  const reader = body.getReader();
  const held: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let first: string | null = null;
  const onEvent = ({ data }: { readonly data: string }) => {
    if (first !== null) return;
    const { type } = s.read(streamed, parsedJson(data));
    if (!opening.has(type)) first = data;
  };
  const parser = createParser({ onEvent });
  let length = 0;
  let isOver = false;
  let failure: { readonly error: unknown } | null = null;
  while (first === null && !isOver && length <= mostOpening) {
    try {
      const { done, value } = await reader.read();
      isOver = done;
      if (value === undefined) continue;
      held.push(value);
      length += value.length;
      parser.feed(decoder.decode(value, { stream: true }));
    } catch (error) {
      isOver = true;
      failure = { error };
    }
  }
  const rest = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = held.shift();
        if (next !== undefined) return controller.enqueue(next);
        if (failure !== null) throw failure.error;
        const { done, value } = isOver ? { done: true, value: undefined } : await reader.read();
        if (done || value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { response: again(response, rest), tooLong: first === null ? null : refusalIn(first) };
}

/** An answer may quote anything, so only error events are read. */
function refusalIn(data: string): TooLong | null {
  const { type, error, response } = s.read(streamed, parsedJson(data));
  const isError = type === 'error' || type === 'response.failed' || error !== null || response.error !== null;
  return isError ? tooLongIn(data) : null;
}
