import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../../extension/engine/conversation/branch';
import { repeatsAfter, shareSpared } from '../../../../extension/evaluation/measure/replay/repeats';
import { behaviourOf, scoreOf } from '../../../../extension/evaluation/measure/replay/replay-report';
import { summarised } from '../../../builders/agent-compaction';
import { call, result, type Said, user } from '../../../builders/conversation';
import { replayReport } from '../../../builders/replay';

function reads(...paths: readonly string[]): Said[] {
  return paths.flatMap((path, at) => {
    const id = `${path}-${at}-${counter++}`;
    return [call(id, 'Read', { file_path: path }), result(id, `line one of ${path}\nline two of ${path}`)];
  });
}

let counter = 0;

function search(pattern: string, text: string): Said[] {
  const id = `${pattern}-${counter++}`;
  return [call(id, 'Grep', { pattern }), result(id, text)];
}

const files = Array.from({ length: 40 }, (_, at) => `/src/file-${at}.ts`);

function repeatsIn(before: readonly Said[], after: readonly Said[]) {
  const conversation = summarised([user('Go.'), ...before], 'A summary.', after);
  const branch = branchOf(conversation);
  return repeatsAfter(branch, branch.compactions[0]?.step ?? -1, () => 100);
}

describe('what an agent did again after a compaction', () => {
  it('is compared with points of the same session if it did not compact', () => {
    const found = repeatsIn(reads(...files), reads(...files.slice(30, 36), '/new-1.ts', '/new-2.ts'));
    expect(found?.repeats).toMatchObject({
      window: 8,
      after: { calls: 6, tokens: 600 },
      matched: { calls: 0, tokens: 0 },
    });
    expect(found?.repeats.points).toBeGreaterThan(0);
  });

  it('costs nothing if the agent repeats as much without a compaction', () => {
    const again = reads(...Array.from({ length: 10 }, () => files.slice(0, 12)).flat());
    const found = repeatsIn(again, reads(...files.slice(0, 12)));
    expect(found?.repeats.after.calls).toBe(12);
    expect(found?.repeats.matched.calls).toBe(12);
  });

  it('counts a search that was made before with the same result, and not one with another result', () => {
    const before = [...reads(...files), ...search('needle', 'found in a'), ...search('thread', 'found in b')];
    const after = [...search('needle', 'found in a'), ...search('thread', 'found in c'), ...reads('/x', '/y', '/z')];
    expect(repeatsIn(before, after)?.outputs.map(({ text }) => text)).toEqual(['found in a']);
  });

  it('is not measured without enough calls on either side', () => {
    expect(repeatsIn(reads(...files), reads('/a', '/b'))).toBeNull();
    expect(repeatsIn(reads('/a', '/b'), reads(...files))).toBeNull();
  });

  it('is spared if a context still has the lines', () => {
    const outputs = [{ tokens: 10, text: '  1→line one of the file\n  2→line two of the file\n}' }];
    expect(shareSpared(outputs, 'line one of the file\nsomething else')).toBe(0.5);
    expect(shareSpared(outputs, 'nothing of it')).toBe(0);
    expect(shareSpared([{ tokens: 1, text: '}' }], '}')).toBeNull();
  });
});

describe('the price of compactions in behaviour', () => {
  const scores = replayReport(6).boundaries.map(scoreOf);
  const again = {
    window: 5,
    after: { calls: 2, tokens: 500 },
    matched: { calls: 1, tokens: 100 },
    points: 3,
    spared: [{ way: 'ladder', share: 0.5, tokens: 1000 }],
  };

  it('is given for ten calls, with the number of projects', () => {
    const found = behaviourOf(scores.map((score) => (score.kind === 'agent' ? { ...score, again } : score)));
    expect(found).toMatchObject({
      compactions: 6,
      calls: { after: { mean: 4, tasks: 6 }, matched: { mean: 2 }, difference: { mean: 2, low: 2, high: 2 } },
      tokens: { difference: { mean: 800 } },
      spared: [{ way: 'ladder', estimate: { mean: 0.5 }, tokens: 1000 }],
    });
  });

  it('is not given if no compaction can be compared', () => {
    expect(behaviourOf(scores)).toBeNull();
  });
});
