import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../../extension/agents/vscode-chat/format/adapter';
import type { ParsedSession } from '../../../extension/sessions/session';
import { build } from '../../sessions/build';
import { picture, speakerAndLine } from '../../sessions/picture';
import { answered, asked, began, markdown, pending, push, set, thought, tool } from './records';

function chat(...records: readonly unknown[]): ParsedSession {
  return build(vscodeChat, records);
}

function seen(session: ParsedSession): string[] {
  return picture(session.conversation.agentContext);
}

/** The context of a chat with one request. */
function reply(response: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): string[] {
  return seen(chat(began([asked('q1', 'fix it', response, more)]))).slice(1);
}

describe('a VS Code chat response', () => {
  it('merges the pieces of a text into one reply', () => {
    const reference = { kind: 'inlineReference', name: 'a.ts', inlineReference: { path: '/src/a.ts' } };
    expect(reply([thought('hm'), markdown('I read '), reference, markdown(' first.')])).toEqual([
      'assistant: (hm) + I read `a.ts` first.',
    ]);
  });

  it('starts a new reply with text after a tool call', () => {
    const read = tool('c1', 'read', answered({ path: 'a' }, 'text of a'));
    expect(reply([markdown('Reading.'), read, markdown('It is broken.')])).toEqual([
      'assistant: Reading. + read c1',
      'tool: c1 → text of a',
      'assistant: It is broken.',
    ]);
  });

  it('shows edits, warnings and file trees as text, and counts other parts', () => {
    const session = chat(
      began([
        asked('q1', 'fix it', [
          markdown('Done.'),
          { kind: 'undoStop', id: 'u' },
          { kind: 'textEditGroup', uri: { path: '/src/a.ts', scheme: 'file' }, edits: [] },
          { kind: 'warning', content: { value: 'Check it.' } },
          { label: 'src', children: [{ label: 'a.ts' }] },
          { kind: 'command', command: { id: 'x', title: 'Open' } },
          markdown('Bye.'),
        ]),
      ]),
    );
    expect(seen(session)[1]).toBe('assistant: Done.\n\n[Edited /src/a.ts]\n\nCheck it.\n\nsrc\n  a.ts\n\nBye.');
    expect(session.otherRecords).toEqual({ undoStop: 1, command: 1 });
  });

  it('leaves out the parts of a subagent and keeps its result', () => {
    const subagent = { kind: 'subagent', agentName: 'Explore', prompt: 'look', result: 'Found it.' };
    const session = chat(
      began([
        asked('q1', 'fix it', [
          tool('c1', 'runSubagent', { toolSpecificData: subagent }),
          tool('c2', 'read', { subAgentInvocationId: 'c1' }),
        ]),
      ]),
    );
    expect(seen(session).slice(1)).toEqual(['assistant: runSubagent c1', 'tool: c1 → Found it.']);
    expect(session.otherRecords).toEqual({ 'subagent toolInvocationSerialized': 1 });
  });

  it('adds a notice to a cancelled or failed response of every version', () => {
    const cancelled = ['assistant: Well', 'injected: [This reply was cancelled.]'];
    expect(reply([markdown('Well')], { modelState: { value: 2 } })).toEqual(cancelled);
    expect(reply([markdown('Well')], { modelState: undefined, isCanceled: true })).toEqual(cancelled);
    expect(reply([markdown('Well')], { result: { errorDetails: { code: 'canceled' } } })).toEqual(cancelled);
    expect(reply([], { modelState: { value: 3 }, result: { errorDetails: { message: 'rate limited' } } })).toEqual([
      'injected: [This reply failed: rate limited]',
    ]);
  });
});

describe('a VS Code chat tool call', () => {
  const inputs = (part: unknown, metadata: unknown = {}) => {
    const { conversation } = chat(began([asked('q1', 'go', [part], { result: { metadata } })]));
    return conversation.entries.flatMap(({ parts }) => parts.flatMap((p) => (p.type === 'tool_call' ? [p.input] : [])));
  };

  it('reads the input from the data of each kind of tool', () => {
    const terminal = { kind: 'terminal', commandLine: { original: 'ls', userEdited: 'ls -l' } };
    expect(inputs(tool('c', 'run', { toolSpecificData: terminal }))).toEqual([{ command: 'ls -l' }]);
    expect(inputs(tool('c', 'run', { toolSpecificData: { kind: 'terminal', command: 'ls' } }))).toEqual([
      { command: 'ls' },
    ]);
    expect(inputs(tool('c', 'mcp', { toolSpecificData: { kind: 'input', rawInput: { q: 1 } } }))).toEqual([{ q: 1 }]);
    expect(inputs(tool('c', 'mcp', answered({ q: 2 }, 'x')))).toEqual([{ q: 2 }]);
    expect(inputs(tool('c', 'read'))).toEqual(['Running read']);
  });

  it('uses the recorded calls and results of the metadata', () => {
    const metadata = {
      toolCallRounds: [
        { toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }] },
        { toolCalls: [{ id: 'c2', name: 'read_file', arguments: 'no JSON' }] },
      ],
      toolCallResults: {
        c1: { content: [{ value: 'plain' }, { value: { node: { children: [{ text: 'tr' }, { text: 'ee' }] } } }] },
      },
    };
    const parts = [
      tool('c1__vscode-7', 'copilot_read'),
      tool('c2__vscode-8', 'copilot_read', { pastTenseMessage: 'Read b' }),
    ];
    expect(inputs(parts[0], metadata)).toEqual([{ path: 'a' }]);
    expect(inputs(parts[1], metadata)).toEqual(['no JSON']);
    expect(reply(parts, { result: { metadata } })).toEqual([
      'assistant: read_file c1__vscode-7',
      'tool: c1__vscode-7 → plain\ntree',
      'assistant: read_file c2__vscode-8',
      'tool: c2__vscode-8 → Read b\n[VS Code did not keep what this tool answered.]',
    ]);
  });

  it.each([
    ['a failure', { resultDetails: { input: '{}', output: [{ value: 'no' }], isError: true } }, 'no !'],
    ['several texts', answered({}, 'one', 'two'), 'one\ntwo'],
    ['a text from an older version', { resultDetails: { input: '{}', output: 'one' } }, 'one'],
    ['files', { resultDetails: [{ path: '/a' }, { uri: { path: '/b' }, range: { startLineNumber: 3 } }] }, '/a\n/b:3'],
    [
      'the output of a command',
      {
        toolSpecificData: {
          kind: 'terminal',
          terminalCommandOutput: { text: 'bad\r\n' },
          terminalCommandState: { exitCode: 2 },
        },
      },
      'bad\nExit code 2 !',
    ],
    [
      'a list of tasks',
      { toolSpecificData: { kind: 'todoList', todoList: [{ status: 'done', title: 'x' }] } },
      'done: x',
    ],
    ['a refusal', { isConfirmed: { type: 0 } }, 'The person did not let this tool run. !'],
    ['a refusal from an older version', { isConfirmed: false }, 'The person did not let this tool run. !'],
    ['nothing', {}, '[VS Code did not keep what this tool answered.]'],
  ])('shows a tool result with %s', (_what, more, text) => {
    expect(reply([tool('c1', 'read', more)])[1]).toBe(`tool: c1 → ${text}`);
  });

  it('shows an image result', () => {
    const output = { type: 'data', mimeType: 'image/png', base64Data: 'iVBO' };
    expect(reply([tool('c1', 'shot', { resultDetails: { output } })])[1]).toBe('tool: c1 → [image/png] + [image/png]');
  });

  it('leaves a running call without a result until the next prompt', () => {
    const running = asked(
      'q1',
      'fix it',
      [tool('c0', 'read', { pastTenseMessage: 'Read' }), markdown('Now'), tool('c1', 'run')],
      pending,
    );
    expect(seen(chat(began([running]))).slice(-1)).toEqual(['assistant: Now + run c1']);
    expect(seen(chat(began([running, asked('q2', 'well?', [], pending)]))).slice(-2)).toEqual([
      'tool: c1 → No result: the tool was interrupted before it answered. !',
      'user: well?',
    ]);
  });

  it('gives two calls with one id different ids', () => {
    const twice = reply([tool('c1', 'read', answered({}, 'a')), tool('c1', 'read', answered({}, 'b'))]);
    expect(twice).toEqual(['assistant: read c1 + read c1#2', 'tool: c1 → a', 'tool: c1#2 → b']);
  });
});

describe('a VS Code chat prompt', () => {
  it('names attachments with their location, and includes pasted text and images', () => {
    const variables = [
      {
        kind: 'file',
        name: 'a.ts',
        value: { uri: { path: '/src/a.ts' }, range: { startLineNumber: 3, endLineNumber: 7 } },
      },
      { kind: 'paste', name: 'Pasted', code: 'x = 1', value: 'x = 1' },
      { kind: 'image', name: 'shot', mimeType: 'image/png', value: { $base64: 'iVBO' } },
    ];
    expect(seen(chat(began([asked('q1', 'fix it', [], { variableData: { variables } })])))).toEqual([
      'user: fix it + Attached: a.ts (/src/a.ts:3-7)\nAttached: Pasted\nx = 1 + [image/png]',
    ]);
  });

  it('marks a prompt by VS Code as injected', () => {
    const session = chat(began([asked('q1', 'The command ended.', [markdown('ok')], { isSystemInitiated: true })]));
    expect(seen(session)).toEqual(['injected: The command ended.', 'assistant: ok']);
  });

  it('keeps a request that was taken back out of the context', () => {
    const session = chat(
      began([
        asked('q1', 'one', [markdown('1')]),
        asked('q2', 'two', [markdown('2')], { shouldBeRemovedOnSend: { requestId: 'q2' } }),
        asked('q3', 'three', [markdown('3')], { isHidden: true }),
        asked('q4', 'four', [markdown('4')], { shouldBeRemovedOnSend: { requestId: 'q4', afterUndoStop: 'u' } }),
      ]),
    );
    expect(seen(session)).toEqual(['user: one', 'assistant: 1', 'user: four', 'assistant: 4']);
    expect(session.conversation.entries).toHaveLength(8);
  });
});

describe('a VS Code chat', () => {
  it('gives each entry the line that last changed it', () => {
    const session = chat(
      began(),
      push(['requests'], [asked('q1', 'fix it', [], pending)]),
      push(['requests', 0, 'response'], [markdown('On '), tool('c1', 'read', answered({}, 'a'))]),
      push(['requests', 0, 'response'], [markdown('Done.')]),
      set(['requests', 0, 'response', 0, 'value'], 'Off '),
      set(['requests', 0, 'modelState'], { value: 2 }),
      set(['requests', 0, 'followups'], []),
    );
    expect(session.conversation.entries.map(speakerAndLine)).toEqual([
      'user 2',
      'assistant 5',
      'tool 3',
      'assistant 4',
      'injected 6',
    ]);
  });

  it('drops requests that a later prompt replaced', () => {
    const first = [asked('q1', 'one', [markdown('1')]), asked('q2', 'two', [markdown('2')])];
    const session = chat(began(first), push(['requests'], [asked('q3', 'other', [markdown('3')])], 1));
    expect(seen(session)).toEqual(['user: one', 'assistant: 1', 'user: other', 'assistant: 3']);
  });

  it('keeps entries that a change does not affect', () => {
    const builder = vscodeChat.createBuilder('chat.jsonl');
    const accept = (number: number, record: unknown) => builder.accept({ number, text: JSON.stringify(record) });
    accept(1, began([asked('q1', 'one', [markdown('1')]), asked('q2', 'two', [markdown('2')], pending)]));
    const before = builder.session().conversation.entries;
    accept(2, push(['requests', 1, 'response'], [tool('c1', 'read', answered({}, 'a')), markdown('more')]));
    const after = builder.session().conversation.entries;
    expect(after).toHaveLength(6);
    expect([0, 1, 2].map((index) => after[index] === before[index])).toEqual([true, true, true]);
    expect(after[3]).not.toBe(before[3]);
    expect(builder.session().conversation.entries[5]).toBe(after[5]);
  });

  it('takes its title from the custom title, otherwise from the first prompt', () => {
    expect(chat(began([asked('q1', '\nfix it\nnow')])).title).toBe('fix it');
    expect(chat(began([asked('q1', 'fix it')]), set(['customTitle'], 'Fixing')).title).toBe('Fixing');
    expect(chat(began()).title).toBeNull();
  });

  it('reads folder, model and context window', () => {
    const selectedModel = { identifier: 'copilot/gpt-5', metadata: { maxInputTokens: 128_000 } };
    const more = { workingDirectory: 'file:///home/anna/my%20app', inputState: { selectedModel } };
    expect(chat(began([asked('q1', 'hi')], more))).toMatchObject({
      cwd: '/home/anna/my app',
      model: 'copilot/gpt-5',
      contextWindow: 128_000,
    });
    const other = chat(
      began([asked('q1', 'hi', [], { modelId: 'other/m' })], { ...more, workingDirectory: 'ssh://x' }),
    );
    expect(other).toMatchObject({ cwd: null, model: 'other/m' });
    expect(other).not.toHaveProperty('contextWindow');
  });

  it('awaits a reply until the newest response is complete', () => {
    const waits = (more: Readonly<Record<string, unknown>>): boolean =>
      chat(began([asked('q0', 'x'), asked('q1', 'hi', [], more)])).awaitsReply;
    expect(
      [{ value: 0 }, { value: 4 }, { value: 1 }, { value: 2 }, { value: 3 }].map((modelState) => waits({ modelState })),
    ).toEqual([true, true, false, false, false]);
    expect(waits({ modelState: undefined })).toBe(true);
    expect(waits({ modelState: undefined, result: {} })).toBe(false);
  });

  it('assigns the reported usage to the newest reply without the output of earlier ones', () => {
    const usageOf = (response: readonly unknown[], more: object) =>
      chat(
        began([asked('q1', 'hi', response, { promptTokens: 900, completionTokens: 50, ...more })]),
      ).conversation.entries.map((entry) => (entry.usage ? [entry.usage.input, entry.usage.output] : null));
    const steps = [tool('c1', 'read', answered({}, 'a')), markdown('done')];
    expect(usageOf([markdown('hello')], {})).toEqual([null, [900, 50]]);
    expect(usageOf(steps, {})).toEqual([null, null, null, [900, 0]]);
    expect(usageOf(steps, { result: { metadata: { outputTokens: 7 } } })).toEqual([null, null, null, [900, 7]]);
    expect(usageOf([markdown('hello')], { promptTokens: 0 })).toEqual([null, null]);
  });

  it('reports the lines of invalid changes and shows the rest', () => {
    const session = chat(
      began([asked('q1', 'one', [markdown('1')])]),
      set(['requests', 7, 'response'], []),
      '{"kind":1,"k":["requests',
      push(['requests'], [asked('q2', 'two')]),
    );
    expect(session.issues.map((issue) => issue.line)).toEqual([2, 3]);
    expect(seen(session)).toEqual(['user: one', 'assistant: 1', 'user: two']);
  });
});
