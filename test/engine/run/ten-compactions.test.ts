import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LanguageModel, Prompt } from '../../../extension/engine/block/language-model';
import { textOf } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { modelSummarizer } from '../../../extension/summarizers/model/model-summarizer';
import { assistant, call, long, result, type Said, talk, user } from '../../builders/conversation';
import { quotedAs } from '../../builders/quotations';
import { compact, contextOf, emptyState, wordEmbedder } from '../../builders/run';

/**
 * Tests of ten compactions in a row, each of which continues the block of the one before. A model answered the prompts
 * once; its answers are in `test/fixtures/ten-compactions`, by the number of the compaction.
 */
const answers = join(import.meta.dirname, '../../fixtures/ten-compactions');

interface Stage {
  readonly asked: string;
  /** Output of the agent's reading call. `did` is its change, and `said` its closing reply. */
  readonly read: string;
  readonly did: readonly [tool: string, input: Readonly<Record<string, string>>, outcome: string];
  readonly said: string;
}

const stages: readonly Stage[] = [
  {
    asked:
      'Build the import of tariffs from CSV in src/tariffs/import.ts. Money is always integer cents, never a float.',
    read: 'samples/tariffs.csv',
    did: ['bash', { command: 'npm test -- import' }, 'import.test.ts: 4 passed'],
    said: 'importTariffs(text: string): Tariff[] is in src/tariffs/import.ts; parseCents(text: string): number rounds nothing and throws RangeError("not cents: 1.234").',
  },
  {
    asked:
      'Semicolons occur, too. Detect the separator. And no dependency for CSV, ever: we had a supply chain incident.',
    read: 'package.json',
    did: ['bash', { command: 'npm uninstall csv-parse' }, 'removed 1 package'],
    said: 'I had tried csv-parse and took it out because of your rule. separatorOf(line: string) counts separators outside of quotes.',
  },
  {
    asked: 'Dates in these files are days in Europe/Berlin, not UTC.',
    read: 'src/tariffs/dates.ts',
    did: [
      'bash',
      { command: 'npm test -- dates' },
      'AssertionError: 2026-03-29T00:00+02:00 is not 2026-03-29T00:00+01:00',
    ],
    said: 'new Date(day) is a day off at the change of the clock, so I abandoned it. toInstant(day: string) uses Intl.DateTimeFormat with Europe/Berlin; the test passes now.',
  },
  {
    asked: 'Commit that. Commit messages are in German from now on.',
    read: '.git/COMMIT_EDITMSG',
    did: [
      'bash',
      { command: 'git commit -m "Tarife: Tage in Berliner Zeit lesen"' },
      '[main 4e1f2a9] Tarife: Tage in Berliner Zeit lesen',
    ],
    said: 'Committed as 4e1f2a9.',
  },
  {
    asked: 'Now store them. Let us take SQLite, one file, tariffs.db.',
    read: 'src/store/store.ts',
    did: ['write', { path: 'src/store/sqlite.ts' }, 'written'],
    said: 'openStore(file: string): TariffStore is in src/store/sqlite.ts. Should old tariffs be deleted or kept with an end date?',
  },
  {
    asked: 'Keep them with an end date. And do not touch src/legacy, another team owns it.',
    read: 'src/legacy/prices.ts',
    did: ['edit', { path: 'src/store/sqlite.ts' }, 'edited'],
    said: 'endTariff(id: string, day: string) sets valid_to. src/legacy/prices.ts still reads the old table prices_v1, so I left that table.',
  },
  {
    asked:
      'The log of yesterday had names of customers in it. That must never happen again: no customer names in logs.',
    read: 'src/log.ts',
    did: ['bash', { command: 'npm test -- log' }, 'log.test.ts: 2 passed'],
    said: 'log(event, fields) drops the fields name, customer and email; the test feeds it each of them.',
  },
  {
    asked:
      'We move to Postgres after all, SQLite is out: two processes write. And commit messages may be English again.',
    read: 'docker-compose.yml',
    did: ['write', { path: 'src/store/postgres.ts' }, 'written'],
    said: 'openStore(url: string): Promise<TariffStore> is in src/store/postgres.ts; src/store/sqlite.ts is deleted. Migration 001_tariffs.sql creates tariffs with valid_to.',
  },
  {
    asked: 'Others import our loader. loadTariffs(path: string): Promise<Tariff[]> has to stay exactly as it is.',
    read: 'src/index.ts',
    did: ['bash', { command: 'npm run check:api' }, 'api unchanged'],
    said: 'loadTariffs() goes through importTariffs() now, with the same signature; npm run check:api compares it.',
  },
  {
    asked: 'Write the command: tariffs import FILE. Exit code 2 if any row is bad, and nothing is stored then.',
    read: 'src/cli.ts',
    did: ['bash', { command: 'npm test -- cli' }, 'cli.test.ts: 1 failed: expected exit code 2, got 1'],
    said: 'runImport(file: string): Promise<number> is in src/cli.ts. The exit code is still 1, because main() catches the error first.',
  },
];

const last = 'Good. Fix that exit code next.';

/**
 * The rules by the stage that states them, with the words that a text must contain, and the stage that withdraws them.
 */
const rules: readonly { readonly words: RegExp; readonly from: number; readonly until?: number }[] = [
  { words: /integer cents/, from: 1 },
  { words: /[Nn]o dependency for CSV/, from: 2 },
  { words: /csv-parse — abandoned/, from: 2 },
  { words: /Europe\/Berlin, not UTC/, from: 3 },
  { words: /new Date\(day\).* — abandoned/, from: 3 },
  { words: /[Cc]ommit messages are in German/, from: 4, until: 8 },
  { words: /Settled: SQLite/, from: 5, until: 8 },
  { words: /Settled: old tariffs are kept with an end date/, from: 6 },
  { words: /not touch src\/legacy/, from: 6 },
  { words: /no customer names in logs/, from: 7 },
  { words: /Settled: Postgres/, from: 8 },
  { words: /loadTariffs\(path: string\): Promise<Tariff\[\]>/, from: 9 },
  { words: /Exit code 2 if any row is bad/, from: 10 },
];

function work({ asked, read, did: [tool, input, outcome], said }: Stage, at: number): Said[] {
  return [
    user(asked),
    call(`r${at}`, 'read', { path: read }),
    result(`r${at}`, long(`Lines of ${read}.`, 100)),
    call(`d${at}`, tool, input),
    result(`d${at}`, outcome, /fail|Assertion/.test(outcome)),
    assistant(said),
  ];
}

/** The conversation after this many stages, when the next request was just sent. */
function after(done: number) {
  return talk(stages.slice(0, done).flatMap(work), user(stages[done]?.asked ?? last));
}

function recorded() {
  const prompts: Prompt[] = [];
  const model: LanguageModel = {
    ...{ name: 'recorded', model: 'm', concurrency: 1 },
    async complete(prompt) {
      prompts.push(prompt);
      const file = `${String(prompts.length).padStart(2, '0')}.md`;
      return { text: readFileSync(join(answers, file), 'utf8'), isCut: false, tokens: { input: 1, output: 1 } };
    },
  };
  return { prompts, summarizer: modelSummarizer(model, { maxPromptTokens: 100_000 }) };
}

async function tenCompactions() {
  const { prompts, summarizer } = recorded();
  const blocks: string[] = [];
  let state = emptyState;
  for (const [at] of stages.entries()) {
    const conversation = after(at + 1);
    const { records, failures } = await compact(conversation, {
      ...{ state, strategy: 'checkpoint', withoutCore: true },
      ...{
        tools: { summarizer, model: null, embedder: wordEmbedder },
        parameters: { checkpoint: { keepRecentTokens: 10, target: 1 } },
      },
    });
    expect({ failures, made: records.length, calls: prompts.length }).toEqual({ failures: [], made: 1, calls: at + 1 });
    state = foldJournal(records, state);
    const messages = contextOf(conversation, state).messages.filter(({ kind }) => kind !== 'core');
    expect(messages.map(({ kind }) => kind)).toEqual(['summary', 'user']);
    blocks.push(textOf(messages[0]?.parts ?? []));
  }
  return { prompts, blocks };
}

describe('ten compactions in a row', () => {
  it('ten compactions in a row keep every rule that still holds, and drop what was withdrawn', async () => {
    const { blocks } = await tenCompactions();
    for (const [at, block] of blocks.entries()) {
      const number = at + 1;
      for (const { words, from, until = Infinity } of rules) {
        const holds = from <= number && number < until;
        expect([number, words.source, words.test(block)]).toEqual([number, words.source, holds]);
      }
    }
  });

  it('ten compactions in a row give the model its own text whole, and of the record only what is new', async () => {
    const { prompts, blocks } = await tenCompactions();
    for (const [at, { user: asked }] of prompts.entries()) {
      const record = quotedAs('the record', asked);
      for (const [other, { said }] of stages.entries())
        expect([at, other, record.includes(said)]).toEqual([at, other, at === other]);
      const earlier = blocks[at - 1]?.split('\n').filter((line) => line.startsWith('- ')) ?? [];
      for (const line of earlier) expect(asked).toContain(line);
    }
  });
});
