import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sections } from '../../../extension/engine/block/sections';
import { cleanAnswer } from '../../../extension/summarizers/model/clean-answer';

const { toolCallBatch, conversation } = sections;

function clean(...lines: string[]): string {
  return cleanAnswer(lines.join('\n'), toolCallBatch);
}

const plain = '## Strategy\nI read first.\n\n## Status\nCOMPLETE It works.';

describe('the answer of a model', () => {
  it('a correct answer stays unchanged', () => {
    expect(clean(plain)).toBe(plain);
  });

  it.each([
    ['a tag', `[SUMMARIZED]\n${plain}`],
    ['a tag of another kind', `[GOAL BATCH]: ${plain}`],
    ['a code fence', `\`\`\`markdown\n${plain}\n\`\`\``],
    ['a code fence that was cut off', `\`\`\`\n${plain}`],
    ['reasoning', `<think>\n## Strategy\nHm.\n</think>\n${plain}`],
    ['reasoning after some words', `Sure.\n<think>\n## Strategy\nHm.\n</think>\n${plain}`],
    ['reasoning at the end', `${plain}\n<think>\nIs that all?`],
    ['reasoning whose tag the template opened', `Hm, let me see.</think>\n\n${plain}`],
    ['a preamble', `Sure! Here is the summary you asked for:\n\n${plain}`],
    ['an analysis and a tag of its own', `<analysis>\n## Strategy\nHm.\n</analysis>\n<summary>\n${plain}\n</summary>`],
    ['an opening tag alone', `<summary>\n${plain}`],
    ['role labels', `[assistant]: ${plain.replace('I read', 'Assistant: I read')}`],
    ['an offer of help', `${plain}\n\nLet me know if you need anything else!`],
    ['an apology before it', `I apologize for the delay. Here it is:\n\n${plain}`],
    ['an apology after it', `${plain}\n\nI apologize for any confusion.`],
    ['Windows line breaks', plain.replaceAll('\n', '\r\n')],
  ])('loses %s around it', (_, answer) => {
    expect(clean(answer)).toBe(plain);
  });

  it.each([
    ['# Strategy', '# Status'],
    ['### Strategy', '#### Status ####'],
    ['**Strategy**', '**Status**'],
    ['**Strategy:**', '__Status__:'],
    ['Strategy:', 'Status'],
    ['## 1. Strategy', '2. **Status**'],
    ['## STRATEGY', '## **status**'],
    ['> ## Strategy', '> ## Status'],
  ])('the answer of a model has its headings put right: %s, %s', (first, second) => {
    expect(clean(first, 'I read first.', second, 'COMPLETE It works.')).toBe(plain);
  });

  it('the answer of a model has a heading put on a line of its own', () => {
    expect(clean('**Strategy:** I read first.', '## Status: COMPLETE It works.')).toBe(plain);
  });

  it('knows "and" for "&"', () => {
    expect(cleanAnswer('## Attempted and Abandoned\nI tried X — abandoned because Y.', conversation)).toBe(
      '## Attempted & Abandoned\nI tried X — abandoned because Y.',
    );
  });

  it('leaves sections out in which it says nothing', () => {
    expect(
      clean(
        '## Strategy',
        'I read first.',
        '## Dead Ends',
        'None.',
        '## Discoveries',
        '- (none)',
        '## What Worked',
        '## Status',
        'COMPLETE It works.',
      ),
    ).toBe(plain);
  });

  it('has its sections put in order, and a section that comes twice put into one', () => {
    expect(clean('## Status', 'COMPLETE It works.', '## Strategy', 'I read.', '## Status', 'I am done.')).toBe(
      '## Strategy\nI read.\n\n## Status\nCOMPLETE It works.\nI am done.',
    );
  });

  it('with the sections of another kind of block has each put where this one has the same', () => {
    const other = [
      ...['## Milestones', 'I fixed it.', '## Key Decisions', 'TOML because it is read by hand.'],
      ...['## Findings', 'The cache was stale.', '## Attempted & Abandoned', 'I tried X — abandoned because Y.'],
      ...['## Current State', 'PARTIAL The tests are left.'],
    ];
    expect(clean(...other)).toBe(
      [
        '## Discoveries\n**Key Decisions**\nTOML because it is read by hand.\nThe cache was stale.',
        '## Dead Ends\nI tried X — abandoned because Y.',
        '## What Worked\nI fixed it.',
        '## Status\nPARTIAL The tests are left.',
      ].join('\n\n'),
    );
  });

  it('has other titles of a section put right, and no title within one', () => {
    const text = [
      '## Files',
      'src/a.ts',
      '## Summary',
      'I read.',
      '### Root Cause',
      'A stale cache.',
      '**Rules**',
      'None.',
    ];
    expect(clean(...text)).toBe(
      '## Strategy\nI read.\n**Root Cause**\nA stale cache.\n**Rules**\nNone.\n\n## Critical Artifacts\nsrc/a.ts',
    );
  });

  it('has text under an unknown heading put below its title among the findings', () => {
    expect(clean('## Strategy', 'I read the file before I changed it.', '## Caveats', 'The API is slow.')).toBe(
      '## Strategy\nI read the file before I changed it.\n\n## Discoveries\n**Caveats**\nThe API is slow.',
    );
  });

  it('an answer that is mostly under unknown headings keeps them, so that it is rejected', () => {
    const text = '## Strategy\nI read.\n\n## Recommendations\nAdd more tests to every module.';
    expect(clean(text)).toBe(text);
  });

  it('keeps deeper headings of other names as text', () => {
    expect(clean('## Strategy', 'I read first.', '### Details', 'Many.')).toBe(
      '## Strategy\nI read first.\n**Details**\nMany.',
    );
  });

  it('keeps what looks like a heading in code', () => {
    const code = ['## Discoveries', '```sh', '# Status', 'make', '```'];
    expect(clean(...code)).toBe(code.join('\n'));
  });

  it('keeps code at its end', () => {
    const code = '```js\nlet a = 1;\n```\n## Strategy\nI read.\n```js\nlet b = 2;\n```';
    expect(cleanAnswer(code, [])).toBe(code);
  });

  it('keeps the lines of operations unchanged', () => {
    const line = '**read** | Inputs: src/a.ts | Outcome: success, 40 lines';
    expect(clean('## Operations', line)).toBe(`## Operations\n${line}`);
  });

  it('the answer of a model without any section is left to be judged', () => {
    expect(clean('It went well.')).toBe('It went well.');
    expect(clean('')).toBe('');
  });

  it('the answer of a model in running text loses its preamble and nothing else', () => {
    expect(cleanAnswer('Here is a summary:\n\nI read src/a.ts.\n## Notes\nNone.', [])).toBe(
      'I read src/a.ts.\n## Notes\nNone.',
    );
  });

  it('never speaks in the marks of a chat template, nor as the core', () => {
    const body = clean('## Strategy', 'Then <|im_end|>', 'PROTECTED CORE (authoritative)', '[GOAL BATCH]');
    expect(body).toBe('## Strategy\nThen ‹|im_end|›\n> PROTECTED CORE (authoritative)\n> [GOAL BATCH]');
  });

  it('comes out the same when it is cleaned twice', () => {
    const line = fc.constantFrom(
      '## Strategy',
      '**Status:** COMPLETE',
      '### Other',
      'None',
      '```',
      '[SUMMARIZED]',
      'I found src/a.ts.',
      '<think>',
      '</think>',
      '',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const once = clean(...lines.filter((text) => !/think|^```/.test(text)));
        expect(clean(once)).toBe(once);
      }),
    );
  });
});
