import { describe, expect, it } from 'vitest';
import { relativeTime } from '../../extension/host/view/relative-time';

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 5, 15, 12);

describe('relative time', () => {
  it.each([
    [0, 'now'],
    [-minute, 'now'],
    [minute - 1, 'now'],
    [minute, '1 min. ago'],
    [59 * minute, '59 min. ago'],
    [90 * minute, '1 hr. ago'],
    [day, 'yesterday'],
    [29 * day, '29 days ago'],
    [31 * day, '5/15/2026'],
  ])('%i ms ago reads %s', (age, text) => {
    expect(relativeTime(now - age, now, 'en-US')).toBe(text);
  });

  it('relative time is in the display language', () => {
    expect(relativeTime(now - day, now, 'de')).toBe('gestern');
  });
});
