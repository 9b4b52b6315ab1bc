import { copyFileSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { discoverSessions } from '../../../extension/sessions/discover';
import { openSession } from '../../../extension/sessions/open';
import { EarlierSizes } from '../../../extension/sessions/own-compaction/earlier-sizes';
import { temporaryFolders } from '../temporary';

const temporary = temporaryFolders();
const fixtures = join(import.meta.dirname, '..', '..', 'fixtures');

it('finds the size at which an agent compacted in an earlier session with the same model', async () => {
  const home = temporary();
  const project = join(home, '.claude', 'projects', '-work-api');
  mkdirSync(project, { recursive: true });
  const earlier = join(project, 'earlier.jsonl');
  copyFileSync(join(fixtures, 'claude-code-2.1.14', 'auto-compaction.jsonl'), earlier);
  utimesSync(earlier, 1_700_000_000, 1_700_000_000);
  const { sessions } = await discoverSessions({ home, variables: {} });
  const opened = await openSession(earlier);
  if (opened.kind !== 'opened') throw new Error('The fixture cannot be opened.');
  const { session } = opened;
  const last = session.conversation.agentCompactions.at(-1);
  const size = { tokens: last?.tokensBefore, time: Date.parse(last?.timestamp ?? '') };
  expect(size.tokens).toBeGreaterThan(100_000);

  const sizes = new EarlierSizes();
  const next = { ...session, id: 'next', file: join(project, 'next.jsonl') };
  expect(await sizes.find(next, sessions)).toMatchObject(size);
  expect(await sizes.find({ ...next, model: 'another' }, sessions)).toBeNull();
  expect(await sizes.find({ ...next, agent: 'pi' }, sessions)).toBeNull();
  expect(await sizes.find(session, sessions)).toBeNull();
});
