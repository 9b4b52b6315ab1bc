import { describe, expect, it } from 'vitest';
import { GatewayControl, type OpenGateway } from '../../../extension/host/gateway/gateway-control';

/** A fake gateway without a server, and a record of what happened to it. */
function scene({ taken = [] as readonly number[], failsOnce = false } = {}) {
  const events: string[] = [];
  let token = 'token-1';
  let mayFail = failsOnce;
  let release: () => void = () => undefined;
  let held: Promise<void> = Promise.resolve();
  const open = async (port: number, with_: string): Promise<OpenGateway> => {
    await held;
    if (mayFail) {
      mayFail = false;
      throw new Error('no such address');
    }
    if (taken.includes(port)) throw new Error('taken', { cause: Object.assign(new Error(), { code: 'EADDRINUSE' }) });
    const url = `http://127.0.0.1:${port || 4000}`;
    events.push(`open ${url} ${with_}`);
    const close = async () => void events.push('close');
    return { url, token: with_, upstreams: { openai: 'a', anthropic: 'b' }, close };
  };
  const renew = async () => {
    token = 'token-2';
    return token;
  };
  const changed = () => void events.push('changed');
  const control = new GatewayControl({ token: { read: async () => token, renew }, open, changed });
  const hold = () => {
    held = new Promise((resolve) => {
      release = resolve;
    });
  };
  return { control, events, hold, release: () => release() };
}

describe('the one gateway of a window', () => {
  it('the one gateway of a window is opened once by two starts at the same time', async () => {
    const { control, events } = scene();
    const [first, second] = await Promise.all([control.start(4000), control.start(4000)]);
    expect([first.kind, second.kind]).toEqual(['started', 'already-running']);
    expect(events.filter((event) => event.startsWith('open'))).toHaveLength(1);
  });

  it('the one gateway of a window is closed by a stop that comes while it opens', async () => {
    const { control, events } = scene();
    await Promise.all([control.start(4000), control.stop()]);
    expect(control.running).toBeNull();
    expect(events.filter((event) => event !== 'changed')).toEqual(['open http://127.0.0.1:4000 token-1', 'close']);
  });

  it('does not outlive a window that closes while it opens', async () => {
    const { control, events, hold, release } = scene();
    hold();
    const starting = control.start(4000);
    control.dispose();
    release();
    await starting;
    expect(events).toEqual(['open http://127.0.0.1:4000 token-1', 'close']);
  });

  it('counts requests from its start', async () => {
    const { control } = scene();
    await control.start(0);
    control.countRequest();
    control.countRequest();
    expect(control.requests).toBe(2);
    await control.stop();
    await control.start(0);
    expect(control.requests).toBe(0);
  });

  it('the one gateway of a window can be started after a start that failed', async () => {
    const { control } = scene({ failsOnce: true });
    await expect(control.start(4000)).rejects.toThrow('no such address');
    expect(await control.start(4000)).toMatchObject({ kind: 'started' });
  });

  it('says which port is taken, and is not running then', async () => {
    const { control } = scene({ taken: [4000] });
    expect(await control.start(4000)).toEqual({ kind: 'port-taken', port: 4000 });
    expect(control.running).toBeNull();
  });

  it('keeps its port when it gets a new token', async () => {
    const { control } = scene();
    await control.start(4321);
    await control.renewToken();
    expect(control.running).toMatchObject({ url: 'http://127.0.0.1:4321', token: 'token-2' });
  });

  it('the one gateway of a window is not opened by a new token', async () => {
    const { control, events } = scene();
    await control.renewToken();
    await control.reloadToken();
    expect(events).toEqual([]);
  });
});
