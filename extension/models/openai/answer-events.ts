import type { OpenAI } from 'openai';
import { localizable } from '../../engine/wording/localizable-text';
import { type AnswerEvent, eventsOfChunk, eventsOfCompletion } from './chat-events';
import { type Call, failed, named } from './failures';
import type { Sdk } from './sdk';

export type { AnswerEvent };

export interface Reader {
  readonly call: Call;
  readonly sdk: Sdk;
  readonly client: OpenAI;
}

/**
 * The events of a response, whether the server streams or ignores the request to stream. `abort` ends the request when
 * the reader stops.
 */
export async function* answerEvents(
  response: Response,
  abort: AbortController,
  { call, sdk, client }: Reader,
): AsyncGenerator<AnswerEvent> {
  const type = response.headers.get('content-type') ?? '';
  if (/\bhtml\b/i.test(type)) {
    throw failed(
      'misconfigured',
      call,
      localizable(
        '{0} answered with a web page ({1}). Does the base URL lead to an API, and end in /v1?',
        named(call),
        type,
      ),
    );
  }
  if (/\bjson\b/i.test(type)) yield* eventsOfWhole(JSON.parse(await response.text()), call);
  else {
    for await (const chunk of sdk.Stream.fromSSEResponse<unknown>(response, abort, client)) yield* eventsOfChunk(chunk);
  }
}

function* eventsOfWhole(answer: unknown, call: Call): Generator<AnswerEvent> {
  const events = eventsOfCompletion(answer);
  if (events === null)
    throw failed(
      'broken-answer',
      call,
      localizable('{0} answered with JSON that is not a chat completion.', named(call)),
    );
  yield* events;
}
