import { describe, expect, it } from 'vitest';
import { choiceIn } from '../../../extension/engine/language/choices';

describe('a choice that the agent states', () => {
  it.each([
    ['I chose a queue over polling because the server limits requests.', 'the server limits requests.'],
    ['Went with SQLite.', null],
    ['Kept the old route, since two clients still call it.', 'two clients still call it.'],
    ['The value was published, so I’m keeping the deprecation.', 'The value was published'],
    ['**Missing index** — declined; the full schema is a snapshot', 'the full schema is a snapshot'],
    ['Cards lead with the type, not the title, because people type it.', 'people type it.'],
    ['Seat labels now use names instead of ids.', null],
    ['Split the importer into two passes rather than one.', null],
  ])('%s', (sentence, rationale) => {
    expect(choiceIn(sentence)).toEqual({ rationale });
  });

  it.each([
    'I didn’t run the tests because they need the network.',
    'The request fails because the token is expired.',
    'Fixed the crash since the parser returned null.',
    'Nothing was rebuilt since the last change.',
    'I would keep it apart rather than fold it in.',
    'The page renders because the plugin swaps the source.',
    'Open questions list cleared.',
    'Should I use a queue instead of polling?',
  ])('is not “%s”', (sentence) => {
    expect(choiceIn(sentence)).toBeNull();
  });
});
