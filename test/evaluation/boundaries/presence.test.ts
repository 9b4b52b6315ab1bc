import { describe, expect, it } from 'vitest';
import { isMarkedAsOver, placeOf } from './presence';

const holds = (text: string, ...terms: string[]) => placeOf(text, terms) !== null;

describe('an item in a text', () => {
  it('an item is in a text if all its terms are near each other, in any case and order', () => {
    expect(holds('Port 5001 is where KUBO listens', 'kubo', '5001')).toBe(true);
    expect(holds('Kubo listens', 'kubo', '5001')).toBe(false);
  });

  it('an item in a text is not there when its terms are far apart', () => {
    expect(holds(`kubo ${'and more '.repeat(50)} 5001`, 'kubo', '5001')).toBe(false);
    expect(holds(`kubo ${'and more '.repeat(50)} kubo at 5001`, 'kubo', '5001')).toBe(true);
  });

  it('an item in a text is not there when a heading parts its terms', () => {
    expect(holds('kubo\n## Status\n5001', 'kubo', '5001')).toBe(false);
    expect(holds('kubo\n[GOAL BATCH]\n5001', 'kubo', '5001')).toBe(false);
    expect(holds('## Kubo\n5001', 'kubo', '5001')).toBe(true);
  });

  it('takes any alternative of a term', () => {
    expect(holds('the revocation failed', 'revoke|revocation', 'fail')).toBe(true);
  });

  it('takes a term as the beginning of a word, and a short one as a whole word', () => {
    expect(holds('it fails at login', 'fail', 'login')).toBe(true);
    expect(holds('it fails at login', 'fail', 'log')).toBe(false);
    expect(holds('undo the rewrap', 'do', 'wrap')).toBe(false);
  });

  it('does not take a number for a longer one', () => {
    expect(holds('all 2300 tests pass', '230', 'pass')).toBe(false);
    expect(holds('all 230/230 tests pass', '230', 'pass')).toBe(true);
  });
});

describe('a superseded statement', () => {
  it('a superseded statement is marked as over by a word near it', () => {
    expect(isMarkedAsOver(placed('The web build failed, later fixed.', 'web build', 'fail'))).toBe(true);
    expect(isMarkedAsOver(placed('The web build fails.', 'web build', 'fail'))).toBe(false);
  });
});

function placed(text: string, ...terms: string[]) {
  const place = placeOf(text, terms);
  if (place === null) throw new Error(`${terms.join(', ')} are not in: ${text}`);
  return place;
}
