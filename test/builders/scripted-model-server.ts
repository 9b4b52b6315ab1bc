import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server received. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Behaviour = (response: ServerResponse, asked: Asked) => void;

export interface ModelServer {
  /** The base URL for the settings, with `/v1`. */
  readonly baseUrl: string;
  /** All requests so far, oldest first. */
  readonly asked: readonly Asked[];
  close(): void;
}

/**
 * An OpenAI-compatible server on the loopback interface with scripted behaviours: the first one for the first request
 * and so on, and the last one for all further requests.
 */
export async function startModelServer(...behaviours: readonly Behaviour[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    // Tests include clients that disconnect.
    response.on('error', () => undefined);
    void bodyOf(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, body });
      const behaviour = behaviours[Math.min(asked.length, behaviours.length) - 1];
      behaviour?.(response, asked[asked.length - 1] as Asked);
    });
  });
  // While a busy machine holds this process up, an idle connection would be closed as its next request comes.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close };
}

/** An address at which a server was, but no longer is. */
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
  /** The usage in the last chunk; null if the server reports none. */
  readonly usage?: Usage | null;
  /** Sent before the text, in a field of its own. */
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

/** Answers in one piece of JSON, although a stream was requested. */
export function saysAtOnce(text: string): Behaviour {
  return (response) =>
    json(response, 200, {
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: reportedUsage,
    });
}

/** Accepts the request and never answers. */
export const hangs: Behaviour = () => undefined;

/** Begins an answer and then sends nothing more. */
export function stallsAfter(text: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, text);
  };
}

/** Begins an answer, then breaks the connection. */
export function breaksAfter(text: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, text);
    // Lets the written data arrive before the connection breaks.
    setImmediate(() => response.destroy());
  };
}

/** Begins an answer and ends the stream without its last part. */
export function endsAfter(text: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, text);
    response.end();
  };
}

/** Writes until the client disconnects, whatever limit it was given. */
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

/** Vectors for the texts of the request, in reverse order, as a server may send them. */
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
