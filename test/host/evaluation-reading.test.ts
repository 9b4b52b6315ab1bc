import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationResults } from '../../extension/evaluation/measure/evaluation-results';
import type { ResultPlaces } from '../../extension/host/evaluation/reading/messages';
import { ResultsReader } from '../../extension/host/evaluation/reading/results-reader';
import { evaluationResults } from '../builders/evaluation';
import { replayReport } from '../builders/replay';

const folder = mkdtempSync(join(tmpdir(), 'strata-reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

const results = evaluationResults({ tasks: 2, seeds: [1] });
const replay = replayReport(2);

function linesOf({ header, texts, units }: EvaluationResults, count = units.length): string {
  const lines = [header, { kind: 'texts', texts: Object.fromEntries(texts) }, ...units.slice(0, count)];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const only = (places: Partial<ResultPlaces>): ResultPlaces => ({ results: null, replay: null, source: '', ...places });
let both: ResultPlaces;
let reader: ResultsReader;
beforeAll(() => {
  both = only({
    results: file('results.jsonl', linesOf(results)),
    replay: file('replay.json', JSON.stringify(replay)),
    source: 'here',
  });
  reader = new ResultsReader();
});

describe('results on disk', () => {
  it('results on disk are reported by the filter', async () => {
    const view = await reader.read(both, 'read-evaluation', { filter: { tasks: ['task-1'] } });
    expect(view.source).toBe('here');
    expect(view.report?.points.length).toBeGreaterThan(0);
    expect(new Set(view.report?.points.map(({ task }) => task))).toEqual(new Set(['task-1']));
    expect(view.replay?.boundaries).toHaveLength(replay.boundaries.length);
  });

  it('results on disk are null if there are no files', async () => {
    const view = await reader.read(only({}), 'read-evaluation', { filter: {} });
    expect(view).toEqual({ source: '', report: null, replay: null });
  });

  it('include the contexts of a point, with their texts', async () => {
    const { report } = await reader.read(both, 'read-evaluation', { filter: {} });
    const id = report?.points[0]?.id ?? '';
    const probe = await reader.read(both, 'read-probe', { id });
    expect(probe.point.id).toBe(id);
    expect(probe.before.context?.map(({ text }) => text)).toEqual(
      results.units[0]?.boundaries[0]?.before.context.map(([, key]) => results.texts.get(key)),
    );
  });

  it('include a boundary of a real session in full', async () => {
    const [boundary] = replay.boundaries;
    expect(await reader.read(both, 'read-replay-boundary', { id: boundary?.id ?? '' })).toEqual(boundary);
  });

  it('reject an unknown id', async () => {
    await expect(reader.read(both, 'read-probe', { id: 'nobody 1 none 1' })).rejects.toThrow(/"nobody 1 none 1"/);
    await expect(reader.read(only({}), 'read-replay-boundary', { id: 'x' })).rejects.toThrow(/"x"/);
  });

  it('results on disk are read again when the file changes', async () => {
    const path = file('growing.jsonl', linesOf(results, 1));
    const places = only({ results: path });
    const unitsDone = async () => (await reader.read(places, 'read-evaluation', { filter: {} })).report?.units.done;
    expect(await unitsDone()).toBe(1);
    appendFileSync(path, `${JSON.stringify(results.units[1])}\n`);
    expect(await unitsDone()).toBe(2);
  });

  it.each([
    ['an invalid line', () => `${linesOf(results, 1)}{"kind":"unit","task":7}\n`, /bad\.jsonl:4: .*not a valid result/],
    ['foreign content', () => '<html>\n</html>\n', /bad\.jsonl:1: .*not JSON/],
    ['nothing', () => '', /bad\.jsonl:1: this is not a results file/],
  ])('results on disk with %s are refused with file and line', async (_, content, message) => {
    const places = only({ results: file('bad.jsonl', content()) });
    await expect(reader.read(places, 'read-evaluation', { filter: {} })).rejects.toThrow(message);
  });

  it.each([
    ['cut short', () => JSON.stringify(replay).slice(0, -200), /bad\.json:1: this is not JSON/],
    ['of another kind', () => '{"name": "strata"}', /bad\.json: this is not a report of replayed sessions: at time/],
    ['with a number for a text', () => JSON.stringify({ ...replay, skipped: [{ file: 7 }] }), /at skipped\.0\.file/],
    ['with a broken line', () => '{\n"time": "\n"}', /bad\.json:2: this is not JSON/],
  ])('results on disk of sessions, %s, are refused with the position', async (_, content, message) => {
    const places = only({ replay: file('bad.json', content()) });
    await expect(reader.read(places, 'read-evaluation', { filter: {} })).rejects.toThrow(message);
  });

  it('results on disk that no longer exist are named', async () => {
    const places = only({ results: join(folder, 'gone.jsonl') });
    await expect(reader.read(places, 'read-evaluation', { filter: {} })).rejects.toThrow(/gone\.jsonl/);
  });
});

describe('an export', () => {
  const page = join(folder);
  beforeAll(() => {
    file('dashboard.js', 'void 0;');
    file('dashboard.css', 'p { color: red }');
  });
  const exported = async (format: 'html' | 'markdown' | 'csv', places = both) =>
    new TextDecoder().decode(await reader.read(places, 'export', { format, page }));

  it('an export to HTML contains both kinds of results', async () => {
    const html = await exported('html');
    expect(html).toContain('id="strata-results"');
    expect(html).toContain('id="strata-replay"');
  });

  it('an export to Markdown contains both kinds, and to CSV a line per point', async () => {
    const markdown = await exported('markdown');
    expect(markdown.match(/^# /gm)).toHaveLength(2);
    const boundaries = results.units.reduce((total, unit) => total + unit.boundaries.length, 0);
    expect((await exported('csv')).trimEnd().split('\n').length).toBeGreaterThanOrEqual(boundaries);
  });

  it('an export to CSV is refused without results of tasks, and any export without results', async () => {
    await expect(exported('csv', { ...both, results: null })).rejects.toThrow(/another format/);
    await expect(exported('html', only({}))).rejects.toThrow(/no results to export/);
  });
});
