import { type Completion, type LanguageModel, ModelFailed } from '../../engine/block/language-model';
import { atOnce } from '../../engine/conversation/long-work';
import { localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { ChatPiece } from '../../models/chat-model';
import { type Answer, discard, isSuccess, responseOf } from '../../models/http/answer';
import type { OwnModel } from '../requests/recording';
import { BodyBytes } from './body-bytes';
import { membersIn } from './json-text';
import type { AnswerReader, BodyShape, WireProtocol } from './protocol';

/** A request that the application's model has just answered, and how it is sent. */
interface OwnRequest {
  readonly body: BodyBytes;
  readonly model: string;
  readonly protocol: WireProtocol;
  send(body: BodyBytes, signal: AbortSignal): Promise<Answer>;
}

/** An answer that calls a tool is discarded, and requested once more. */
const mostTries = 2;

/**
 * The application's own model. With the request in the provider's cache, a prompt is added to it as one more user
 * message, and the bytes before it are unchanged: the provider reads the history at the price of its cache. Otherwise
 * the prompt takes the place of the messages.
 */
export function ownModel(request: OwnRequest, isCached: boolean): OwnModel {
  const { model } = request;
  const asking: LanguageModel = {
    ...{ name: 'own', model, concurrency: 1 },
    async complete({ system, user }, { signal }) {
      const body = withMessage(request.body, request.protocol.shape, `${system}\n\n${user}`, isCached);
      if (body === null)
        throw new ModelFailed('misconfigured', localizable('The request of {0} has no list of messages.', model));
      for (let tries = 1; ; tries += 1) {
        const answer = await asked(request, body, signal);
        if (answer !== null) return answer;
        if (tries === mostTries)
          throw new ModelFailed('broken-answer', localizable('{0} called a tool instead of writing.', model));
      }
    },
  };
  return { model: asking, isInConversation: isCached };
}

/** Null if it calls a tool. */
async function asked(request: OwnRequest, body: BodyBytes, signal: AbortSignal): Promise<Completion | null> {
  const { model, protocol } = request;
  const response = await request.send(body, signal).catch((error) => {
    signal.throwIfAborted();
    throw new ModelFailed('unavailable', localizable('{0} could not be asked: {1}', model, wordingOf(error)));
  });
  const reader = isSuccess(response) ? protocol.answerReader(response.headers.get('content-type') ?? '') : null;
  if (reader === null) {
    discard(response);
    throw new ModelFailed('unavailable', localizable('{0} answered with status {1}.', model, response.status));
  }
  const pieces = piecesIn(await responseOf(response).text(), reader);
  if (pieces.some(({ type }) => type === 'tool_call')) return null;
  const text = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('');
  const usage = pieces.findLast((piece) => piece.type === 'usage')?.usage;
  const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = usage ?? {};
  return { text, tokens: { input: input + cacheRead + cacheWrite, output }, isCut: false };
}

function piecesIn(text: string, reader: AnswerReader): readonly ChatPiece[] {
  const pieces = [...reader.read(text)];
  const end = reader.end();
  if (!end.isWhole) throw new ModelFailed('broken-answer', localizable('The answer ended before it was complete.'));
  return [...pieces, ...end.pieces];
}

/** The same bytes with one user message at the end of the list, or in place of it. Null if there is no list. */
function withMessage(
  body: BodyBytes,
  { list }: Pick<BodyShape, 'list'>,
  said: string,
  isAtEnd: boolean,
): BodyBytes | null {
  const text = new TextDecoder().decode(body.between(0));
  const messages = atOnce(membersIn(text))?.find(({ name }) => name === list)?.elements ?? [];
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return null;
  const content = list === 'input' ? [{ type: 'input_text', text: said }] : said;
  const message = JSON.stringify({ role: 'user', content });
  const before = isAtEnd ? `${text.slice(0, last.end)},` : text.slice(0, first.start);
  return new BodyBytes([new TextEncoder().encode(`${before}${message}${text.slice(last.end)}`)]);
}
