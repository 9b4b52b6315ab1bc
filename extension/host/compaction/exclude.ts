import * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls } from '../../engine/conversation/entry';
import { subjectOf } from '../../engine/conversation/tool-subject';
import { planExclusion } from '../../engine/run/change/exclusion';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { isConfirmed } from '../dialogs';
import type { Inspector } from '../inspector';
import { oneLine } from '../view/row-preview';

/** Calls that the question names; the rest are counted. */
const mostNamed = 8;

/** Excludes the message of a row, and asks first if tool calls of other rows go with it. */
export async function confirmExclusion(inspector: Inspector, entryId: string, rowKey: string): Promise<void> {
  const exclusion = exclusionToConfirm(inspector.required().context.messages, entryId, rowKey);
  if (exclusion !== null && exclusion.calls.length > 0 && !(await isAgreed(exclusion))) return;
  await inspector.change((inspection) => inspection.exclude(entryId, toolsWithoutModel));
}

function isAgreed({ isTurn, calls }: Exclusion): Promise<boolean> {
  const question = isTurn
    ? vscode.l10n.t('Exclude this turn from the context?')
    : vscode.l10n.t('Exclude this message from the context?');
  return isConfirmed(question, vscode.l10n.t('Exclude'), `${countText(calls.length)}\n${namesOf(calls)}`);
}

function countText(count: number): string {
  return count === 1
    ? vscode.l10n.t('One tool call and its result go with it:')
    : vscode.l10n.t('{0} tool calls and their results go with it:', count);
}

function namesOf(calls: readonly string[]): string {
  const named = calls.slice(0, mostNamed).map((call) => `• ${call}`);
  const others = calls.length - named.length;
  return [...named, ...(others > 0 ? [vscode.l10n.t('and {0} more', others)] : [])].join('\n');
}

/** Rows that leave the context with an excluded row. */
interface Exclusion {
  /** The row opens a turn, which is removed as a whole. */
  readonly isTurn: boolean;
  /** Each tool call that is removed with the row, by its tool and subject, oldest first. */
  readonly calls: readonly string[];
}

/** Null if nothing can be excluded; the exclusion itself says why. */
export function exclusionToConfirm(
  messages: readonly ContextMessage[],
  entryId: string,
  rowKey: string,
): Exclusion | null {
  const plan = planExclusion(messages, entryId);
  if (plan.kind !== 'excludes') return null;
  const calls = plan.messages.flatMap(({ key, parts }) =>
    toolCalls(parts)
      .filter(({ callId }) => `${key}#${callId}` !== rowKey)
      .map((call) => oneLine(`${call.name} ${subjectOf(call)}`)),
  );
  return { isTurn: plan.summaryType === 'excluded_turns', calls };
}
