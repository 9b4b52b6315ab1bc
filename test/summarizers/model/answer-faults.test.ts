import { describe, expect, it } from 'vitest';
import { sections } from '../../../extension/engine/block/sections';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { promptFor } from '../../../extension/engine/prompts/summary-prompt';
import { answerFault } from '../../../extension/summarizers/model/answer-faults';
import { assistant, talk, user } from '../../builders/conversation';

const [asked = null, ...entries] = talk(
  user('Please fix the parser.'),
  assistant('I fixed parse() in src/parser.ts.'),
).entries;

const request: SummaryRequest = {
  summaryType: 'conversation',
  sections: sections.conversation,
  turns: [{ user: asked, userIsReplaced: false, entries, blocks: [] }],
  instructions: null,
  core: null,
  liveGoal: null,
  maxTokens: 500,
  countTokens: (text) => Math.ceil(text.length / 4),
};
const prompt = promptFor(request, { maxPromptTokens: 10_000 });

const faultOf = (answer: string) => answerFault(answer, prompt)?.text ?? null;

describe('the answer of a model', () => {
  it.each([
    ['tags', '<tool_call>\n{"name": "read", "arguments": {"path": "src/parser.ts"}}\n</tool_call>'],
    [
      'tags of Anthropic’s models',
      'Let me check.\n<function_calls>\n<invoke name="Read">\n</invoke>\n</function_calls>',
    ],
    ['a tag with its name', '<function=bash>\n<parameter=command>ls</parameter>\n</function>'],
    ['marks of a template', '[TOOL_CALLS] [{"name": "read"}]'],
    ['JSON', '```json\n{"tool_name": "read", "tool_input": {"path": "a.ts"}}\n```'],
    ['a list in JSON', '[{"name": "read", "arguments": {"path": "a.ts"}}]'],
  ])('is no summary if it calls a tool: by %s', (_how, answer) => {
    expect(faultOf(answer)).toBe('it calls a tool');
  });

  it('may mention such marks', () => {
    expect(faultOf('## Findings\n- The parser drops `<tool_call>` where a model writes calls as text.')).toBeNull();
    expect(faultOf('{"a": 1} is what parse() returns.')).toBeNull();
  });

  it('is not a summary if it repeats the task, its headings with their guides, or the record', () => {
    const [task = ''] = prompt.user.split('BEGIN QUOTATION');
    expect(faultOf(prompt.user)).toBe('it repeats what the model was asked');
    expect(faultOf(task)).toBe('it repeats what the model was asked');
    expect(faultOf(task.slice(task.indexOf('## Milestones'), task.indexOf('Keep:')))).toBe(
      'it repeats what the model was asked',
    );
    expect(faultOf('--- Operation 1 ---\nI fixed parse() in src/parser.ts.')).toBe(
      'it repeats what the model was asked',
    );
  });

  it('may repeat single lines of the task, and of what it was given', () => {
    const good =
      '## Milestones\n- I fixed parse() in src/parser.ts; the tests of the parser pass with `npm test`.\n- Nothing else was changed in the folder of the parser.';
    expect(faultOf(good)).toBeNull();
    expect(
      faultOf(`${good}\n- file paths, function names, variable names, commands and test names, spelled exactly`),
    ).toBeNull();
  });
});
