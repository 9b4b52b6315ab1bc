import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../extension/sessions/records/title';

describe('the title of a text', () => {
  it('the title of a text is its first line that is not empty', () => {
    expect(titleOf('\n  Fix the build \nIt fails on Windows.')).toBe('Fix the build');
    expect(titleOf(' \n')).toBeNull();
  });

  it('the title of a text is the heading that a line introduces', () => {
    const prompt = 'Implement the following plan:\n\n# Plan: Switch file keys to random ones\n\n## Context';
    expect(titleOf(prompt)).toBe('Plan: Switch file keys to random ones');
  });

  it('continues with the next line if the first one ends with a colon', () => {
    expect(titleOf('Fix these:\n- the login page')).toBe('Fix these: - the login page');
    expect(titleOf('Fix these:')).toBe('Fix these:');
  });

  it('the title of a text has no heading mark', () => {
    expect(titleOf('## Rename the module\nto core')).toBe('Rename the module');
  });

  it('the title of a text is cut at 80 characters, never within one', () => {
    const title = titleOf('😀'.repeat(100)) ?? '';
    expect([...title]).toHaveLength(80);
    expect(title.endsWith('😀…')).toBe(true);
  });
});
