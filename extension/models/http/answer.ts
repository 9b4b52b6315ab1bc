type Bytes = Uint8Array<ArrayBuffer>;

/** A request to a provider. */
export interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A body in parts, which are sent one after the other. */
  readonly body: readonly Bytes[] | ReadableStream<Bytes> | null;
  readonly signal: AbortSignal;
}

/** The bytes of an answer, read one piece after the other. The reader of a web stream is one. */
export interface ByteSource {
  read(): Promise<ReadableStreamReadResult<Bytes>>;
  cancel(reason?: unknown): Promise<void>;
}

/** An answer of a provider while it passes. A `Response` with its stream takes several times as long to make. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Null if the answer has none. */
  readonly body: ByteSource | null;
}

export function answerOf({ status, statusText, headers, body }: Response): Answer {
  return { status, statusText, headers, body: body?.getReader() ?? null };
}

export function responseOf({ body, ...init }: Answer): Response {
  return new Response(body && streamOf(body), init);
}

/** `raw`: names and values in turn. */
export function headersFrom(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return headers;
}

/** The whole body. */
export function bytesOf(answer: Answer): Promise<ArrayBuffer> {
  return responseOf(answer).arrayBuffer();
}

/** The same answer with this body. */
export function withBytes(answer: Answer, bytes: ArrayBuffer): Answer {
  return { ...answer, body: new Response(bytes).body?.getReader() ?? null };
}

/** Closes the connection of an answer that is not read to its end. */
export function discard({ body }: Answer): void {
  // Rejects if the connection is broken already.
  void body?.cancel().catch(() => undefined);
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** Reads only on demand. */
export function streamOf(source: ByteSource): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await source.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
