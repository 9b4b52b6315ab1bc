import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { install, rootOf } from './install';
import { pi } from './pi';

const absent = { ...pi, id: 'absent' as typeof pi.id, packageName: 'strata-has-no-such-agent' };

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(rootOf(absent), { recursive: true, force: true });
});

it.skipIf(process.platform === 'win32')(
  'asks a registry twice for an agent, and says in one line that it gave none',
  async () => {
    const asked: string[] = [];
    const registry = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(403).end();
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    try {
      vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`);
      const { bundle: _, ...plain } = absent;
      const installation = await install(plain);
      expect(installation).toEqual({
        kind: 'missing',
        reason: expect.stringMatching(/^strata-has-no-such-agent: .+$/),
      });
      expect(asked.filter((url) => url.includes('strata-has-no-such-agent'))).toHaveLength(2);
    } finally {
      registry.close();
    }
  },
  60_000,
);
