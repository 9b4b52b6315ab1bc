import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { build } from '../../sessions/build';
import { picture } from '../../sessions/picture';
import { answered, call, chained, type QwenRow, replied, result, said } from './rows';

const contextOf = (...rows: QwenRow[]) => picture(build(qwenCode, chained(...rows)).conversation.agentContext);

describe('text that a person typed in Qwen Code', () => {
  it.each([
    '<system-reminder>x</system-reminder>',
    '\n--- Content from referenced files --- is a line I see',
    '<qwen:user-prompt-submit-context>x</qwen:user-prompt-submit-context>',
  ])('text that a person typed in Qwen Code is theirs, though it looks like the program’s: %s', (prompt) => {
    const { conversation, title } = build(qwenCode, chained(said('q1', prompt)));
    expect(picture(conversation.agentContext)).toEqual([`user: ${prompt}`]);
    expect(conversation.agentContext[0]?.id).toBe('q1');
    expect(title).not.toBeNull();
  });

  it('separates the prompt from text that Qwen Code added before it', () => {
    const reminder = '<system-reminder>restored</system-reminder>';
    const typed = '<system-reminder>mine</system-reminder>';
    expect(contextOf(said('q1', reminder, typed))).toEqual([`injected: ${reminder}`, `user: ${typed}`]);
  });

  it('assigns rows by Qwen Code to no person', () => {
    const reminder = '<system-reminder>left</system-reminder>';
    const row = answered('r1', result('c1', 'done'), { text: reminder });
    expect(contextOf(said('q1', 'go'), replied('a1', call('c1')), row).at(-1)).toBe(`injected: ${reminder}`);
    expect(contextOf({ ...said('q1', reminder), provenance: undefined })).toEqual([`injected: ${reminder}`]);
  });
});
