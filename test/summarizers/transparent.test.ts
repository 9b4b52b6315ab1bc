import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SummaryRequest } from '../../extension/engine/block/summary';
import type { Entry } from '../../extension/engine/conversation/entry';
import { referenceOf } from '../../extension/engine/conversation/reference';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { coreState, goalContinues } from '../../extension/engine/core/core';
import { transparentSummary } from '../../extension/summarizers/transparent/transparent';
import { agentSummary, assistant, call, injected, long, result, type Said, talk, user } from '../builders/conversation';
import { build, linesOf } from '../sessions/build';
import { everySample } from '../sessions/samples';
import { recallTool, referencesIn, untracedLines } from './traced-lines';

type Changes = Partial<Pick<SummaryRequest, 'maxTokens' | 'summaryType' | 'context' | 'core' | 'recallTool'>>;

function blockOver(entries: readonly Entry[], changes: Changes = {}): string {
  return transparentSummary({
    summaryType: 'checkpoint',
    sections: [],
    turns: [{ user: null, userIsReplaced: false, entries, blocks: [] }],
    instructions: null,
    core: null,
    liveGoal: null,
    context: entries,
    maxTokens: 1600,
    countTokens: countWithO200k,
    ...changes,
  }).body;
}

function blockOfTurns(context: readonly Entry[], turns: SummaryRequest['turns']): string {
  return transparentSummary({
    ...{ summaryType: 'checkpoint', sections: [], instructions: null, core: null, liveGoal: null },
    ...{ maxTokens: 800, countTokens: countWithO200k, context, turns },
  }).body;
}

function told(said: readonly (Said | readonly Said[])[], changes: Changes = {}): string {
  return blockOver(talk(...said).entries, changes);
}

const bash = (id: string, command: string) => call(id, 'Bash', { command });

describe('a block without a model', () => {
  it('quotes the newest request and the last texts of the agent word for word', () => {
    const block = told([
      user('commit this,\nthen push'),
      bash('a', 'git commit -m "x"'),
      result('a', 'ok'),
      assistant('Done: pushed.'),
    ]);
    expect(block).toContain('## Where I am\nThe newest request:\n> commit this,\n> then push');
    expect(block).toContain('What I said last:\n> Done: pushed.');
  });

  it('quotes as many of the last texts whole as there is room for', () => {
    const texts = Array.from({ length: 8 }, (_, at) => `Step ${at} is done. The value of it is ${at}.`);
    const steps = texts.flatMap((text, at) => [
      call(`c${at}`, 'read', { path: `src/${at}.ts` }, text),
      result(`c${at}`),
    ]);
    const roomy = told([user('port it'), ...steps]);
    expect(roomy).toContain('My last 8 texts:');
    for (const text of texts) expect(roomy).toContain(`> ${text}`);
    const tight = told([user('port it'), ...steps], { maxTokens: 190 });
    expect(tight).toContain('What I said before that, the first sentence of each text:');
    expect(tight).toContain(`> ${texts.at(-1)}`);
  });

  it('quotes request and closing reply of earlier turns, with the number of calls between', () => {
    const block = told([
      user('fix the parser'),
      call('a'),
      result('a'),
      call('b'),
      result('b'),
      assistant('Fixed.'),
      user('thanks'),
    ]);
    expect(block).toContain('User:\n> fix the parser\nI, after 2 calls:\n> Fixed.');
  });

  it('quotes an older turn whose end comes after the block', () => {
    const { entries } = talk(
      user('port it'),
      call('a', 'read', { path: 'a.ts' }, 'The parser is in a.ts:7. It needs a table.'),
      result('a'),
      call('b', 'edit', { path: 'a.ts' }, 'Now the table:'),
      result('b'),
      assistant('Ported.'),
      user('and the docs?'),
    );
    const block = transparentSummary({
      ...{ summaryType: 'conversation', sections: [], instructions: null, core: null, liveGoal: null },
      ...{ maxTokens: 800, countTokens: countWithO200k, context: entries },
      turns: [{ user: entries[0] ?? null, userIsReplaced: false, entries: entries.slice(1, 5), blocks: [] }],
    }).body;
    expect(block).toContain('## In this turn');
    expect(block).toContain('> The parser is in a.ts:7. It needs a table.');
    expect(block).not.toContain('## Earlier turns');
  });

  it('continues a long first message after the part in the core, instead of repeating its beginning', () => {
    const plan = Array.from({ length: 60 }, (_, at) => `Step ${at}: keep file ${at} as it is.`);
    const beginning = plan.slice(0, 40).join('\n');
    const core = coreState([], `${beginning}\n${goalContinues}`);
    const block = told([user(plan.join('\n')), assistant('All of it is done.'), user('now the docs')], { core });
    expect(block).toContain('User: (the beginning of this message is in the protected core; it goes on)\n> Step 40:');
    expect(block).toContain('> Step 59: keep file 59 as it is.');
    expect(block).not.toContain('Step 39:');
  });

  it('quotes an answer with its request if only a summary of the agent comes between', () => {
    const before = [user('show names'), assistant('Looking.'), agentSummary('What came before is encrypted.')];
    const { entries } = talk(...before, assistant('Names are shown.'), user('and icons?'));
    const block = blockOfTurns(entries, [
      { user: entries[0] ?? null, userIsReplaced: true, entries: entries.slice(1, 2), blocks: [] },
      { user: null, userIsReplaced: true, entries: entries.slice(2, 3), blocks: [] },
      { user: null, userIsReplaced: true, entries: entries.slice(3, 4), blocks: [] },
    ]);
    expect(block).not.toContain('no answer');
    expect(block).toContain('User:\n> show names\nI:\n> Names are shown.');
  });

  it('says where the person stopped the agent instead of waiting for an answer', () => {
    const block = told([
      user('mix it'),
      call('a'),
      result('a'),
      injected('[Request interrupted by user]'),
      user('wait'),
    ]);
    expect(block).toContain('(1 call, no answer: the user interrupted me)');
  });

  it('quotes no answer that the program gave to a command of its own, and no tool that the provider ran', () => {
    const synthetic: Said = {
      role: 'assistant',
      injected: true,
      parts: [{ type: 'text', text: 'No response requested.' }],
    };
    const searched: Said = {
      role: 'assistant',
      parts: [
        { type: 'text', text: '[Web search: sqlite wal]' },
        { type: 'text', text: 'It is in the manual.' },
      ],
    };
    const block = told([
      user('where is it?'),
      searched,
      injected('<command-name>/voice</command-name>'),
      synthetic,
      user('ok'),
    ]);
    expect(block).toContain('I:\n> It is in the manual.');
    expect(block).not.toContain('Web search');
    expect(block).not.toContain('No response requested');
  });

  it('quotes what the person refused with, without what the agent adds', () => {
    const refusal =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\ncommit first\n\nNote: The user's next message may contain a correction or preference. Pay close attention.";
    const block = told([user('go'), bash('a', 'git stash'), result('a', refusal, true)]);
    expect(block).toContain('- User refused “Bash git stash”: “commit first”');
    expect(block).not.toContain('Pay close attention');
  });

  it('lists the newest calls of each kind, and none that only look, wait or end something', () => {
    const urls = Array.from({ length: 9 }, (_, at) => [
      call(`u${at}`, 'webfetch', { url: `https://a.test/${at}` }),
      result(`u${at}`, 'a\nb'),
    ]).flat();
    const noise = ['which xelatex', 'kill 814', 'cd /app; sleep 5', 'pandoc --version', 'jq . a.json > b.log'];
    const ran = noise.flatMap((command, at) => [bash(`n${at}`, command), result(`n${at}`, 'x\ny')]);
    const waited = [call('w', 'write_stdin', { session_id: 7, chars: '' }), result('w', 'x')];
    const block = told([user('read'), ...urls, ...ran, ...waited, assistant('Read.')]);
    const calls = /## Calls\n([\s\S]*?)\n\n/.exec(block)?.[1]?.split('\n');
    expect(calls).toEqual(['[… 5 calls]', ...[5, 6, 7, 8].map((at) => `- webfetch “https://a.test/${at}”: 2 lines`)]);
  });

  it('names a file once whose last change failed', () => {
    const edit = { file_path: '/app/a.ts', old_string: 'x', new_string: 'y' };
    const edits = [
      call('e', 'Edit', edit),
      result('e', 'done'),
      call('f', 'Edit', edit),
      result('f', 'Error: no match', true),
    ];
    const block = told([user('go'), ...edits, assistant('Almost.')]);
    expect(block).toContain('- Edited: /app/a.ts, last change failed: Error: no match');
    expect(block).not.toContain('Could not be changed');
  });

  it('shows the words of a list instead of its number', () => {
    const texts = Array.from(
      { length: 12 },
      (_, at) => `1. Finding ${at}: the check is missing.\n2. ${long('Another.', 8)}`,
    );
    const steps = texts.flatMap((text, at) => [call(`c${at}`, 'read', { path: `${at}.ts` }, text), result(`c${at}`)]);
    const block = told([user('review'), ...steps], { maxTokens: 500 });
    expect(block).toContain('- “1. Finding 3: the check is missing.”');
  });

  it('says that Go tests passed, although one package has no test of that name', () => {
    const block = told([
      user('test it'),
      bash('a', 'go test ./checkpoint/... -run TestHash'),
      result(
        'a',
        '=== RUN TestHash\n--- PASS: TestHash (0.00s)\nPASS\nok  app/checkpoint 0.4s\nok  app/checkpoint/id 0.2s [no tests to run]',
      ),
      assistant('It passes.'),
    ]);
    expect(block).toContain('passed');
    expect(block).not.toContain('failed:');
  });

  it('goes by the status that a command reports, not by words in its output', () => {
    const block = told([
      user('test it'),
      bash('a', 'pnpm -s test --grep "Panel"'),
      result('a', 'Exit code: 0\nOutput:\n[600:ERROR:trust_store.cc:807] Error parsing certificate:\n6 passing'),
      bash('b', "rg -n '<<<<<<<' src"),
      result('b', 'Process exited with code 1\nOutput:\n', true),
      bash('c', 'flutter analyze 2>&1 | grep -i "error" | head'),
      result('c', 'error: The name is not defined'),
      assistant('Clean.'),
    ]);
    expect(block).toMatch(/`pnpm -s test .*` passed/);
    expect(block).not.toContain('failed');
  });

  it('does not put files of the project below a folder that only others share', () => {
    const block = told([
      user('plan it'),
      call('a', 'read', { path: '/home/ada/.pi/skills/plan/SKILL.md' }),
      result('a'),
      call('b', 'read', { path: '/home/ada/.pi/skills/prose/SKILL.md' }),
      result('b'),
      call('c', 'write', { path: 'docs/plan.md', content: 'x' }),
      result('c'),
      assistant('Planned.'),
    ]);
    expect(block).toContain('## Files, newest first\n- Created: docs/plan.md');
  });

  it('does not take different tasks of a runner for one command', () => {
    const block = told([
      user('check it'),
      ...['mise run build', 'mise run lint', 'bunx prettier --check a.ts', 'bunx prettier --write a.ts'].flatMap(
        (command, at) => [bash(`c${at}`, command), result(`c${at}`, 'ok')],
      ),
      assistant('Done.'),
    ]);
    expect(block).not.toContain('run 2 times');
  });

  it('includes the answer of a single turn in little room, and an agent’s summary of an earlier session', () => {
    const { entries } = talk(
      user('What is missing?'),
      assistant(`The tests for the parser. ${long('They matter.', 30)}`),
      user('ok'),
    );
    const alone = transparentSummary({
      ...{ summaryType: 'conversation', sections: [], instructions: null, core: null, liveGoal: null },
      ...{ maxTokens: 110, countTokens: countWithO200k, context: entries },
      turns: [{ user: entries[0] ?? null, userIsReplaced: false, entries: entries.slice(1, 2), blocks: [] }],
    }).body;
    expect(alone).toContain('I: “The tests for the parser.');
    expect(alone).not.toContain('1 earlier turn');
  });

  it('does not say that the person answered if no answer came in time', () => {
    const block = told([
      user('go on'),
      call('a', 'AskUserQuestion', { question: 'Which one?' }),
      result('a', 'No response after 300s — the user may be away from keyboard.'),
      assistant('I take the first.'),
    ]);
    expect(block).not.toContain('User answered');
  });

  it('says nothing of a command with another one for the case that it fails', () => {
    const block = told([
      user('which url?'),
      bash('a', 'cat ~/.tool.yml || tool config check'),
      result('a', 'port: 1'),
      bash('b', 'npm test || true'),
      result('b', 'ok'),
      assistant('Port 1.'),
    ]);
    expect(block).not.toContain('## Commands');
  });

  it('shortens a pasted log in the middle and says by how much', () => {
    const log = Array.from({ length: 900 }, (_, line) => `12:00:${line} GET /items/${line} 200`).join('\n');
    const block = told([user(`Why is this slow?\n${log}\nAnswer briefly.`), assistant('It is the database.')]);
    expect(block).toContain('> Why is this slow?');
    expect(block).toContain('Answer briefly.');
    expect(block).toMatch(/^\[… \d\d,\d{3} characters\]$/m);
  });

  it('gives room to the newest turns and to the first request, and counts those that have none', () => {
    const turns = Array.from({ length: 60 }, (_, at) => [
      user(`Request ${at}. ${long('Please.', 3)}`),
      assistant(`Reply ${at}.`),
    ]);
    const block = told([...turns, user('now')], { maxTokens: 900 });
    expect(block).toMatch(/^\[… \d+ earlier turns with 0 calls\]$/m);
    expect(block).toContain('> Request 59.');
    expect(block).toMatch(/^- User: “Request 0\..*\n\[… \d+ earlier turns/m);
    expect(block).not.toContain('Request 1.');
  });

  it('gives room to the person’s messages before replies', () => {
    const turns = Array.from({ length: 24 }, (_, at) => [
      user(`Rule ${at}: never touch the folder number ${at} of the archive.`),
      assistant(long(`Understood, I leave folder ${at} alone and go on.`, 8)),
    ]);
    const block = told([...turns, user('now')], { maxTokens: 1000 });
    for (const at of turns.keys()) expect(block).toContain(`never touch the folder number ${at} of the archive.`);
    expect(block).not.toContain('earlier turns');
  });

  it.each([60, 120, 300, 1000, 4000])('takes at most its room of %d tokens', (maxTokens) => {
    for (const { file, format } of everySample()) {
      const { agentContext } = build(format, linesOf(file)).conversation;
      expect(countWithO200k(blockOver(agentContext, { maxTokens }))).toBeLessThanOrEqual(maxTokens);
      expect(countWithO200k(blockOver(agentContext, { maxTokens, recallTool }))).toBeLessThanOrEqual(maxTokens);
    }
  });

  it('lists files by what was done with them, relative to their folder', () => {
    const write = (id: string, path: string, name = 'Write') => [
      call(id, name, { file_path: path, content: 'export function parseRow() {}' }),
      result(id),
    ];
    const block = told([
      user('go'),
      ...write('a', '/home/me/app/src/new.ts'),
      ...write('b', '/home/me/app/src/old.ts', 'Edit'),
      call('c', 'Read', { file_path: '/home/me/app/README.md' }),
      result('c'),
      call('f', 'Read', { file_path: '/home/me/app/LICENSE' }),
      result('f'),
      call('d', 'Write', { file_path: '/home/me/app/src/denied.ts' }),
      result('d', 'EACCES: permission denied', true),
      call('e', 'Read', { file_path: '/home/me/app/src/missing.ts' }),
      result('e', 'File does not exist.', true),
    ]);
    expect(block).toContain('## Files, newest first, in /home/me/app/');
    expect(block).toContain('- Created: src/new.ts (parseRow)');
    expect(block).toContain('- Edited: src/old.ts');
    expect(block).toContain('- Could not be changed: src/denied.ts: EACCES: permission denied');
    expect(block).toContain('- Only read: LICENSE; README.md');
    expect(block).not.toContain('missing.ts');
  });

  it('lists checks with their last outcome, and commits by hash and subject', () => {
    const block = told([
      user('go'),
      bash('a', '# run all of them\ncd app && npm test'),
      result('a', 'Error: expected 2 rows\nTests: 1 failed', true),
      bash('b', 'npm test'),
      result('b', '12 passed'),
      bash('c', 'git commit -m "Fix the parser" && git push'),
      result('c', '[main 1a2b3c4] Fix the parser\n 1 file changed'),
      bash('d', 'gh pr create --fill'),
      result('d', 'https://github.com/acme/app/pull/7'),
      bash('e', 'ls -la'),
      result('e', 'README.md'),
    ]);
    expect(block).toContain(
      '- `npm test` (run 2 times, 1 failed) passed: 12 passed; before that it failed: Error: expected 2 rows',
    );
    expect(block).toContain('- Committed 1a2b3c4: Fix the parser (pushed)');
    expect(block).toContain('- gh pr create: https://github.com/acme/app/pull/7');
    expect(block).not.toContain('ls -la');
  });

  it('has the to-do list with its states, open calls, and what the person refused or answered', () => {
    const block = told([
      user('go'),
      call('t', 'TodoWrite', {
        todos: [
          { content: 'Write it', status: 'completed' },
          { content: 'Test it', status: 'pending' },
        ],
      }),
      result('t'),
      bash('r', 'rm -rf build'),
      result(
        'r',
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nkeep build/",
        true,
      ),
      call('q', 'AskUserQuestion', { questions: [] }),
      result('q', 'Your questions have been answered: "Which?"="The second"'),
      bash('o', 'npm run slow'),
    ]);
    expect(block).toContain('My to-do list:\n- [x] Write it\n- [ ] Test it');
    expect(block).toContain('- User refused “Bash rm -rf build”: “keep build/”');
    expect(block).toContain('- User answered: “Your questions have been answered: "Which?"="The second"”');
    expect(block).toContain('- No result yet: Bash “npm run slow”');
  });

  it('leaves out the state of a command and of a to-do list that came again later', () => {
    const todos = (id: string, status: string) => [
      call(id, 'TodoWrite', { todos: [{ content: 'Test it', status }] }),
      result(id),
    ];
    const { entries } = talk(
      user('go'),
      bash('a', 'npm test'),
      result('a', 'Error: it is broken', true),
      todos('t', 'pending'),
      user('go on'),
      bash('b', 'npm test'),
      result('b', '3 passed'),
      todos('u', 'completed'),
    );
    const block = blockOver(entries.slice(0, 5), { context: entries });
    expect(block).not.toContain('npm test');
    expect(block).not.toContain('Test it');
  });

  const listed = (id: string, ...states: readonly string[]) => [
    call(id, 'TodoWrite', { todos: states.map((status, at) => ({ content: `Part ${at}`, status })) }),
    result(id),
  ];

  it('names what an older turn left open on the to-do list', () => {
    const { entries } = talk(user('go'), listed('t', 'completed', 'pending'), assistant('Half.'), user('Now that.'));
    const block = blockOver(entries.slice(0, 4), { context: entries });
    expect(block).toMatch(/\n\n## Still open on my to-do list\n- \[ \] Part 1\n\n/);
    expect(block).not.toContain('Part 0');
  });

  it('names nothing of a list that is done, or that a later one replaced', () => {
    const { entries } = talk(user('go'), listed('t', 'pending'), user('Now that.'), listed('u', 'pending'));
    expect(blockOver(entries.slice(0, 3), { context: entries })).not.toContain('to-do');
    const done = talk(user('go'), listed('t', 'completed'), assistant('All.'), user('Now that.')).entries;
    expect(blockOver(done.slice(0, 4), { context: done })).not.toContain('to-do');
  });

  it('names a single task with its last state, although a later call changed another one', () => {
    const { entries } = talk(
      user('go'),
      call('a', 'TaskCreate', { subject: 'Write it' }),
      result('a', 'Task #1 created'),
      call('b', 'TaskCreate', { subject: 'Test it' }),
      result('b', 'Task #2 created'),
      call('c', 'TaskCreate', { subject: 'Ship it' }),
      result('c', 'Task #3 created'),
      user('Now that.'),
      call('d', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      result('d'),
      call('e', 'TaskUpdate', { taskId: '2', status: 'in_progress' }),
      result('e'),
    );
    const block = blockOver(entries.slice(0, 7), { context: entries });
    expect(block).toContain('## Still open on my to-do list\n- [~] Test it\n- [ ] Ship it');
    expect(block).not.toContain('Write it');
  });

  it('says that the record continues after it, if it does', () => {
    const { entries } = talk(user('go'), call('a'), result('a'), assistant('Half of it.'), assistant('All of it.'));
    const half = entries.slice(0, 4);
    expect(blockOver(half, { context: entries })).toContain('(The record goes on after this.)');
    expect(blockOver(entries)).not.toContain('(The record goes on');
  });

  it('reads commands and patches in the scripts of newer versions of Codex', () => {
    const script = (id: string, input: string) => call(id, 'exec', input);
    const patch = '*** Begin Patch\n*** Add File: src/a.ts\n+export const answer = 42;\n*** End Patch\n';
    const block = told([
      user('go'),
      script('a', 'const r = await tools.exec_command({"cmd":"npm test"});\ntext(r.output);'),
      result('a', '3 passed'),
      script('b', `const patch = ${JSON.stringify(patch)};\ntext(await tools.apply_patch(patch));`),
      result('b', '{}'),
    ]);
    expect(block).toContain('- `npm test` passed: 3 passed');
    expect(block).toContain('- Created: src/a.ts');
  });

  it.each([
    '解析器坏了。请修好它，不要改动旧目录。',
    'أصلح المحلل ولا تغير المجلد القديم.',
    'const x = parse(y); // ?',
  ])('does not depend on the language: %s', (text) => {
    expect(told([user(text), assistant(text)])).toContain(`> ${text}`);
  });

  it('never takes injected text for the person’s', () => {
    expect(
      told([user('go'), injected('<system-reminder>Be nice.</system-reminder>'), assistant('Gone.')]),
    ).not.toContain('Be nice');
  });
});

describe('a block for an agent that can ask', () => {
  const log = Array.from({ length: 900 }, (_, line) => `12:00:${line} GET /items/${line} 200`).join('\n');

  it('names what each mark leaves out, and says once how to get it', () => {
    const { entries } = talk(
      user(`Why is this slow?\n${log}\nAnswer briefly.`),
      call('a', 'grep', { pattern: 'slow' }),
      result('a', log),
      assistant('It is the database.'),
      user('and now?'),
      call('b', 'grep', { pattern: 'now' }),
      result('b', log),
      assistant(`Now it is quick. ${long('It was an index.', 60)}`),
    );
    const [asked, made, found, , , , output, said] = entries.map(referenceOf);
    const block = blockOver(entries, { recallTool });
    expect(block).toMatch(new RegExp(`^\\[… \\d\\d,\\d{3} characters: ${asked}\\]$`, 'm'));
    expect(block).toContain(`I, after 1 call [${made}..${found}]:`);
    expect(block).toContain(`- grep “now”: 900 lines [${output}]`);
    expect(block).toMatch(new RegExp(`^\\[… [\\d,]+ characters: ${said}\\]$`, 'm'));
    expect(block.split('strata_recall { "ids": [').length).toBe(2);
  });

  it('gives references for whole turns that have only one line or are counted', () => {
    const { entries } = talk(
      ...Array.from({ length: 60 }, (_, at) => [
        user(`Request ${at}. ${long('Please.', 12)}`),
        call(`${at}`),
        result(`${at}`),
        assistant(`Reply ${at}.`),
      ]),
      user('now'),
    );
    const block = blockOver(entries, { maxTokens: 900, recallTool });
    const [first, second] = entries.filter(({ role }) => role === 'user').map(referenceOf);
    expect(block).toMatch(new RegExp(`^- User: “Request 0\\..* · 1 call \\[${first}\\.\\.[a-z]{6}\\]$`, 'm'));
    expect(block).toMatch(new RegExp(`^\\[… \\d+ earlier turns with \\d+ calls: ${second}\\.\\.[a-z]{6}\\]$`, 'm'));
    expect(block).toMatch(/^- User: “Request \d+.*” \[… \d+ characters\] · 1 call \[[a-z]{6}\.\.[a-z]{6}\]$/m);
  });

  it('has no reference if nothing was left out, and none for an agent that cannot ask', () => {
    const said = [user('fix it'), assistant('Fixed.'), user('thanks')] as const;
    expect(told(said, { recallTool })).toBe(told(said));
    expect(referencesIn(told([user(log), assistant(log), user('now')]))).toEqual([]);
  });
});

describe.each(everySample())('each line of a block over $name', ({ file, format }) => {
  const { agentContext } = build(format, linesOf(file)).conversation;

  it.each([200, 1600, 8000])('goes back to an entry, is a mark, or is of the ledger, in %d tokens', (maxTokens) => {
    expect(untracedLines(blockOver(agentContext, { maxTokens }), agentContext)).toEqual([]);
    expect(untracedLines(blockOver(agentContext, { maxTokens, recallTool }), agentContext)).toEqual([]);
  });
});

describe('each line of a block over a random conversation', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 });
  const turn = fc.tuple(words, fc.nat(3), words);

  it('goes back to an entry, is a mark, or is of the ledger', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 40, max: 900 }),
        (turns, maxTokens) => {
          const { entries } = talk(
            ...turns.map(([asked, calls, said], at) => [
              user(asked),
              ...Array.from({ length: calls }, (_, number) => [
                call(`${at}-${number}`),
                result(`${at}-${number}`),
              ]).flat(),
              assistant(said),
            ]),
          );
          for (const asking of [{}, { recallTool }]) {
            const block = blockOver(entries, { maxTokens, ...asking });
            expect(untracedLines(block, entries)).toEqual([]);
            expect(countWithO200k(block)).toBeLessThanOrEqual(Math.max(maxTokens, 40));
          }
        },
      ),
    );
  });
});
