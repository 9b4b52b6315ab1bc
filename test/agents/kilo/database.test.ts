import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { discoverSessions } from '../../../extension/sessions/discover';
import { openSession } from '../../../extension/sessions/open';
import { fixtures } from '../../sessions/samples';

const parent = 'ses_e0034d87bffeHAlz23S92ON1yY';
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'strata-kilo-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('sessions of Kilo Code are found in its own database, which has the tables of OpenCode', async () => {
  const folder = join(home, '.local', 'share', 'kilo');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'kilo.db');
  cpSync(join(fixtures, 'opencode-1.18.33', 'opencode.db'), file);
  const environment = { home, variables: {} };
  const { sessions } = await discoverSessions(environment);
  expect(sessions.map(({ agent, file }) => [agent, file])).toContainEqual(['kilo', `${file}#${parent}`]);
  expect(sessions.every(({ agent }) => agent === 'kilo')).toBe(true);
  const outcome = await openSession(`${file}#${parent}`, { environment });
  expect(outcome).toMatchObject({ kind: 'opened', session: { agent: 'kilo', id: parent } });
});
