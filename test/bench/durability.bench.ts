import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { conversationFolder } from '../../extension/conversations/shelves/conversation-folder';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { programWith, reply, user } from '../library/many-agents';

/**
 * Measures how long a request waits until its messages are on the disk, in a conversation folder: alone, and with
 * others at once.
 */

const turns = 60;
/** Number of first requests that are not measured, because files are created and code is compiled in them. */
const warmup = 10;
/** Characters of a step: the usual length of a tool's output. */
const step = 4_000;

const newFolder = () => mkdtemp(join(tmpdir(), 'strata-bench-'));

interface Times {
  readonly median: number;
  readonly worst: number;
}

function timesOf(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { median: at(0.5), worst: at(0.99) };
}

/** Milliseconds for a request and its answer, with agents that ask again as soon as they get an answer. */
async function requests(agents: number, isDurable: boolean): Promise<Times> {
  const shelf = conversationFolder({ folder: await newFolder(), isDurable });
  const program = await programWith({ shelf, automation: { enabled: false } });
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      const history: ReceivedMessage[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        history.push(user(`Agent ${agent}, step ${turn}. `.padEnd(step, 'It goes on. ')));
        const began = performance.now();
        await program.send(history, 'Done.', { conversation: `agent-${agent}` });
        if (turn >= warmup) times.push(performance.now() - began);
        history.push(reply('Done.'));
      }
    }),
  );
  return timesOf(times);
}

async function synced(): Promise<Times> {
  const file = await open(join(await newFolder(), 'file'), 'a');
  const times: number[] = [];
  for (let write = 0; write < 200; write += 1) {
    await file.writeFile('It goes on. '.repeat(step / 12));
    const began = performance.now();
    await file.datasync();
    times.push(performance.now() - began);
  }
  await file.close();
  return timesOf(times);
}

const told = ({ median, worst }: Times) => `${median.toFixed(2)} ms, 99th of a hundred ${worst.toFixed(2)} ms`;

describe('a request', () => {
  it('on this disk', async () => console.log(`one fdatasync: ${told(await synced())}`));

  it.each([1, 50])(
    'of %i agents at once',
    async (agents) => {
      for (const round of [1, 2]) {
        console.log(
          `${agents} at once, round ${round}, not waiting for the disk: ${told(await requests(agents, false))}`,
        );
        console.log(`${agents} at once, round ${round}, waiting for the disk: ${told(await requests(agents, true))}`);
      }
    },
    300_000,
  );
});
