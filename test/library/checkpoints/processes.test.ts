import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../../builders/built';
import { type RunningServer, startPostgres } from '../../conversations/stores/servers';
import { long } from './agents';

const pin = 'Never touch part <7>.';
const questions = Array.from({ length: 6 }, (_, at) => `Question <${at}>. ${long}`);
const [first = ''] = questions;

let library = '';
let postgres: RunningServer;
beforeAll(async () => {
  library = join(await built('library'), 'library');
  // The library finds LangChain where an application that installed both would have it.
  const packages = resolve(import.meta.dirname, '../../../node_modules');
  await symlink(packages, join(dirname(library), '../node_modules'), 'junction').catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  postgres = await startPostgres();
}, buildTimeoutMs);
afterAll(() => postgres?.stop());

type Step = { readonly ask: string } | { readonly pin: string } | { readonly does: 'compact' | 'undo' };

/** The output of the process: for each question, what the model received. The process may have been killed. */
async function inProcess(...steps: readonly Step[]): Promise<{ readonly said: readonly string[]; signal: unknown }> {
  const program = fileURLToPath(new URL('thread-process.mjs', import.meta.url));
  const { address } = postgres;
  const env = { ...process.env, LANGSMITH_TRACING: 'false', LANGCHAIN_TRACING_V2: 'false' };
  const child = spawn(process.execPath, [program, JSON.stringify({ library, address, steps })], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ]);
  if (code !== null && code !== 0) throw new Error(errors);
  return {
    said: output
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line))),
    signal,
  };
}

it('what was pinned and compacted in a thread outlives a process that is killed while it asks the model, and can be undone', async () => {
  const asked = questions.map((ask) => ({ ask }));
  const killed = await inProcess(...asked, { pin }, { does: 'compact' }, { ask: 'Die now.' });
  expect([killed.signal, killed.said.length]).toEqual(['SIGKILL', 8]);

  const next = await inProcess({ ask: 'Are you there?' }, { does: 'undo' }, { ask: 'And now?' });
  const [compacted, , undone] = next.said;
  expect(compacted).toContain(pin);
  expect(compacted).not.toContain(first);
  expect(undone).toContain(pin);
  expect(undone).toContain(first);
}, 120_000);
