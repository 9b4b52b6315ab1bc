import type { Upstreams } from '../../gateway/address';
import type { Gateway } from '../../gateway/gateway';
import { oneByOne } from '../../platform/files/in-turn';
import type { GatewayToken } from './token';

export interface OpenGateway extends Gateway {
  readonly upstreams: Upstreams;
}

interface GatewayControlParts {
  readonly token: Pick<GatewayToken, 'read' | 'renew'>;
  /** Rejects with an error whose cause is the system's `EADDRINUSE` if another program uses the port. */
  readonly open: (port: number, token: string) => Promise<OpenGateway>;
  readonly changed: () => void;
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly gateway: OpenGateway }
  | { readonly kind: 'already-running'; readonly gateway: OpenGateway }
  | { readonly kind: 'port-taken'; readonly port: number };

/** The gateway of this window, if it is running. Handles one call at a time. */
export class GatewayControl {
  #running: OpenGateway | null = null;
  #requests = 0;
  #isDisposed = false;
  readonly #inTurn = oneByOne();

  constructor(private readonly parts: GatewayControlParts) {}

  get running(): OpenGateway | null {
    return this.#running;
  }

  /** Requests since the gateway was started. */
  get requests(): number {
    return this.#requests;
  }

  countRequest(): void {
    this.#requests += 1;
    this.parts.changed();
  }

  /** `port` 0: any free port. Rejects with `GatewayNotStarted`. */
  start(port: number): Promise<StartOutcome> {
    return this.#inTurn(async () => {
      if (this.#running) return { kind: 'already-running', gateway: this.#running };
      this.#requests = 0;
      return await this.#open(port);
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  /** Agents need the new token from now on. A running gateway keeps its address. */
  renewToken(): Promise<void> {
    return this.#inTurn(async () => {
      await this.parts.token.renew();
      await this.#reloadToken();
    });
  }

  /** Another window may have made a new token. Then this gateway must refuse the old one. */
  reloadToken(): Promise<void> {
    return this.#inTurn(() => this.#reloadToken());
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#close();
  }

  async #reloadToken(): Promise<void> {
    const running = this.#running;
    if (running === null || (await this.parts.token.read()) === running.token) return;
    await this.#close();
    const outcome = await this.#open(portOf(running));
    // Agents need a new setup in any case.
    if (outcome.kind === 'port-taken') await this.#open(0);
  }

  async #open(port: number): Promise<StartOutcome> {
    try {
      const gateway = await this.parts.open(port, await this.parts.token.read());
      this.#running = gateway;
      // The window was closed meanwhile.
      if (this.#isDisposed) await this.#close();
      else this.parts.changed();
      return { kind: 'started', gateway };
    } catch (error) {
      if (isPortTaken(error)) return { kind: 'port-taken', port };
      throw error;
    }
  }

  async #close(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    await running.close();
    if (!this.#isDisposed) this.parts.changed();
  }
}

export function portOf({ url }: Pick<Gateway, 'url'>): number {
  return Number(new URL(url).port);
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
