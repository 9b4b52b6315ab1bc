import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordContinues } from '../../../extension/engine/block/record-continues';
import { sections } from '../../../extension/engine/block/sections';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { guarded } from '../../../extension/engine/compaction/guard';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { assistant, call, result, talk, user } from '../../builders/conversation';

const request = 'Add TOML to the loader, keep loadConfig() as it is, and write it for people who read slowly.';

const said = talk(
  user(request),
  call('t', 'TodoWrite', { todos: [{ content: 'Document the keys of tables', status: 'pending' }] }),
  result('t'),
  call('w', 'Write', { file_path: 'src/config/toml.ts', content: 'export function parseToml() {}' }),
  result('w'),
  call('a', 'bash', { command: 'npm test' }),
  result('a', 'Error: parse_toml is missing', true),
  user('yes, go on'),
  assistant('I stopped here.'),
);

function requestFor(changes: Partial<SummaryRequest> = {}): SummaryRequest {
  const [person = null, ...entries] = said.entries;
  return {
    summaryType: 'goal_batch',
    sections: sections.goalBatch,
    turns: [{ user: person, userIsReplaced: true, entries, blocks: [] }],
    instructions: null,
    core: null,
    liveGoal: null,
    maxTokens: 800,
    countTokens: countWithO200k,
    ...changes,
  };
}

const body = '## Goal Arc\n- It was about a file format.';

describe('the guard', () => {
  it('appends under one heading what the summary lacks: messages, open items, failing checks, changed files', () => {
    expect(guarded(body, requestFor(), 1000).body).toBe(
      [
        body,
        '',
        '## Not in the summary above',
        `- User: “${request}”`,
        '- To do (pending): Document the keys of tables',
        '- `npm test` failed: Error: parse_toml is missing',
        '- Changed files: src/config/toml.ts',
      ].join('\n'),
    );
  });

  it('appends nothing to a summary that has all of it in its own words', () => {
    const good = `${body}\n- TOML was to be added to the loader for people who read slowly; loadConfig() stays as it is.\n- toml.ts is written, \`npm test\` fails.\n- Next: document the keys of tables.`;
    expect(guarded(good, requestFor(), 1000)).toEqual({ body: good, added: [] });
  });

  it('leaves the line that says that the record continues at the end', () => {
    const { body: whole } = guarded(`${body}\n\n${recordContinues}`, requestFor(), 1000);
    expect(whole.startsWith(`${body}\n\n## Not in the summary above\n`)).toBe(true);
    expect(whole.endsWith(`src/config/toml.ts\n\n${recordContinues}`)).toBe(true);
  });

  it('does not repeat the core, nor short messages', () => {
    const core = { original_goal: request, current_goal: null, hard_constraints: [], key_decisions: [] };
    const { body: whole } = guarded(body, requestFor({ core }), 1000);
    expect(whole).not.toContain('loadConfig');
    expect(whole).not.toContain('go on');
  });

  it('the guard never exceeds its room, and leaves the text unchanged', () =>
    fc.assert(
      fc.property(fc.nat(300), (room) => {
        const { body: whole } = guarded(body, requestFor(), room);
        expect(whole.startsWith(body)).toBe(true);
        expect(countWithO200k(whole) - countWithO200k(body)).toBeLessThanOrEqual(room);
      }),
    ));
});
