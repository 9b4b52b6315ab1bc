import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { localizable } from '../engine/wording/localizable-text';
import { ResultsUnusable } from './measure/evaluation-results';
import { type ReplayReport, reportSchema } from './measure/replay';
import { issueText } from './measure/results-schema';

/** Throws `ResultsUnusable`; its message names the file and the problem. */
export async function loadReplay(path: string): Promise<ReplayReport> {
  const parsed = v.safeParse(reportSchema, parsedJson(path, await textOf(path)), { abortEarly: true });
  if (parsed.success) return parsed.output;
  const reason = issueText(parsed.issues[0]);
  throw new ResultsUnusable(localizable('{0}: this is not a report of replayed sessions: {1}', path, reason));
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ResultsUnusable(localizable('{0}: the report could not be read: {1}', path, String(cause)), { cause });
  }
}

function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ResultsUnusable(
      localizable('{0}: this is not JSON: {1}', `${path}${lineOf(text, cause)}`, reasonOf(cause)),
      { cause },
    );
  }
}

/** The line of a JSON error as `:12`, or empty if unknown: V8 gives a position for some errors only. */
function lineOf(text: string, error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  if (position === undefined && !/end of JSON/.test(String(error))) return text.includes('\n') ? '' : ':1';
  const end = position === undefined ? text.length : Number(position);
  return `:${text.slice(0, end).split('\n').length}`;
}

/** The error message of V8, without the excerpt of the file that it quotes. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/,? ?"[\s\S]*$/, '') : String(error);
}
