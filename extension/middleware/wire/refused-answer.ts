import { createParser } from 'eventsource-parser';
import {
  type Answer,
  type ByteSource,
  bytesOf,
  discard,
  isSuccess,
  streamOf,
  withBytes,
} from '../../models/http/answer';
import { parsedJson } from '../../platform/json/json-text';
import * as s from '../../platform/json/schemas';
import { type TooLong, tooLongIn } from '../requests/too-long';
import { decodedAnswer, encodingOf, textOfAnswer } from './headers';

/** An answer whose beginning was read. */
interface BegunAnswer {
  /** The same answer, with all of its bytes. */
  readonly response: Answer;
  /** Null unless the provider refuses the request as too long. */
  readonly tooLong: TooLong | null;
}

/** Statuses with which providers refuse a request as too long. */
const refusing: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Reads as much of an answer as is needed to tell whether the request is too long: a whole error, or the events of a stream before the
 * first one with content. These arrive at once.
 */
export async function begunAnswer(response: Answer): Promise<BegunAnswer> {
  const { status, body, headers } = response;
  const encoding = encodingOf(headers);
  if (body === null || encoding === undefined) return { response, tooLong: null };
  if (refusing.has(status)) {
    const bytes = await bytesOf(response);
    return { response: withBytes(response, bytes), tooLong: tooLongIn(await textOfAnswer(bytes, headers)) };
  }
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  if (!isSuccess(response) || !isStream) return { response, tooLong: null };
  return encoding === null ? await begunStream(response, body) : await begunEncoded(response, body);
}

/** The client gets the received bytes; only the beginning is decoded. */
async function begunEncoded(response: Answer, body: ByteSource): Promise<BegunAnswer> {
  const [whole, looked] = streamOf(body).tee();
  const { response: beginning, tooLong } = await begunAnswer(decodedAnswer({ ...response, body: looked.getReader() }));
  discard(beginning);
  return { response: { ...response, body: whole.getReader() }, tooLong };
}

/** Events before the content of an answer. */
const opening: ReadonlySet<unknown> = new Set(['ping', 'response.created', 'response.queued', 'response.in_progress']);

/** Opening events are at most this long, in bytes. */
const mostOpening = 256 * 1024;

const streamed = s.record({ type: s.name, error: s.jsonRecord, response: s.record({ error: s.jsonRecord }) });

async function begunStream(response: Answer, body: ByteSource): Promise<BegunAnswer> {
  const held: Uint8Array<ArrayBuffer>[] = [];
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
      const { done, value } = await body.read();
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
  const rest: ByteSource = {
    async read() {
      const value = held.shift();
      if (value !== undefined) return { done: false, value };
      if (failure !== null) throw failure.error;
      return isOver ? { done: true, value: undefined } : await body.read();
    },
    cancel: (reason) => body.cancel(reason),
  };
  return { response: { ...response, body: rest }, tooLong: first === null ? null : refusalIn(first) };
}

/** An answer may quote anything, so only error events are read. */
function refusalIn(data: string): TooLong | null {
  const { type, error, response } = s.read(streamed, parsedJson(data));
  const isError = type === 'error' || type === 'response.failed' || error !== null || response.error !== null;
  return isError ? tooLongIn(data) : null;
}
