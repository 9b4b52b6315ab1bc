import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsUnusable } from '../../extension/evaluation/measure/evaluation-results';
import { reportOf } from '../../extension/evaluation/measure/make-report';
import { type PlayedUnit, playUnit } from '../../extension/evaluation/measure/play';
import { mergeResults } from '../../extension/evaluation/merge';
import { loadResults, ResultsFile, ResultsNotWritten } from '../../extension/evaluation/results-file';
import { runEvaluation } from '../../extension/evaluation/run-evaluation';
import { headerOf, playSettings, playTools } from '../builders/evaluation-play';
import { smallTask } from '../builders/evaluation-task';

const folder = mkdtempSync(join(tmpdir(), 'strata-evaluation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contenders = [
  { strategy: 'no-compaction', core: 'none' },
  { strategy: 'truncation', core: 'none' },
] as const;
const seeds = [1, 2];
const header = headerOf({ contenders, seeds }, 4);
const signal = new AbortController().signal;
const task = smallTask();
const play = (unit: Parameters<typeof playUnit>[0]) => playUnit(unit, task, playSettings, playTools(), signal);

let units: PlayedUnit[];
beforeAll(async () => {
  units = await Promise.all(
    seeds.flatMap((seed) => contenders.map((contender) => play({ task: task.name, seed, contender }))),
  );
});

async function fileWith(name: string, count: number): Promise<string> {
  const path = join(folder, name);
  const file = await ResultsFile.open(path, header);
  for (const unit of units.slice(0, count)) await file.append(unit);
  return path;
}

describe('a results file', () => {
  it('reads back what was written, with each context text stored once', async () => {
    const path = await fileWith('whole.jsonl', 4);
    const results = await loadResults(path);
    expect(results.units).toEqual(units.map(({ line }) => line));
    for (const { texts } of units) for (const [key, text] of texts) expect(results.texts.get(key)).toBe(text);
    const lines = readFileSync(path, 'utf8');
    const said = units[0]?.texts.values().next().value ?? '';
    expect(lines.split(JSON.stringify(said))).toHaveLength(2);
  });

  it('continues after the last complete line of a torn file and reports the tear', async () => {
    const whole = readFileSync(await fileWith('to-cut.jsonl', 2), 'utf8');
    const headerEnd = whole.indexOf('\n') + 1;
    for (const share of [0.2, 0.5, 0.8, 0.999]) {
      const path = join(folder, `cut-${share}.jsonl`);
      writeFileSync(path, whole.slice(0, headerEnd + Math.floor((whole.length - headerEnd) * share)));
      const outcome = await runEvaluation({ header, path, play, keepsContexts: true, concurrency: 1, signal });
      expect(outcome).toEqual({ done: 4, of: 4, wasTorn: true, failed: [], endedByBudget: false });
      expect((await loadResults(path)).units).toHaveLength(4);
    }
  });

  it('refuses a damaged line in the middle with file and line, and leaves the file unchanged', async () => {
    const path = await fileWith('damaged.jsonl', 2);
    const damaged = readFileSync(path, 'utf8').replace('"isTold":', '"isTold":"no" ,"was":');
    writeFileSync(path, damaged);
    await expect(loadResults(path)).rejects.toThrow(/damaged\.jsonl:3: .*isTold/);
    await expect(ResultsFile.open(path, header)).rejects.toThrow(ResultsUnusable);
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  });

  it('refuses results of other settings and names the settings', async () => {
    const path = await fileWith('other.jsonl', 1);
    await expect(ResultsFile.open(path, headerOf({ contenders, seeds, window: 8_000 }, 4))).rejects.toThrow(/window/);
    appendFileSync(path, 'torn');
    await expect(ResultsFile.open(path, headerOf({ contenders, seeds: [1] }, 2))).rejects.toThrow(/seeds/);
    expect(readFileSync(path, 'utf8')).toMatch(/torn$/);
  });

  it('refuses a foreign file and results of a newer Strata', async () => {
    const path = join(folder, 'foreign.jsonl');
    writeFileSync(path, '{"kind":"header"}\n');
    await expect(loadResults(path)).rejects.toThrow(/foreign\.jsonl:1/);
    writeFileSync(path, `${JSON.stringify({ ...header, version: 99 })}\n`);
    await expect(loadResults(path)).rejects.toThrow(/newer Strata/);
    await expect(loadResults(join(folder, 'missing.jsonl'))).rejects.toThrow(/there is no such file/);
  });

  it('names the file when the disk is full', async () => {
    const path = join(folder, 'full.jsonl');
    const file = await ResultsFile.open(path, header);
    rmSync(path);
    symlinkSync('/dev/full', path);
    await expect(file.append(units[0] as PlayedUnit)).rejects.toThrow(ResultsNotWritten);
    await expect(file.append(units[0] as PlayedUnit)).rejects.toThrow(/full\.jsonl/);
  });
});

describe('a run', () => {
  it('plays only the missing units', async () => {
    const path = await fileWith('go-on.jsonl', 3);
    const played: string[] = [];
    const counting: typeof play = (unit) => {
      played.push(`${unit.seed} ${unit.contender.strategy}`);
      return play(unit);
    };
    const outcome = await runEvaluation({ header, path, play: counting, keepsContexts: true, concurrency: 2, signal });
    expect([played, outcome.done]).toEqual([['2 truncation'], 4]);
  });

  it('keeps complete units and rejects when a run is cancelled', async () => {
    const path = join(folder, 'cancelled.jsonl');
    const cancel = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 2 && cancel.abort(new Error('enough'));
    await expect(
      runEvaluation({ header, path, play, keepsContexts: true, concurrency: 1, signal: cancel.signal, onProgress }),
    ).rejects.toThrow('enough');
    expect((await loadResults(path)).units).toHaveLength(2);
  });

  it('merges the shards of a run to the same results as the whole run', async () => {
    const shards = await Promise.all(
      [1, 2, 3].map(async (index) => {
        const path = join(folder, `shard-${index}.jsonl`);
        const part = { ...header, shard: { index, of: 3 } };
        await runEvaluation({ header: part, path, play, keepsContexts: true, concurrency: 1, signal });
        return { file: path, results: await loadResults(path) };
      }),
    );
    const merged = mergeResults(shards);
    expect(merged.units).toHaveLength(4);
    const whole = { header, units: units.map(({ line }) => line), texts: new Map() };
    const numbers = ({ cells, differences }: ReturnType<typeof reportOf>) => [cells, differences];
    expect(numbers(reportOf(merged))).toEqual(numbers(reportOf(whole)));
  });

  it('refuses to merge runs with other settings or conflicting units', async () => {
    const results = await loadResults(await fileWith('one.jsonl', 2));
    const other = { ...results, header: headerOf({ contenders, seeds, window: 9 }, 4) };
    expect(() =>
      mergeResults([
        { file: 'a', results },
        { file: 'b', results: other },
      ]),
    ).toThrow(/a and b come from different runs/);
    const [first, ...rest] = results.units;
    if (!first) throw new Error('there is no unit');
    const changed = { ...results, units: [{ ...first, boundaries: first.boundaries.slice(1) }, ...rest] };
    expect(() =>
      mergeResults([
        { file: 'a', results },
        { file: 'b', results: changed },
      ]),
    ).toThrow(/have different results/);
  });

  it('marks the report of an incomplete run and counts only its finished units', async () => {
    const report = reportOf(await loadResults(await fileWith('incomplete.jsonl', 3)));
    expect(report.units).toEqual({ done: 3, of: 4 });
    const survival = report.cells.find(
      ({ contender, metric, compaction }) =>
        contender === 'truncation' && metric === 'goal-survival' && compaction === null,
    );
    expect(survival?.estimate).toMatchObject({ count: 4, tasks: 1 });
  });
});

describe('results that were edited by hand', () => {
  async function lines(): Promise<string[]> {
    const text = readFileSync(await fileWith('by-hand.jsonl', 2), 'utf8');
    rmSync(join(folder, 'by-hand.jsonl'));
    return text.trimEnd().split('\n');
  }

  async function refused(change: (lines: string[]) => string[]): Promise<string> {
    const path = join(folder, 'changed.jsonl');
    writeFileSync(path, `${change(await lines()).join('\n')}\n`);
    return await loadResults(path).then(
      () => '',
      (error: unknown) => String(error),
    );
  }

  it('refuses a second header, a unit of another run, conflicting copies of a unit, and impossible numbers', async () => {
    const twice = (line: string) => line.replace('"turns":10', '"turns":11');
    expect(await refused((all) => [...all, all[0] ?? ''])).toMatch(/changed\.jsonl:\d+: there is a second header/);
    expect(await refused((all) => all.map((line) => line.replace('"seed":1,', '"seed":7,')))).toMatch(
      /does not belong to this run/,
    );
    expect(await refused((all) => [...all, twice(all.at(-1) ?? '')])).toMatch(/occurs twice with different results/);
    expect(await refused((all) => all.map((line) => line.replace('"compaction":1', '"compaction":2')))).toMatch(
      /other compactions/,
    );
    expect(await refused((all) => all.map((line) => line.replace(/"tokensSaid":\d+/, '"tokensSaid":0')))).toMatch(
      /tokensSaid/,
    );
    expect(await refused((all) => all.map((line) => line.replace(/"held":\d+/, '"held":99')))).toMatch(/more is held/);
  });

  it('accepts an identical duplicate of a line', async () => {
    expect(await refused((all) => [...all, all.at(-1) ?? ''])).toBe('');
  });
});

describe('a file that is not a results file', () => {
  it('a file that is not a results file is never overwritten', async () => {
    const path = join(folder, 'mine.jsonl');
    writeFileSync(path, 'my notes, without a line break');
    await expect(ResultsFile.open(path, header)).rejects.toThrow(ResultsUnusable);
    expect(readFileSync(path, 'utf8')).toBe('my notes, without a line break');
  });

  it('refuses to append when another process wrote to the file', async () => {
    const path = join(folder, 'two.jsonl');
    const [one, other] = [await ResultsFile.open(path, header), await ResultsFile.open(path, header)];
    await one.append(units[0] as PlayedUnit);
    await expect(other.append(units[1] as PlayedUnit)).rejects.toThrow(/another process is writing/);
    expect((await loadResults(path)).units).toHaveLength(1);
  });
});
