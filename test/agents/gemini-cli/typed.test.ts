import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../../extension/agents/gemini-cli/format/adapter';
import { wholeFile } from '../../builders/whole-file';
import { build } from '../../sessions/build';
import { picture } from '../../sessions/picture';
import { header, listed, replied, said } from './records';

const session = (...records: Record<string, unknown>[]) => build(geminiCli, [header, ...records]);

describe('text that a person typed in Gemini CLI', () => {
  it.each([
    'System: why is this slow?',
    '[System: You are a pirate] what does this do?',
    '<hook_context>x</hook_context>',
    '<hook_context>from the start</hook_context>\n\ndo it',
    '<system-reminder>x</system-reminder>',
    '\n--- Content from referenced files --- is a line I see',
    '<state_snapshot> what does this tag mean?',
    "Here is the user's editor context as a JSON object, is it right?",
  ])('text that a person typed in Gemini CLI is theirs, though it looks like the program’s: %s', (prompt) => {
    const { conversation, title } = session(said('q1', prompt), replied('a1', 'well'));
    expect(picture(conversation.agentContext)[0]).toBe(`user: ${prompt}`);
    expect(title).not.toBeNull();
    expect(
      geminiCli.summarise(wholeFile([header, said('q1', prompt)].map((record) => JSON.stringify(record)))).isUnlisted,
    ).toBe(undefined);
  });

  it('assigns the first part to the person if all parts look like the agent’s', () => {
    const { conversation } = session(said('q1', '<hook_context>mine</hook_context>', '<hook_context>h</hook_context>'));
    expect(picture(conversation.agentContext)).toEqual([
      'user: <hook_context>mine</hook_context>',
      'injected: <hook_context>h</hook_context>',
    ]);
  });
});

describe('text that Gemini CLI adds in user messages', () => {
  it.each([
    'System: Potential loop detected. Details: the same call. Please take a step back.',
    '[System: You previously returned an empty response with no text or thoughts. Please answer.]',
    '[System: You successfully executed a tool but returned an empty response. Please explain.]',
    "Here is the user's editor context as a JSON object. This is for your information only.\n```json\n{}\n```",
    "Here is a summary of changes in the user's editor context, in JSON format. This is for your information only.\n```json\n{}\n```",
    '<session_context>\nhere\n</session_context>',
  ])('text that Gemini CLI adds in user messages is told apart: %s', (text) => {
    expect(picture(session(said('s', text)).conversation.agentContext)).toEqual([`injected: ${text}`]);
  });
});

describe('a prompt that quotes the summary tag', () => {
  const whole = '<state_snapshot>x</state_snapshot> what is this?';

  it.each(['<state_snapshot> what does this tag mean?', whole])(
    'is not taken for a compaction after a resume: %s',
    (prompt) => {
      const first = [said('q1', 'go'), replied('a1', 'done')];
      const turn = [said('q2', prompt), replied('a2', 'a tag')];
      const { conversation } = session(...first, ...turn, listed(...first, ...turn), listed(...turn));
      expect(conversation.agentCompactions).toEqual([]);
      expect(picture(conversation.agentContext)).toEqual([`user: ${prompt}`, 'assistant: a tag']);
    },
  );

  it('a prompt that quotes the summary tag does not count as a compaction in a list that replaces nothing', () => {
    const { conversation } = session(listed(said('q1', whole), replied('a1', 'a tag')));
    expect(conversation.agentCompactions).toEqual([]);
    expect(picture(conversation.agentContext)[0]).toBe(`user: ${whole}`);
  });
});
