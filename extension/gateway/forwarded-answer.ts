import type { ServerResponse } from 'node:http';
import { type Answer, discard } from '../models/http/answer';

/** The answer of a provider on its way to an agent. Only its status and headers can be read here; `send` passes the body. */
export class ForwardedAnswer extends Response {
  constructor(
    private readonly answer: Answer,
    private readonly outgoing: ServerResponse,
  ) {
    super(null);
  }

  override get status(): number {
    return this.answer.status;
  }

  override get headers(): Headers {
    return this.answer.headers;
  }

  /**
   * Sends each piece when it arrives. The headers go out with the first piece, or alone if the provider has not sent it yet. If the
   * provider's connection breaks, so does the agent's, because a normal end would look like a complete answer.
   */
  send(): void {
    const { outgoing, answer } = this;
    outgoing.statusCode = this.status;
    outgoing.setHeaders(this.headers);
    const source = answer.body;
    if (source === null) {
      outgoing.end();
      return;
    }
    const flushing = setImmediate(() => outgoing.flushHeaders());
    const pass = () => source.read().then(sendPiece, broken);
    const sendPiece = ({ done, value }: ReadableStreamReadResult<Uint8Array>) => {
      clearImmediate(flushing);
      // `end` alone would announce a length of 0.
      if (done && !outgoing.headersSent) outgoing.flushHeaders();
      if (done) outgoing.end();
      else if (outgoing.write(value)) pass();
      else outgoing.once('drain', pass);
    };
    const broken = (error: unknown) => outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    // The connection to the provider may have failed already, which `broken` has handled.
    whenClosed(outgoing, () => discard(answer));
    pass();
  }
}

export function whenClosed(outgoing: ServerResponse, then: () => void): void {
  if (outgoing.closed) then();
  else outgoing.once('close', then);
}
