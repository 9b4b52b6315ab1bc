import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { command } from './command.js';

/** Strata itself answers within eight seconds; an agent waits no longer than this, in milliseconds. */
const patience = 10_000;
/** Strata shows at once that it is there. One that shows nothing for this long hangs, in milliseconds. */
const silence = 3000;
/** After that, only a person’s word is worth another wait, in milliseconds. */
const pause = 60_000;
/** Actions that the plugin asks for by itself, repeatedly. */
const unasked = new Set(['hello', 'context', 'clear']);

let silentAt = Number.NEGATIVE_INFINITY;

class Silent extends Error {}

/**
 * Asks a running Strata, else starts one. Never rejects and always ends: whatever fails is a `fallback` with one line, and
 * the agent then does what it would do without Strata.
 */
export async function ask(action, agent, request, signal) {
  if (unasked.has(action) && performance.now() < silentAt + pause) return fallback('it gave no answer just now');
  const limit = AbortSignal.timeout(patience);
  const ends = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    return (await askRunning(action, agent, request, ends)) ?? (await askCommand(action, agent, request, ends));
  } catch (error) {
    if (limit.aborted || error instanceof Silent) silentAt = performance.now();
    return fallback(limit.aborted ? `no answer within ${patience / 1000} seconds` : firstLine(error));
  }
}

function fallback(reason) {
  return { kind: 'fallback', message: `Strata: ${reason}.` };
}

/** Null if none is running, or if it is just ending. */
async function askRunning(action, agent, request, signal) {
  const running = await runningStrata();
  if (running === null || !(await isThere(running.url))) return null;
  try {
    const response = await fetch(`${running.url}/${agent}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, action }),
      signal,
    });
    return response.ok ? answerIn(await response.text()) : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** Whatever it answers. Rejects if it takes the question and says nothing. */
async function isThere(url) {
  const limit = AbortSignal.timeout(silence);
  try {
    await fetch(url, { signal: limit });
    return true;
  } catch {
    if (limit.aborted) throw new Silent(`it runs, but says nothing for ${silence / 1000} seconds`);
    return false;
  }
}

async function runningStrata() {
  const { XDG_DATA_HOME: named = '' } = process.env;
  const folder = isAbsolute(named) ? named : join(homedir(), '.local', 'share');
  try {
    const running = JSON.parse(await readFile(join(folder, 'strata', 'agents', 'running.json'), 'utf8'));
    return /^http:\/\/127\.0\.0\.1:\d+$/.test(running.url) ? running : null;
  } catch {
    return null;
  }
}

function askCommand(action, agent, request, signal) {
  const [program, ...words] = [...command, 'agent', action, agent];
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { signal, killSignal: 'SIGKILL', stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks = [];
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Silent(`${program} says nothing for ${silence / 1000} seconds`));
    }, silence);
    child.stdout.on('data', (chunk) => {
      clearTimeout(timer);
      chunks.push(chunk);
    });
    // It ended before it read everything; its answer tells.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(answerIn(Buffer.concat(chunks).toString('utf8')));
      } catch {
        reject(new Error(`${program} gave no answer`));
      }
    });
    child.stdin.end(JSON.stringify(request));
  });
}

function answerIn(text) {
  const answer = JSON.parse(text);
  if (typeof answer?.kind !== 'string') throw new Error('this is no answer');
  return answer;
}

function firstLine(error) {
  return String(error?.message ?? error).split('\n')[0];
}
