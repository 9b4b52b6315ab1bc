import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Views } from '../../../extension/host/panel/views';
import type { ViewSettings } from '../../../extension/host/view/notices';
import { historyOf } from '../../../extension/inspection/history';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { rescueOf } from '../../../extension/inspection/rescue';
import { openSession } from '../../../extension/sessions/open';
import { fixtures } from '../../sessions/samples';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();

/** A real session of pi that forgot things when it compacted. */
const forgetful = join(fixtures, 'pi-v1/until-after-first-compaction.jsonl');

const settings: Omit<ViewSettings, 'automationStopped'> = {
  strategy: 'ladder',
  parameters: {},
  reserveTokens: 16_384,
  automation: { enabled: true, floorTokens: 0, pauseTokens: 0 },
} as unknown as ViewSettings;

async function forgetfulInspection(): Promise<Inspection> {
  const outcome = await openSession(forgetful);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  return await Inspection.of(outcome.session, await openJournal(newFolder(), { agent, id, file: forgetful }));
}

describe('the view of a session', () => {
  it('shows what the agent forgot as soon as it is found, and until it is outdated', async () => {
    const inspection = await forgetfulInspection();
    const views = new Views({ isFork: () => false } as never, () => settings);
    expect(views.viewOf(inspection, null).rescue).toBeNull();

    const outcome = rescueOf(inspection);
    if (outcome.kind !== 'forgot') throw new Error(outcome.kind);
    inspection.rescue = outcome.rescue;
    expect(views.viewOf(inspection, null).rescue?.summary).toMatch(/\d of your messages/);

    inspection.rescue = null;
    expect(views.viewOf(inspection, null).rescue).toBeNull();
  });

  it('says of a summary of the agent what it replaced, as of a block of Strata, not how large the whole context was', async () => {
    const inspection = await forgetfulInspection();
    const { rows } = new Views({ isFork: () => false } as never, () => settings).viewOf(inspection, null);
    const { before, after } = historyOf(inspection).marks[0] ?? { before: 0, after: 0 };
    const row = rows.find(({ block }) => block?.by === 'agent');
    const replaced = row?.block?.tokensBefore ?? 0;
    // The rest of the context, such as the system prompt, stays. The tolerance is for the calibration, which was
    // different then.
    expect(Math.abs(replaced - (row?.tokens ?? 0) - (before - after))).toBeLessThan(0.05 * before);
    expect(replaced).toBeLessThan(before);
  });

  it('stays the same while nothing changes', async () => {
    const inspection = await forgetfulInspection();
    const views = new Views({ isFork: () => false } as never, () => settings);
    expect(views.viewOf(inspection, null)).toBe(views.viewOf(inspection, null));
  });
});
