import { describe, expect, it } from 'vitest';
import { upstreamUrl } from '../../extension/gateway/address';
import { GatewayNotStarted } from '../../extension/gateway/server';
import { temporaryFolders } from '../sessions/temporary';
import { askJson } from './asking';
import { startRunning } from './running';
import { sends, startUpstream } from './upstream';

const temporaryFolder = temporaryFolders();

describe('the address of a provider', () => {
  it.each([
    ['https://h/v1', '', 'https://h/v1/models'],
    ['https://h/v1//', '?a=%2F&b', 'https://h/v1/models?a=%2F&b'],
    ['https://h/v1?api-version=1', '', 'https://h/v1/models?api-version=1'],
    [' https://h/v1/?api-version=1 ', '?a=%2F', 'https://h/v1/models?api-version=1&a=%2F'],
    ['https://h/v1?x=%20a?b&y=1&', '?y=2&a', 'https://h/v1/models?x=%20a?b&y=2&a'],
    ['https://h/v1?', '?a=1', 'https://h/v1/models?a=1'],
    ['https://h/v1?api-version=1', '?', 'https://h/v1/models?api-version=1'],
  ])('%s with the query %o', (openai, query, expected) => {
    expect(upstreamUrl({ openai, anthropic: '' }, 'openai', '/models', query).href).toBe(expected);
  });

  it('carries its query into each request, those that are read too', async () => {
    const upstream = await startUpstream(sends(200, '{}'));
    const upstreams = { openai: `${upstream.url}/v1?api-version=1`, anthropic: upstream.url };
    const { address, log, notices } = await startRunning(
      { upstream: upstream.url, folder: temporaryFolder() },
      {},
      { upstreams },
    );
    const said = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] };
    await askJson(`${address}/openai/v1/chat/completions?beta=true`, said);
    expect(upstream.received.map(({ path }) => path)).toEqual(['/v1/chat/completions?api-version=1&beta=true']);
    await expect.poll(() => log).toMatchObject([{ path: '/openai/chat/completions', sent: { model: 'm' } }]);
    expect(notices).toEqual([]);
  });

  it('the address of a provider has no part that would never be sent', async () => {
    const starting = startRunning(
      { upstream: 'http://h', folder: temporaryFolder() },
      {},
      { upstreams: { openai: 'https://h/v1#x' } },
    );
    await expect(starting).rejects.toThrow(GatewayNotStarted);
  });
});
