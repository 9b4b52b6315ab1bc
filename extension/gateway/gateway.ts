import { localizable } from '../engine/wording/localizable-text';
import { admitPerson, admitTenants, isToken, newToken, type Tenants } from './admission';
import type { Balancing } from './app';
import { instructionsText } from './instructions';
import type { BodyPace } from './received-body';
import { type GatewayServer, type RecordingOptions, refusedOption, startServer, type Timeouts } from './server';

export interface GatewayOptions extends RecordingOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Secret that agents must send: at least 16 letters, digits, `-` or `_`. Default: a new one. */
  readonly token?: string;
  readonly timeouts?: Partial<Timeouts>;
}

export interface Gateway {
  /** Without the token and without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** Aborts open requests, and waits at most five seconds until answers are recorded. A notice says how many were not. */
  close(): Promise<void>;
}

export interface TeamGatewayOptions extends RecordingOptions {
  /** Address to listen at. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tenants: () => Tenants;
  /** Maximum total size of the bodies in progress, in bytes. See `BodiesInFlight`. */
  readonly mostBytes: number;
  /** The minimum speed of a body. Default: 8 kB a second after ten seconds. */
  readonly pace?: BodyPace;
  readonly balancing: Balancing;
}

const defaultTimeouts: Timeouts = {
  keepAliveTimeout: 120_000,
  headersTimeout: 60_000,
  requestTimeout: 3_600_000,
  connectionsCheckingInterval: 30_000,
};

/** The received part of a body takes room among the bodies in progress, so the rest must arrive in time. */
const teamTimeouts: Timeouts = { ...defaultTimeouts, requestTimeout: 300_000 };

/** Slower than any connection with which an agent could work. */
const teamPace: BodyPace = { graceMs: 10_000, bytesPerSecond: 8_000 };

/** A server on the loopback interface between the agents of one person and their providers. Throws `GatewayNotStarted`. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { port = 0, token = newToken(), timeouts, ...recording } = options;
  if (!isToken(token))
    throw refusedOption(localizable('A token needs at least 16 letters, digits, hyphens or underscores.'));
  const server = await startServer({
    ...recording,
    ...{ host: '127.0.0.1', port, timeouts: { ...defaultTimeouts, ...timeouts } },
    admit: admitPerson(token),
    instructions: (origin) => instructionsText(origin, token),
  });
  return { url: server.url, token, close: () => server.stop({ drainMs: 0, graceMs: 0 }) };
}

/** A server between the agents of several tenants and their providers, behind a proxy that terminates TLS. Throws `GatewayNotStarted`. */
export async function startTeamGateway({ tenants, ...options }: TeamGatewayOptions): Promise<GatewayServer> {
  return await startServer({ pace: teamPace, ...options, timeouts: teamTimeouts, admit: admitTenants(tenants) });
}
