/**
 * `npm run test:editor` runs the tests in the extension host, then the walks. `npm run test:editor -- --walk WORD` runs
 * only the walks whose file name contains the word.
 */
import { parseArgs } from 'node:util';
import { runHostTests } from './host-tests.ts';
import { exitOnInterrupt } from './processes/interrupt.ts';
import { addUp, type Tally, verdict } from './suite.ts';
import { runWalks } from './walks.ts';

exitOnInterrupt();
const { values } = parseArgs({ options: { walk: { type: 'string' } } });
const tally = addUp(await runParts(values.walk));
console.log(verdict(tally));
// An abandoned walk may still wait for something, which would keep this process alive.
process.exit(tally.failed > 0 ? 1 : 0);

async function runParts(walk: string | undefined): Promise<Tally[]> {
  if (walk !== undefined) return [await part('Walks', () => runWalks(walk))];
  return [await part('In the extension host', runHostTests), await part('Walks', runWalks)];
}

/** A part that cannot run at all, for example without a browser, counts as one failure. */
async function part(title: string, run: () => Promise<Tally>): Promise<Tally> {
  console.log(title);
  try {
    return await run();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}
