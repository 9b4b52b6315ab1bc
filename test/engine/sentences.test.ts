import { describe, expect, it } from 'vitest';
import { collectArtifacts } from '../../extension/engine/compaction/artifacts';
import { reportLoss } from '../../extension/engine/compaction/loss-report';
import { isConstraint, sentencesOf } from '../../extension/engine/compaction/sentences';
import { talk, user } from '../builders/conversation';

describe('the sentences of a text', () => {
  it('end with a full stop or a line, and leave out code, tables and list marks', () => {
    const text = '- Keep it short. Then test.\n```\nconst x = 1;\n```\n| a | b |\n1. Ship it';
    expect(sentencesOf(text)).toEqual(['Keep it short.', 'Then test.', 'Ship it']);
  });

  it('pass over no word of a long one', () => {
    const long = `${'and then we look at the next thing, '.repeat(30)}which must never write to the production bucket`;
    const found = sentencesOf(long);
    expect(found.every((sentence) => sentence.length <= 400)).toBe(true);
    expect(found.join(' ').replace(/\s+/g, ' ')).toBe(long);
    expect(found.some(isConstraint)).toBe(true);
  });

  it('end where Chinese and Japanese ones do', () => {
    expect(sentencesOf('不要修改公共接口。先写测试再写代码！')).toEqual(['不要修改公共接口。', '先写测试再写代码！']);
  });
});

describe('a constraint', () => {
  it.each([
    'Never change the public API.',
    'The files must not be larger than 1 MB.',
    'If you touch the parser, always run the tests.',
    'I do not want any new dependency.',
    'Bitte niemals auf main pushen.',
    'Die Tests dürfen nicht langsamer werden.',
    'N’utilisez jamais de variables globales.',
    '不要修改公共接口。',
    '既存のテストを変更しないでください。',
  ])('is what lays down a rule: %s', (sentence) => {
    expect(isConstraint(sentence)).toBe(true);
  });

  it.each([
    'Can we only do the parser?',
    'Should it never fail?',
    'Why must it be a class?"',
    'If we only did the parser, it would break.',
    'I can’t see the button.',
    'It only prints one line.',
    'Please look at the loader.',
  ])('is no question, no condition and no report: %s', (sentence) => {
    expect(isConstraint(sentence)).toBe(false);
  });
});

describe('the loss report', () => {
  const said = (text: string) => collectArtifacts(talk(user(text)).entries);

  it('does not take a part of a longer name for the name', () => {
    const report = reportLoss(said('Look at config.ts now.'), 'I read model-config.ts.');
    expect(report.lost.map(({ text }) => text)).toContain('config.ts');
    expect(reportLoss(said('Look at config.ts now.'), 'I read src/config.ts.').kept.map(({ text }) => text)).toContain(
      'config.ts',
    );
  });

  it('takes time linear in a long list of digits', () => {
    expect(said(Array.from({ length: 40_000 }, (_, index) => index % 10).join(','))).toBeDefined();
  });
});
