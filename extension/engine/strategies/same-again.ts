import { lastPart } from '../ledger/files';
import { readingsOf } from '../ledger/readings';
import { commandLineOf, filesOf } from '../ledger/steps';
import type { AnsweredCall } from '../memory/answered-calls';

/**
 * The calls that would give the same again, by the keys of their results: they read files, and no later call edited one of them. A
 * later command that names such a file may have changed it.
 */
export function callsThatGiveTheSame(calls: readonly AnsweredCall[]): ReadonlySet<string> {
  const mayBeChanged = new Set<string>();
  const same = new Set<string>();
  for (const answered of calls.toReversed()) {
    const read = filesReadBy(answered);
    if (read.length === 0) for (const name of filesTouchedBy(answered)) mayBeChanged.add(name);
    else if (read.every((name) => !mayBeChanged.has(name))) same.add(answered.message.key);
  }
  return same;
}

function filesReadBy({ call, kind, result }: AnsweredCall): string[] {
  const problem = result.isError ? result.text : null;
  return readingsOf({ kind, call, problem }).map(({ path }) => lastPart(path));
}

function filesTouchedBy({ call, kind }: AnsweredCall): string[] {
  const words = (commandLineOf(call) ?? '').split(/[\s'"`;|&=<>(){}]+/);
  return [...words, ...(kind === 'change' ? filesOf(call) : [])].map(lastPart);
}
