import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemPieces } from '../../../extension/host/view/system-pieces';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import { everySample, fixtures } from '../../sessions/samples';

/** Tests of what the system tokens of the gauge consist of. */

async function inspect(file: string): Promise<Inspection> {
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  const folder = mkdtempSync(join(tmpdir(), 'strata-'));
  return await Inspection.of(outcome.session, await openJournal(folder, { agent, id, file }));
}

const sumOf = (inspection: Inspection) => systemPieces(inspection).reduce((sum, { tokens }) => sum + tokens, 0);

describe('the pieces of the system tokens', () => {
  it('add up to the system tokens of the gauge in every sample', async () => {
    for (const { name, file } of everySample()) {
      const inspection = await inspect(file);
      expect([name, sumOf(inspection)]).toEqual([name, inspection.context.tokens.byKind.system]);
    }
  });

  it('name memory files as estimates, and the rest as not known', async () => {
    const inspection = await inspect(join(fixtures, 'claude-code-2.1.14/auto-compaction.jsonl'));
    inspection.memoryFiles = [{ kind: 'memory', path: '/work/CLAUDE.md', text: 'Be brief. '.repeat(400) }];
    const [memory, ...others] = systemPieces(inspection);
    expect(memory).toMatchObject({ label: 'work/CLAUDE.md (memory file)', file: '/work/CLAUDE.md', isEstimate: true });
    expect(others.at(-1)?.label).toBe('Not known: sent by the agent and not in the session file');
    expect(sumOf(inspection)).toBe(inspection.context.tokens.byKind.system);
  });

  it('never take more than what the agent sent beyond its log', async () => {
    const inspection = await inspect(join(fixtures, 'claude-code-2.1.14/auto-compaction.jsonl'));
    inspection.memoryFiles = [{ kind: 'memory', path: '/work/CLAUDE.md', text: 'x'.repeat(2_000_000) }];
    expect(sumOf(inspection)).toBe(inspection.context.tokens.byKind.system);
  });

  it('name each built-in tool, and those of each MCP server', async () => {
    const inspection = await inspect(join(fixtures, 'claude-code-2.1.330/after-compaction.jsonl'));
    const labels = systemPieces(inspection).map(({ label }) => label);
    expect(labels).toContain('System prompt');
    expect(labels.filter((label) => /^Tool \w+$/.test(label)).length).toBeGreaterThan(3);
    expect(labels).toContain('Tool Bash');
  });
});
