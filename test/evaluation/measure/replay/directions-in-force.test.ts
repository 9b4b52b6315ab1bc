import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directionsInForce } from '../../../../extension/evaluation/measure/replay/directions-in-force';
import { talk, user } from '../../../builders/conversation';

/** All that is said is replaced, and the boundary comes after the last of it. */
function inForce(...said: string[]): string[] {
  const { entries } = talk(said.map(user));
  return directionsInForce(entries, entries);
}

describe('directions in force', () => {
  it('are rules and requests of the person; not questions, remarks and code', () => {
    const said = 'Add a CSV export to the report page. Never touch the database schema. Looks nice. Why is it slow?';
    expect(inForce(said, 'Could you rename the main window?')).toEqual([
      'Add a CSV export to the report page.',
      'Never touch the database schema.',
      'Could you rename the main window?',
    ]);
  });

  it('end where a later sentence names what is to be dropped', () => {
    expect(inForce('Add a CSV export to the report page.', 'Forget about the CSV export.')).toEqual([
      'Forget about the CSV export.',
    ]);
    expect(inForce('Indent with spaces please.', 'Use tabs instead of spaces.')).toEqual([
      'Use tabs instead of spaces.',
    ]);
    expect(inForce('Write a changelog entry for each release.', 'The changelog is no longer needed.')).toEqual([]);
  });

  it('end where a later sentence says the same with another number', () => {
    const [first, later] = ['Keep each function below 40 lines.', 'Keep each function below 60 lines.'];
    expect(inForce(first, later)).toEqual([later]);
  });

  it('end where a later sentence says the opposite', () => {
    const [first, later] = [
      'Never change the public signature of loadConfig.',
      'Change the public signature of loadConfig.',
    ];
    expect(inForce(first, later)).toEqual([later]);
  });

  it('end where the person takes back what they said right before, and nothing else does', () => {
    expect(inForce('Only use the standard library.', 'Rename the main window.', 'Never mind.')).toEqual([
      'Only use the standard library.',
    ]);
  });

  it('go on where a later sentence is about something else, asks, or says the same again', () => {
    const rule = 'Never change the public signature of loadConfig.';
    expect(inForce(rule, 'Fix the 3 failing tests of the parser.', 'Is the signature of loadConfig public?')).toContain(
      rule,
    );
    expect(inForce(rule, rule)).toEqual([rule]);
  });

  it('count only where they are replaced, and are taken back by what stays as well', () => {
    const { entries } = talk(
      user('Add a CSV export to the report page.'),
      user('Only use the standard library.'),
      user('Drop the CSV export.'),
    );
    expect(directionsInForce(entries, entries.slice(0, 2))).toEqual(['Only use the standard library.']);
  });

  it('are sentences of the replaced entries, each once, whatever was said', () => {
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
