import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pageHtml } from '../../../extension/evaluation/page-html';
import { pageSource } from '../../../webview/page/page-source';
import { evaluationResults } from '../../builders/evaluation';
import { replayReport } from '../../builders/replay';

const results = evaluationResults({ tasks: 2, seeds: [1] });
const replay = replayReport(2);

/** The source from which the page reads its own data. */
async function sourceOf(change: Partial<Parameters<typeof pageHtml>[0]> = {}) {
  const html = await pageHtml({ script: '', style: '', results, replay, ...change });
  return pageSource(async (id) => {
    const packed = new RegExp(`id="${id}">([^<]*)<`).exec(html)?.[1];
    return packed === undefined ? null : gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
  });
}

describe('the dashboard as a page of its own', () => {
  it('computes its report from the results that it carries', async () => {
    const source = await sourceOf();
    const { report } = await source.read({ tasks: ['task-2'] });
    expect(report?.units).toEqual({ done: 24, of: 24 });
    expect(new Set(report?.points.map(({ task }) => task))).toEqual(new Set(['task-2']));
    expect(source.acts).toBeNull();
  });

  it('opens the probe of every point, with the contexts', async () => {
    const source = await sourceOf();
    const { report } = await source.read({});
    const probes = await Promise.all((report?.points ?? []).map(({ id }) => source.probe(id)));
    expect(probes.length).toBeGreaterThan(0);
    for (const probe of probes) {
      expect(probe.after.context?.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(probe.after.tokens);
    }
    await expect(source.probe('nowhere')).rejects.toThrow('nowhere');
  });

  it('shows no part of a context whose texts were not kept', async () => {
    const source = await sourceOf({ results: { ...results, texts: new Map([['system', 'You are an agent.']]) } });
    const { report } = await source.read({});
    const probe = await source.probe(report?.points[0]?.id ?? '');
    expect([probe.before.context, probe.after.context]).toEqual([null, null]);
  });

  it('keeps the texts of real sessions for the boundary that is opened', async () => {
    const source = await sourceOf();
    const { replay: view } = await source.read({});
    const [line] = view?.boundaries ?? [];
    expect(JSON.stringify(view)).not.toContain('namesHeld":[');
    const boundary = await source.replayBoundary(line?.id ?? '');
    expect(boundary).toEqual(replay.boundaries[0]);
    expect(line?.ways.map(({ namesHeld }) => namesHeld)).toEqual(
      boundary.ways.map(({ namesHeld }) => namesHeld.length),
    );
  });

  it('is empty without data, and says if the data cannot be used', async () => {
    const empty = await sourceOf({ results: null, replay: null });
    expect(await empty.read({})).toEqual({ source: '', report: null, replay: null });
    const broken = pageSource(async (id) => (id === 'strata-results' ? '{"kind":"unit"}\n' : null));
    await expect(broken.read({})).rejects.toThrow('results:1');
  });
});
