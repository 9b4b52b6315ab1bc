import type { ContextMessage } from '../../conversation/context';
import { appendRecords, type JournalAccess, stateWithHeader } from '../../journal/journal-access';
import { OperationRefused } from '../../journal/operation-refused';
import { type LocalizableText, localizable } from '../../wording/localizable-text';
import type { PreparedRun } from '../prepare/prepared-run';
import { prepareRunOf } from '../prepare/run';
import type { RunInput } from '../prepare/run-input';
import { type ExclusionPlan, exclusionOf, planExclusion } from './exclusion';

/** The first journal version with exclusions. */
const exclusionsSince = 3;

type ExclusionInput = Omit<RunInput, 'strategy' | 'state' | 'parameters' | 'instructions' | 'signal'>;

/**
 * Prepares the exclusion of a reply with its calls and results, or of a whole turn, by the key of one of its messages.
 * Throws `OperationRefused` if the context would not get smaller.
 */
export async function prepareExclusion(
  access: JournalAccess,
  messages: readonly ContextMessage[],
  key: string,
  input: ExclusionInput,
): Promise<PreparedRun> {
  const plan = planExclusion(messages, key);
  if (plan.kind !== 'excludes') throw new OperationRefused(exclusionRefusals[plan.kind]);
  await needVersion(access, exclusionsSince);
  const run = await prepareRunOf(exclusionOf(plan), {
    ...input,
    state: stateWithHeader(access.journal),
    parameters: {},
    instructions: null,
    signal: new AbortController().signal,
  });
  if (run.records.length > 0) return run;
  throw new OperationRefused('This message is smaller than the mark that would replace it.');
}

/** Makes an older Strata stop at this record, because it would mistake an exclusion for a summary of turns. */
async function needVersion(access: JournalAccess, version: number): Promise<void> {
  const { state } = access.journal;
  if (state.lastSeq < 0 || state.version >= version) return;
  await appendRecords(access, (lastSeq) => [{ kind: 'version', seq: lastSeq + 1, time: access.now(), version }]);
}

const exclusionRefusals: Readonly<Record<Exclude<ExclusionPlan['kind'], 'excludes'>, LocalizableText>> = {
  'not-there': localizable('This message is no longer in the context.'),
  'not-excludable': localizable('Only messages of the conversation can be excluded. Undo a block to remove it.'),
  'in-use': localizable('The agent is at work on this turn, so it cannot be excluded now.'),
};
