import { describe, expect, it } from 'vitest';
import { sections } from '../../../extension/engine/block/sections';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { namesNotIn } from '../../../extension/engine/compaction/unknown-names';
import { call, result, talk, user } from '../../builders/conversation';

const [asked = null, ...entries] = talk(
  user('Make src/config/loader.ts read TOML.'),
  call('a', 'bash', { command: 'npm test -- loader' }),
  result('a', '/home/ada/app/test/loader.test.ts: 3 passed'),
).entries;

const request: SummaryRequest = {
  summaryType: 'goal_batch',
  sections: sections.goalBatch,
  turns: [{ user: asked, userIsReplaced: true, entries, blocks: [] }],
  instructions: null,
  core: null,
  liveGoal: 'Then write docs/toml.md.',
  maxTokens: 500,
  countTokens: (text) => text.length,
};

describe('names in a summary', () => {
  it('finds files and commands in a summary that the conversation does not contain', () => {
    expect(namesNotIn('I changed src/config/writer.ts and ran `npm run migrate`.', request)).toEqual([
      'npm run migrate',
      'src/config/writer.ts',
    ]);
  });

  it('knows a file by its last part, with a line number, and from the request that stays', () => {
    expect(
      namesNotIn('loader.ts:12-14, test/loader.test.ts, docs/toml.md; `npm test -- loader`, `npm test`.', request),
    ).toEqual([]);
  });

  it('knows a file from an import without its ending', () => {
    const importing = talk(
      call('b', 'read', { path: 'src/main.ts' }),
      result('b', "import { table } from './toml-table';"),
    );
    const turns = request.turns.map((turn) => ({ ...turn, entries: [...turn.entries, ...importing.entries] }));
    expect(namesNotIn('src/toml-table.ts has the table; src/table.ts has not.', { ...request, turns })).toEqual([
      'src/table.ts',
    ]);
  });

  it('knows names from earlier summaries', () => {
    const block = { text: '[SUMMARIZED]\nI wrote src/old.ts.', entryIds: [], isByModel: true };
    const turns = request.turns.map((turn) => ({ ...turn, blocks: [block] }));
    expect(namesNotIn('src/old.ts works.', { ...request, turns })).toEqual([]);
  });

  it('does not treat every piece of code as a command', () => {
    expect(namesNotIn('`parse the file`, `go`, `const a = 1`', request)).toEqual([]);
  });
});
