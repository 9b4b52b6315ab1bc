import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { gaugeView } from '../../../extension/host/view/gauge';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import { chained, compacted, type Row, replied, said, text } from '../../agents/claude-code/rows';
import { settings } from '../../builders/view-surroundings';
import { temporaryFolders } from '../../sessions/temporary';

vi.mock('vscode', () => ({}));

const newFolder = temporaryFolders();

function repliedAt(tokens: number, uuid: string): Row {
  const row = replied(uuid, [text('done')]);
  const usage = { input_tokens: tokens, output_tokens: 0 };
  return { ...row, message: { ...(row.message as Row), model: 'claude-opus-4-6', usage } };
}

it('shows the window that a compaction by the agent itself suggests, and says that it is assumed', async () => {
  const rows = chained(
    said('q1', 'go on'),
    repliedAt(165_000, 'a1'),
    compacted('c1', 'a1', { trigger: 'auto', preTokens: 167_389 }),
    said('s1', 'What happened so far', { isCompactSummary: true }),
    said('q2', 'and now the rest'),
    repliedAt(30_000, 'a2'),
  );
  const file = join(newFolder(), 'session.jsonl');
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  const inspection = await Inspection.of(outcome.session, await openJournal(newFolder(), { agent, id, file }));

  const { total, window, windowAssumed, windowShownBy } = gaugeView(inspection, settings);
  expect({ total, window, windowAssumed }).toEqual({ total: 30_000, window: 200_000, windowAssumed: false });
  expect(windowShownBy).toEqual({
    source: 'window by its last compaction',
    reason:
      'Claude Code compacted by itself at 167.4k here, so a window of 200k is assumed. A setting of Claude Code may have lowered that size.',
  });
});
