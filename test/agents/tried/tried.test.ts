import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { shapeChanges, shapesOfSession } from './shapes';
import { type Check, triedIn, withTried } from './tried-table';

const check = (file: string, titles: readonly string[], hasFailed = false): Check => ({
  ...{ file: `/repo/test/agents/${file}.agents.ts`, titles, isSkipped: false, hasFailed },
});

const checks = [
  check('pi', ['pi 1.6.0 as it is', 'compacts once']),
  check('pi', ['pi 1.6.0 as it is', 'is shown as it sent its newest request'], true),
  check('pi', ['pi 1.6.0 as it is', 'a mended fork of a session with a torn write', 'is resumed']),
  check('inside/pi', ['the plugin in pi', 'clears superseded output']),
  check('inside/going-on', ['work in pi 1.6.0 with Strata inside', 'goes on by itself']),
  check('inside/going-on', ['work in claude-code 2.1.332 with Strata inside', 'goes on by itself']),
  check('gateway', ['pi through the gateway', 'sends what it sent']),
];

const page = `
| agent | version | sessions | fork | inside | tried on |
| --- | --- | --- | --- | --- | --- |
| Claude Code | 2.1.332 | 13 of 13 | 9 of 9 | – | 2026-11-24 |
| pi | 1.5.2 | 9 of 9 | 9 of 9 | 8 of 8 | 2026-11-24 |

## Next
`;

it('a run writes a row for each agent that it tried, and leaves parts that it did not try', () => {
  const written = withTried(page, triedIn(checks), '2026-11-27');
  expect(written).toContain('| Claude Code | 2.1.332 | 13 of 13 | 9 of 9 | 1 of 1 | 2026-11-27 |');
  expect(written).toContain('| pi | 1.6.0 | 1 of 2 | 1 of 1 | 2 of 2 | 2026-11-27 |');
  expect(triedIn(checks).map(({ agent }) => agent)).toEqual(['claude-code', 'pi']);
  expect(written.endsWith('\n\n## Next\n')).toBe(true);
  expect(withTried(written, [], '2026-11-28')).toBe(written);
  const less = withTried(written, triedIn(checks.slice(4)), '2026-11-28');
  expect(less).toContain('| pi | 1.6.0 | 1 of 2 | 1 of 1 | 2 of 2 | 2026-11-28 |');
});

it('an agent of which every check was skipped keeps its row', () => {
  const skipped = checks.map((check) => ({ ...check, isSkipped: true }));
  expect(withTried(page, triedIn(skipped), '2026-11-28')).toBe(page);
});

let folder: string | null = null;
afterEach(() => folder !== null && rmSync(folder, { recursive: true }));

it('what changed in an agent is named by field, tool and tag', () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-shapes-'));
  const file = join(folder, 'session.jsonl');
  const shapesOf = (...records: readonly object[]) => {
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
    return { session: shapesOfSession(file), requests: [] };
  };
  const before = shapesOf({ type: 'user', id: 'a1', message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } });
  const now = shapesOf({ type: 'user', uid: 'a1', message: { role: 'user', parts: [{ type: 'text', text: 'ho' }] } });
  expect(before.session).toContain('<user>.message.parts[]<text>.text');
  expect(shapeChanges(before, before)).toEqual([]);
  expect(shapeChanges(before, now)).toEqual(['new in the session: <user>.uid', 'gone from the session: <user>.id']);
  expect(shapesOf({ files: { '/home/x/a.ts': { size: 1 } } }).session).toEqual(['files.*.size']);
});
