import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';

/** Tests of `strata compact` with a program on this machine as the model, which does not answer as it should. */

const session = resolve(import.meta.dirname, '../fixtures/pi-0.73/before-compaction.jsonl');
let folder: string;
let journals: string;
let strata: string;

beforeAll(async () => {
  strata = join(await built('cli'), 'cli/strata.js');
  folder = await mkdtemp(join(tmpdir(), 'strata-command-'));
}, buildTimeoutMs);

beforeEach(async () => {
  journals = join(await mkdtemp(join(folder, 'test-')), 'journals');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  /** Standard output and standard error together. */
  readonly said: string;
}

/** Compacts with a program of these lines. Their `input` is the prompt. */
async function compact(lines: string, ...options: readonly string[]): Promise<Outcome> {
  const file = join(folder, 'model.mjs');
  const start = "import { readFileSync, writeSync } from 'node:fs';\nconst input = readFileSync(0, 'utf8');\n";
  await writeFile(file, `${start}${lines}\n`);
  const model = ['--command', `"${process.execPath}" "${file}"`, '--model-timeout', '4'];
  const small = ['--set', 'keepRecentTokens=100', '--set', 'reserveTokens=1000'];
  const args = [
    strata,
    '--journal',
    journals,
    'compact',
    session,
    '--strategy',
    'checkpoint',
    ...model,
    ...small,
    ...options,
  ];
  return await new Promise((done) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}` });
    });
  });
}

const headings = "[...new Set(input.match(/^## .*$/gm))].map((heading) => heading + '\\n' + text).join('\\n')";
const german =
  'Ich habe die Datei gelesen und den Fehler gefunden. Der Bildschirm wird gelöscht, und das ist der Grund für das Flackern, aber die Tests sind noch nicht gelaufen.';

const answers: readonly (readonly [what: string, lines: string, message: RegExp])[] = [
  [
    'hangs',
    "writeSync(2, 'Waiting for a code …\\n'); setInterval(() => {}, 1000);",
    /longer than 4 s\. It last wrote: Waiting/,
  ],
  [
    'asks for a login',
    "writeSync(2, 'Please log in first.\\n'); process.exit(1);",
    /is not signed in: .*sign in, and try again/,
  ],
  ['wants a terminal', "writeSync(2, 'stdin is not a tty\\n'); process.exit(1);", /needs a terminal.*Choose a form/],
  ['answers nothing', '', /ended without an answer\. Run it in a terminal/],
  [
    'answers nonsense',
    "console.log('asdf qwer 1234 !');",
    /left out \(.*none of its sections\)\. Try again, or choose another/,
  ],
  [
    'writes in another language',
    `const text = ${JSON.stringify(german)}; console.log(${headings});`,
    /a language that the conversation is not in\)\. Try again/,
  ],
  [
    'writes a novel',
    "console.log('And then it went on. '.repeat(100_000));",
    /cut off at \d+ tokens.*Try again, or choose another model/,
  ],
  [
    'writes without end',
    "for (;;) writeSync(1, 'again and again\\n'.repeat(4096));",
    /cut off at \d+ tokens.*Try again/,
  ],
  ['declines', "console.log('I am sorry, I cannot do that.');", /declined to write a summary.*Try again/],
  ['dies', "process.kill(process.pid, 'SIGKILL');", /was ended by SIGKILL/],
];

describe('strata compact with a command', { timeout: 60_000 }, () => {
  it.each(answers)(
    'that %s says what to do and names the command, and Strata writes without a model',
    async (_, lines, message) => {
      const { code, said } = await compact(lines);
      expect([code, said]).toEqual([0, expect.stringMatching(message)]);
      expect(said).toContain('model.mjs');
      const [name = ''] = await readdir(journals);
      expect(await readFile(join(journals, name), 'utf8')).toContain(
        '"summarizer":{"name":"transparent","model":null}',
      );
    },
  );

  it('leaves out colours and a banner', async () => {
    const { code } = await compact(
      "writeSync(1, '\\x1b[1mWelcome to Model 3\\x1b[0m\\nLoading …\\n\\n\\x1b[36m## Next Steps\\x1b[0m\\nRun the tests.\\n');",
    );
    const [name = ''] = await readdir(journals);
    const journal = await readFile(join(journals, name), 'utf8');
    expect([code, journal]).toEqual([0, expect.stringContaining('## Next Steps\\nRun the tests.')]);
    expect(journal.match(/"text":"\[SUMMARIZED\][^"]*/)?.[0]).not.toMatch(/Welcome|Loading|\\u001b/);
  });

  it('says beforehand what the model reads and writes, and what a listed model costs', async () => {
    const answer = "console.log('## Next Steps\\nRun the tests.');";
    const unlisted = await compact(answer);
    expect(unlisted.said).toMatch(/reads up to \d{2,} tokens and writes about \d{2,}\n/);
    journals = join(await mkdtemp(join(folder, 'test-')), 'journals');
    const listed = await compact(answer, '--model', 'claude-haiku-4-5');
    expect(listed.said).toMatch(/reads up to \d+ tokens and writes about \d+, about \$0\.\d\d at list prices of/);
    expect(listed.said).toMatch(/Spent \d+ \+ \d+ tokens in [\d.]+ s, about \$0\.\d\d at list prices of/);
  });
});
