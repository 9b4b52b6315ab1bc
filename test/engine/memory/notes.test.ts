import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { type EvolutionSettings, evolve, evolved, linked } from '../../../extension/engine/memory/evolution';
import { Inquiry } from '../../../extension/engine/memory/inquiry';
import { Keywords } from '../../../extension/engine/memory/keywords';
import { noteCandidates } from '../../../extension/engine/memory/note-candidates';
import { embeddedText, NoteIndex } from '../../../extension/engine/memory/note-index';
import { extractedNote } from '../../../extension/engine/memory/note-making';
import { retrieve } from '../../../extension/engine/memory/retrieval';
import type { Evolution } from '../../../extension/engine/prompts/notes';
import { assistant, call, injected, long, result, type Said, talk, user } from '../../builders/conversation';
import { note, ScriptedModel, WordEmbedder } from './builders';

const signal = new AbortController().signal;
const settings: EvolutionSettings = { neighbours: 5, linkAtPercent: 80 };

function candidates(...said: Said[]) {
  return noteCandidates(talk(said).entries, 40, new Set()).chosen;
}

function contents(...said: Said[]): string[] {
  return candidates(...said).map(({ content }) => content);
}

describe('note candidates', () => {
  it('note candidates include the person’s messages and the reply that closes the turn, and nothing said beside calls', () => {
    expect(
      contents(
        user('Schreib die Einstellungen als TOML.'),
        assistant('Ich sehe nach.'),
        call('1', 'read', { path: 'a.toml' }),
        result('1', 'x = 1'),
        assistant('Die Ursache ist der Cache.'),
      ),
    ).toEqual(['Schreib die Einstellungen als TOML.', 'Die Ursache ist der Cache.']);
  });

  it('note candidates include a step that changed something, described by the difference', () => {
    const edit = { path: 'src/a.ts', old_string: 'same\nold line\nsame', new_string: 'same\nnew line\nsame' };
    expect(contents(call('1', 'edit', edit), result('1', 'ok'))).toEqual([
      '`src/a.ts` was edited: `old line` -> `new line`',
    ]);
  });

  it('note candidates include a failed step with its reason', () => {
    const [failed] = candidates(call('1', 'bash', { command: 'npm test' }), result('1', 'Error: no such file', true));
    expect(failed?.content).toBe('`npm test` was run; it failed: Error: no such file');
    expect(failed?.entryIds).toEqual(['e1', 'e2']);
  });

  it('note candidates include neither looks at files nor reminders', () => {
    expect(contents(injected('You must obey.'), call('1', 'read'), result('1', long('Error.')))).toEqual([]);
  });

  it('exclude known notes', () => {
    const { entries } = talk(user('Fix the loader.'));
    const [first] = noteCandidates(entries, 40, new Set()).chosen;
    expect(noteCandidates(entries, 40, new Set([first?.id ?? ''])).chosen).toEqual([]);
  });

  it('note candidates are limited, with a count of those left out; messages outrank tool steps', () => {
    const said = [user('Never touch legacy/.'), ...Array.from({ length: 30 }, (_, at) => editOf(at)).flat()];
    const { chosen, leftOut } = noteCandidates(talk(said).entries, 10, new Set());
    expect(chosen).toHaveLength(10);
    expect(leftOut).toBe(21);
    expect(chosen[0]?.content).toBe('Never touch legacy/.');
  });
});

function editOf(at: number): Said[] {
  return [call(`c${at}`, 'edit', { path: `src/${at}.ts`, content: 'x' }), result(`c${at}`, 'ok')];
}

describe('note without a model', () => {
  const entries: readonly Entry[] = talk(
    user('Make loadConfig() faster.'),
    assistant('I found that parseIni() in src/config/loader.ts drops keys because of the cache.'),
  ).entries;

  it('note without a model has names first among its keywords, three or more tags and a verbatim context', () => {
    const { chosen } = noteCandidates(entries, 10, new Set());
    const keywords = new Keywords(chosen.map(({ content }) => content));
    const finding = chosen.map((candidate) => extractedNote(candidate, keywords)).at(-1);
    expect(finding?.keywords.slice(0, 2).sort()).toEqual(['loader.ts', 'parseIni']);
    expect(finding?.keywords.length).toBeGreaterThanOrEqual(3);
    expect(finding?.tags).toEqual(['configuration', 'statement', 'reply']);
    expect(finding?.context).toBe('Make loadConfig() faster.');
    expect(finding?.by).toBe('extraction');
  });
});

describe('note index', () => {
  it('embeds content, context, keywords and tags together', () => {
    const text = embeddedText(note('a', { content: 'C', context: 'X', keywords: ['k'], tags: ['t'] }));
    for (const part of ['C', 'X', 'k', 't']) expect(text).toContain(part);
  });

  it('embeds a note again only when its description changes', async () => {
    const embedder = new WordEmbedder();
    const index = new NoteIndex(embedder, signal);
    await index.put([note('a')]);
    await index.put([note('a', { links: ['b'] })]);
    expect(embedder.asked).toHaveLength(1);
    await index.put([note('a', { links: ['b'], tags: ['new'] })]);
    expect(embedder.asked).toHaveLength(2);
    const [found] = await index.similarTo(embeddedText(note('a', { tags: ['new'] })));
    expect(found?.similarity).toBeCloseTo(1);
  });
});

describe('note evolution', () => {
  const answer: Evolution = {
    shouldEvolve: true,
    actions: ['strengthen', 'update_neighbor'],
    suggestedConnections: [1, 7],
    tagsToUpdate: ['x', 'y', 'z'],
    newContexts: ['A new light.', null],
    newTags: [null, ['p', 'q']],
  };
  const [first, second] = [note('n1', { context: 'Old.', links: ['n9'] }), note('n2', { tags: ['o'] })];

  it('strengthens a note: adds the connections to its links and replaces its tags', () => {
    const [strengthened] = evolved(note('new', { links: ['n5'], tags: ['t'] }), [first, second], answer);
    expect(strengthened).toMatchObject({ id: 'new', links: ['n5', 'n2'], tags: ['x', 'y', 'z'] });
    expect(strengthened?.evolution).toEqual(['linked to n2', 'tags were t']);
  });

  it('updates a neighbour by index: context and tags change, content and links stay', () => {
    const [, one, two] = evolved(note('new'), [first, second], answer);
    expect(one).toMatchObject({ id: 'n1', context: 'A new light.', tags: [], links: ['n9'], content: first.content });
    expect(two).toMatchObject({ id: 'n2', context: '', tags: ['p', 'q'], links: [], content: second.content });
    expect(one?.evolution).toHaveLength(1);
  });

  it('only does what the actions name, and nothing if nothing should evolve', () => {
    const only = evolved(note('new'), [first, second], { ...answer, actions: ['strengthen'] });
    expect(only.map(({ id }) => id)).toEqual(['new']);
    expect(evolved(note('new'), [first, second], { ...answer, shouldEvolve: false })).toEqual([]);
  });

  it('links by similarity alone without a model, in both directions', () => {
    const changed = linked(
      note('new'),
      [
        { note: first, similarity: 0.9 },
        { note: second, similarity: 0.5 },
      ],
      0.8,
    );
    expect(changed.map(({ id, links }) => [id, links])).toEqual([
      ['new', ['n1']],
      ['n1', ['n9', 'new']],
    ]);
  });

  it('changes the notes in the prompt, even if they are not the oldest', async () => {
    const index = new NoteIndex(new WordEmbedder(), signal);
    const far = Array.from({ length: 8 }, (_, at) => note(`far${at}`, { content: `weather ${at} rain snow wind` }));
    await index.put([
      ...far,
      note('near', { content: 'the loader drops keys' }),
      note('new', { content: 'the loader drops keys too' }),
    ]);
    const reply = { should_evolve: true, actions: ['update_neighbor'], new_context_neighborhood: ['Seen anew.'] };
    const inquiry = new Inquiry(new ScriptedModel(() => JSON.stringify(reply)), signal);
    await evolve(index, 'new', settings, inquiry);
    expect(
      index
        .all()
        .filter(({ context }) => context === 'Seen anew.')
        .map(({ id }) => id),
    ).toEqual(['near']);
  });
});

describe('note retrieval', () => {
  async function indexOf(...notes: ReturnType<typeof note>[]): Promise<NoteIndex> {
    const index = new NoteIndex(new WordEmbedder(), signal);
    await index.put(notes);
    return index;
  }

  it('finds the nearest notes, then the notes they link to, beyond the count', async () => {
    const links = ['l1', 'l2', 'l3'];
    const index = await indexOf(
      ...links.map((id) => note(id, { content: `weather report ${id}` })),
      note('hit', { content: 'the loader drops keys', links }),
    );
    const recalled = await retrieve(index, ['loader drops keys'], 1);
    expect(recalled.map(({ id }) => id)).toEqual(['hit', 'l1', 'l2', 'l3']);
  });

  it('prefers the newer of two equal notes', async () => {
    const index = await indexOf(note('old', { content: 'the loader' }), note('new', { content: 'the loader' }));
    expect((await retrieve(index, ['loader'], 1)).map(({ id }) => id)).toEqual(['new']);
  });

  it('ranks relevance above age', async () => {
    const newer = Array.from({ length: 100 }, (_, at) => note(`newer${at}`, { content: `the weather ${at}` }));
    const index = await indexOf(note('old', { content: 'the loader drops keys' }), ...newer);
    expect((await retrieve(index, ['the loader drops keys'], 1)).map(({ id }) => id)).toEqual(['old']);
  });

  it('ignores a link to a missing note', async () => {
    const index = await indexOf(note('a', { links: ['gone'] }));
    expect(await retrieve(index, ['content'], 3)).toHaveLength(1);
  });
});
