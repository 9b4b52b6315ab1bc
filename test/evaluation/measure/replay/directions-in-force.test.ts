import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directionsInForce } from '../../../../extension/evaluation/measure/replay/directions-in-force';
import { talk, user } from '../../../builders/conversation';

/** Directions in force at a boundary after these messages, all of which are replaced. */
function inForce(...said: string[]): string[] {
  const { entries } = talk(said.map(user));
  return directionsInForce(entries, entries);
}

describe('directions in force', () => {
  it('directions in force are rules and requests of the person, not questions, remarks or code', () => {
    const said = 'Add a CSV export to the report page. Never touch the database schema. Looks nice. Why is it slow?';
    expect(inForce(said, 'Could you rename the main window?')).toEqual([
      'Add a CSV export to the report page.',
      'Never touch the database schema.',
      'Could you rename the main window?',
    ]);
  });

  it('directions in force end when a later sentence names what to drop', () => {
    expect(inForce('Add a CSV export to the report page.', 'Forget about the CSV export.')).toEqual([
      'Forget about the CSV export.',
    ]);
    expect(inForce('Indent with spaces please.', 'Use tabs instead of spaces.')).toEqual([
      'Use tabs instead of spaces.',
    ]);
    expect(inForce('Write a changelog entry for each release.', 'The changelog is no longer needed.')).toEqual([]);
  });

  it('directions in force end when a later sentence repeats them with another number', () => {
    const [first, later] = ['Keep each function below 40 lines.', 'Keep each function below 60 lines.'];
    expect(inForce(first, later)).toEqual([later]);
  });

  it('directions in force end when a later sentence says the opposite', () => {
    const [first, later] = [
      'Never change the public signature of loadConfig.',
      'Change the public signature of loadConfig.',
    ];
    expect(inForce(first, later)).toEqual([later]);
  });

  it('directions in force end when the person withdraws the previous sentence, and only that one ends', () => {
    expect(inForce('Only use the standard library.', 'Rename the main window.', 'Never mind.')).toEqual([
      'Only use the standard library.',
    ]);
  });

  it('directions in force stay after an unrelated sentence, a question or a repetition', () => {
    const rule = 'Never change the public signature of loadConfig.';
    expect(inForce(rule, 'Fix the 3 failing tests of the parser.', 'Is the signature of loadConfig public?')).toContain(
      rule,
    );
    expect(inForce(rule, rule)).toEqual([rule]);
  });

  it('directions in force count only if they are replaced, and can be withdrawn by entries that stay', () => {
    const { entries } = talk(
      user('Add a CSV export to the report page.'),
      user('Only use the standard library.'),
      user('Drop the CSV export.'),
    );
    expect(directionsInForce(entries, entries.slice(0, 2))).toEqual(['Only use the standard library.']);
  });

  it('directions in force are always sentences of the replaced entries, without duplicates', () => {
    const sentence = fc.constantFrom<string[]>(
      'Never mind.',
      'Add tests.',
      'Do not add tests.',
      'Forget the tests.',
      'Use 3 tests.',
      '正しく、必ずテストする。',
      '',
      'Stop.',
    );
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 12 }), (said) => {
        const found = inForce(...said);
        expect(new Set(found).size).toBe(found.length);
        expect(found.filter((text) => !said.includes(text))).toEqual([]);
      }),
    );
  });
});
