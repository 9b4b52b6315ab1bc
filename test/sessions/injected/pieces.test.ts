import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesIn } from '../../../extension/sessions/injected/pieces';
import { agentTags } from '../../../extension/sessions/injected/tags';
import { workingFolderIn } from '../../../extension/sessions/injected/working-folder';

const split = (text: string, isBeginning = true) =>
  piecesIn(text, isBeginning).map(({ author, text }) => [author, text]);

const rules =
  'Contents of /work/CLAUDE.md (project instructions):\n\n- Never push.\n- Close `</system-reminder>` tags.';
const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;

describe('the pieces of a text in the role user', () => {
  it('the pieces of a text in the role user are the text', () => {
    const tag = fc.constantFrom(...agentTags.keys(), 'userRequest', 'task', 'p');
    const bit = fc.oneof(
      fc.constantFrom(
        '\n',
        ' ',
        'Fix it.',
        '# AGENTS.md instructions for /a',
        '[Request interrupted by user]',
        'CLAUDE.md',
      ),
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      tag.map((name) => `<${name}>\nsomething\n</${name}>`),
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), fc.boolean(), (bits, isBeginning) => {
        const text = bits.join('');
        expect(
          piecesIn(text, isBeginning)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('the pieces of a text in the role user are the person’s if no agent put anything in', () => {
    for (const text of [
      'Fix it.',
      'Why does <system-reminder> appear in my logs?\n<system-reminder>\nsee here\n</system-reminder>\nThat is what I see.',
      '<p>Make this bold.</p>',
      '<context>The server is down.</context> Why?',
      '[1] Result: what is it?',
      '',
    ]) {
      expect(split(text)).toEqual(text === '' ? [] : [['person', text]]);
    }
  });

  it('the pieces of a text in the role user are an extension’s if it hands a task to a copy of a session', () => {
    const task =
      'Task: [Read from: /app/plan.md]\n\nYou are a delegated subagent running from a fork of the parent session.';
    expect(split(task, false)).toEqual([['standing', task]]);
    expect(split(task, true)).toEqual([['person', task]]);
    expect(split('Task: fix the parser.', false)).toEqual([['person', 'Task: fix the parser.']]);
    const budget = 'Tool budget soft limit reached after 10 tool calls (soft 10, hard 15). Stop starting new work.';
    expect(split(budget, false)).toEqual([['passing', budget]]);
  });

  it('the pieces of a text in the role user are Claude Code’s reminders and the prompt, in one text or in two', () => {
    const [standing, prompt] = [reminder(rules), 'Fix the parser.'];
    expect(split(standing)).toEqual([['standing', standing]]);
    expect(split(`${standing}\n${prompt}`)).toEqual([
      ['standing', `${standing}\n`],
      ['person', prompt],
    ]);
    expect(split(`${prompt}\n\n${standing}`)).toEqual([
      ['person', `${prompt}\n\n`],
      ['standing', standing],
    ]);
  });

  it('the pieces of a text in the role user distinguish a standing reminder from a passing one', () => {
    const todo = reminder('The task tools haven’t been used recently.');
    const read = reminder('Called the Read tool with the following input: {"file_path":"/work/CLAUDE.md"}');
    const skills = reminder('The following skills are available: review.');
    expect(split(todo)).toEqual([['passing', todo]]);
    expect(split(read)).toEqual([['passing', read]]);
    expect(split(skills)).toEqual([['standing', skills]]);
    expect(split(skills, false)).toEqual([['passing', skills]]);
    expect(split(reminder(rules), false)).toEqual([['standing', reminder(rules)]]);
  });

  it('the pieces of a text in the role user leave the person what an agent passes on in a reminder', () => {
    const queued = reminder('The user sent the following message:\nUse tabs.');
    expect(split(queued, false)).toEqual([['person', queued]]);
  });

  it('the pieces of a text in the role user are commands and their output', () => {
    const command = '<command-name>/clear</command-name>\n  <command-message>clear</command-message>';
    expect(split(command).map(([author]) => author)).toEqual(['passing', 'passing']);
    expect(split('<local-command-stdout></local-command-stdout>').map(([author]) => author)).toEqual(['passing']);
    expect(split('[Request interrupted by user for tool use]')[0]?.[0]).toBe('passing');
  });

  it('the pieces of a text in the role user are Codex’s rules, environment and permissions', () => {
    for (const text of [
      '# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\n- Never push.\n</INSTRUCTIONS>',
      '<environment_context>\n  <cwd>/work</cwd>\n</environment_context>',
      '<user_instructions>\n\n- Never push.\n\n</user_instructions>',
      '<permissions instructions>\nAsk before writing.\n</permissions instructions>',
    ]) {
      expect(split(text)).toEqual([['standing', text]]);
    }
  });

  it('the pieces of a text in the role user are Cline’s task, and what it adds to each message', () => {
    const details = '<environment_details>\n# Current Working Directory (/work) Files\n</environment_details>';
    expect(split('<task>\nFix it.\n</task>')).toEqual([
      ['frame', '<task>\n'],
      ['person', 'Fix it.'],
      ['frame', '\n</task>'],
    ]);
    expect(split(details)).toEqual([['passing', details]]);
  });

  it('the pieces of a text in the role user are Copilot’s surroundings and the request', () => {
    const text =
      '<context>\nIt is noon.\n</context>\n<userRequest>\nFix it.\n</userRequest>\n<reminder>Be brief.</reminder>';
    expect(split(text)).toEqual([
      ['passing', '<context>\nIt is noon.\n</context>\n'],
      ['frame', '<userRequest>\n'],
      ['person', 'Fix it.'],
      ['frame', '\n</userRequest>'],
      ['passing', '\n<reminder>Be brief.</reminder>'],
    ]);
  });

  it('the pieces of a text in the role user are the summary that an agent continues with', () => {
    const text =
      'This session is being continued from a previous conversation that ran out of context. It was about tabs.';
    expect(split(text)).toEqual([['summary', text]]);
  });
});

describe('the folder that an agent works in', () => {
  it.each([
    ['# Environment\n - Primary working directory: /work/app\n - Platform: linux', '/work/app'],
    ['<env>\n  Working directory: /work/app\n</env>', '/work/app'],
    ['<environment_context>\n  <cwd>/work/app</cwd>\n</environment_context>', '/work/app'],
    ['# Current Working Directory (C:\\work\\app) Files\na.ts', 'C:\\work\\app'],
    ['I’m currently working in the directory: /work/app\nIts files:', '/work/app'],
    ['Current working directory: /work/app', '/work/app'],
    ['The working directory: see above.', null],
    ['', null],
  ])('the folder that an agent works in is read from %j', (text, folder) => {
    expect(workingFolderIn(text)).toBe(folder);
  });
});
