import { describe, expect, it, vi } from 'vitest';
import type { ContextEvent } from '../../../extension/conversations/events';
import { requestNotices } from '../../../extension/host/conversations/request-notices';

vi.mock('vscode', () => ({}));

describe('the notices of requests in the editor', () => {
  it('put each event into the log, as one line of JSON after its mark', () => {
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line) } as never;
    const { event } = requestNotices({ conversations: {} as never, onCompacted: () => undefined, log });
    const happened: ContextEvent = {
      kind: 'overflow',
      time: '2026-01-01T00:00:00.000Z',
      conversation: { id: 'one' },
      ...{ tokens: 2_100, contextWindow: 2_000, model: 'm' },
    };
    event?.(happened);
    expect(lines.map((line) => [line.slice(0, 6), JSON.parse(line.slice(6))])).toEqual([['event ', happened]]);
  });
});
