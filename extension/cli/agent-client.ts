import type { AgentRequest } from '../inside/exchange';
import { agentPlaces } from '../inside/places';
import { askRunning } from '../inside/service/ask';
import { findRunning } from '../inside/service/running';
import { processEnvironment } from '../platform/files/environment';
import { objectOnInput } from './standard-input';

/**
 * Passes `strata agent ACTION AGENT` and the request on standard input to a running Strata, because loading the program
 * takes longer than answering. Returns the exit code; null if this process has to answer.
 *
 * Prints an empty line at once, because a plugin assumes that a silent command hangs. `strata agent alive` prints nothing else.
 */
export async function answeredByRunning(args: readonly string[]): Promise<number | null> {
  const [word, action, agent, ...options] = args;
  if (word === 'agent' && action === 'alive') return sayThatItIsThere();
  if (word !== 'agent' || agent === undefined || options.length > 0) return null;
  sayThatItIsThere();
  const { running } = agentPlaces(processEnvironment());
  if ((await findRunning(running).catch(() => null)) === null) return null;
  const request = await objectOnInput();
  if (request === null) return null;
  // The running Strata validates the request. If it refuses, this process validates it again and explains why.
  const answer = await askRunning(running, agent, { ...request, action } as AgentRequest);
  if (answer === null) return null;
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  return answer.kind === 'fallback' ? 1 : 0;
}

function sayThatItIsThere(): number {
  process.stdout.write('\n');
  return 0;
}
