import { expect, it } from 'vitest';
import type { ContextEvent } from '../../extension/conversations/events';
import { replies, returns, says } from '../middleware/recognition/received';
import { programWith, textOfContext } from './many-agents';

it('the event of a compaction is `cleared` if only output of tools was removed, and `compacted` elsewhere', async () => {
  const kinds: Record<string, readonly string[]> = {};
  for (const strategy of ['cleared', 'checkpoint']) {
    const events: ContextEvent[] = [];
    const onEvent = (event: ContextEvent) => events.push(event);
    const automation = { floorTokens: 0, pauseTokens: 0 };
    const { send } = await programWith({ strategy, onEvent, window: 16_000, automation });
    const history = [says('Read the parts.')];
    for (let part = 0; part < 12; part += 1) {
      history.push(replies('', `part-${part}`), returns([`part-${part}`, `Line of part ${part}. `.repeat(400)]));
      if (part % 3 === 2) history.push(replies(`Read ${part}.`), says('Go on.'));
    }
    const sent = textOfContext(await send(history, 'Done.', { conversation: 'thread-1', scope: 'acme' }));
    expect(sent).toContain('Read the parts.');
    for (const event of events) {
      expect(event).toMatchObject({ conversation: { key: 'thread-1', scope: 'acme' }, strategy: expect.any(String) });
      if (event.kind === 'cleared') expect(event.tokensAfter).toBeLessThan(event.tokensBefore);
    }
    kinds[strategy] = [...new Set(events.map(({ kind }) => kind))];
  }
  expect(kinds).toEqual({ cleared: ['cleared'], checkpoint: ['compacted'] });
});
