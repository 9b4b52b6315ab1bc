import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { afterEach, expect, it } from 'vitest';
import { SessionViewBuilder } from '../../../extension/host/view/session-view';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import { forks, settings } from '../../builders/view-surroundings';

/** A real session that its agent compacted. */
const sample = resolve(import.meta.dirname, '../../fixtures/pi-v1/until-after-first-compaction.jsonl');
const torn = 'The file ends in the middle of this line; it was left out';
const folders: string[] = [];

afterEach(async () => {
  l10n.config({ contents: {} });
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** The view of that session, whose last line is torn. */
async function viewOfTornSession() {
  const folder = await mkdtemp(join(tmpdir(), 'strata-'));
  folders.push(folder);
  const file = join(folder, 'session.jsonl');
  await writeFile(file, `${await readFile(sample, 'utf8')}{"type":"mess`);
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { session } = outcome;
  const inspection = await Inspection.of(session, await openJournal(folder, session));
  return { file, view: new SessionViewBuilder().build(inspection, settings, forks) };
}

it('shows issues of a session file in the display language, with file and line', async () => {
  l10n.config({ contents: { [torn]: 'Die Datei endet mitten in dieser Zeile.' } });
  const { file, view } = await viewOfTornSession();
  expect(view.header.issues).toEqual([
    { file, line: expect.any(Number), message: 'Die Datei endet mitten in dieser Zeile.' },
  ]);
});

it('shows issues of a session file in English without a translation', async () => {
  const { view } = await viewOfTornSession();
  expect(view.header.issues.map(({ message }) => message)).toEqual([torn]);
});

it('names a compaction of the agent in the display language', async () => {
  l10n.config({ contents: { 'Agent’s summary': 'Zusammenfassung des Agenten' } });
  const { view } = await viewOfTornSession();
  expect(view.compactions.flatMap(({ tags }) => tags)).toEqual(['Zusammenfassung des Agenten']);
});
