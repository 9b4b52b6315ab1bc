import { expect, it } from 'vitest';
import { claudeSession } from '../../sessions/build';
import { chained, compacted, type Row, replied, said, text } from './rows';

/** A reply after a request of this size. */
function repliedAt(tokens: number, uuid: string, model = 'claude-opus-4-6'): Row {
  const row = replied(uuid, [text('done')]);
  const usage = { input_tokens: tokens, output_tokens: 0 };
  return { ...row, message: { ...(row.message as Row), model, usage } };
}

/** Rows that end with a compaction by the agent itself. */
function compactedAt(tokens: number, uuid = 'c1', trigger = 'auto'): Row[] {
  return [
    compacted(uuid, `a-${uuid}`, { trigger, preTokens: tokens }),
    said(`s-${uuid}`, 'What happened so far', { isCompactSummary: true }),
  ];
}

function windowOf(...rows: readonly Row[]) {
  const { contextWindow, windowShownBy } = claudeSession(chained(...rows));
  return contextWindow === undefined ? null : { contextWindow, windowShownBy };
}

const begun = [said('q1', 'go on'), repliedAt(160_000, 'a-c1')];

it('the working window is the smaller window of the model that a compaction by the agent itself shows', () => {
  const shown = { contextWindow: 200_000, windowShownBy: { by: 'compaction', tokens: 167_389 } };
  expect(windowOf(...begun, ...compactedAt(167_389))).toEqual(shown);
  expect(windowOf(...begun, ...compactedAt(167_389), said('q2', 'more'), repliedAt(90_000, 'a2'))).toEqual(shown);
});

it('the working window is the same with the sizes at which earlier versions compacted', () => {
  expect(windowOf(...begun, ...compactedAt(155_031))?.contextWindow).toBe(200_000);
  expect(windowOf(...begun, ...compactedAt(178_144))?.contextWindow).toBe(200_000);
});

it('the working window is that of the model if the compaction shows no smaller one', () => {
  expect(windowOf(...begun)).toBeNull();
  // Four compactions that say nothing of the window: by hand, with a variable that lowers the size, close to the whole
  // window, and above the smaller window.
  expect(windowOf(...begun, ...compactedAt(167_389, 'c1', 'manual'))).toBeNull();
  expect(windowOf(...begun, ...compactedAt(100_000))).toBeNull();
  expect(windowOf(...begun, ...compactedAt(998_659))).toBeNull();
  expect(windowOf(...begun, ...compactedAt(213_002))).toBeNull();
});

it('the working window is what the newest compaction shows, after one in a larger window', () => {
  const rows = [...begun, ...compactedAt(213_002), said('q2', 'more'), repliedAt(160_000, 'a-c2')];
  expect(windowOf(...rows)).toBeNull();
  expect(windowOf(...rows, ...compactedAt(167_009, 'c2'))?.contextWindow).toBe(200_000);
});

it('the working window is that of the model once a request was larger than the smaller one', () => {
  expect(windowOf(...begun, ...compactedAt(167_389), said('q2', 'more'), repliedAt(204_578, 'a2'))).toBeNull();
});

it('the working window is not shown by a compaction with another model', () => {
  const other = [said('q1', 'go on'), repliedAt(160_000, 'a-c1', 'claude-haiku-4-5-20251001')];
  expect(windowOf(...other, ...compactedAt(167_389), said('q2', 'more'), repliedAt(90_000, 'a2'))).toBeNull();
});

it('the working window is the larger one that a request shows', () => {
  const rows = [said('q1', 'go on'), repliedAt(260_000, 'a1', 'claude-sonnet-4-5-20250929')];
  expect(windowOf(...rows)).toEqual({
    contextWindow: 1_000_000,
    windowShownBy: { by: 'usage', tokens: 260_000 },
  });
});

it('the working window stays the larger one after a compaction above the smaller one', () => {
  const model = 'claude-sonnet-4-5-20250929';
  const rows = [said('q1', 'go on'), repliedAt(960_000, 'a-c1', model), ...compactedAt(967_100)];
  expect(windowOf(...rows, said('q2', 'more'), repliedAt(60_000, 'a2', model))?.contextWindow).toBe(1_000_000);
});

it('the working window is not known of a model that is not known', () => {
  const rows = [said('q1', 'go on'), repliedAt(160_000, 'a-c1', 'house-model')];
  expect(windowOf(...rows, ...compactedAt(167_389))).toBeNull();
});
