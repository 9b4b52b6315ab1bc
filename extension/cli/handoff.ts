import { draftHandoff } from '../engine/run/change/handoff';
import { CommandFailed } from './command-failed';
import { interruptSignal } from './interrupt';
import { type SummarizerOptions, writingToolsFrom } from './models';
import { openInspection } from './opened';
import { print } from './output';
import type { JournalOptions } from './session-with-journal';

/** Prints a draft of the first message for a new thread, to be read, edited and pasted. */
export async function handoff(
  file: string,
  options: JournalOptions & SummarizerOptions & { goal?: string },
): Promise<void> {
  const inspection = await openInspection(file, options);
  const { session, context, ledger, handedOver, excluded } = inspection;
  const outcome = await draftHandoff({
    conversation: session.conversation,
    context,
    core: handedOver,
    goal: options.goal ?? '',
    summarizer: writingToolsFrom(options).summarizer,
    ledger,
    excluded,
    signal: interruptSignal(),
  });
  if (outcome.kind === 'nothing-said') throw new CommandFailed('the session has no messages yet');
  if (outcome.kind === 'rejected') throw new CommandFailed(`the draft was rejected: ${outcome.reason}`);
  print(outcome.text.trimEnd());
}
