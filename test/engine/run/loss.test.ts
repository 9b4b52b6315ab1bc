import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrompt, textOf } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { folded } from '../../../extension/engine/language/verbatim';
import { lossText } from '../../../extension/engine/run/prepare/loss-text';
import { conversations } from '../../builders/arbitrary';
import { assistant, call, long, result, talk, user } from '../../builders/conversation';
import { compact, emptyState } from '../../builders/run';

const todo = { todos: [{ content: 'Write the migration guide', status: 'pending' }] };
const work = talk(
  user('Add a flag to the exporter and keep the tests green.'),
  call('1', 'edit', { file_path: 'src/exporter.ts', old_string: 'a', new_string: 'b' }),
  result('1', 'ok'),
  call('2', 'bash', { command: 'npm test' }),
  result('2', `Error: 2 tests failed\n${long('Line.', 30)}`, true),
  call('3', 'TodoWrite', todo),
  result('3', 'ok'),
  assistant('I stopped there.'),
  user('Now the documentation, please, in German.'),
  assistant('Done.'),
  Array.from({ length: 20 }, (_, at) => [user(`Go on (${at}).`), assistant(long(`Step ${at}.`))]).flat(),
);

describe('what a run loses', () => {
  it('reports messages, changed files, open items and outputs from the context that results', async () => {
    const run = await compact(work, { strategy: 'naive' });
    const { loss } = run;
    expect(loss).not.toBeNull();
    expect(loss?.outputs.count).toBe(3);
    expect(loss?.outputs.largest[0]).toMatchObject({ text: 'bash npm test', entryId: 'e5' });
    const { whole = 0, shortened = 0, gone = 0 } = loss?.messages ?? {};
    const replaced = new Set(run.records.flatMap(({ entryIds }) => entryIds));
    expect(whole + shortened + gone).toBe(work.entries.filter((one) => isPrompt(one) && replaced.has(one.id)).length);
    expect((loss?.files.named ?? 0) + (loss?.files.unnamed ?? 0)).toBe(1);
  });

  it('fits on one line, and is empty if nothing of the kind was replaced', () => {
    const none = { named: 0, unnamed: 0, listed: [] };
    const report = {
      messages: { whole: 4, shortened: 1, gone: 2, listed: [] },
      files: { named: 3, unnamed: 1, listed: [] },
      open: { named: 0, unnamed: 2, listed: [] },
      outputs: { count: 12, tokens: 34_567, largest: [] },
    };
    expect(String(lossText(report))).toBe(
      '4 of 7 messages of the person are kept word for word, 1 is shortened, 1 changed file is not named, 2 open items are not named, 12 tool outputs are replaced (34,567 tokens)',
    );
    expect(
      lossText({
        ...report,
        messages: { whole: 0, shortened: 0, gone: 0, listed: [] },
        files: none,
        open: none,
        outputs: { count: 0, tokens: 0, largest: [] },
      }),
    ).toBeNull();
  });

  it.each([
    [[1, 0, 0], 'the message of the person is kept word for word'],
    [[0, 1, 0], 'the message of the person is kept shortened'],
    [[0, 0, 1], 'the message of the person is not kept word for word'],
    [[3, 0, 0], 'all 3 messages of the person are kept word for word'],
    [[0, 2, 1], 'none of 3 messages of the person is kept word for word, 2 are shortened'],
    [[1, 0, 2], '1 of 3 messages of the person is kept word for word'],
  ])('has %j messages whole, shortened and gone in words', ([whole = 0, shortened = 0, gone = 0], words) => {
    const none = { named: 0, unnamed: 0, listed: [] };
    const messages = { whole, shortened, gone, listed: [] };
    const report = { messages, files: none, open: none, outputs: { count: 0, tokens: 0, largest: [] } };
    expect(String(lossText(report))).toBe(words);
  });

  it('judges messages correctly over several runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations,
        fc.subarray(['pipeline', 'checkpoint', 'cleared', 'naive', 'goal-batch', 'codex'], { minLength: 1 }),
        async (conversation, strategies) => {
          let state = emptyState;
          for (const strategy of strategies) {
            const { records, after, loss } = await compact(conversation, { strategy, state });
            state = foldJournal(records, state);
            if (loss === null) continue;
            const said = folded(
              after.messages
                .filter(({ role }) => role !== 'tool')
                .map(({ parts }) => textOf(parts))
                .join('\n'),
            );
            const lost = new Set(loss.messages.listed.map(({ entryId }) => entryId));
            const replaced = new Set(records.flatMap(({ entryIds }) => entryIds));
            for (const { id, parts } of conversation.entries.filter((one) => isPrompt(one) && replaced.has(one.id))) {
              const text = folded(textOf(parts));
              if (!lost.has(id)) expect(said).toContain(text);
              else if (text.length > 40) expect(said).not.toContain(text);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
