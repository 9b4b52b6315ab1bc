import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type CountTexts, countAhead, uncountedIn } from '../../extension/engine/conversation/counting-ahead';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../extension/engine/conversation/tokens';
import { Counter, countInSlices } from '../../extension/host/counting/counter';
import { Views } from '../../extension/host/panel/views';
import type { ViewSettings } from '../../extension/host/view/notices';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { followSession } from '../../extension/sessions/follow';
import type { Session } from '../../extension/sessions/session';
import { buildTimeoutMs, built } from '../builders/built';
import { builtThread } from '../builders/built-thread';
import { longestBlock, report } from './measure';
import { largeSessions } from './opening/large-sessions';
import { sessionOf } from './pi-session';

/**
 * Measures how long opening a session blocks the extension host, by the stages that the panel waits for, and the cost
 * of counting.
 */

const { signal } = new AbortController();
const settings = {
  strategy: 'pipeline',
  parameters: {},
  reserveTokens: 16_384,
  automation: { enabled: true, floorTokens: 0, pauseTokens: 0 },
} as unknown as ViewSettings;
let folder: string;
let thread: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  thread = await builtThread('extension/host/counting/counting-thread.ts');
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

interface Opening {
  /** Milliseconds until the newest rows can be sent. */
  readonly firstMs: number;
  readonly longestBlockMs: number;
}

async function opened(file: string): Promise<Session> {
  const controller = new AbortController();
  const outcome = await followSession(file, () => undefined, {
    signal: controller.signal,
    onFailure: (error) => {
      throw error;
    },
  });
  controller.abort();
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

async function opening(file: string): Promise<Opening> {
  const views = new Views({ isFork: () => false } as never, () => settings);
  let firstMs = 0;
  const longestBlockMs = await longestBlock(async () => {
    const began = performance.now();
    const session = await opened(file);
    const journal = await openJournal(folder, { agent: session.agent, id: session.id, file });
    const inspection = Inspection.estimated(session, journal, 200_000, () => new Promise(() => undefined));
    if (views.isLongToMake(inspection)) {
      views.newestOf(inspection, null);
      firstMs = performance.now() - began;
      await views.makeRows(inspection);
    }
    views.viewOf(inspection, null);
    firstMs ||= performance.now() - began;
  });
  return { firstMs, longestBlockMs };
}

function written(name: string, entries: number, lines = 20): string {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, sessionOf(entries, name, lines));
  return file;
}

describe('opening a session', () => {
  it('keeps the host for moments only, however long it is', async () => {
    const small = written('small', 1_000);
    await opening(small);
    const baseline = await opening(small);
    for (const [name, file] of Object.entries({
      '50,000 entries': written('large', 50_000),
      '200 MB': written('heavy', 40_000, 1_250),
    })) {
      const measured = await opening(file);
      report({
        what: `opening ${name} until its newest rows can be sent, against 1,000 entries, in all`,
        baseline: '1,000',
        baselineMs: baseline.firstMs,
        measured: name,
        measuredMs: measured.firstMs,
        inputRatio: 1,
      });
      console.log(`opening ${name}: the host is kept for ${measured.longestBlockMs.toFixed(0)} ms at most`);
    }
  });
});

describe('counting a session', () => {
  it('in a thread of its own leaves the host free', async () => {
    const { conversation } = await opened(written('counted', 50_000));
    const counter = new Counter(thread, { warn: console.warn });
    const ways: Record<string, CountTexts> = {
      'at once': async (texts) => texts.map(countWithO200k),
      'in slices on the host': countInSlices(async () => countWithO200k),
      'in a thread of its own': counter.count,
    };
    await counter.count(['wake up'], signal);
    for (const [name, count] of Object.entries(ways)) {
      const began = performance.now();
      const block = await longestBlock(() => {
        const ledger = new TokenLedger(countWithO200k);
        return countAhead(uncountedIn(conversation.entries, ledger), ledger, count, signal);
      });
      const ms = performance.now() - began;
      console.log(`counting 50,000 entries ${name}: ${ms.toFixed(0)} ms, the host is kept for ${block.toFixed(0)} ms`);
    }
    counter.dispose();
  });
});

/** About as much as an agent records in a few days without a new session. */
const bytes = 44_000_000;

const onlyParsing = join(import.meta.dirname, 'opening/only-parsing.js');
const shortSession = join(import.meta.dirname, '../fixtures/pi-0.87/before-compaction.jsonl');

describe('strata context', () => {
  it('of 44 MB takes a small multiple of reading the file and parsing its JSON', {
    timeout: 3 * buildTimeoutMs,
  }, async () => {
    const program = join(await built('cli'), 'cli/strata.js');
    const timesOf = (file: string) =>
      leastOf(3, {
        parsing: () => processorMs([onlyParsing, file]),
        text: () => processorMs(contextCommand(program, file, 'text')),
        openai: () => processorMs(contextCommand(program, file, 'openai')),
        anthropic: () => processorMs(contextCommand(program, file, 'anthropic')),
      });
    console.log(rowOf('the start of each process', timesOf(shortSession)));
    for (const { name, write } of largeSessions) {
      const file = await write(folder, bytes);
      console.log(rowOf(name, timesOf(file)));
      rmSync(file);
    }
  });
});

function contextCommand(program: string, file: string, format: string): readonly string[] {
  return [program, 'context', file, '--format', format, '--journal', folder];
}

/** The lowest of some measurements of each kind, which are made in turns. */
function leastOf<Kind extends string>(runs: number, kinds: Record<Kind, () => number>): Record<Kind, number> {
  const least: Record<string, number> = {};
  for (let run = 0; run < runs; run += 1) {
    for (const [kind, measure] of Object.entries<() => number>(kinds)) {
      least[kind] = Math.min(measure(), least[kind] ?? Number.POSITIVE_INFINITY);
    }
  }
  return least as Record<Kind, number>;
}

function rowOf(name: string, { parsing, ...formats }: Readonly<Record<'parsing', number>>): string {
  const cells = Object.entries<number>(formats).map(
    ([format, ms]) => `${format} ${(ms / parsing).toFixed(1)} (${ms.toFixed(0)} ms)`,
  );
  return [`${name}: only parsing ${parsing.toFixed(0)} ms`, ...cells].join(', ');
}

const tellsProcessorTime = `data:text/javascript,process.on('exit', () => console.error('%j', process.cpuUsage()))`;

/** Processor time of a run of Node.js from start to end, in milliseconds. Its output is discarded. */
function processorMs(args: readonly string[]): number {
  const run = spawnSync(process.execPath, ['--import', tellsProcessorTime, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`${args.join(' ')} failed: ${run.stderr}`);
  const { user, system } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
  return (user + system) / 1000;
}
