import { describe, expect, it } from 'vitest';
import { collectArtifacts } from '../../../extension/engine/language/artifacts';
import { phraseMatcher, reportLoss } from '../../../extension/engine/language/loss-report';
import { assistant, call, result, talk, user } from '../../builders/conversation';
import { expectLinear } from '../../builders/linear';

describe('loss report', () => {
  it('counts the names it leaves out, and leaves out no error and no sentence of the user', () => {
    const many = Array.from({ length: 900 }, (_, at) => `partNumber${at}x`);
    const failures = Array.from({ length: 10 }, (_, at) => [
      call(`c${at}`, 'bash', { command: 'make' }),
      result(`c${at}`, `error: step ${at} broke`, true),
    ]).flat();
    const artifacts = collectArtifacts(
      talk(user('Never push to main. Use tabs here.'), failures, assistant(many.join(' '))).entries,
    );
    const { kept, lost, omitted } = reportLoss(artifacts, 'partNumber1x');
    const unlisted = (omitted?.kept ?? 0) + (omitted?.lost ?? 0);
    expect(kept.length + lost.length + unlisted).toBe(artifacts.length);
    expect(unlisted).toBe(600);
    expect(lost.filter(({ kind }) => kind === 'error')).toHaveLength(10);
    expect(lost.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['constraint', 'direction']));
  });

  it('loss report has no count if it leaves out nothing', () => {
    expect(reportLoss(collectArtifacts(talk(user('See run.ts')).entries), 'run.ts')).not.toHaveProperty('omitted');
  });
});

describe('phrase matching', () => {
  it('finds a file in a list of its folder', () => {
    const holds = phraseMatcher('Files: src/engine/{plan.ts,run.ts} docs/{cli.md}');
    for (const said of ['src/engine/plan.ts', 'engine/run.ts', 'run.ts', 'docs/cli.md']) expect(holds(said)).toBe(true);
    for (const said of ['src/run.ts', 'docs/plan.ts', 'src/engine/cli.md', 'lan.ts']) expect(holds(said)).toBe(false);
  });

  it('reads braces with prose or code as no list', () => {
    const holds = phraseMatcher('in src/{plan.ts, run.ts} and lib/{ if (a) run.ts }');
    expect(holds('src/run.ts')).toBe(false);
    expect(holds('lib/run.ts')).toBe(false);
  });

  it('finds only whole names, in any script', () => {
    expect(phraseMatcher('übergröße.ts')('größe.ts')).toBe(false);
    expect(phraseMatcher('src/größe.ts')('größe.ts')).toBe(true);
    expect(phraseMatcher('请修改config.ts文件')('config.ts')).toBe(true);
  });

  it('takes time linear in hostile braces', () => {
    expectLinear(25_000, (size) => phraseMatcher('/{'.repeat(size) + 'a'.repeat(2 * size))('src/run.ts'));
    expectLinear(125_000, (size) => phraseMatcher(`${'a'.repeat(size)}/{b}`)('src/run.ts'));
  });
});
