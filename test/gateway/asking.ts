import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** An answer that an agent received, exactly as it was sent. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The answer ended before it was complete. */
  readonly isCut: boolean;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends a request over a connection of its own, with only the given headers. */
export async function ask(url: string, asking: Asking = {}): Promise<Answer> {
  const response = await begun(url, asking).response;
  const chunks: Buffer[] = [];
  let isCut = false;
  try {
    for await (const chunk of response) chunks.push(chunk);
  } catch {
    isCut = true;
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: Buffer.concat(chunks).toString(), isCut };
}

export function begun(url: string, { method = 'POST', headers = {}, body }: Asking) {
  const sent: ClientRequest = request(url, { method, headers: { ...headers }, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  sent.end(body);
  return { sent, response };
}

export function askJson(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(url, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}
