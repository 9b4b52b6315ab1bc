import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import type { CoreItem } from '../../../extension/engine/core/core';
import { personSaid } from '../../../extension/engine/language/directions';
import { goalsFirst, newProposals, proposalsFromSentences } from '../../../extension/engine/language/proposals';
import { conversations } from '../../builders/arbitrary';
import { agentSummary, assistant, call, injected, result, type Said, talk, user } from '../../builders/conversation';

function proposed(...said: Said[]): string[] {
  return proposalsFromSentences(talk(said).entries).map(({ kind, text, entryId }) => `${entryId} ${kind}: ${text}`);
}

describe('proposals for the core', () => {
  it('proposals for the core come from sentences of the user that demand, forbid or state the goal', () => {
    expect(proposed(user('The goal is a parser for TOML. Never touch legacy/. Please read the file first.'))).toEqual([
      'e1 goal: The goal is a parser for TOML.',
      'e1 constraint: Never touch legacy/.',
    ]);
  });

  it('proposals for the core come from sentences of either side that settle something', () => {
    expect(proposed(user("Let's go with SQLite."), assistant('I am now committing to one table per agent.'))).toEqual([
      "e1 decision: Let's go with SQLite.",
      'e2 decision: I am now committing to one table per agent.',
    ]);
  });

  it('proposals for the core do not come from questions, tool output, reminders or demands by the agent', () => {
    expect(
      proposed(
        user('Must it always be TOML?'),
        injected('You must never stop.'),
        result('a', 'Never run this as root.'),
        assistant('It must never be null.'),
      ),
    ).toEqual([]);
  });

  it('proposals for the core do not come from pasted text', () => {
    const pasted = [
      'it must run on Windows',
      '',
      'Error: 400 {"message":"messages.6: `tool_use`',
      'ids were found without `tool_result` blocks. Each',
      '`tool_use` block must have a corresponding block in the next message."}',
      '> app@1.0.0 check must pass',
    ];
    expect(proposed(user(pasted.join('\n')))).toEqual(['e1 constraint: it must run on Windows']);
  });

  it('proposals for the core are made once, and not after a person refused them', () => {
    const proposals = proposalsFromSentences(talk(user('Never touch legacy/.'), user('never  touch legacy/.')).entries);
    expect(newProposals(proposals, [])).toHaveLength(1);
    const refused: CoreItem = {
      id: 'x',
      kind: 'constraint',
      text: 'Never touch legacy/.',
      rationale: null,
      timestamp: '',
      entryId: null,
      status: 'refused',
    };
    expect(newProposals(proposals, [refused])).toEqual([]);
  });

  it('proposes the newest message that opens work as the goal, and what the session began with', () => {
    expect(
      proposed(
        user('Review the security of the sharing module.'),
        assistant('Two findings are open.'),
        user('You can fix the two findings here.'),
        call('a', 'edit', { file_path: 'src/share.ts' }),
        user('the staging server is running on port 8080'),
        result('a', 'ok'),
        assistant('Fixed. Shall I push?'),
        user('yes please'),
        assistant('Pushed.'),
        user('ok lets get back to main'),
      ).filter((line) => line.includes(' goal: ')),
    ).toEqual(['e1 goal: Review the security of the sharing module.', 'e3 goal: You can fix the two findings here.']);
  });

  it('proposes a question as the goal where it is the newest message', () => {
    const asked = "shouldn't this be added to an existing commit?";
    expect(proposed(user('Fix the failing pipeline of the importer.'), assistant('Done.'), user(asked))).toEqual([
      'e1 goal: Fix the failing pipeline of the importer.',
      `e3 goal: ${asked}`,
    ]);
  });

  it('proposes what the person picked by its number in the words of the agent', () => {
    const list =
      '| # | Title |\n|---|---|\n| 1 | Offload encryption to a worker |\n| 2 | Remove Pinata from the server |';
    const { entries } = talk(user('Which todos are open in this project?'), assistant(list), user('2'));
    const picked = proposalsFromSentences(entries).filter(({ text }) => text === 'Remove Pinata from the server');
    expect(picked.map(({ kind, entryId }) => `${kind} ${entryId}`)).toEqual(['goal e2']);
  });

  it('proposes what the person picked of several ways as a decision, with the reason or the question', () => {
    const ways = assistant('Where should the limit live?\n\n1. In the gateway process\n2. In each service of its own');
    const decisions = (picked: string) =>
      proposalsFromSentences(talk(user('Design the rate limiter.'), ways, user(picked)).entries)
        .filter(({ kind }) => kind === 'decision')
        .map(({ text, rationale }) => [text, rationale]);
    expect(decisions('1')).toEqual([['In the gateway process', 'Where should the limit live?']]);
    const reason = 'one place is easier to reason about';
    expect(decisions(`1, ${reason}`)).toEqual([['In the gateway process', reason]]);
  });

  it('proposes what the agent chose with its reason, and leaves out what a later word of the person replaced', () => {
    const chose = 'I chose YAML for the settings because people know it.';
    const said = [user('Write the settings file.'), assistant(chose)];
    const decisions = (more: Said[]) => proposed(...said, ...more).filter((line) => line.includes(' decision: '));
    expect(decisions([])).toEqual([`e2 decision: ${chose}`]);
    expect(decisions([user('No, use TOML instead of YAML for the settings.')])).toEqual([
      'e3 decision: No, use TOML instead of YAML for the settings.',
    ]);
  });

  it('takes no message for a redirect that only begins with “no”', () => {
    const redirects = (text: string) => personSaid(talk(user(text)).entries).map(({ isRedirect }) => isRedirect);
    expect(redirects('No remarks, so the schema is done')).toEqual([false]);
    expect(redirects('No, use the other schema')).toEqual([true]);
  });

  it('takes no remark on how things are for a new goal, but a complaint, and whatever the session begins with', () => {
    const task = 'Some valid points raised by the reviewer.';
    const goals = (said: string) =>
      proposed(user(task), assistant('Done.'), user(said)).filter((line) => line.includes(' goal: '));
    expect(goals('I checked the page on my phone, seems fine')).toEqual([`e1 goal: ${task}`]);
    const complaint = 'The page on my phone is empty after a reload';
    expect(goals(complaint)).toEqual([`e1 goal: ${task}`, `e3 goal: ${complaint}`]);
  });

  it('takes no symptom and no answer about a detail for a new goal, and drops what a client puts before the words', () => {
    const task = 'Make the importer read the files of the old shop.';
    const goals = (...more: Said[]) => proposed(...more).filter((line) => line.includes(' goal: '));
    expect(goals(user(task), assistant('Done.'), user('hmm, still something wrong with it'))).toEqual([
      `e1 goal: ${task}`,
    ]);
    const wrapped = `# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\n${task}`;
    expect(goals(user(wrapped))).toEqual([`e1 goal: ${task}`]);
  });

  it('takes ways of work for constraints, and no rule of a pasted document', () => {
    const plan = [
      'Implement the following plan:',
      ...Array.from({ length: 50 }, (_, at) => `- Step ${at} must be done.`),
    ];
    expect(
      proposed(user(plan.join('\n')), user('use the workmux skill'), user("it's better not to store any names"))
        .filter((line) => line.includes(' constraint: '))
        .map((line) => line.replace(/^\w+ constraint: /, '')),
    ).toEqual(['use the workmux skill', "it's better not to store any names"]);
  });

  it('puts goals before all others, as only some are proposed at once', () => {
    const { entries } = talk(user('Never touch legacy/.'), user('Write the importer for the old shop.'));
    expect(goalsFirst(proposalsFromSentences(entries)).map(({ kind }) => kind)).toEqual(['goal', 'constraint']);
  });
});

describe('proposals always', () => {
  const demands = fc.constantFrom(
    'Never touch legacy/.',
    'Hands off the database.',
    'Use at most 3 retries.',
    'Leave the tests alone.',
    'Bitte keine neuen Abhängigkeiten.',
  );
  const elsewhere = [
    (text: string) => assistant(text),
    (text: string) => injected(text),
    (text: string) => result('a', text),
    (text: string) => agentSummary(text),
    (text: string) => user(`Look at this:\n\`\`\`\n${text}\n\`\`\``),
    (text: string) => user(`<ci-event>\n${text}\n</ci-event>`),
    (text: string) => user(`> app@1.0.0 check\n${text}`),
    (text: string) => user(`// ${text.replace('.', ';')}`),
  ];

  it('take constraints from the person’s own words alone', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(demands, fc.constantFrom(...elsewhere)), { maxLength: 8 }), (places) => {
        const { entries } = talk(places.map(([text, place]) => place(text)));
        expect(proposalsFromSentences(entries).filter(({ kind }) => kind === 'constraint')).toEqual([]);
      }),
    );
  });

  it('quote the entry that they name, and the same conversation for the reason', () => {
    fc.assert(
      fc.property(conversations, fc.array(demands, { maxLength: 3 }), ({ entries: before }, added) => {
        const entries = [
          ...before,
          ...talk(added.map(user)).entries.map((entry) => ({ ...entry, id: `x${entry.id}` })),
        ];
        const plain = (text: string) => text.replace(/\s+/g, ' ');
        const everything = plain(entries.map(({ parts }) => textOf(parts)).join(' '));
        for (const { text, rationale, entryId } of proposalsFromSentences(entries)) {
          expect(plain(textOf(entries.find(({ id }) => id === entryId)?.parts ?? []))).toContain(plain(text));
          expect(everything).toContain(plain(rationale ?? ''));
        }
      }),
    );
  });
});
