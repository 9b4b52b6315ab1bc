import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';

/** A request as it goes to a provider. */
export interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | NodeStream<Uint8Array> | null;
  readonly signal?: AbortSignal;
}

/**
 * The provider's answer, from its head on. A connection that was kept may have been hung up on without this side knowing:
 * then it is asked again, once, over a new one, where nothing of an answer came and the body has not gone by.
 */
export async function answerTo(request: UpstreamRequest): Promise<IncomingMessage> {
  const first = sent(request);
  try {
    return await first.answer;
  } catch (error) {
    if (isStream(request.body) || !first.wasHungUpOn(error)) throw error;
    return await sent(request, newConnection(request.url)).answer;
  }
}

interface Attempt {
  readonly answer: Promise<IncomingMessage>;
  /** The connection was an old one, and was gone before it carried anything back. */
  wasHungUpOn(error: unknown): boolean;
}

function sent({ url, method, headers, body, signal }: UpstreamRequest, agent?: Agent): Attempt {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, { method, headers, ...(signal ? { signal } : {}), ...(agent ? { agent } : {}) });
  let readBefore = 0;
  request.once('socket', ({ bytesRead }) => {
    readBefore = bytesRead;
  });
  const answer = answerOf(request);
  if (isStream(body)) streamBody(request, body, answer);
  else writeBody(request, body);
  const hasRead = () => request.socket !== null && request.socket.bytesRead > readBefore;
  return { answer, wasHungUpOn: (error) => request.reusedSocket && isHangUp(error) && !hasRead() };
}

function isStream(body: UpstreamRequest['body']): body is NodeStream<Uint8Array> {
  return body instanceof ReadableStream;
}

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Others that were kept may be gone alike. */
function newConnection({ protocol }: URL): Agent {
  return protocol === 'https:' ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // Heard after the answer, too: a server may answer before it has read everything, and hang up.
    request.on('error', reject);
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new Error(`it answered with ${statusCode}, another protocol`));
    });
    request.on('close', () => reject(new Error('it closed the connection')));
  });
}

function writeBody(request: ClientRequest, body: string | Uint8Array | null): void {
  if (body === null) {
    request.end();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  request.setHeader('content-length', bytes.byteLength);
  request.end(bytes);
}

/** Where the answer is there, what is left of the body does not matter any more. */
function streamBody(request: ClientRequest, body: NodeStream<Uint8Array>, answered: Promise<IncomingMessage>): void {
  const source = Readable.fromWeb(body);
  let isAnswered = false;
  answered.then(
    (answer) => {
      isAnswered = true;
      answer.once('close', () => source.destroy());
    },
    () => source.destroy(),
  );
  pipeline(source, request).catch((error: unknown) => {
    if (!isAnswered) request.destroy(error instanceof Error ? error : new Error(String(error)));
  });
}
