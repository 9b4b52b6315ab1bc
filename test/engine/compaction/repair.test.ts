import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sections } from '../../../extension/engine/block/sections';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { repair } from '../../../extension/engine/compaction/repair';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { collectArtifacts } from '../../../extension/engine/language/artifacts';
import { reportLoss } from '../../../extension/engine/language/loss-report';
import { assistant, call, result, talk, user } from '../../builders/conversation';

const said = talk(
  user('Add TOML to the loader. Never change loadConfig(). Write it for people who read slowly.'),
  call('a', 'bash', { command: 'make' }),
  result('a', 'error: parse_toml is missing', true),
  assistant('I changed src/config/loader.ts and src/config/toml.ts with parseToml.'),
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

const body = '## Goal Arc\n- It was about a file format.\n\n## Key Artifacts\n- src/config/toml.ts';

function repaired(room: number, request = requestFor()) {
  return repair(body, reportLoss(collectArtifacts(said.entries), body), request, room);
}

describe('repair', () => {
  it('adds the user’s rules first, then other directions, then errors and names', () => {
    const { body: whole, repaired: texts } = repaired(1000);
    expect(whole).toBe(
      `${body}\n- Never change loadConfig().\n- Add TOML to the loader.\n- Write it for people who read slowly.\n- error: parse_toml is missing\n- Files: src/config/loader.ts\n- Names: parseToml`,
    );
    expect(texts).toContain('parseToml');
  });

  it('keeps the rule if there is little room', () => {
    expect(repaired(14).repaired).toEqual(['Never change loadConfig().']);
  });

  it('leaves the summarizer’s text unchanged', () => {
    expect(repaired(1000).body.startsWith(body)).toBe(true);
    expect(repaired(0)).toEqual({ body, repaired: [] });
  });

  it('does not repeat the core', () => {
    const core = {
      original_goal: null,
      current_goal: null,
      hard_constraints: ['Never change loadConfig().'],
      key_decisions: [],
    };
    expect(repaired(1000, requestFor({ core })).body).not.toContain('Never change loadConfig().');
  });

  it('adds a paragraph to running text, without a heading', () => {
    const plain = 'It was about a file format.';
    const loss = reportLoss(collectArtifacts(said.entries), plain);
    const { body: whole } = repair(plain, loss, requestFor({ sections: [] }), 1000);
    expect(whole).toContain(`${plain}\n\n- Never change loadConfig().`);
    expect(whole).not.toContain('#');
  });

  it('never exceeds its room, and reports as kept what it adds', () =>
    fc.assert(
      fc.property(fc.nat(300), (room) => {
        const { body: whole, repaired: texts } = repaired(room);
        expect(countWithO200k(whole) - countWithO200k(body)).toBeLessThanOrEqual(room);
        const { lost } = reportLoss(collectArtifacts(said.entries), whole);
        expect(lost.some(({ text }) => texts.includes(text))).toBe(false);
      }),
    ));
});
