import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was asked of the server. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Behaviour = (response: ServerResponse, asked: Asked) => void;

export interface ModelServer {
  /** As it goes into the settings: with `/v1`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first. */
  readonly asked: readonly Asked[];
  close(): void;
}

/**
 * An OpenAI-compatible server on the loopback interface that does as it is told: the first behaviour for the first
 * request and so on, the last one for all that follow.
 */
export async function startModelServer(...behaviours: readonly Behaviour[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    // A client that goes away is part of the picture.
    response.on('error', () => undefined);
    void bodyOf(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, body });
      const behaviour = behaviours[Math.min(asked.length, behaviours.length) - 1];
      behaviour?.(response, asked[asked.length - 1] as Asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close };
}

/** An address where a server was and is no more. */
export async function deafAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
}

interface Answer {
  readonly finish?: string;
  /** As the last chunk reports it; null where the server reports none. */
  readonly usage?: Usage | null;
  /** Comes before the text, in a field of its own. */
  readonly reasoning?: string;
}

export const reportedUsage: Usage = { prompt_tokens: 1234, completion_tokens: 56 };

/** Streams a whole answer. */
export function says(text: string, { finish = 'stop', usage = reportedUsage, reasoning }: Answer = {}): Behaviour {
  return (response) => {
    beginStream(response);
    if (reasoning !== undefined) send(response, { choices: [{ index: 0, delta: { reasoning_content: reasoning } }] });
    for (const piece of text.match(/[\s\S]{1,40}/g) ?? []) sendText(response, piece);
    send(response, { choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    if (usage) send(response, { choices: [], usage });
    response.end('data: [DONE]\n\n');
  };
}

/** Answers in one piece of JSON, though it was asked to stream. */
export function saysAtOnce(text: string): Behaviour {
  return (response) =>
    json(response, 200, {
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: reportedUsage,
    });
}

/** Accepts the request and says nothing, ever. */
export const hangs: Behaviour = () => undefined;

/** Begins an answer and then says nothing more. */
export function stallsAfter(text: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, text);
  };
}

/** Begins an answer, and the connection is gone. */
export function breaksAfter(text: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, text);
    // What was sent is to arrive before the socket goes.
    setImmediate(() => response.destroy());
  };
}

/** Begins an answer and ends the stream as if that were all. */
export function endsAfter(text: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, text);
    response.end();
  };
}

/** Talks until the client hangs up, whatever limit it was given. */
export function neverStops(line: string): Behaviour {
  return (response) => {
    beginStream(response);
    const goOn = () => {
      if (response.destroyed) return;
      sendText(response, line);
      setImmediate(goOn);
    };
    goOn();
  };
}

export function fails(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => json(response, status, { error: { message } }, headers);
}

/** Refuses a parameter by name, as OpenAI does. */
export function refusesParameter(param: string): Behaviour {
  return (response) =>
    json(response, 400, {
      error: { message: `Unsupported parameter: '${param}'.`, param, code: 'unsupported_parameter' },
    });
}

export function redirectsTo(location: string, status = 307): Behaviour {
  return (response) => void response.writeHead(status, { location }).end();
}

export function sends(contentType: string, body: string, status = 200): Behaviour {
  return (response) => void response.writeHead(status, { 'content-type': contentType }).end(body);
}

/** Vectors for the texts that were asked for, in reverse order, as a server may send them. */
export function embeds(vectorOf: (text: string) => readonly number[]): Behaviour {
  return (response, { body }) => {
    const texts = body.input as readonly string[];
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse();
    json(response, 200, { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
  };
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

export function sendText(response: ServerResponse, content: string): void {
  send(response, { choices: [{ index: 0, delta: { content } }] });
}

export function send(response: ServerResponse, chunk: unknown): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
