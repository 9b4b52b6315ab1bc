import type { Conversation } from '../engine/conversation/conversation';
import { newestPrompts } from '../engine/conversation/turn-numbers';
import { compactInPlace } from '../inspection/fork/compact-in-place';
import type { Fork } from '../inspection/fork/fork';
import { forkSession } from '../inspection/fork/fork-session';
import { resumeLine } from '../inspection/fork/resume';
import { CommandFailed } from './command-failed';
import { openInspection } from './opened';
import { print, printJson, warn } from './output';
import type { JournalOptions } from './session-with-journal';

interface ForkOptions extends JournalOptions {
  /** The id of a user prompt. */
  readonly before?: string;
  /** The number of a turn, counted from 1 over the whole conversation. */
  readonly beforeTurn?: number;
  readonly mend?: boolean;
  readonly inPlace?: boolean;
  /** The user confirms that the agent was interrupted. */
  readonly interrupted?: boolean;
  /** The user confirms that no agent has the session open. */
  readonly closed?: boolean;
  readonly json?: boolean;
}

export async function fork(file: string, options: ForkOptions): Promise<void> {
  if (options.in !== undefined)
    throw new CommandFailed('fork needs a session file, not a conversation in a store', true);
  if (options.mend && (options.inPlace || options.before !== undefined || options.beforeTurn !== undefined))
    throw new CommandFailed('--mend applies to the whole session in a new file; remove the other options', true);
  const inspection = await openInspection(file, options);
  if (options.inPlace) {
    if (options.before !== undefined || options.beforeTurn !== undefined) {
      throw new CommandFailed('--in-place applies to the whole session; remove --before and --before-turn', true);
    }
    if (!options.closed) {
      const why = 'an open agent continues from its memory and would ignore the compaction';
      throw new CommandFailed(`--in-place needs --closed: ${why}. Close it first`, true);
    }
    await compactInPlace(inspection);
    print(`Appended the compaction to ${inspection.session.file}.`);
    return;
  }
  const before = options.before ?? promptOfTurn(inspection.session.conversation, options.beforeTurn);
  const mends = options.mend === true;
  const isInterrupted = options.interrupted === true;
  const forked = await forkSession(inspection, before === undefined ? { mends, isInterrupted } : { before });
  for (const note of forked.notes) warn(String(note));
  if (options.json) printJson(forked);
  else print(forkAsText(forked));
}

function promptOfTurn(conversation: Conversation, turn: number | undefined): string | undefined {
  if (turn === undefined) return undefined;
  const prompts = newestPrompts(conversation);
  const prompt = prompts.get(turn);
  if (prompt === undefined) throw new CommandFailed(`there is no turn ${turn}; the session has ${prompts.size}`, true);
  return prompt.id;
}

function forkAsText(forked: Fork): string {
  const prompt = forked.prompt === null ? [] : ['The next turn, to edit and send again:', forked.prompt];
  return [forked.file, `Resume it with: ${resumeLine(forked)}`, ...prompt].join('\n');
}
