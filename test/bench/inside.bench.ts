import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { agentRequest } from '../../extension/inside/exchange';
import { askRunning } from '../../extension/inside/service/ask';
import { sessionOf } from './pi-session';

/** Measures how long a compaction of about 200,000 tokens delays an agent, without a model. Needs `npm run build`. */

const strata = resolve(import.meta.dirname, '../../dist/cli/strata.js');
const runs = 5;
let home: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  environment = { PATH: process.env.PATH, HOME: home };
});
afterAll(() => rm(home, { recursive: true }));

let sessions = 0;

/** Each session has its own text, so that no text was counted before. */
async function newSession(): Promise<{ session: string; file: string }> {
  sessions += 1;
  const session = `bench-${sessions}`;
  const file = join(home, '.pi/agent/sessions/--work--', `2026_${session}.jsonl`);
  await mkdir(join(file, '..'), { recursive: true });
  const words = (line: string) =>
    line.replace(/line of part/g, () => `row ${Math.random().toString(36).slice(2, 8)} of`);
  await writeFile(file, sessionOf(2000, session, 39).replace(/(?:line of part \d+\\n)+/g, words));
  return { session, file };
}

async function medianOf(act: (asked: { session: string; file: string }) => Promise<string>): Promise<string> {
  const times: number[] = [];
  let told = '';
  for (let run = 0; run <= runs; run += 1) {
    const asked = await newSession();
    const began = performance.now();
    told = await act(asked);
    if (run > 0) times.push(performance.now() - began);
  }
  const [median = 0] = times.sort((a, b) => a - b).slice(Math.floor(runs / 2));
  return `${median.toFixed(0)} ms (${told})`;
}

async function byRunning(asked: { session: string; file: string }): Promise<string> {
  const answer = await askRunning(announced(), 'pi', v.parse(agentRequest, { ...asked, action: 'compact' }));
  if (answer === null) throw new Error('No Strata runs');
  return answer.message;
}

const announced = () => join(home, '.local/share/strata/agents/running.json');

function byCommand(asked: { session: string; file: string }): Promise<string> {
  const child = spawn(process.execPath, [strata, 'agent', 'compact', 'pi'], { env: environment });
  child.stdin.end(JSON.stringify(asked));
  return new Promise((done) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.on('close', () => done(JSON.parse(output).message));
  });
}

describe('a compaction inside an agent', () => {
  it('is answered by a command of its own', async () => {
    console.log(`command alone: ${await medianOf(byCommand)}`);
  });

  it('is answered by a Strata that runs', async () => {
    const service = await serving();
    console.log(`Strata that runs: ${await medianOf(byRunning)}`);
    service.kill();
  });
});

async function serving(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [strata, 'agent', 'serve'], { env: environment, stdio: 'ignore' });
  while (!existsSync(announced())) {
    if (child.exitCode !== null) throw new Error(`strata agent serve ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return child;
}
