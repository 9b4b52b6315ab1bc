import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SectionName } from '../../extension/engine/block/sections';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { extract } from '../../extension/summarizers/extractive/extractive';
import { agentSummary, assistant, call, injected, result, type Said, talk, user } from '../builders/conversation';

function blockOver(
  said: readonly Said[],
  sections: readonly SectionName[] = ['Critical Context'],
  maxTokens = 2000,
  later: readonly Said[] = [],
  liveGoal: string | null = 'Go on.',
): string {
  const context = talk(said, later).entries;
  const [person = null, ...entries] = context.slice(0, said.length);
  const { body } = extract({
    ...{ summaryType: 'checkpoint', sections, maxTokens, countTokens: countWithO200k },
    turns: [{ user: person, userIsReplaced: true, entries, blocks: [] }],
    ...{ instructions: null, core: null, liveGoal, context },
  });
  return body;
}

const run = (id: string, command: string, output: string, isError = false): Said[] => [
  call(id, 'bash', { command }),
  result(id, output, isError),
];

describe('a readable block', () => {
  it.each([
    ['this :)', 'The button is blue.'],
    ['I checked..', 'The button is blue.'],
  ])('takes “%s” for no goal', (said, reply) => {
    const body = blockOver(
      [user('Make the button blue.'), assistant(reply), user(said), assistant('Ok.')],
      ['Goal Arc'],
    );
    expect(body).toBe('## Goal Arc\n- Make the button blue.');
  });

  it.each([
    ['I verified the reader with all samples.', false],
    ['The parser of dates is done and verified.', false],
    ['Both branches were merged.', false],
    ['However, the server only answers on this machine.', false],
    ['The mockups were not created.', true],
    ['Wait until the branch of the parser is merged.', true],
    ['The parser of dates for other calendars.', true],
  ])('takes “%s” under “Next steps” for open: %s', (sentence, isOpen) => {
    const body = blockOver(
      [user('Write the reader.'), assistant(`The reader is there.\n\n## Next steps\n- ${sentence}`)],
      ['Next Steps'],
    );
    expect(body.includes(sentence)).toBe(isOpen);
  });

  it('does not quote what the client adds to a plan as the person’s words', () => {
    const plan = 'Implement the following plan:\n\nAdd a reader for TOML files.';
    const label =
      'If you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /home/x.jsonl';
    const body = blockOver([user(`${plan}\n\n${label}`), assistant('Ok.'), user('Go on.')]);
    expect(body).toContain('Add a reader for TOML files.');
    expect(body).not.toContain('transcript');
  });

  it('says which of the person’s words an agent’s own summary retells, and joins no two messages', () => {
    const summary = [
      'Summary:\n6. All User Messages:',
      '   - "Switch to the branch of phase 12"',
      '   - (From prior session): "The uploads to the local server fail"',
    ];
    const body = blockOver([user('Go on.'), agentSummary(summary.join('\n')), user('Add arrays.'), assistant('Ok.')]);
    expect(body).toContain('- The person, earlier: “Switch to the branch of phase 12”\n');
    expect(body).toContain('- The person, earlier: “The uploads to the local server fail”');
  });

  it('says beside a request that the agent answered it, once for a message', () => {
    const body = blockOver([
      user('The footer still has another color than the header. Please repair that.'),
      assistant('I changed the footer to the tokens of the header.'),
      user('Now add a dark mode to the page.'),
      assistant('The dark mode was added to theme.css.'),
    ]);
    expect(body).toContain(
      '- The person: “The footer still has another color than the header. Please repair that.” → answered',
    );
    expect(body.match(/→ answered/g)).toHaveLength(1);
  });

  it('does not call a request answered that the agent still works on', () => {
    const body = blockOver([user('Move the callers of the loader.'), ...run('a', 'npm run build', 'ok')]);
    expect(body).toContain('- The person: “Move the callers of the loader.”');
    expect(body).not.toContain('→');
  });

  it('has the person’s words in the order in which they were said', () => {
    const body = blockOver([
      user('Add a parser for TOML files. The tests should stay small.'),
      assistant('I added the parser.'),
      user('Why is the lexer so slow with long files?'),
      assistant('The lexer copies its input.'),
      user('Rewrite the lexer without a copy.'),
      assistant('I rewrote the lexer.'),
    ]);
    const said = [...body.matchAll(/^- The person: “(\w+)/gm)].map(([, word]) => word);
    expect(said).toEqual(['Add', 'Why', 'Rewrite']);
  });

  it('marks what the person later settled about a name', () => {
    const body = blockOver([
      user('Remove legacy_mode if it never shipped, else keep the old way.'),
      assistant('It shipped, so the old way stays.'),
      user('legacy_mode should be removed in any case'),
      assistant('I removed it.'),
    ]);
    expect(body).toContain('else keep the old way.” (changed later) → answered');
  });

  it('keeps of the agent’s words beside a call the choices with their reasons, and no announcements', () => {
    const body = blockOver([
      user('Publish the evidence.'),
      call('a', 'bash', {}, 'The private checkout has untracked files, so I’m using a clone of its own.'),
      result('a', 'ok'),
      call('b', 'bash', {}, 'I’m adding the tests now.'),
      result('b', 'ok'),
      call('c', 'bash', {}, 'The registry lists version 4.4 as published, so I’m checking its archive.'),
      result('c', 'ok'),
      assistant('The evidence is published.'),
    ]);
    expect(body).toContain('- The private checkout has untracked files, so I’m using a clone of its own.');
    expect(body).toContain('The registry lists version 4.4 as published\n');
    expect(body).not.toContain('adding the tests');
  });

  it('keeps what leads to a call, and sentences with code in them', () => {
    const body = blockOver([
      user('Why are the tabs crooked?'),
      call('a', 'bash', {}, 'Root cause found: `.page li + li { margin-top: 2px }` leaks into the `<li>` of the tabs.'),
      result('a', 'ok'),
      call('b', 'bash', {}, 'I’ll commit the tabs apart from the page, since they belong to two reviews:'),
      result('b', 'ok'),
      assistant('Done.'),
    ]);
    expect(body).toContain('- Root cause found: `.page li + li { margin-top: 2px }` leaks');
    expect(body).toContain('- I’ll commit the tabs apart from the page, since they belong to two reviews');
  });

  it('tells requests and answers in turns, and what an older turn left open as told then', () => {
    const body = blockOver(
      [
        ...[
          user('Add the reader.'),
          assistant('The reader keeps comments.\n\n## Next steps\n- Add dates to the reader.'),
        ],
        ...[user('Add the writer.'), assistant('The writer sorts keys.\n\n## Next steps\n- Add dates to the writer.')],
        ...[user('Is it quick?'), assistant('It reads a megabyte in a second.')],
      ],
      ['Next Steps', 'Critical Context'],
    );
    expect(body.split('\n')).toEqual([
      ...['## Next Steps', '- (earlier) Add dates to the writer.', '', '## Critical Context'],
      ...[
        '- The person: “Add the reader.” → answered',
        '- The reader keeps comments.',
        '- (earlier) Add dates to the reader.',
      ],
      ...['- The person: “Add the writer.” → answered', '- The writer sorts keys.'],
      ...['- The person: “Is it quick?”', '- It reads a megabyte in a second.'],
    ]);
  });

  it.each([
    ['read', true],
    ['bash', false],
  ])('calls a step open until something is run: after %s %s', (tool, isOpen) => {
    const said = [
      call('a', tool, { command: 'npm run affected' }, 'Let me run the affected parts.'),
      result('a', 'ok'),
    ];
    const body = blockOver([user('Repair the parser.'), ...said], ['Current State', 'Next Steps'], 2000, [], null);
    expect(body.includes('## Next Steps\n- Let me run')).toBe(isOpen);
    expect(body).toContain('Let me run the affected parts.');
  });

  it('does not list what the work went beyond as completed', () => {
    const body = blockOver(
      [
        ...[user('Repair the tests.'), assistant('The reader is fixed, and the failure moved to test 6.1.')],
        ...[
          user('Go on.'),
          ...run('a', 'sed -i s/a/b/ src/writer.ts', 'ok'),
          assistant('I fixed the writer in `src/writer.ts`.'),
        ],
      ],
      ['Completed Work', 'Critical Context'],
    );
    const [done = '', context = ''] = body.split('## Critical Context');
    expect(done).toContain('I fixed the writer');
    expect(done).not.toContain('test 6.1');
    expect(context).toContain('- (earlier) The reader is fixed, and the failure moved');
  });

  it.each([
    'The page is hitting the server of another stage.',
    'The server (PID 4711) serves the pages of the shop.',
    'Next up is the page of the cart.',
    'The pages are at http://localhost:5177 with the new header.',
  ])('marks “%s” once the work went on', (sentence) => {
    const said = [user('Start it.'), assistant(sentence), user('Change the colour.')];
    const body = blockOver([
      ...said,
      ...run('a', 'sed -i s/red/blue/ page.css', 'ok'),
      assistant('The header is blue.'),
    ]);
    expect(body).toContain(`- (earlier) ${sentence}`);
  });

  it('quotes no advice that the person did not take up', () => {
    const said = [
      user('Start it.'),
      assistant('Or just use the other port for all pages.'),
      user('Change the colour.'),
    ];
    expect(blockOver([...said, assistant('The header is blue.')])).not.toContain('the other port');
  });

  it('leaves out fragments of lists, exclamations and lines of a shell', () => {
    const reply = [
      'Exactly right!',
      'I found the issue!',
      'The report shows how often each tool is called.',
      '- Average execution time (ms)',
      '- "Show me the statistics"',
      '- curl -X POST https://example.org/mcp \\',
      'Once the deployment is done, it will work correctly!',
    ];
    const body = blockOver([
      user('How do I use the report?'),
      assistant(reply.join('\n\n')),
      user('Thanks.'),
      assistant('Ok.'),
    ]);
    expect(body.split('\n').slice(1)).toEqual([
      '- The person: “How do I use the report?” → answered',
      '- The report shows how often each tool is called.',
    ]);
  });

  it('marks what the agent later says it replaced', () => {
    const body = blockOver([
      user('Show the files as a tree.'),
      assistant('The tree uses the styled components of the Chakra library.\n\nA click on a file opens its window.'),
      user('The tree crashes.'),
      assistant('I switched the tree from the styled components of Chakra to plain ones.'),
    ]);
    expect(body).toContain('- (earlier) The tree uses the styled components of the Chakra library.');
    expect(body).not.toContain('(earlier) A click');
  });

  const edit = (id: string, before: string, after: string): Said[] => [
    call(id, 'edit', { file_path: 'src/tab.tsx', old_string: before, new_string: after }),
    result(id, 'ok'),
  ];

  it.each<[string, string, Said[]]>([
    [
      'a file that was changed since',
      'The switch in `src/tab.tsx` stands at the top right.',
      edit('a', 'right', 'left'),
    ],
    [
      'code that was taken out since',
      'The class `hero-banner_old` makes the text white.',
      edit('a', 'hero-banner_old', 'x'),
    ],
    [
      'a branch that was left since',
      'On `feat/one`, branched from main.',
      run('b', 'git checkout feat/two', 'Switched'),
    ],
  ])('marks a statement about %s', (_, statement, later) => {
    const said = [
      user('Start.'),
      ...run('z', 'git checkout -b feat/one', 'Switched'),
      assistant(statement),
      user('Go on with the rest of it.'),
      ...later,
      assistant('Ok.'),
    ];
    expect(blockOver(said)).toContain(`- (earlier) ${statement}`);
    expect(blockOver(said.filter((one) => !later.includes(one)))).toContain(`- ${statement}`);
  });

  it.each([
    [
      'a merge whose conflicts were solved',
      'git merge main',
      'Automatic merge failed; fix conflicts',
      'git commit -m "Merge main"',
    ],
    [
      'a program that was found at another path',
      'swag init -g rest.go',
      'bash: swag: command not found',
      '~/go/bin/swag init -g rest.go',
    ],
  ])('takes %s for no dead end', (_, first, problem, second) => {
    const said = [
      user('Merge it.'),
      ...run('a', first, problem, true),
      ...run('b', second, 'ok'),
      ...run('c', 'make docs', 'ok'),
    ];
    expect(blockOver(said, ['Dead Ends'])).not.toContain('tried');
  });

  it('takes a check that failed under another runner for no open work once the check passed', () => {
    const said = [
      user('Run the tests.'),
      ...run('a', 'rtk bun run test', 'error: unrecognized subcommand', true),
      ...run('b', 'bun run test', '12 tests passed'),
    ];
    expect(blockOver(said, ['Next Steps'])).toBe('');
  });

  it('shows no error that a later run of the command is rid of', () => {
    const failed = run('a', 'make docs', 'Error: no rule for docs', true);
    expect(blockOver([user('Build the docs.'), ...failed], ['Key Artifacts'])).toContain('error seen: Error: no rule');
    const passed = run('b', 'make docs', 'ok');
    expect(blockOver([user('Build the docs.'), ...failed, ...passed], ['Key Artifacts'])).not.toContain('error seen');
  });

  it('says what was changed since the last commit, and what no push followed', () => {
    const write = (id: string, path: string): Said[] => [call(id, 'write', { path, content: 'a' }), result(id, 'ok')];
    const commit = (id: string) => run(id, `git commit -m "Part ${id}"`, `[main 1a2b3c${id}] Part ${id}`);
    const committed = [...write('1', 'src/one.ts'), ...commit('2'), ...commit('3')];
    const left = [...write('4', 'src/two.ts'), ...write('5', '/home/ann/.claude/memory/two.md')];
    const over = (said: Said[], later: Said[] = []) =>
      blockOver([user('Write both.'), ...said, assistant('Ok.')], ['Completed Work', 'Next Steps'], 2000, later);
    expect(over([...committed, ...left])).toMatch(/^- changed, and no commit seen since: `src\/two\.ts`$/m);
    expect(over(committed)).toContain('(no push seen since, 2 commits in all)');
    expect(over(committed)).not.toContain('no commit seen since');
    expect(over(left)).not.toContain('no commit seen since');
    const after = over([...committed, ...left], [...commit('6'), ...run('7', 'git push', 'main -> main')]);
    expect(after).not.toContain('no commit seen since');
    expect(after).not.toContain('no push seen since');
  });

  it('takes a run without tests for no pass and no failure of the work', () => {
    const none = run('a', 'npm test -- --grep none', 'No tests found, exiting with code 0');
    const passed = run('b', 'npm test', '12 tests passed');
    const over = (...said: Said[]) => blockOver([user('Test it.'), ...said, assistant('Ok.')], ['Current State']);
    expect(over(...none)).toContain('`npm test -- --grep none` could not be run: No tests found');
    expect(over(...none, ...passed)).toContain('`npm test` passed at its last run (12 tests passed)');
    expect(over(...none, ...passed)).not.toContain('before that it failed');
    expect(over(...passed, ...none)).toContain('`npm test` passed at its last run');
  });

  it('does not say that a file at a wrong path could not be changed', () => {
    const at = (id: string, path: string, isError: boolean): Said[] => [
      call(id, 'edit', { path, old_string: 'a', new_string: 'b' }),
      result(id, isError ? 'Error: file does not exist' : 'ok', isError),
    ];
    const body = blockOver(
      [
        user('Change the plan.'),
        ...at('a', 'docs/plan.md', true),
        ...at('b', 'plans/plan.md', false),
        assistant('Ok.'),
      ],
      ['Completed Work'],
    );
    expect(body).toContain('changed `plans/plan.md`');
    expect(body).not.toContain('could not change');
  });

  it('does not say that a folder was deleted', () => {
    const said = [user('Clean up.'), ...run('a', 'rm -rf build/. old/.cache src/old.ts', '')];
    expect(blockOver(said, ['Completed Work'])).toBe('## Completed Work\n- deleted `src/old.ts`');
  });

  it('quotes no lines that the person pasted from a terminal or a browser', () => {
    const pasted =
      'The push fails with this.\nEnumerating objects: 86, done.\nbeginWork @ chunk-36.js:17149\nremote: error';
    const body = blockOver([user(pasted), assistant('The hook was removed.'), user('Thanks.'), assistant('Ok.')]);
    expect(body.split('\n')[1]).toBe('- The person: “The push fails with this.” → answered');
  });

  it('uses no more than a quarter of its room for names where it says little else', () => {
    const names = Array.from({ length: 300 }, (_, at) => `packages/part${at}/loadPart${at}.ts`);
    const body = blockOver([user('List them.'), ...run('a', `cat ${names.join(' ')}`, 'ok')], ['Key Artifacts'], 800);
    expect(countWithO200k(body)).toBeLessThan(250);
  });
});

describe('a block over a part of a session', () => {
  const failing = run('a', 'npm test', 'Error: 2 tests failed', true);
  const before = [user('Repair the reader.'), ...failing, assistant('On `feat/one` the check of the reader is red.')];
  const after = [user('Go on.'), ...run('b', 'npm test', '12 tests passed'), assistant('All tests pass.')];

  it('leaves out the state of a command that was run again later', () => {
    expect(blockOver(before, ['Next Steps'])).toContain('failed at its last run');
    expect(blockOver(before, ['Next Steps'], 2000, after)).toBe('');
  });

  it('leaves out the open items of a list of tasks that the agent wrote again later', () => {
    const todos = (id: string, status: string): Said[] => [
      call(id, 'TodoWrite', { todos: [{ content: 'Write the reader', status }] }),
      result(id, 'ok'),
    ];
    const planned = [user('Write it.'), ...todos('a', 'pending'), assistant('Planned.')];
    expect(blockOver(planned, ['Next Steps'])).toContain('[ ] Write the reader');
    expect(blockOver(planned, ['Next Steps'], 2000, [user('Go on.'), ...todos('b', 'completed')])).toBe('');
  });

  it('never tells the state of a command that was run again later', () => {
    const command = fc.constantFrom('npm test', 'npm run lint', 'cargo build');
    const runs = fc.array(fc.record({ command, failed: fc.boolean() }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(runs, runs, (earlier, later) => {
        const said = (all: typeof earlier, name: string) =>
          all.flatMap((one, at) => run(`${name}${at}`, one.command, one.failed ? 'Error: it fails' : 'ok', one.failed));
        const first = [user('Repair it.'), ...said(earlier, 'a'), assistant('So far.')];
        const body = blockOver(first, ['Current State', 'Next Steps'], 2000, [user('Go on.'), ...said(later, 'b')]);
        const over = new Set(later.map((one) => one.command));
        for (const one of earlier) expect(body.includes(`\`${one.command}\``)).toBe(!over.has(one.command));
      }),
    );
  });

  it('marks what the agent replaced later', () => {
    const first = [user('Show the files.'), assistant('The tree uses the styled components of the Chakra library.')];
    const second = [
      user('It crashes.'),
      assistant('I switched the tree from the styled components of Chakra to plain ones.'),
    ];
    expect(blockOver(first, ['Critical Context'], 2000, second)).toContain('- (earlier) The tree uses');
  });
});

describe('a pasted plan', () => {
  it('says of its details which the agent replaced', () => {
    const steps = Array.from({ length: 20 }, (_, at) => `Step ${at} changes the part ${at} of the page.`);
    const plan = ['Implement the following plan:', 'Use `TreeView` of Chakra for the files.', ...steps].join('\n');
    const body = blockOver([
      user(plan),
      assistant('It crashes.'),
      user('Repair that.'),
      assistant('I switched from the styled `TreeView` of Chakra to plain parts.'),
    ]);
    expect(body).toMatch(/Use `TreeView` of Chakra for the files\..*\(changed later\)/);
  });

  it('is quoted by its beginning and its end, and in full where there is room', () => {
    const steps = Array.from(
      { length: 60 },
      (_, at) => `Step ${at} changes the ${at}th part of the parser and ${'its many parts '.repeat(8)}.`,
    );
    const said = [user(['Carry out this plan.', ...steps].join('\n')), assistant('Ok.'), user('Go on.')];
    const [short, long] = [blockOver(said, undefined, 1000), blockOver(said, undefined, 8000)];
    for (const body of [short, long]) {
      expect(body).toContain('Step 0 changes');
      expect(body).toContain('Step 59 changes');
    }
    expect(short).not.toContain('Step 30 changes');
    expect(long).toContain('Step 30 changes');
    const replaced = assistant('I replaced the 1th part of the parser with a table.');
    const redirect = user('`parser_table` should hold all parts.');
    const changed = blockOver(
      [user(['Carry out this plan.', 'Use `parser_table` for one.', ...steps].join('\n')), replaced, redirect],
      undefined,
      8000,
    );
    expect(changed).not.toContain('Step 30 changes');
  });
});

describe('a rule', () => {
  it('stands with the sentence that says when, and also in the request that it belongs to', () => {
    const said = [user('Rework the page. Do not rebuild it on every run. If you are ready, ask me to look.')];
    const rule = 'Do not rebuild it on every run. If you are ready, ask me to look.';
    expect(blockOver(said, ['Constraints'])).toBe(`## Constraints\n- ${rule}`);
    const both = blockOver(said, ['Constraints', 'Critical Context']);
    expect(both).toContain(`## Constraints\n- ${rule}`);
    expect(both).toContain(`“Rework the page. ${rule}”`);
  });
});

describe('open work', () => {
  it('has what the agent asked before a notification that it answered too', () => {
    const body = blockOver(
      [
        user('Repair the tests.'),
        assistant('The tests are stable. Would you like me to commit these repairs?'),
        injected('<task-notification>The server ended.</task-notification>'),
        assistant('That was the old server.'),
      ],
      ['Next Steps'],
      2000,
      [],
      null,
    );
    expect(body).toContain('- Would you like me to commit these repairs?');
  });

  it('has the pending items of the newest summary of the agent, as said earlier', () => {
    const summary = 'Summary:\n7. Pending Tasks:\n   - Remove the debug output from the sharing tests';
    const body = blockOver(
      [user('Go on.'), agentSummary(summary), user('Go on.'), assistant('I go on.')],
      ['Next Steps'],
    );
    expect(body).toContain('- (earlier) Remove the debug output from the sharing tests');
  });

  it('has items with figures', () => {
    const reply = 'All is done.\n\n**Follow-ups not done:**\n- A real 1200×630 social card.';
    expect(blockOver([user('Do it.'), assistant(reply)], ['Next Steps'])).toContain('- A real 1200×630 social card.');
  });
});

describe('an agent’s own summary', () => {
  it('is read without the analysis that it was drafted in', () => {
    const summary =
      'Analysis:\nBut the fixture sets the key for all of the tests anyway.\n\nSummary:\nThe parser reads nested tables by recursion.';
    const body = blockOver([user('Go on.'), agentSummary(summary), user('Add arrays.'), assistant('I added arrays.')]);
    expect(body).toContain('The parser reads nested tables by recursion.');
    expect(body).not.toContain('fixture');
  });
});
