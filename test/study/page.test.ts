import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { figureOf } from './figure';
import { readFindings } from './findings-file';
import { withTables } from './page';
import { tablesOf } from './tables';

const docs = join(import.meta.dirname, '../../docs');

describe('the page of the study', () => {
  it('has the tables and the figure of what was found', () => {
    const findings = readFindings();
    const page = readFileSync(join(docs, 'study.md'), 'utf8');
    expect(withTables(page, tablesOf(findings))).toBe(page);
    expect(readFileSync(join(docs, 'study/held-by-tokens.svg'), 'utf8')).toBe(figureOf(findings));
  });

  it('has no place for a table that there is not', () => {
    expect(() => withTables('<!-- table: none -->\n<!-- end -->', {})).toThrow('no table "none"');
  });
});
