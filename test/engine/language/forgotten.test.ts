import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { type Forgotten, forgottenOf } from '../../../extension/engine/language/forgotten';
import { forgottenPrompt } from '../../../extension/engine/prompts/forgotten-prompt';
import { summarised } from '../../builders/agent-compaction';
import { assistant, call, result, type Said, user } from '../../builders/conversation';

const goal = 'Make the importer read the customer files of the old shop.';
const rule = 'Never change the schema of the customers table.';
const finding = 'The root cause is that the parser takes a quoted comma for the end of a field.';
const request = 'Please add a test for quoted commas in street names too.';

const before: readonly Said[] = [
  user(`${goal} ${rule}`),
  call('a', 'read', { path: 'src/import/parser.ts' }, 'I am checking the parser because it may be wrong about commas.'),
  result('a', 'export function readRows() {}'),
  assistant(finding),
  user(request),
  call('b', 'bash', { command: 'npm test -- parser' }),
  result('b', 'FAIL test/parser.test.ts\nAssertionError: expected 2 rows to be 3 rows', true),
];

function forgottenIn({ entries, agentContext, agentCompactions: [compaction] }: Conversation): Forgotten[] {
  return forgottenOf(entries, new Set(compaction?.replacedEntryIds), agentContext);
}

function kindsAfter(summary: string, ...said: readonly Said[]): readonly string[] {
  return forgottenIn(summarised(before, summary, said)).map(({ kind, text }) => `${kind}: ${text}`);
}

describe('what a compaction of the agent forgot', () => {
  it('is what neither the summary nor anything after it says', () => {
    expect(kindsAfter('The work is about an importer.')).toEqual([
      `goal: ${goal}`,
      `rule: ${rule}`,
      `request: ${request}`,
      `finding: ${finding}`,
      'open: npm test -- parser',
    ]);
  });

  it('is nothing that the summary says in other words', () => {
    const summary = [
      'The importer has to read customer files of the old shop.',
      'The customers table schema is never to be changed.',
      'Cause: the parser takes a quoted comma as the end of the field.',
      'The person wants a test for quoted commas in the names of streets.',
      'npm test -- parser fails: expected 2 rows to be 3 rows.',
    ].join('\n');
    expect(kindsAfter(summary)).toEqual([]);
  });

  it('is kept only in words that do not turn it around', () => {
    const turned = kindsAfter('The schema of the customers table may be changed.');
    expect(turned).toContain(`rule: ${rule}`);
  });

  it('is nothing that was said again since, that a file says, or that was mended', () => {
    const again = kindsAfter(
      'About an importer.',
      user(`${rule} And go on.`),
      call('c', 'read'),
      result('c', `x\n${finding}`),
    );
    expect(again).not.toContain(`rule: ${rule}`);
    expect(again).not.toContain(`finding: ${finding}`);
    const mended = kindsAfter(
      'About an importer.',
      call('d', 'bash', { command: 'npm test -- parser' }),
      result('d', 'ok'),
    );
    expect(mended).not.toContain('open: npm test -- parser');
  });

  it('is nothing that the person took back since', () => {
    const back = kindsAfter('About an importer.', user('Forget the customers table, we now write to files instead.'));
    expect(back).not.toContain(`rule: ${rule}`);
  });

  it('is no remark beside a tool call and no pasted document', () => {
    expect(kindsAfter('About an importer.').join()).not.toContain('I am checking');
    const document = Array.from({ length: 30 }, (_, line) => `The module number ${line} exports a reader of orders.`);
    const pasted = [user(document.join('\n')), assistant('I read the plan.')];
    expect(forgottenIn(summarised(pasted, 'About modules.', []))).toEqual([]);
  });

  it('is told to the agent in quotations, each with who said it, and is then no longer forgotten', () => {
    const prompt = forgottenPrompt(forgottenIn(summarised(before, 'About an importer.', [])));
    expect(prompt).toContain(`Rules that I gave:\n- I said: “${rule}”`);
    expect(prompt).toContain(`What you found:\n- You said: “${finding}”`);
    expect(prompt).toContain(
      '- This command failed: `npm test -- parser` with “AssertionError: expected 2 rows to be 3 rows”',
    );
    expect(kindsAfter('About an importer.', user(prompt))).toEqual([]);
  });
});
