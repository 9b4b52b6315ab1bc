import { expect, it } from 'vitest';
import { assistant, talk, user } from '../../builders/conversation';
import { compact } from '../../builders/run';

it('folds goal batches over thousands of short turns in a few rounds, without listing entries many times', async () => {
  const turns = 8_000;
  const said = Array.from({ length: turns }, (_, at) => [
    user(`Rename part ${at} of module ${at % 7}, please.`),
    assistant(`Part ${at} is unit ${at} now, and its callers follow.`),
  ]);
  const rounds = new Set<string>();
  const { records, after } = await compact(talk(said.flat(), user('And now?')), {
    strategy: 'ladder',
    parameters: {},
    targetTokens: 30_000,
    onProgress: ({ strategy, done, of, text }) => {
      if (done === 0 && text === '') rounds.add(`${strategy} ${of} ${rounds.size}`);
    },
  });
  expect(after.tokens.total).toBeLessThanOrEqual(30_000);
  const batches = records.filter(({ summaryType }) => summaryType === 'goal_batch');
  expect(batches.length).toBeGreaterThan(100);
  expect(rounds.size).toBeLessThan(30);
  const replaced = batches.reduce((total, { entryIds }) => total + entryIds.length, 0);
  expect(replaced).toBeLessThan(14 * 2 * turns);
});
