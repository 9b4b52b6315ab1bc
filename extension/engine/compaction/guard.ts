import { callToRecall } from '../block/omission';
import { withoutEnd } from '../block/record-continues';
import type { SummaryRequest } from '../block/summary';
import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { referenceOf } from '../conversation/reference';
import { brief } from '../conversation/text';
import { coreText } from '../core/core';
import { workByCommand } from '../ledger/commands';
import { lastPart, workByFile } from '../ledger/files';
import { planNamedIn } from '../ledger/plan';
import { toolStepsOf } from '../ledger/steps';
import { stillHolding } from '../ledger/still-holding';
import { replacedEntries } from './request';
import { leastWords, Retold, wordsOf } from './retold';

const heading = '## Not in the summary above';

/** Maximum length of what is appended, as a share of the body's maximum length. */
const allowanceShare = 0.25;

/** Maximum number of the person's newest messages that are checked, and the length shown of each, in characters. */
const mostMessages = 4;
const messageLength = 240;

const mostFiles = 12;

const mostNames = 8;

/**
 * Appends under one heading what a summary by a model lacks and structure can name: the person's newest messages, changed files,
 * open items of the to-do list, and failing checks; and says which of its names are not in the record. The summary itself is not
 * changed.
 */
export function guarded(
  body: string,
  request: SummaryRequest,
  room: number,
  unknownNames: readonly string[] = [],
): { readonly body: string; readonly added: readonly string[] } {
  const allowance = Math.min(room, Math.round(request.maxTokens * allowanceShare));
  const added: string[] = [];
  const { text, end } = withoutEnd(body);
  const whole = () => `${text}\n\n${heading}\n${added.join('\n')}${end === '' ? '' : `\n\n${end}`}`;
  const tokens = request.countTokens(body);
  for (const line of [...missingFrom(body, request), ...unknownIn(unknownNames)]) {
    added.push(line);
    if (request.countTokens(whole()) - tokens > allowance) added.pop();
  }
  return added.length === 0 ? { body, added } : { body: whole(), added };
}

/** The most important first. */
function missingFrom(body: string, request: SummaryRequest): string[] {
  const entries = replacedEntries(request);
  const context = request.context ?? entries;
  const steps = stillHolding(toolStepsOf(entries), context);
  const stated = request.core === null ? body : `${body}\n${coreText(request.core)}`;
  const retold = new Retold(stated);
  const open = planNamedIn(entries, context).filter(({ state, text }) => state !== 'done' && !retold.has(text));
  const failing = workByCommand(steps).filter(
    ({ isCheck, problem, command }) => isCheck && problem !== null && !stated.includes(command),
  );
  return [
    ...messagesMissing(retold, entries, request.recallTool),
    ...open.map(({ text, state }) => `- To do (${state}): ${text}`),
    ...failing.map(({ command, problem }) => `- \`${command}\` failed: ${problem}`),
    ...filesMissing(stated, steps),
  ];
}

function messagesMissing(retold: Retold, entries: readonly Entry[], recallTool: string | undefined): string[] {
  const messages = entries.filter(isPrompt).map((entry) => ({ entry, text: textOf(entry.parts).trim() }));
  return messages
    .filter(({ text }) => wordsOf(text).size >= leastWords && !retold.has(text))
    .slice(-mostMessages)
    .map(({ entry, text }) => {
      const isWhole = recallTool === undefined || text.length <= messageLength;
      const how = isWhole ? '' : ` ${callToRecall(recallTool, referenceOf(entry))}`;
      return `- User: “${brief(text, messageLength)}”${how}`;
    });
}

function filesMissing(stated: string, steps: Parameters<typeof workByFile>[0]): string[] {
  const missing = workByFile(steps)
    .filter(({ changes, isDeleted, path }) => changes > 0 && !isDeleted && !stated.includes(lastPart(path)))
    .map(({ path }) => path);
  if (missing.length === 0) return [];
  const shown = missing.slice(-mostFiles);
  const rest = missing.length - shown.length;
  return [`- Changed files: ${shown.join('; ')}${rest === 0 ? '' : `; and ${rest} more`}`];
}

function unknownIn(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostNames).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return [`- Named above, but nowhere in the record: ${shown.join(', ')}${rest === 0 ? '' : `, and ${rest} more`}`];
}
