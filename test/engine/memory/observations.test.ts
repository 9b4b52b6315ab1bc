import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { Inquiry } from '../../../extension/engine/memory/inquiry';
import { extractedFields } from '../../../extension/engine/memory/observation-extraction';
import { economyOf, observationLine, readCost } from '../../../extension/engine/memory/observation-lines';
import { type ObservedWork, observedWorkOf } from '../../../extension/engine/memory/observed-work';
import { summarizeSession } from '../../../extension/engine/memory/session-summary';
import { observationConcepts } from '../../../extension/engine/prompts/observations';
import { assistant, call, result, type Said, talk, user } from '../../builders/conversation';
import { observation } from './builders';

const countTokens = (text: string) => text.length;

function works(...said: (Said | Said[])[]): ObservedWork[] {
  return observedWorkOf(talk(...said).entries, countTokens);
}

function fields(...said: (Said | Said[])[]) {
  return works(...said).map(extractedFields);
}

function edit(id: string, path: string, text = ''): Said[] {
  return [call(id, 'edit', { path, old_string: 'a', new_string: 'b' }, text), result(id, 'ok')];
}

function run(id: string, command: string, output: string, failed = false): Said[] {
  return [call(id, 'bash', { command }), result(id, output, failed)];
}

describe('observed work', () => {
  it('skips listings, and looks that are not followed by a reply', () => {
    expect(works(user('Look around.'), run('1', 'ls -la', 'a b'), run('2', 'cd src && git status', 'clean'))).toEqual(
      [],
    );
    expect(works(user('Look.'), call('1', 'read', {}, 'I look.'), result('1', 'text'))).toEqual([]);
  });

  it('skips tools for the agent’s own organisation', () => {
    const todo = [call('1', 'TodoWrite', { todos: [] }), result('1', 'ok')];
    const view = [call('2', 'str_replace_based_edit_tool', { command: 'view', path: 'a.ts' }), result('2', 'text')];
    const output = [call('3', 'BashOutput', { bash_id: '1' }), result('3', 'text')];
    expect(works(user('Go on.'), todo, view, output)).toEqual([]);
  });

  it('combines looks that led to a finding, with the finding as title', () => {
    const [found, ...more] = fields(
      user('Why is it slow?'),
      call('1', 'read', { path: 'src/a.ts' }),
      result('1', 'text'),
      call('2', 'read', { path: 'src/b.ts' }),
      result('2', 'text'),
      assistant('I found that the cache is never filled.'),
    );
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      type: 'discovery',
      title: 'I found that the cache is never filled.',
      facts: ['I found that the cache is never filled.'],
      filesRead: ['src/a.ts', 'src/b.ts'],
      filesModified: [],
    });
  });

  it('combines consecutive changes of one file, and separates those of another file', () => {
    const seen = works(user('Go on.'), edit('1', 'src/a.ts'), edit('2', 'src/a.ts'), edit('3', 'src/b.ts'));
    expect(seen.map(({ steps }) => steps.length)).toEqual([2, 1]);
  });

  it('observed work includes tokens and files of the looks that led to a change', () => {
    const said = [
      user('Go on.'),
      call('1', 'read', { path: 'src/a.ts' }),
      result('1', 'x'.repeat(500)),
      edit('2', 'src/b.ts'),
    ];
    expect(fields(...said)[0]).toMatchObject({ filesRead: ['src/a.ts'], filesModified: ['src/b.ts'] });
    expect(works(...said)[0]?.tokens).toBeGreaterThan(500);
  });

  it('keeps the ids of all entries that it summarises', () => {
    expect(works(user('Go on.'), edit('1', 'src/a.ts'))[0]?.entryIds).toEqual(['e2', 'e3']);
  });
});

describe('observation without a model', () => {
  it('describes an edit by path and difference', () => {
    const [seen] = fields(user('Fix the bug in a.'), edit('1', 'src/a.ts', 'The key is wrong here.'));
    expect(seen).toMatchObject({
      type: 'change',
      title: 'changed src/a.ts',
      subtitle: 'The key is wrong here.',
      facts: ['`src/a.ts` was edited: `a` -> `b`'],
    });
  });

  it('describes a failure with its reason, and marks it as a gotcha', () => {
    const [seen] = fields(user('Run it.'), run('1', 'cd x && npm test', 'Error: 2 tests failed', true));
    expect(seen?.title).toBe('npm test failed: Error: 2 tests failed');
    expect(seen?.concepts).toContain('gotcha');
  });

  it('never reveals the content of secret files', () => {
    const said = call('1', 'write', { path: '/app/.env', content: 'TOKEN=abcdef' });
    const [seen] = fields(user('Set it up.'), said, result('1', 'TOKEN=abcdef written'));
    expect(seen?.type).toBe('sensitive');
    expect(JSON.stringify(seen)).not.toContain('abcdef');
  });

  it('repeats nothing that was said about a secret file, nor how access to it failed', () => {
    const seen = fields(
      user('Look.'),
      call('1', 'read', { path: '.env' }),
      result('1', 'TOKEN=abcdef'),
      assistant('I found that the token is abcdef here.'),
      call('2', 'write', { path: '.env' }, 'The token abcdef is wrong.'),
      result('2', 'Error: abcdef is invalid', true),
    );
    expect(seen.map(({ type, title }) => [type, title])).toEqual([
      ['sensitive', 'looked at .env'],
      ['sensitive', '.env failed: for an undisclosed reason'],
    ]);
    expect(JSON.stringify(seen)).not.toContain('abcdef');
  });

  it.each(['Add a flag.', 'Rename the loader.', 'Behebe den Fehler.'])('reads no type into the words: %s', (asked) => {
    expect(fields(user(asked), edit('1', 'src/a.ts'))[0]?.type).toBe('change');
  });

  it('observation without a model has 2 to 5 known concepts, and a subtitle of at most 24 words', () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
    for (const seen of fields(user(words), edit('1', 'src/a.ts'), run('2', 'make', 'Error: no', true))) {
      expect(seen.concepts.length).toBeGreaterThanOrEqual(2);
      expect(seen.concepts.length).toBeLessThanOrEqual(5);
      for (const concept of seen.concepts) expect(observationConcepts).toContain(concept);
      expect(seen.subtitle.split(' ').length).toBeLessThanOrEqual(24);
    }
  });
});

describe('economy of an index', () => {
  const one = observation('o-1', {
    title: 'abcd',
    subtitle: 'ef',
    narrative: 'ghi',
    facts: ['j', 'k'],
    discoveryTokens: 90,
  });

  it('gives the cost of reading everything, and the work minus that', () => {
    expect(readCost(one)).toBe(Math.ceil(11 / 4));
    expect(economyOf([one, one])).toEqual({ read: 6, work: 180, saving: 174 });
  });

  it('shows an observation as id, time, type and title only', () => {
    const line = observationLine({ ...one, timestamp: '2026-01-02T03:04:05.000Z' });
    expect(line).toBe('- o-1 2026-01-02 03:04 change: abcd');
  });
});

describe('session summary without a model', () => {
  const summary = async (entries: readonly Entry[]) =>
    summarizeSession(
      entries,
      [observation('o-1', { filesRead: ['src/a.ts'], filesModified: ['src/b.ts'] })],
      new Inquiry(null, new AbortController().signal),
    );

  it('quotes the request and the closing reply, and says what calls did and left open', async () => {
    const { entries } = talk(
      user('Make the loader faster.'),
      call('1', 'TodoWrite', { todos: [{ content: 'Test it', status: 'pending' }] }),
      result('1', 'ok'),
      run('2', 'npm test', 'Error: 2 tests failed', true),
      assistant('Der Cache wird nie gefüllt.'),
    );
    expect(await summary(entries)).toMatchObject({
      request: 'Make the loader faster.',
      investigated: 'src/a.ts',
      completed: 'Der Cache wird nie gefüllt. src/b.ts',
      nextSteps: 'Test it',
      notes: 'Error: 2 tests failed',
    });
  });
});
