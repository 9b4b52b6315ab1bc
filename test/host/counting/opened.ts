import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';

const fixture = resolve(import.meta.dirname, '../../fixtures/pi-v1/until-after-first-compaction.jsonl');

export async function realSession(): Promise<Session> {
  const outcome = await openSession(fixture);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

export async function newJournal({ agent, id, file }: Session) {
  return await openJournal(await mkdtemp(join(tmpdir(), 'strata-counting-')), { agent, id, file });
}

/** A promise that the test settles. */
export function byHand() {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
