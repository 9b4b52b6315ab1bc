import { describe, expect, it } from 'vitest';
import type { SectionName } from '../../extension/engine/block/sections';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { extract } from '../../extension/summarizers/extractive/extractive';
import { agentSummary, assistant, call, result, type Said, talk, user } from '../builders/conversation';

function blockOver(
  said: readonly Said[],
  sections: readonly SectionName[] = ['Critical Context'],
  maxTokens = 2000,
): string {
  const [person = null, ...entries] = talk(said).entries;
  const { body } = extract({
    ...{ summaryType: 'checkpoint', sections, maxTokens, countTokens: countWithO200k },
    turns: [{ user: person, userIsReplaced: true, entries, blocks: [] }],
    ...{ instructions: null, core: null, liveGoal: 'Go on.' },
  });
  return body;
}

const run = (id: string, command: string, output: string, isError = false): Said[] => [
  call(id, 'bash', { command }),
  result(id, output, isError),
];

describe('a readable block', () => {
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

  it('uses no more than a quarter of its room for names', () => {
    const names = Array.from({ length: 300 }, (_, at) => `packages/part${at}/loadPart${at}.ts`);
    const body = blockOver([user('List them.'), ...run('a', `cat ${names.join(' ')}`, 'ok')], ['Key Artifacts'], 800);
    expect(countWithO200k(body)).toBeLessThan(250);
  });
});

describe('a pasted plan', () => {
  it('is quoted by its beginning and its end', () => {
    const steps = Array.from(
      { length: 60 },
      (_, at) => `Step ${at} changes the ${at}th part of the parser and ${'its many parts '.repeat(8)}.`,
    );
    const body = blockOver([user(['Carry out this plan.', ...steps].join('\n')), assistant('Ok.'), user('Go on.')]);
    expect(body).toContain('Step 0 changes');
    expect(body).toContain('Step 59 changes');
    expect(body).not.toContain('Step 30 changes');
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
