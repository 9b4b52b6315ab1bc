import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SectionName, sections } from '../../extension/engine/block/sections';
import type { RequestedTurn, SummaryRequest } from '../../extension/engine/block/summary';
import { type Entry, readableText } from '../../extension/engine/conversation/entry';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { phraseMatcher } from '../../extension/engine/language/loss-report';
import { extract } from '../../extension/summarizers/extractive/extractive';
import { conversations } from '../builders/arbitrary';
import { agentSummary, assistant, call, long, result, type Said, talk, user } from '../builders/conversation';
import { compact } from '../builders/run';

const loader: Said[] = [
  user('Add TOML to the loader. Never change loadConfig(). Write it for people who read slowly.'),
  call('a', 'read', { path: 'src/config/loader.ts' }, 'Let me look.'),
  result('a', 'export function loadConfig() {}'),
  call('b', 'edit', { path: 'src/config/toml.ts' }, 'I chose a hand-written parser because the library is large.'),
  result('b', 'EACCES: permission denied, open src/config/toml.ts', true),
  call('c', 'edit', { path: 'src/config/toml.ts' }, 'The root cause was a missing write permission.'),
  result('c', 'ok'),
  assistant('I added parseToml in src/config/toml.ts. The next step is to test nested tables.'),
];

function request(asked: readonly SectionName[], changes: Partial<SummaryRequest> = {}, said = loader): SummaryRequest {
  const [person = null, ...entries] = talk(said).entries;
  return {
    summaryType: 'checkpoint',
    sections: asked,
    turns: [{ user: person, userIsReplaced: true, entries, blocks: [] }],
    instructions: null,
    core: null,
    liveGoal: null,
    maxTokens: 1000,
    countTokens: countWithO200k,
    ...changes,
  };
}

function headings(body: string): string[] {
  return [...body.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading ?? '');
}

function sectionOf(body: string, name: SectionName): string {
  return body.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? '';
}

describe('extractive summarizer', () => {
  const withoutWords: Readonly<Record<keyof typeof sections, readonly SectionName[]>> = {
    toolCallBatch: ['Dead Ends', 'Critical Artifacts'],
    conversation: ['Attempted & Abandoned', 'Current State'],
    goalBatch: ['Dead Ends'],
    checkpoint: ['Current State', 'In Progress'],
  };

  it.each(Object.entries(sections))('fills the sections of %s that it has material for, in order', (name, asked) => {
    const absent: readonly SectionName[] = withoutWords[name as keyof typeof sections];
    expect(headings(extract(request(asked)).body)).toEqual(asked.filter((section) => !absent.includes(section)));
  });

  it('writes a checkpoint', () => {
    const { body } = extract(request(sections.checkpoint));
    expect(sectionOf(body, 'Constraints')).toContain('- Never change loadConfig().');
    expect(sectionOf(body, 'Completed Work')).toContain('I added parseToml in src/config/toml.ts.');
    expect(sectionOf(body, 'Next Steps')).toContain('The next step is to test nested tables.');
    expect(sectionOf(body, 'Critical Context')).toContain('Write it for people who read slowly.');
    expect(sectionOf(body, 'Key Artifacts')).toContain('src/config/loader.ts');
  });

  it('writes running text without headings, and the names on one line', () => {
    const { body, spans } = extract(request([]));
    const [text, names, ...more] = body.split('\n\n');
    expect(body).not.toContain('#');
    expect(text).toMatch(/^Add TOML to the loader\. Never change loadConfig\(\)\./);
    expect(names).toMatch(/^Files: \S+/);
    expect(names).not.toContain('\n');
    expect(more).toEqual([]);
    expect(spans.every(({ section }) => section === null)).toBe(true);
  });

  it('writes the lower bound of comparisons without names', () => {
    const { body } = extract(request([], { summaryType: 'naive' }));
    expect(body).toMatch(/^Add TOML to the loader\..*I added parseToml in src\/config\/toml\.ts\./);
    expect(body).not.toContain('\n');
    expect(body).not.toContain('Files:');
    expect(body).not.toContain('src/config/loader.ts');
  });

  it('leaves the strategy out rather than quoting an announcement', () => {
    const said = [user('Fix it.'), call('a', 'read', { path: 'src/run.ts' }, 'Let me look.'), result('a', 'text')];
    expect(headings(extract(request(sections.toolCallBatch, {}, said)).body)).not.toContain('Strategy');
  });

  it('does not repeat a user message that stays before the block', () => {
    const [person = null, ...entries] = talk(loader).entries;
    const turns: RequestedTurn[] = [{ user: person, userIsReplaced: false, entries, blocks: [] }];
    const { body } = extract(request(sections.goalBatch, { turns }));
    expect(body).not.toContain('Never change loadConfig().');
    expect(headings(body)).not.toContain('Goal Arc');
  });

  it('does not repeat the core', () => {
    const core = {
      original_goal: 'Add TOML to the loader.',
      current_goal: null,
      hard_constraints: ['Never change loadConfig().'],
      key_decisions: [],
    };
    const { body } = extract(request(sections.goalBatch, { core }));
    expect(body).not.toContain('Never change loadConfig().');
    expect(body).not.toContain('Add TOML to the loader.');
    expect(body).toContain('Write it for people who read slowly.');
  });

  it('keeps names that are only in an earlier summary by the agent', () => {
    const said = [agentSummary('Work went on in src/legacy/reader.ts with readLegacy.'), ...loader];
    const { entries } = talk(said);
    const turns: RequestedTurn[] = [{ user: null, userIsReplaced: false, entries, blocks: [] }];
    const holds = phraseMatcher(extract(request(sections.checkpoint, { turns, maxTokens: 200 })).body);
    expect(holds('src/legacy/reader.ts')).toBe(true);
    expect(holds('readLegacy')).toBe(true);
  });

  it('gives names that only an output has what room is left', () => {
    const output = Array.from({ length: 40 }, (_, at) => `src/part${at}/module${at}.ts:1: export const a`).join('\n');
    const said = [
      user('Look for the constant.'),
      ...[call('a', 'bash', { command: 'grep -rn a src' }), result('a', output)],
      assistant('The constant is declared in many modules, as src/main.ts shows.'),
    ];
    const namesIn = (maxTokens: number) =>
      new Set(extract(request(sections.goalBatch, { maxTokens }, said)).body.match(/module\d+/g)).size;
    expect(namesIn(60)).toBe(0);
    expect(namesIn(2000)).toBeGreaterThan(10);
  });

  it('puts calls that only looked into few lines, so that all are there', () => {
    const calls = Array.from({ length: 30 }, (_, at) => [
      call(`c${at}`, 'read', { path: `src/part-${at}.ts` }),
      result(`c${at}`, long('A file.', 3)),
    ]).flat();
    const { body } = extract(request(sections.toolCallBatch, { maxTokens: 500 }, [user('Read all.'), ...calls]));
    expect(body.match(/^- \*\*read\*\* \(\d calls\)/gm)).toHaveLength(4);
    for (let at = 0; at < 30; at += 1) expect(body).toContain(`src/part-${at}.ts`);
  });

  it('says how many operations are not listed', () => {
    const calls = Array.from({ length: 30 }, (_, at) => [
      call(`c${at}`, 'bash', { command: `node script-${at}.js --with an-option` }),
      result(`c${at}`, long('A line.', 3)),
    ]).flat();
    const { body } = extract(request(sections.toolCallBatch, { maxTokens: 500 }, [user('Run all.'), ...calls]));
    const shown = body.match(/^- \*\*bash\*\*/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(0);
    expect(body).toContain(`- (+${30 - shown} more)`);
  });

  it('extractive summarizer has no line with more than a dozen bare names', () => {
    const files = Array.from({ length: 60 }, (_, at) => `src/part${at}/module${at}.ts`).join(' ');
    const names = Array.from({ length: 60 }, (_, at) => `readModule${at}`).join(' ');
    const { body } = extract(
      request(sections.goalBatch, { maxTokens: 6000 }, [user('Read on.'), assistant(`${files} ${names}`)]),
    );
    const lists = body.match(/^- (?:Files|Names): .*$/gm) ?? [];
    expect(lists.length).toBeGreaterThan(1);
    expect(body.match(/readModule\d+/g)).toHaveLength(lists.join(' ').match(/readModule\d+/g)?.length ?? 0);
    for (const list of lists) expect(list.split(/[\s,]+/).length - 2).toBeLessThanOrEqual(12);
  });

  it('prefers what the instructions ask for', () => {
    const files = Array.from({ length: 60 }, (_, at) => `src/part${at}/module${at}.ts`).join(' ');
    const said = [user('Read on.'), assistant(`I read src/billing/invoice.ts.`), assistant(files)];
    const held = (instructions: string | null) =>
      phraseMatcher(extract(request(sections.goalBatch, { instructions, maxTokens: 120 }, said)).body)(
        'src/billing/invoice.ts',
      );
    expect(held(null)).toBe(false);
    expect(held('Keep all about the invoices.')).toBe(true);
  });

  it('keeps the user’s rules if there is little room', () => {
    const said = [user('Fix it. Never push to main.'), assistant(long('I read another file of the project.'))];
    expect(extract(request(sections.goalBatch, { maxTokens: 160 }, said)).body).toContain('Never push to main.');
  });

  it('stays within its length and only quotes entries, in any sections', () => {
    const asked = fc.constantFrom<readonly SectionName[]>([], ...Object.values(sections));
    fc.assert(
      fc.property(conversations, asked, fc.integer({ min: 40, max: 1200 }), ({ entries }, names, maxTokens) => {
        const turns = [{ user: null, userIsReplaced: false, entries, blocks: [] }];
        const { body, spans } = extract(request(names, { turns, maxTokens }));
        expect(countWithO200k(body)).toBeLessThanOrEqual(maxTokens + slack);
        for (const { text, entryId } of spans) expect(textOf(entries, entryId)).toContain(bare(text));
      }),
      { numRuns: 120 },
    );
  });

  it('gives the same summary for the same entries', () => {
    expect(extract(request(sections.checkpoint))).toEqual(extract(request(sections.checkpoint)));
  });
});

describe('open work', () => {
  const asked = ['In Progress', 'Next Steps'] as const;
  const offer = assistant(
    'I found a leak in the reader. The next step is to close the file. Want me to implement this?',
  );
  const fixed = [
    user('Yes, do it.'),
    call('a', 'edit'),
    result('a', 'ok'),
    assistant('I fixed the leak in the reader.'),
  ];

  function sectionsOver(said: Said[], changes: Partial<SummaryRequest> = {}): string {
    return told(asked, said, { turns: turnsOf(said), ...changes }).body;
  }

  it('excludes what an earlier turn left open', () => {
    expect(sectionsOver([user('Look for leaks.'), offer, ...fixed])).toBe('');
  });

  it('includes what the last reply says', () => {
    const body = sectionsOver([user('Look for leaks.'), offer]);
    expect(sectionOf(body, 'Next Steps')).toContain('- The next step is to close the file.');
    expect(sectionOf(body, 'Next Steps')).toContain('- Want me to implement this?');
  });

  it('excludes an offer that a later turn answered', () => {
    const body = sectionsOver([user('Look for leaks.'), offer], { liveGoal: 'Yes, do it.' });
    expect(body).toContain('The next step is to close the file.');
    expect(body).not.toContain('Want me to implement this?');
  });

  it('excludes a turn that has its answer', () => {
    const said = [call('b', 'read', {}, 'Now I need to move the callers.'), result('b', 'ok')];
    expect(sectionsOver([user('Move it.'), ...said, assistant('I moved all of them.')])).toBe('');
    const body = sectionsOver([user('Move it all.'), ...said]);
    expect(sectionOf(body, 'In Progress')).toContain('- Move it all.');
    expect(body).toContain('- Now I need to move the callers.');
  });

  it('includes a request without an answer', () => {
    expect(sectionsOver([user('Look for leaks.'), offer, user('Close the file first.')])).toBe(
      '## In Progress\n- Close the file first.',
    );
  });

  it('excludes descriptions and the user’s own actions', () => {
    const said = assistant('The reader closes its file. You typed a wrong path. Want me to implement this?');
    expect(told(['Current State'], [user('Look.'), said]).body).toBe('## Current State\n- The reader closes its file.');
  });

  it('excludes what the program does next', () => {
    const said = assistant('It queues messages that are injected at the next turn. Pending bash messages are kept.');
    expect(sectionsOver([user('How does it work?'), said])).toBe('');
  });
});

describe('status section', () => {
  const worked = (id: string) => [call(id, 'read'), result(id, 'text')];
  const failed = (id: string) => [call(id, 'edit'), result(id, 'EACCES: permission denied', true)];
  const status = (...said: Said[]) => told(['Status'], [user('Fix it.'), ...said]);

  it.each([
    { said: [...worked('a'), ...worked('b')], line: 'COMPLETE — all 2 tool calls returned without an error.' },
    { said: worked('a'), line: 'COMPLETE — the only tool call returned without an error.' },
    { said: [...failed('a'), ...worked('b')], line: 'PARTIAL — 1 of 2 tool calls failed; the last one worked.' },
    { said: [call('a'), ...worked('b')], line: 'PARTIAL — 1 of 2 tool calls gave no result.' },
    { said: [call('a')], line: 'BLOCKED — the last tool call gave no result.' },
  ])('follows from the calls: $line', ({ said, line }) => {
    const { body, spans } = status(...said, assistant('Good, those are fine.'));
    expect(body).toBe(`## Status\n${line}`);
    expect(spans.filter(({ section }) => section === 'Status')).toEqual([]);
  });

  it.each([
    { name: 'edit', text: 'EACCES: permission denied', isError: true, reason: 'EACCES: permission denied' },
    { name: 'bash', text: 'running\nBuild failed: 2 errors', isError: false, reason: 'Build failed: 2 errors' },
  ])('quotes why the last call failed: $reason', ({ name, text, isError, reason }) => {
    const { body, spans } = status(...worked('a'), call('b', name, {}), result('b', text, isError));
    expect(body).toBe(`## Status\nBLOCKED — the last tool call failed: ${reason}`);
    expect(spans.filter(({ section }) => section === 'Status')).toEqual([
      { section: 'Status', text: reason, entryId: 'e5' },
    ]);
  });

  it('status section is absent without calls', () => {
    expect(status(assistant('I only thought about it for a while.')).body).toBe('');
  });
});

/** The worked example of docs/specification.md, "Goal batches". */
const redirected: Said[] = [
  user('Add a config loader that reads YAML.'),
  call('a', 'write', { path: 'src/config-class.ts', content: 'export class ConfigLoader {\n  read() {}\n}' }),
  result('a', 'File created successfully'),
  call('b', 'bash', { command: 'npm test' }),
  result('b', 'Tests: 1 failed\nError: ConfigLoader is slow to build', true),
  call('c', 'bash', { command: 'rm src/config-class.ts' }),
  result('c', ''),
  assistant('I tried a ConfigLoader class first, but it made the tests too slow, so I abandoned it.'),
  user('Use TOML instead of YAML. Never add a dependency for it.'),
  call('d', 'write', { path: 'src/config.ts', content: 'export function loadConfig() {\n  return {};\n}' }),
  result('d', 'File created successfully'),
  call('e', 'bash', { command: 'npm test' }),
  result('e', 'Tests: 12 passed, 12 total'),
  assistant('I wrote loadConfig in src/config.ts, which reads TOML.'),
];

describe('goal batch over a redirect and a way that was given up', () => {
  const { body } = extract(request(sections.goalBatch, { turns: turnsOf(redirected) }, redirected));

  it('says what the goal was, and what it became', () => {
    expect(sectionOf(body, 'Goal Arc')).toBe(
      [
        'Goal Arc',
        '- Add a config loader that reads YAML. (ended later)',
        '  -> then Use TOML instead of YAML.',
        '',
        '',
      ].join('\n'),
    );
    expect(sectionOf(body, 'Lasting Constraints')).toContain('- Never add a dependency for it.');
  });

  it('says which way was given up, by what was done and in the agent’s words', () => {
    const deadEnds = sectionOf(body, 'Dead Ends');
    expect(deadEnds).toContain('- tried with a new file `src/config-class.ts`, and deleted it again');
    expect(deadEnds).toContain(
      '- I tried a ConfigLoader class first, but it made the tests too slow, so I abandoned it.',
    );
  });

  it('gives the last state of files and checks', () => {
    const achieved = sectionOf(body, 'What Was Achieved');
    expect(achieved).toContain('- created `src/config.ts` (loadConfig)');
    expect(achieved).toContain(
      '- `npm test` passed at its last run (Tests: 12 passed, 12 total); before that it failed:',
    );
    expect(achieved).not.toContain('failed at its last run');
  });
});

describe('last states', () => {
  it('last states leave out that tests pass where the work went on', () => {
    const said = [
      user('Fix the reader.'),
      assistant('All tests pass now.'),
      user('Now move the writer.'),
      call('a', 'edit', { path: 'src/writer.ts', old_string: 'a', new_string: 'b' }),
      result('a', 'ok'),
      assistant('I moved the writer into a file of its own.'),
    ];
    const { body } = extract(request(sections.checkpoint, { turns: turnsOf(said) }, said));
    expect(body).not.toContain('All tests pass now.');
    expect(body).toContain('I moved the writer into a file of its own.');
  });

  it('What Was Achieved lists deeds, and no steps of a plan that name an old one', () => {
    const said: Said[] = [
      user('Publish the catalog'),
      call('a', 'edit', { path: 'src/a.ts' }),
      result('a', 'ok'),
      assistant(
        'Publish updated metadata to the mirror. I renamed the table of the catalog. The index was rebuilt and moved to disk.',
      ),
    ];
    const body = extract(request(['Milestones'], {}, said)).body;
    expect(body).toContain('I renamed the table of the catalog.');
    expect(body).toContain('The index was rebuilt and moved to disk.');
    expect(body).not.toContain('Publish updated metadata');
  });

  it('blocks leave out that the agent has seen enough, and what stands around its own summary', () => {
    const said: Said[] = [
      user('Find the leak'),
      call('a', 'read', { path: 'src/a.ts' }, 'Good, I have the complete scope. Now I understand the complete flow.'),
      result('a', 'ok'),
      assistant(
        'This session is being continued from a previous conversation that ran out of context. The cache was never emptied.',
      ),
    ];
    const body = extract(request(['Findings'], {}, said)).body;
    expect(body).toContain('The cache was never emptied.');
    expect(body).not.toMatch(/complete (?:scope|flow)|being continued/);
  });

  it('last states leave out that something was removed which came back later', () => {
    const said = [
      user('Remove readAll.'),
      assistant('I removed readAll from the reader because nobody calls it.'),
      user('It is called from outside.'),
      assistant('I restored readAll in the reader as it was before.'),
    ];
    const { body } = extract(request(sections.checkpoint, { turns: turnsOf(said) }, said));
    expect(body).not.toContain('I removed readAll');
    expect(body).toContain('I restored readAll');
  });

  it('what was deleted does not include what stands behind the deletion', () => {
    const said = [
      user('Clean up.'),
      call('a', 'bash', { command: 'rm -f src/old.ts 2>/dev/null; ls src' }),
      result('a', 'new.ts'),
    ];
    const { body } = extract(request(sections.checkpoint, {}, said));
    expect(body.match(/^- deleted .*$/gm)).toEqual(['- deleted `src/old.ts`']);
  });

  it('last states name what fails at the end, and what was committed', () => {
    const said = [
      user('Fix the reader.'),
      call('a', 'bash', { command: 'git add . && git commit -m "Read nested tables"' }),
      result('a', '[main 1234567] Read nested tables'),
      call('b', 'bash', { command: 'cd web && npm run build 2>&1 | tail -3' }),
      result('b', 'error TS2304: Cannot find name readTable.', true),
    ];
    const { body } = extract(request(sections.checkpoint, {}, said));
    expect(sectionOf(body, 'Completed Work')).toContain(
      '- committed `1234567`: “Read nested tables” (no push seen since)',
    );
    expect(sectionOf(body, 'Next Steps')).toContain(
      '- `npm run build` failed at its last run: error TS2304: Cannot find name readTable.',
    );
  });

  it('last states name a commit that was pushed, and no failure of a part after the whole passed', () => {
    const said = [
      user('Fix the reader.'),
      call('a', 'bash', { command: 'go test ./color/... -run TestFades -v' }),
      result('a', 'FAIL: TestFades', true),
      call('b', 'bash', { command: 'go test ./...' }),
      result('b', 'ok  \tcolor\t0.2s'),
      call('c', 'bash', { command: 'git commit -am "Fade by cells" && git push' }),
      result('c', '[main 89abcde] Fade by cells'),
    ];
    const { body } = extract(request(sections.checkpoint, {}, said));
    expect(sectionOf(body, 'Completed Work')).toContain('- committed `89abcde`: “Fade by cells”\n');
    expect(body).not.toContain('failed at its last run');
  });

  it('a number that picks an option stands with the option', () => {
    const list = 'Pending todos:\n\n1. Offload encryption to a worker\n2. Remove Pinata from the server';
    const said = [user('Which todos are open?'), assistant(list), user('2'), assistant('Started with that one now.')];
    expect(extract(request(sections.checkpoint, {}, said)).body).toContain(
      'The person: “2” (the option: “Remove Pinata from the server”)',
    );
  });

  it('rows of a table in the closing text are quoted', () => {
    const table =
      '| Commit | Fix |\n|---|---|\n| `3798066d` | The regex path now replaces the span that matched in the folder name |';
    const { body } = extract(
      request(sections.checkpoint, {}, [user('Fix both bugs.'), assistant(`Both are fixed.\n\n${table}`)]),
    );
    expect(body).toContain('`3798066d` | The regex path now replaces the span that matched in the folder name');
    expect(body).not.toContain('Commit | Fix');
  });

  it('last states hold the agent’s to-do list', () => {
    const list = (...states: string[]) => ({
      todos: states.map((status, at) => ({ content: `Step ${at + 1} of the plan`, status })),
    });
    const said = [
      user('Do it all.'),
      call('a', 'TodoWrite', list('in_progress', 'pending', 'pending')),
      result('a', 'ok'),
      call('b', 'TodoWrite', list('completed', 'in_progress', 'pending')),
      result('b', 'ok'),
    ];
    const { body } = extract(request(sections.checkpoint, {}, said));
    expect(sectionOf(body, 'Completed Work')).toContain('- [x] Step 1 of the plan');
    expect(sectionOf(body, 'In Progress')).toContain('- [in progress] Step 2 of the plan');
    expect(sectionOf(body, 'Next Steps')).toContain('- [ ] Step 3 of the plan');
  });
});

describe('answers of the person', () => {
  it('answers of the person stand with their questions', () => {
    const said = [
      user('Look for leaks.'),
      assistant('There are two ways. Should I (1) close the file or (2) keep one reader?'),
      user('yes, do 1'),
      assistant('I closed the file.'),
    ];
    const { body } = extract(request(sections.goalBatch, { turns: turnsOf(said) }, said));
    expect(sectionOf(body, 'Human Direction')).toContain(
      '- yes, do 1 (asked: “Should I (1) close the file or (2) keep one reader?”)',
    );
  });

  it('answers of one word stand with their questions too', () => {
    const said = [
      user('Look for leaks.'),
      assistant('Should I close the file?'),
      user('Yes'),
      assistant('I closed it.'),
    ];
    const { body } = extract(request(sections.goalBatch, { turns: turnsOf(said) }, said));
    expect(sectionOf(body, 'Human Direction')).toContain('- Yes (asked: “Should I close the file?”)');
  });

  it('answers of the person are found in the results of a tool that asks', () => {
    const answer =
      'User has answered your questions: "Which database?"="SQLite, never Postgres". You can now continue.';
    const said = [user('Set it up.'), call('a', 'AskUserQuestion', { questions: [] }), result('a', answer)];
    const { body } = extract(request(sections.goalBatch, {}, said));
    expect(sectionOf(body, 'Human Direction')).toContain('- SQLite, never Postgres (asked: “Which database?”)');
  });
});

describe('achieved work', () => {
  const achieved = (text: string) => told(['Completed Work'], [user('Go on.'), assistant(text)]).body;

  it.each([
    'I added a reader for TOML.',
    'I’ve also moved the tests of it.',
    'Removed seven hide methods and their members.',
    '**Added `readAll()` helper** for the callers.',
    '`config.ts` moved to `src/`, all imports updated.',
    'The imports have all been updated.',
    'All tests of the reader pass.',
    'I fixed the crash that would come when the list is empty.',
  ])('achieved work is recognised in a report: %s', (sentence) => {
    expect(achieved(sentence)).toBe(`## Completed Work\n- ${sentence}`);
  });

  it.each([
    'This is a 907-line file.',
    'Update refactor.md to mark complete',
    'Should I have fixed that as well?',
    'Once I fixed the reader, the tests pass.',
    'If I removed it, the tests pass.',
    'All tests should pass after that.',
    'User committed: the shadow branch was removed.',
    'You typed `ls`, and it was added to the list.',
    'The message is saved to the queue and flushed.',
    'The structure was solid and done well.',
  ])('achieved work is not recognised in a plan, question, description or action of the user: %s', (sentence) => {
    expect(achieved(sentence)).toBe('');
  });

  it.each(['Dead Ends', 'What Worked'] as const)(
    'achieved work is not attributed from the user’s action in %s',
    (section) => {
      const said = [user('Go on.'), assistant('User ran the build, which failed. You fixed that, and all tests pass.')];
      expect(told([section], said).body).toBe('');
      const own = [user('Go on.'), assistant('I tried a cache, which did not work. I fixed that, and all tests pass.')];
      expect(told([section], own).body).not.toBe('');
    },
  );
});

describe('user’s words', () => {
  const pasted = [
    'then we need to tackle this:',
    '',
    '> app@1.0.0 check must pass',
    "Error: ENOENT: no such file or directory, open '/srv/app/package.json'",
    '    at readFileSync (node:fs:443:20) {',
    "  code: 'ENOENT',",
    '}',
    ' Error: 400 {"error":{"message":"messages.6: `tool_use`',
    ' ids were found without `tool_result` blocks. Each',
    ' `tool_use` block must have a corresponding `tool_result` block in the next',
    ' message."}}',
    '',
    'never retry it.',
  ].join('\n');

  it('exclude pasted text', () => {
    const { body } = told(['Human Direction', 'Lasting Constraints', 'Goal Arc'], [user(pasted)]);
    expect(body).toBe(
      ['## Lasting Constraints', '- never retry it.', '', '## Goal Arc', '- then we need to tackle this:'].join('\n'),
    );
  });
});

/** The sections alone: names go to one of their own. */
function told(asked: readonly SectionName[], said: Said[], changes: Partial<SummaryRequest> = {}) {
  const { body, spans } = extract(request([...asked, 'Key Artifacts'], changes, said));
  return { body: body.replace(/(?:^|\n\n)## Key Artifacts\n[\s\S]*$/, ''), spans };
}

function turnsOf(said: readonly Said[]): RequestedTurn[] {
  const turns: { user: Entry; userIsReplaced: true; entries: Entry[]; blocks: [] }[] = [];
  for (const entry of talk(said).entries) {
    if (entry.role === 'user') turns.push({ user: entry, userIsReplaced: true, entries: [], blocks: [] });
    else turns.at(-1)?.entries.push(entry);
  }
  return turns;
}

/** The count of what is left out is not known before. */
const slack = 8;

function textOf(entries: readonly Entry[], id: string): string {
  const entry = entries.find((candidate) => candidate.id === id);
  return bare((entry?.parts ?? []).map(readableText).join(' ').replaceAll('\\n', ' '));
}

function bare(text: string): string {
  return text.replace(/…$/, '').replace(/\s+/g, ' ').trim();
}

describe('a block without a model', () => {
  it('may quote what is said of other agents', async () => {
    const told = [
      'The agent found a leak in the reader of nested tables.',
      'The agent fixed it with a lock of its own.',
    ];
    const work = Array.from({ length: 12 }, (_, at) => [user(`Go on with ${at}.`), assistant(long('I read on.', 200))]);
    const conversation = talk(user('What did the reviewers do?'), assistant(told.join(' ')), work.flat());
    const { records } = await compact(conversation, { strategy: 'checkpoint' });
    expect(records[0]).toMatchObject({ text: expect.stringContaining('The agent fixed it') });
  });
});
