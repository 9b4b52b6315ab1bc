import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, textOf } from '../../../extension/engine/conversation/entry';
import { entryFates } from '../../../extension/engine/history/fates';
import { conversations } from '../../builders/arbitrary';
import { assistant, call, type Said, talk, user } from '../../builders/conversation';

function fatesOf(block: string, ...said: readonly Said[]): string[] {
  return entryFates(`[SUMMARIZED]\n${block}`, talk(said).entries).map(({ fate }) => fate);
}

describe('fate of an entry', () => {
  it('the fate of an entry is whole, shortened or gone, by how much of its words the block contains', () => {
    const block = 'User:\n> Nice. Keep the old code\n> around.\n- User: “Write a migration for” [… 200 characters]';
    expect(
      fatesOf(
        block,
        user('Nice. Keep the old code\naround.'),
        user(`Write a migration for ${'all the tables '.repeat(14)}`),
        user('Keep the old stuff around.'),
      ),
    ).toEqual(['whole', 'shortened', 'gone']);
  });

  it('the fate of an entry depends on the words of a reply with a call', () => {
    const edit = call('a', 'edit', { path: 'src/plan.ts' });
    expect(fatesOf('I:\n> I changed the plan.', assistant('I changed the plan.'), edit)).toEqual(['whole', 'gone']);
  });

  it('fate of an entry is whole if the block repeats everything, and gone if the block is empty', () => {
    fc.assert(
      fc.property(conversations, ({ entries }) => {
        const said = entries.filter(({ parts }) => textOf(parts).trim() !== '');
        const all = said.map(({ parts }) => textOf(parts)).join('\n');
        expect(new Set(entryFates(all, said).map(({ fate }) => fate))).toEqual(new Set(said.length ? ['whole'] : []));
        expect(entryFates('', entries).every(({ fate }) => fate === 'gone')).toBe(true);
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
