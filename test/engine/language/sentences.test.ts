import { describe, expect, it } from 'vitest';
import { collectArtifacts } from '../../../extension/engine/language/artifacts';
import { reportLoss } from '../../../extension/engine/language/loss-report';
import { isConstraint, sentencesOf } from '../../../extension/engine/language/sentences';
import { talk, user } from '../../builders/conversation';
import { expectLinear } from '../../builders/linear';

describe('sentences of a text', () => {
  it('sentences of a text end with a full stop or a line, without code, tables and list marks', () => {
    const text = '- Keep it short. Then test.\n```\nconst x = 1;\n```\n| a | b |\n1. Ship it';
    expect(sentencesOf(text)).toEqual(['Keep it short.', 'Then test.', 'Ship it']);
  });

  it('lose no word of a long sentence', () => {
    const long = `${'and then we look at the next thing, '.repeat(30)}which must never write to the production bucket`;
    const found = sentencesOf(long);
    expect(found.every((sentence) => sentence.length <= 400)).toBe(true);
    expect(found.join(' ').replace(/\s+/g, ' ')).toBe(long);
    expect(found.some(isConstraint)).toBe(true);
  });

  it('sentences of a text end at Chinese and Japanese full stops', () => {
    expect(sentencesOf('不要修改公共接口。先写测试再写代码！')).toEqual(['不要修改公共接口。', '先写测试再写代码！']);
  });
});

describe('wrapped line', () => {
  it('continues in the next line', () => {
    const text =
      'Please never touch the folder with the generated parsers, because\nthe release job writes it anew. Ship it.';
    expect(sentencesOf(text)).toEqual([
      'Please never touch the folder with the generated parsers, because the release job writes it anew.',
      'Ship it.',
    ]);
  });

  it('wrapped line is a long line without an end that continues in lower case', () => {
    const apart = [
      'a short line of a list\nanother line of a list',
      `${'This sentence is long enough to have been wrapped by someone '.repeat(2)}here.\nand this is another`,
      'This line is long enough to have been wrapped by somebody, but\n- a list follows',
      'This line is long enough to have been wrapped by somebody, but\n\na paragraph follows',
    ];
    for (const text of apart) expect(sentencesOf(text)).toHaveLength(2);
  });

  it('loses no word, however many lines are wrapped', () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `and in step ${at} the reader looks at the very next file of the folder`,
    );
    expect(sentencesOf(lines.join('\n')).join(' ').replace(/\s+/g, ' ')).toBe(lines.join(' '));
  });
});

describe('pasted output', () => {
  it.each([
    "Error: ENOENT: no such file or directory, open '/srv/app/package.json'",
    'TypeError: must not be called without new',
    "code: 'ENOENT',",
    "path: '/srv/app/never/package.json'",
    'errno: -2,',
    'npm error command sh -c check must pass',
    'vite v8.0.0 building for production only',
    '> app@1.0.0 check',
    'HTTP/1.1 404 Not Found',
    '400 {"error":"must have a name"}',
    '{"type":"error","message":"You must never do this. Never."}',
    'at async onImport.tracePromise (node:internal/loader:547:26)',
    'src/run.ts:12:5 - error TS2307: Cannot find module',
    'src/run.ts(12,5): error TS2307: Cannot find module',
    '~/work/app (main)',
    '2026-01-02 10:11:12 the job must not run twice',
  ])('pasted output is no sentence: %s', (line) => {
    expect(sentencesOf(`Look at this.\n${line}\nIt came up today.`)).toEqual(['Look at this.', 'It came up today.']);
  });

  it.each([
    'In src/run.ts:12:5 we must never throw.',
    'Error messages must say the file.',
    'Never log a password: not even at debug level.',
    'The endpoint must answer {"ok": true} and nothing else.',
    'Use the folder /srv/app/data only.',
  ])('differs from a sentence about output: %s', (sentence) => {
    expect(sentencesOf(sentence)).toEqual([sentence]);
  });

  it.each([
    'a',
    'a.',
    '1:',
    '1',
    'at a:1',
    'Error',
    'Error: [',
    '{"',
    "'",
    '/a',
    'a\n',
    `${'word '.repeat(16)}\n`,
    '\n',
  ])(
    'is recognised in linear time: %j',
    (piece) => {
      for (const start of ['', 'at ', "a: '", '~/a/']) {
        expectLinear(5000, (size) => {
          expect(sentencesOf(start + piece.repeat(size)).length).toBeLessThan(90_000);
        });
      }
    },
    30_000,
  );

  it('ends where the brackets of a wrapped dump close', () => {
    const text = [
      'this results in',
      ' Error: 400 {"type":"error","error":{"message":"messages.6: `tool_use`',
      ' ids were found without `tool_result` blocks. Each',
      ' `tool_use` block must have a corresponding `tool_result` block in the next',
      ' message."}}',
      'how can we prevent it?',
    ].join('\n');
    expect(sentencesOf(text)).toEqual(['this results in', 'how can we prevent it?']);
  });

  it('includes the lines between pasted lines if most of the text is pasted', () => {
    const trace = [
      'it must work on Windows too:',
      "Error: ENOENT: no such file or directory, open 'C:/app/package.json'",
      'Require stack only',
      'at readFileSync (node:fs:443:20)',
      'at async run (node:internal/modules/run_main:98:5) {',
    ];
    expect(sentencesOf([...trace, '', 'never retry it'].join('\n'))).toEqual([
      'it must work on Windows too:',
      'never retry it',
    ]);
  });
});

describe('constraint', () => {
  it.each([
    'Tell me what you should never do.',
    'Add a flag, which should be off.',
    'Never change the public API.',
    'The files must not be larger than 1 MB.',
    'If you touch the parser, always run the tests.',
    'I do not want any new dependency.',
    'Bitte niemals auf main pushen.',
    'Die Tests dürfen nicht langsamer werden.',
    'N’utilisez jamais de variables globales.',
    '不要修改公共接口。',
    '既存のテストを変更しないでください。',
  ])('states a rule: %s', (sentence) => {
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
    'locations where those modules should go',
    'Propose how each of these should be named.',
  ])('constraint is no question, condition or report: %s', (sentence) => {
    expect(isConstraint(sentence)).toBe(false);
  });
});

describe('loss of names and numbers', () => {
  const said = (text: string) => collectArtifacts(talk(user(text)).entries);

  it('does not find a name within a longer name', () => {
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
