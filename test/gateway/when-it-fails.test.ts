import { expect, it } from 'vitest';
import { temporaryFolders } from '../sessions/temporary';
import { apis } from './apis';
import { ask } from './asking';
import { smallWindow, startRunning } from './running';
import { startUpstream } from './upstream';

const temporaryFolder = temporaryFolders();

/** Larger than the window, so that nothing of it can be compacted. */
const prompt = 'many words '.repeat(smallWindow);

async function asked(api: (typeof apis)[number], whenItFails: 'send' | 'throw') {
  const upstream = await startUpstream(api.answers('Fine.'));
  const { address } = await startRunning(
    { upstream: upstream.url, folder: temporaryFolder() },
    { whenItFails },
    { whenItFails },
  );
  const answer = await ask(`${address}${api.path}`, { headers: {}, body: api.body(prompt) });
  return { ...answer, sent: upstream.received.length };
}

it.each(apis)(
  'a gateway for $name sends nothing that cannot be made to fit, if asked to, and says why',
  async (api) => {
    const { status, body, sent } = await asked(api, 'throw');
    expect([status, sent]).toEqual([500, 0]);
    expect(JSON.parse(body.toString()).error.message).toContain('The context has');
  },
);

it.each(apis)('a gateway for $name sends what cannot be made to fit by default', async (api) => {
  const { status, sent } = await asked(api, 'send');
  expect([status, sent]).toEqual([200, 1]);
});
