import { command } from './command.js';

const agent = 'claude-code';

/** Milliseconds. Strata answers within eight seconds; Claude Code ends a hook after ten. */
const patience = 9000;
/** Milliseconds. A running Strata signals at once that it is there; one that is silent for this long hangs. */
const silence = 3000;

/**
 * Asks a running Strata, or starts one. `calls`: the outside functions of a hooks module, which has neither `fetch` nor
 * file access. Rejects with one line if there is no answer.
 */
export function askWith(calls) {
  return async (action, request) =>
    (await runningAnswer(calls, { ...request, action })) ?? (await commandAnswer(calls, action, request));
}

/**
 * Tells Strata that it is inside this session. Always by a command: at its end Claude Code waits for a module's pending
 * requests, and a command has a time limit.
 */
export function sayHello(run, session) {
  return run([...command, 'agent', 'hello', agent], { stdin: JSON.stringify({ session }), timeoutMs: silence });
}

/** Prepares the next compaction if it is due. The command only passes the request on and ends at once. */
export function prepare(run, session) {
  return run([...command, 'agent', 'prepare', agent], { stdin: JSON.stringify({ session }), timeoutMs: silence });
}

/** Null if none is running, or if it is just ending. */
async function runningAnswer({ folder, read, post, sleep }, request) {
  const running = await runningStrata(folder, read);
  if (running === null) return null;
  const there = await Promise.race([
    post(running.url, { method: 'GET' }).catch(() => null),
    sleep(silence).then(() => 'late'),
  ]);
  if (there === null) return null;
  if (there === 'late') throw new Error(`it runs, but says nothing for ${silence / 1000} seconds`);
  const headers = { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' };
  const posted = post(`${running.url}/${agent}`, { method: 'POST', headers, body: JSON.stringify(request) });
  const response = await Promise.race([posted.catch(() => null), sleep(patience).then(() => 'late')]);
  if (response === 'late') throw new Error(`no answer within ${patience / 1000} seconds`);
  return response?.ok ? answerIn(response.text) : null;
}

async function runningStrata(folder, read) {
  try {
    const running = JSON.parse(await read(`${await folder()}/strata/agents/running.json`));
    return /^http:\/\/127\.0\.0\.1:\d+$/.test(running.url) ? running : null;
  } catch {
    return null;
  }
}

/**
 * The output of a command is available only when it has ended, so another command shows meanwhile that Strata is there.
 */
async function commandAnswer({ run, sleep }, action, request) {
  const answered = run([...command, 'agent', action, agent], { stdin: JSON.stringify(request), timeoutMs: patience });
  const there = run([...command, 'agent', 'alive'], { timeoutMs: patience });
  const late = sleep(silence).then(() => 'late');
  const first = await Promise.race([answered, there, late]).catch(() => null);
  if (first === null) throw new Error(`${command[0]} does not start`);
  if (first === 'late') throw new Error(`${command[0]} says nothing for ${silence / 1000} seconds`);
  try {
    return answerIn((await answered).stdout);
  } catch {
    throw new Error(`${command[0]} gave no answer`);
  }
}

function answerIn(text) {
  const answer = JSON.parse(text);
  if (typeof answer?.kind !== 'string') throw new Error('this is no answer');
  return answer;
}
