import { createContext } from 'strata-context';
import { compactingThreads, fileStores } from 'strata-context/node';
import { ask, compactAndUndo } from './program.js';

const [, , address, turns, folder] = process.argv;
for (let turn = 0; turn < turns; turn += 1) await ask(address, turn);
console.log(JSON.stringify({ ...(await compactAndUndo(address)), ...(await compactInThread()) }));

/** Conversation and journal are in files, and are read again afterwards. */
async function compactInThread() {
  const notices = [];
  const threads = compactingThreads({ onNotice: (message) => notices.push(message) });
  const opened = async () => createContext({ window: 16_000, threads, ...(await fileStores({ folder, id: 'one' })) });
  const context = await opened();
  const text = 'The parser reads every line of the file. '.repeat(100);
  for (let turn = 0; turn < 40; turn += 1) {
    await context.append({ role: 'user', content: `Look at part ${turn}.` }, { role: 'assistant', content: text });
  }
  const { kind } = await context.compactIfNeeded();
  const isStored = JSON.stringify((await opened()).messages()) === JSON.stringify(context.messages());
  threads.dispose();
  return { kind, isStored, notices };
}
