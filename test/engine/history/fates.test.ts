import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { textOf } from '../../../extension/engine/conversation/entry';
import { entryFates } from '../../../extension/engine/history/fates';
import { conversations } from '../../builders/arbitrary';
import { assistant, call, result, type Said, talk, user } from '../../builders/conversation';

function fatesOf(block: string, ...said: readonly Said[]): string[] {
  return entryFates(`[SUMMARIZED]\n${block}`, talk(said).entries).map(({ fate }) => fate);
}

describe('fate of an entry', () => {
  it('fate of an entry is kept if a whole sentence is in the block, dropped if nothing is', () => {
    expect(
      fatesOf(
        '## Human Direction\n- Keep the old code around for reference.',
        user('Nice. Keep the old code around for reference. Then go on.'),
        user('Thanks, that looks great so far!'),
      ),
    ).toEqual(['kept', 'dropped']);
  });

  it('fate of an entry is paraphrased if most of its sentences are there in other words', () => {
    const block = '- Pending bash messages are queued and saved on agent_end, not appended while the agent streams.';
    expect(
      fatesOf(
        block,
        assistant('The fix: pending bash messages get queued while the agent streams, and are saved on `agent_end`.'),
        assistant('The dialog shows a spinner now.'),
      ),
    ).toEqual(['paraphrased', 'dropped']);
  });

  it('fate of an entry is not kept by a file name alone', () => {
    const block = '## Critical Artifacts\n- Files: src/config/loader.ts src/session-picker.ts';
    expect(fatesOf(block, result('a', 'src/config/loader.ts'), result('b', './x\nsrc/session-picker.ts'))).toEqual([
      'dropped',
      'dropped',
    ]);
  });

  it('fate of an entry is kept by a line of a result, unless many results have that line', () => {
    const banner = '> biome check --write . && npm run check';
    const block = `- bash | Outcome: ${banner}\n- TS2307: cannot find the module main-new`;
    const results = ['a', 'b', 'c'].map((id) => result(id, `${banner}\nChecked ${id}`));
    expect(fatesOf(block, ...results, result('d', `${banner}\nTS2307: cannot find the module main-new`))).toEqual([
      'dropped',
      'dropped',
      'dropped',
      'kept',
    ]);
  });

  it('fate of an entry for a call depends on its arguments: the full command, or its beginning if it was cut', () => {
    const block =
      '- **bash** | command=cd packages/agent && npm run check | head -60\n- **read** | path=src/plan.ts, offset=880';
    const bash = (command: string) => call(command, 'bash', { command });
    expect(
      fatesOf(
        block,
        bash('cd packages/agent && npm run check | head -60'),
        bash('cd packages/other && npm run check | head -60 && git commit'),
        call('a', 'read', { path: 'src/plan.ts', offset: 880 }),
        call('b', 'edit', { path: 'src/plan.ts', oldText: 'const limit = 3;', newText: 'const limit = 4;' }),
      ),
    ).toEqual(['kept', 'paraphrased', 'paraphrased', 'dropped']);
  });

  it('fate of an entry is kept if the block repeats everything, and dropped if the block is empty', () => {
    fc.assert(
      fc.property(conversations, ({ entries }) => {
        const said = entries.filter(({ parts }) => /\w+ \w+ \w+ \w+/.test(textOf(parts)));
        const all = said.map(({ parts }) => textOf(parts)).join('\n');
        expect(new Set(entryFates(all, said).map(({ fate }) => fate))).toEqual(new Set(said.length ? ['kept'] : []));
        expect(entryFates('', entries).every(({ fate }) => fate === 'dropped')).toBe(true);
      }),
    );
  });

  it('fate of an entry is listed once for each entry, in order', () => {
    fc.assert(
      fc.property(conversations, fc.string(), ({ entries }, block) => {
        expect(entryFates(block, entries).map(({ entryId }) => entryId)).toEqual(entries.map(({ id }: Entry) => id));
      }),
    );
  });
});
