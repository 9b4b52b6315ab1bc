import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openInspection } from '../../extension/cli/opened';
import { recall } from '../../extension/cli/recall';
import { referenceOf } from '../../extension/engine/conversation/reference';
import { hybridStrategy } from '../../extension/engine/strategies/memory';
import { textOfEntry } from '../../extension/inspection/lookup/passages';
import { localEmbedder } from '../../extension/models/embeddings/local';
import { transparentSummarizer } from '../../extension/summarizers/transparent/transparent';
import { registered } from '../engine/memory/builders';

const fixture = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');

let folder = '';
let file = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-recall-'));
  file = join(folder, 'session.jsonl');
  await copyFile(fixture, file);
  const inspection = await openInspection(file, { journal: join(folder, 'journal') });
  const run = await inspection.prepare({
    strategy: registered(hybridStrategy),
    instructions: null,
    parameters: { hybrid: { keepRecentTokens: 2000, notesPerBlock: 16 } },
    tools: { summarizer: transparentSummarizer, model: null, embedder: localEmbedder },
    signal: new AbortController().signal,
  });
  await inspection.apply(run);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The output of a command for a session that was compacted with `hybrid`. */
async function printed(
  query: string | undefined,
  options: Partial<Parameters<typeof recall>[2]> = {},
): Promise<string> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    await recall(file, query, { journal: join(folder, 'journal'), ...options });
  } finally {
    spy.mockRestore();
  }
  return written.join('');
}

describe('strata recall', () => {
  it('prints matches of the query as lines', async () => {
    const hits = (await printed("Cannot find name 'settingsManager'")).trimEnd().split('\n');
    expect(hits).toHaveLength(10);
    expect(hits[0]).toContain('npx tsgo --noEmit');
    for (const line of hits)
      expect(line).toMatch(/^ {2}[nos]-[0-9a-f]{8} \d{4}-\d\d-\d\d \d\d:\d\d .*\[\d\.\d\d, \d+ tokens whole\]$/);
  });

  it('prints the messages that a reference of a block names', async () => {
    const { session } = await openInspection(file, { journal: join(folder, 'journal') });
    const [first] = session.conversation.entries.filter(({ role }) => role === 'user');
    if (first === undefined) return expect.fail();
    expect(await printed(undefined, { fetch: [referenceOf(first)] })).toBe(`${textOfEntry(first)}\n`);
    const [found] = JSON.parse(await printed(undefined, { fetch: [referenceOf(first)], json: true }));
    expect(found).toEqual({ kind: 'entry', id: first.id, role: 'user', text: textOfEntry(first) });
  });

  it('goes from a hit to its timeline and from there to the whole', async () => {
    const { hits } = JSON.parse(await printed('slash commands', { json: true }));
    const id = hits.find((hit: { kind: string }) => hit.kind === 'observation')?.id;
    const around = await printed(undefined, { timeline: id });
    expect(around).toContain(`> ${id}`);
    expect(around.trimEnd().split('\n').length).toBeLessThanOrEqual(7);
    const whole = await printed(undefined, { fetch: [id] });
    expect(whole).toContain(`${id} · `);
    expect(whole).toMatch(/^fact: /m);
  });

  it('refuses what it cannot do, and says why', async () => {
    await expect(printed(undefined)).rejects.toThrow('give exactly one of a query, --timeline and --fetch');
    await expect(printed('a', { fetch: ['b'] })).rejects.toThrow('give exactly one of');
    await expect(printed('  ')).rejects.toThrow('the query is empty');
    await expect(printed(undefined, { timeline: 'n-none' })).rejects.toThrow('no memory record with the id "n-none"');
    await expect(printed(undefined, { fetch: ['n-none'] })).rejects.toThrow('nothing with the id "n-none"');
  });

  it('says so when nothing is remembered', async () => {
    expect(await printed('anything', { journal: join(folder, 'other') })).toContain('has no memory records');
  });
});
