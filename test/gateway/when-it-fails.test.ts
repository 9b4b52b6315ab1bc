import { expect, it, onTestFinished } from 'vitest';
import { hashOfToken } from '../../extension/gateway/admission';
import { startTeamGateway } from '../../extension/gateway/gateway';
import { programWith } from '../library/many-agents';
import { temporaryFolders } from '../sessions/temporary';
import { apis, upstreamsAt } from './apis';
import { ask } from './asking';
import { smallWindow, startRunning } from './running';
import { startUpstream } from './upstream';

const temporaryFolder = temporaryFolders();

/** Larger than the window, so that it cannot be compacted. */
const prompt = 'many words '.repeat(smallWindow);

async function asked(api: (typeof apis)[number], whenItFails: 'send' | 'throw') {
  const upstream = await startUpstream(api.answers('Fine.'));
  const { address, notices } = await startRunning(
    { upstream: upstream.url, folder: temporaryFolder() },
    { whenItFails },
    { whenItFails },
  );
  const answer = await ask(`${address}${api.path}`, { headers: {}, body: api.body(prompt) });
  return { ...answer, notices, sent: upstream.received.length };
}

it.each(apis)(
  'a gateway for $name sends nothing that cannot be made to fit, if asked to, and says why',
  async (api) => {
    const { status, body, notices, sent } = await asked(api, 'throw');
    expect([status, sent]).toEqual([413, 0]);
    const { message } = JSON.parse(body.toString()).error;
    expect(message).toContain('The context has');
    // The conversation and the gateway both report it.
    expect(notices.filter((notice) => notice === message)).toHaveLength(2);
  },
);

it.each(apis)('a gateway for $name sends what cannot be made to fit by default', async (api) => {
  const { status, sent } = await asked(api, 'send');
  expect([status, sent]).toEqual([200, 1]);
});

it.each(apis)('a gateway for $name asks the client to try again if a request could not be recorded', async (api) => {
  const upstream = await startUpstream(api.answers('Fine.'));
  const { address, notices } = await startRunning(
    { upstream: upstream.url, folder: temporaryFolder() },
    {},
    { whenItFails: 'throw', keep: () => Promise.reject(new Error('The disk is full.')) },
  );
  const { status, headers, body } = await ask(`${address}${api.path}`, { headers: {}, body: api.body('Hello.') });
  expect([status, headers['retry-after'], upstream.received.length]).toEqual([503, '1', 0]);
  expect(notices).toContain(JSON.parse(body.toString()).error.message);
});

it.each(apis)(
  'a gateway of several tenants for $name sends nothing that cannot be made to fit, if asked to',
  async (api) => {
    const upstream = await startUpstream(api.answers('Fine.'));
    const whenItFails = 'throw';
    const { conversations } = await programWith({ window: smallWindow, whenItFails });
    const notices: string[] = [];
    const token = 'a'.repeat(32);
    const gateway = await startTeamGateway({
      keep: (request) => conversations.keep(request),
      windowOf: (model) => conversations.windowOf(model),
      notify: ({ message }) => notices.push(message),
      whenItFails,
      ...{ host: '127.0.0.1', port: 0, mostBytes: 8_000_000 },
      tenants: () => new Map([[hashOfToken(token), 'acme']]),
      upstreams: upstreamsAt(upstream.url),
      balancing: { ready: async () => undefined, inMemory: () => 0 },
    });
    onTestFinished(() => gateway.stop({ drainMs: 0, graceMs: 0 }));
    const { status, body } = await ask(`${gateway.url}/${token}${api.path}`, { headers: {}, body: api.body(prompt) });
    expect([status, upstream.received.length]).toEqual([413, 0]);
    expect(notices).toContain(JSON.parse(body.toString()).error.message);
  },
);
