import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../builders/in-english';
import { claudeSession } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import {
  answered,
  attached,
  call,
  chained,
  compacted,
  noted,
  type Row,
  replied,
  repliedOn,
  said,
  text,
  thinking,
} from './rows';

/*
 * The expected contexts come from version 2.1.330: it resumed files with such rows, and its requests were read. Two
 * things differ on purpose. Words that a person typed while it works are sent in a system message, and are shown as the
 * person's here. Results that version 2.1.14 cleared are shown as cleared, although 2.1.330 sends them in full when it
 * resumes such a file.
 */

function contextOf(...rows: Row[]): string[] {
  const { conversation } = claudeSession(chained(...rows));
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  return picture(conversation.agentContext);
}

describe('branches', () => {
  const rewound = chained(
    said('q1', 'first'),
    replied('a1', [text('one')]),
    said('q2', 'left behind'),
    replied('a2', [text('two')]),
  );

  it('sends the branch of the newest row, and keeps the other among the entries', () => {
    const rows = [...rewound, ...chained(said('q3', 'instead'), replied('a3', [text('three')]))];
    Object.assign(rows[4] ?? {}, { parentUuid: 'a1' });
    const { entries, agentContext } = claudeSession(rows).conversation;
    expect(picture(agentContext)).toEqual(['user: first', 'assistant: one', 'user: instead', 'assistant: three']);
    expect(picture(entries)).toContain('user: left behind');
  });

  it('the branch is not led astray by rows of a subagent', () => {
    const rows = contextOf(
      said('q1', 'first'),
      replied('a1', [text('one')]),
      said('s1', 'of a subagent', { isSidechain: true, parentUuid: null }),
      replied('s2', [text('its reply')], { isSidechain: true, parentUuid: 's1' }),
    );
    expect(rows).toEqual(['user: first', 'assistant: one']);
  });

  it('continues after a row that cannot be read', () => {
    const [first, , third, fourth] = rewound;
    const { conversation, issues } = claudeSession([first, '{"broken": tru', third, fourth]);
    expect(picture(conversation.agentContext)).toEqual(['user: first', 'user: left behind', 'assistant: two']);
    expect(issues.map((issue) => issue.line)).toEqual([2]);
  });
});

describe('replies', () => {
  it('leaves out a call without a result once work went on', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [call('c1')]),
        repliedOn('a2', 'a1', [call('c2')]),
        answered('r1', 'c1', 'done', { parentUuid: 'a1' }),
        said('q2', 'next'),
        replied('a3', [text('fine')]),
      ),
    ).toEqual(['user: go', 'assistant: Bash c1', 'tool: c1 → done', 'user: next', 'assistant: fine']);
  });

  it('keeps the calls of the newest reply, which may be running', () => {
    expect(contextOf(said('q1', 'go'), replied('a1', [call('c1'), call('c2')]), answered('r1', 'c1', 'done'))).toEqual([
      'user: go',
      'assistant: Bash c1 + Bash c2',
      'tool: c1 → done',
    ]);
  });

  it('finds a result that came after the next prompt', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [call('c1')]),
        said('q2', 'more'),
        answered('r1', 'c1', 'late'),
        replied('a2', [text('ok')]),
      ),
    ).toEqual(['user: go', 'assistant: Bash c1', 'tool: c1 → late', 'user: more', 'assistant: ok']);
  });

  it('sends one result for a call that was answered twice', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [call('c1')]),
        answered('r1', 'c1', 'one'),
        answered('r2', 'c1', 'two'),
      ),
    ).toEqual(['user: go', 'assistant: Bash c1', 'tool: c1 → one']);
  });

  it('sends a call once whose id was used before, as Claude Code does', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [text('first'), call('c1')]),
        answered('r1', 'c1', 'one'),
        replied('a2', [text('second'), call('c1')]),
        answered('r2', 'c1', 'two'),
        replied('a3', [call('c1')]),
        answered('r3', 'c1', 'three'),
        replied('a4', [text('done')]),
      ),
    ).toEqual([
      'user: go',
      'assistant: first + Bash c1',
      'tool: c1 → one',
      'assistant: second',
      'injected: (no content)',
      'assistant: [Tool use interrupted]',
      'injected: (no content)',
      'assistant: done',
    ]);
  });

  it('gives the result to the call before it if an earlier call of that id was left without one', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [text('first'), call('c1')]),
        said('q2', 'stop'),
        replied('a2', [text('second'), call('c1')]),
        answered('r2', 'c1', 'two'),
        replied('a3', [text('done')]),
      ),
    ).toEqual([
      'user: go',
      'assistant: first',
      'user: stop',
      'assistant: second + Bash c1',
      'tool: c1 → two',
      'assistant: done',
    ]);
  });

  it('sends the result of the branch that went on', () => {
    const rows = chained(said('q1', 'go'), replied('a1', [call('c1')]), answered('r1', 'c1', 'left behind'));
    const other = chained(answered('r2', 'c1', 'in force'), replied('a2', [text('ok')]));
    Object.assign(other[0] ?? {}, { parentUuid: 'a1' });
    expect(picture(claudeSession([...rows, ...other]).conversation.agentContext)).toEqual([
      'user: go',
      'assistant: Bash c1',
      'tool: c1 → in force',
      'assistant: ok',
    ]);
  });

  it('lists no compaction of a branch that was left', () => {
    const rows = chained(
      said('q1', 'go'),
      replied('a1', [text('one')]),
      compacted('cut', 'a1', {}),
      said('s1', 'summary', { isCompactSummary: true }),
    );
    const other = chained(said('q2', 'instead'));
    Object.assign(other[0] ?? {}, { parentUuid: 'a1' });
    expect(claudeSession(rows).conversation.agentCompactions.map(({ id }) => id)).toEqual(['cut']);
    expect(claudeSession([...rows, ...other]).conversation.agentCompactions).toEqual([]);
  });

  it('leaves out what says nothing: errors of the API, empty replies, reasoning alone', () => {
    expect(
      contextOf(
        said('q1', 'one'),
        replied('a1', [text('API Error: 500')], { isApiErrorMessage: true }),
        said('q2', 'two'),
        replied('a2', [thinking('hm')]),
        said('q3', 'three'),
        replied('a3', [text('  ')]),
        said('q4', 'four'),
        replied('a4', [thinking('well'), text('answer')]),
      ),
    ).toEqual(['user: one', 'user: two', 'user: three', 'user: four', 'assistant: (well) + answer']);
  });

  it('sends replies that Claude Code wrote itself, unless they are errors', () => {
    const synthetic = replied('a1', [text('No response requested.')], {});
    Object.assign(synthetic.message ?? {}, { model: '<synthetic>', usage: { input_tokens: 0 } });
    const { conversation, model } = claudeSession(chained(said('q1', 'go'), synthetic));
    expect(picture(conversation.agentContext)).toEqual(['user: go', 'injected: No response requested.']);
    expect(conversation.entries[1]).not.toHaveProperty('usage');
    expect(conversation.entries[1]).toHaveProperty('injected', true);
    expect(model).toBeNull();
  });

  it('takes the usage from the last row of a reply', () => {
    const usage = (output: number): Row => ({ input_tokens: 10, output_tokens: output, cache_read_input_tokens: 5 });
    const first = replied('a1', [thinking('hm')]);
    const last = repliedOn('a2', 'a1', [text('done')]);
    Object.assign(first.message ?? {}, { usage: usage(1) });
    Object.assign(last.message ?? {}, { usage: usage(42) });
    const { entries } = claudeSession(chained(said('q1', 'go'), first, last)).conversation;
    expect(entries[1]).toMatchObject({ id: 'a1', usage: { input: 10, output: 42, cacheRead: 5, cacheWrite: 0 } });
    expect(entries).toHaveLength(2);
  });
});

describe('what Claude Code adds', () => {
  it('sends attachments before the prompt they came with and notes after it', () => {
    expect(
      contextOf(
        said('q1', 'first'),
        attached('u1', 'user', 'a file'),
        attached('s1', 'system', 'the date'),
        replied('a1', [text('API Error')], { isApiErrorMessage: true }),
        said('q2', 'again'),
        attached('u2', 'user', 'another file'),
        attached('s2', 'system', 'the model'),
        replied('a2', [text('ok')]),
      ),
    ).toEqual([
      'injected: <system-reminder>\na file\n</system-reminder>',
      'user: first',
      // It is not moved across the error, although the error is not sent.
      'injected: <system-reminder>\nanother file\n</system-reminder>',
      'user: again',
      'system: the date',
      'system: the model',
      'assistant: ok',
    ]);
  });

  it('sends results before what was attached to them', () => {
    expect(
      contextOf(
        said('q1', 'go'),
        replied('a1', [call('c1')]),
        attached('u1', 'user', 'a reminder'),
        attached('s1', 'system', 'a note'),
        answered('r1', 'c1', 'done'),
        replied('a2', [text('ok')]),
      ).slice(2),
    ).toEqual([
      'tool: c1 → done',
      'injected: <system-reminder>\na reminder\n</system-reminder>',
      'system: a note',
      'assistant: ok',
    ]);
  });

  it('shows commands and their output as injected', () => {
    expect(
      contextOf(
        said('m1', '<local-command-caveat>…</local-command-caveat>', { isMeta: true }),
        said('m2', '<command-name>/cost</command-name>'),
        noted('m3', 'local_command', { content: '<local-command-stdout>$1</local-command-stdout>' }),
        noted('m4', 'informational', { content: 'not sent' }),
        said('q1', 'real'),
      ),
    ).toEqual([
      'injected: <local-command-caveat>…</local-command-caveat>',
      'injected: <command-name>/cost</command-name>',
      'injected: <local-command-stdout>$1</local-command-stdout>',
      'user: real',
    ]);
  });

  it("keeps a person's words that were typed while the agent was at work", () => {
    const queued = attached('w1', 'system', 'The user sent a new message …', {
      type: 'queued_command',
      prompt: 'stop that',
      commandMode: 'prompt',
    });
    expect(
      contextOf(said('q1', 'go'), replied('a1', [call('c1')]), answered('r1', 'c1', 'done'), queued).slice(2),
    ).toEqual(['tool: c1 → done', 'user: stop that']);
  });

  it('shows data of older attachments that were not written down as they are sent', () => {
    const attachment = (uuid: string, data: Row): Row => ({ type: 'attachment', uuid, attachment: data });
    expect(
      contextOf(
        said('q1', 'go'),
        attachment('t1', { type: 'hook_additional_context', content: ['from a hook'] }),
        attachment('t2', { type: 'todo_reminder', content: [] }),
      ),
    ).toEqual(['injected: from a hook', 'user: go']);
  });

  it('shows pictures, several results in one row, and texts beside them', () => {
    const picturePart = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const results = [
      { type: 'tool_result', tool_use_id: 'c1', content: [text('a'), picturePart, text('b')] },
      { type: 'tool_result', tool_use_id: 'c2', content: 'no', is_error: true },
      text('beside'),
    ];
    const { entries } = claudeSession(
      chained(
        said('q1', [text('look'), picturePart]),
        replied('a1', [call('c1'), call('c2', 'Read')]),
        said('r1', results),
      ),
    ).conversation;
    expect(picture(entries)).toEqual([
      'user: look + [image/png]',
      'assistant: Bash c1 + Read c2',
      'tool: c1 → a\nb + [image/png]',
      'tool: c2 → no !',
      'user: beside',
    ]);
    expect(entries.map((entry) => entry.id)).toEqual(['q1', 'a1', 'r1', 'r1:2', 'r1:text']);
    expect(entries[3]?.parts[0]).toMatchObject({ name: 'Read' });
  });
});

describe('compactions', () => {
  const turn = [
    said('q1', 'go'),
    replied('a1', [call('c1')]),
    answered('r1', 'c1', 'done'),
    replied('a2', [text('finished')]),
  ];
  const summary = said('sum', 'a summary', { isCompactSummary: true });
  const after = [said('q2', 'next'), replied('a3', [text('ok')])];

  function compactedTo(metadata: Row): string[] {
    return contextOf(...turn, compacted('cut', 'a2', metadata), summary, ...after);
  }

  it('sends the summary in place of what was before', () => {
    expect(compactedTo({ trigger: 'auto', preTokens: 9 })).toEqual([
      'summary: a summary',
      'user: next',
      'assistant: ok',
    ]);
  });

  it('sends the rows that were kept after the summary', () => {
    const uuids = ['a1', 'r1', 'a2'];
    expect(compactedTo({ preservedMessages: { anchorUuid: 'sum', uuids } })).toEqual([
      'summary: a summary',
      'assistant: Bash c1',
      'tool: c1 → done',
      'assistant: finished',
      'user: next',
      'assistant: ok',
    ]);
  });

  it('sends kept rows before the summary if the boundary is their anchor', () => {
    const preservedSegment = { headUuid: 'a1', anchorUuid: 'cut', tailUuid: 'r1' };
    expect(compactedTo({ preservedSegment })).toEqual([
      'assistant: Bash c1',
      'tool: c1 → done',
      'summary: a summary',
      'user: next',
      'assistant: ok',
    ]);
  });

  it('does not send a kept result whose call was not kept, nor the other way round', () => {
    expect(compactedTo({ preservedMessages: { anchorUuid: 'sum', uuids: ['r1', 'a2'] } })).toHaveLength(4);
    expect(compactedTo({ preservedMessages: { anchorUuid: 'sum', uuids: ['a1', 'a2'] } })).toHaveLength(4);
  });

  it('a compaction says what it replaced', () => {
    const metadata = {
      trigger: 'auto',
      preTokens: 9,
      postTokens: 4,
      preservedMessages: { anchorUuid: 'sum', uuids: ['a2'] },
    };
    const { conversation } = claudeSession(chained(...turn, compacted('cut', 'a2', metadata), summary, ...after));
    expect(conversation.agentCompactions).toMatchObject([
      {
        id: 'cut',
        summaryEntryId: 'sum',
        replacedEntryIds: ['q1', 'a1', 'r1'],
        tokensBefore: 9,
        tokensAfter: 4,
        trigger: 'automatic',
      },
    ]);
  });

  it('a compaction says so if the rows that it kept are not in the file', () => {
    const metadata = { preservedMessages: { anchorUuid: 'sum', uuids: ['a2', 'gone'] } };
    const { issues } = claudeSession(chained(...turn, compacted('cut', 'a2', metadata), summary));
    expect(issues.map(inEnglish)).toMatchObject([
      { line: 5, message: '1 of the rows this compaction kept are not in this file' },
    ]);
  });

  it('a compaction is undone by a rewind to before it', () => {
    const rows = chained(...turn, compacted('cut', 'a2', {}), summary, { ...said('q3', 'back'), parentUuid: 'a2' });
    expect(picture(claudeSession(rows).conversation.agentContext)).toEqual([
      'user: go',
      'assistant: Bash c1',
      'tool: c1 → done',
      'assistant: finished',
      'user: back',
    ]);
  });

  it('shows cleared results as such in the context, and as they were among the entries', () => {
    const cleared = noted('clear', 'microcompact_boundary', {
      microcompactMetadata: { trigger: 'auto', preTokens: 100, tokensSaved: 60, compactedToolIds: ['c1', 'gone'] },
    });
    const { conversation } = claudeSession(chained(...turn, cleared, ...after));
    expect(picture(conversation.agentContext)[2]).toBe('tool: c1 → [Old tool result content cleared]');
    expect(conversation.agentContext[2]?.id).toBe('r1');
    expect(picture(conversation.entries)[2]).toBe('tool: c1 → done');
    expect(conversation.agentCompactions).toMatchObject([
      { kind: 'cleared', replacedEntryIds: ['r1'], tokensBefore: 100, tokensAfter: 40, summaryEntryId: null },
    ]);
  });
});

describe('the system prompt', () => {
  const shape = (words: string): Row => ({
    type: 'api-request-shape',
    sessionId: 's',
    shape: { system: [text(words)], tools: [{ name: 'Bash' }] },
  });
  const snapshot: Row = {
    type: 'attachment',
    uuid: 'p1',
    attachment: { type: 'prompt_snapshot', systemPrompt: ['pieces'] },
  };

  it('the system prompt is refined in place when it is known better', () => {
    const rows = chained(said('q1', 'go'), snapshot);
    expect(picture(claudeSession(rows).conversation.agentContext)).toEqual(['system: pieces', 'user: go']);
    const refined = claudeSession([...rows, shape('as sent')]).conversation;
    expect(picture(refined.agentContext)).toEqual(['system: as sent + tools Bash', 'user: go']);
    expect(refined.entries).toHaveLength(2);
  });

  it('the system prompt is replaced by a new one, not added to', () => {
    const { conversation } = claudeSession([...chained(said('q1', 'go')), shape('one'), shape('one'), shape('two')]);
    expect(picture(conversation.agentContext)).toEqual(['system: two + tools Bash', 'user: go']);
    expect(conversation.entries).toHaveLength(3);
  });
});

describe('what a session is', () => {
  it('a session is called what a person named it, else what a model did, else its first words', () => {
    const titleWith = (...records: Row[]): string | null =>
      claudeSession([...chained(said('q1', '  \nfirst words\nmore')), ...records]).title;
    expect(titleWith()).toBe('first words');
    expect(titleWith({ type: 'summary', summary: 'of another session', leafUuid: 'elsewhere' })).toBe('first words');
    expect(titleWith({ type: 'summary', summary: 'summed up', leafUuid: 'q1' })).toBe('summed up');
    expect(titleWith({ type: 'ai-title', aiTitle: 'by a model' })).toBe('by a model');
    expect(titleWith({ type: 'ai-title', aiTitle: 'by a model' }, { type: 'custom-title', customTitle: 'by me' })).toBe(
      'by me',
    );
  });

  it('a session without a prompt takes the first command that asks for something as its title', () => {
    const command = (name: string, passed: string) =>
      `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${passed}</command-args>`;
    const rows = chained(said('c1', command('clear', '')), said('c2', command('plan-phase', '12.6')));
    expect(claudeSession(rows).title).toBe('/plan-phase 12.6');
    expect(claudeSession([...rows, ...chained(said('q1', 'Go on'))]).title).toBe('Go on');
  });

  it('waits for a reply after a prompt, a result or a notification, not after a command or an interruption', () => {
    const waits = (...rows: Row[]): boolean =>
      claudeSession(chained(said('q0', 'go'), replied('a0', [text('ok')]), ...rows)).awaitsReply;
    expect(waits()).toBe(false);
    expect(waits(said('q1', 'more'))).toBe(true);
    expect(waits(said('q1', 'more'), attached('u1', 'user', 'a file'))).toBe(true);
    expect(waits(replied('a1', [call('c1')]))).toBe(true);
    expect(waits(replied('a1', [call('c1')]), answered('r1', 'c1', 'done'))).toBe(true);
    expect(waits(said('n1', '<task-notification>done</task-notification>'))).toBe(true);
    expect(waits(said('m1', '<command-name>/cost</command-name>'))).toBe(false);
    expect(waits(said('q1', 'more'), said('i1', [text('[Request interrupted by user]')]))).toBe(false);
    expect(waits(compacted('cut', 'a0', {}), said('sum', 'a summary', { isCompactSummary: true }))).toBe(false);
  });

  describe('waits while a reply is being written', () => {
    const go = said('q0', 'go');
    const stopped = (uuid: string, reason: string | null, ...content: Row[]): Row => {
      const row = replied(uuid, content);
      return { ...row, message: { ...(row.message as Row), stop_reason: reason } };
    };
    const waits = (...rows: Row[]): boolean => claudeSession(chained(go, ...rows)).awaitsReply;

    it('waits while a reply is being written that has no reason to stop yet, or whose calls are still to come', () => {
      expect(waits(stopped('a1', null, text('so')))).toBe(true);
      expect(waits(stopped('a1', 'tool_use', text('so')))).toBe(true);
      expect(waits(stopped('a1', 'end_turn', text('so')))).toBe(false);
      expect(waits(stopped('a1', 'tool_use', text('so'), call('c1')), answered('r1', 'c1', 'x'))).toBe(true);
    });

    it('waits for a reply that is being written only while it is the newest row', () => {
      const half = stopped('a1', null, text('so'));
      expect(waits(half, said('i1', [text('[Request interrupted by user]')]))).toBe(false);
      expect(waits(half, said('m1', '<command-name>/cost</command-name>'))).toBe(false);
      expect(waits(half, noted('s1', 'turn_duration'))).toBe(false);
    });

    it('does not wait for a reply if this version never records why a reply stopped', () => {
      const older = [stopped('a1', null, text('so')), said('q1', 'more'), stopped('a2', null, text('done'))];
      expect(waits(...older)).toBe(false);
      // With hooks, such a version has a row after each turn.
      const [first, ...rest] = older as [Row, Row, Row];
      expect(waits(first, noted('h1', 'stop_hook_summary'), ...rest)).toBe(true);
      expect(waits(first, noted('h1', 'stop_hook_summary'), ...rest, noted('h2', 'stop_hook_summary'))).toBe(false);
    });
  });

  it('leaves out a newest reply whose content is damaged, as Claude Code does when it resumes the session', () => {
    const sent = (content: unknown): string[] =>
      picture(
        claudeSession(chained(said('q1', 'go'), { ...replied('a1', []), message: { id: 'm', content } })).conversation
          .agentContext,
      );
    expect(sent(null)).toEqual(['user: go']);
    expect(sent({ a: 1 })).toEqual(['user: go']);
    expect(sent([text('')])).toEqual(['user: go']);
    expect(sent([])).toEqual(['user: go', 'assistant: (no content)']);
    expect(sent([thinking('hm')])).toEqual(['user: go', 'assistant: (hm)']);
  });

  it('keeps both rows of an id that occurs twice', () => {
    const { conversation, issues } = claudeSession(
      chained(said('q1', 'one'), said('q1', 'two'), replied('a1', [text('ok')])),
    );
    expect(conversation.entries.map((entry) => entry.id)).toEqual(['q1', 'q1#2', 'a1']);
    expect(issues).toMatchObject([{ line: 2 }]);
    expect(contextFaults(conversation.agentContext)).toEqual([]);
  });
});
