import { basename } from 'node:path';
import * as vscode from 'vscode';
import { shareText, tokensText } from '../../engine/wording/tokens-text';
import type { FillView, SessionListItem } from '../../protocol/view';
import { relativeTime } from './relative-time';

/** The details that distinguish a session in a list, worded the same everywhere. */

export function titleText({ title }: Pick<SessionListItem, 'title'>): string {
  return title ?? vscode.l10n.t('Untitled session');
}

/** Share of the context window that the agent's context takes, and would take after Strata's compactions: `68 % → 12 %`. */
export function fillShare({ tokens, window, after }: FillView): string {
  const now = shareText(tokens, window);
  return after === undefined ? now : `${now} → ${shareText(after, window)}`;
}

/** One line for the agent's present context, and one for what it would be, while they differ. */
export function fillText(fill: FillView): string {
  const { tokens, window, after } = fill;
  const sizeText = (size: number) =>
    vscode.l10n.t('{0} of {1} tokens, {2}', tokensText(size), tokensText(window), shareText(size, window));
  if (after === undefined) return sizeText(tokens);
  return [
    vscode.l10n.t('Agent now: {0}', sizeText(tokens)),
    vscode.l10n.t('After Strata’s compactions: {0}', sizeText(after)),
  ].join('\n');
}

/** Folder and branch, as far as they are known: `api · main`. */
export function placeParts({ cwd, branch }: SessionListItem): readonly string[] {
  return [...(cwd === null ? [] : [basename(cwd) || cwd]), ...(branch === undefined ? [] : [branch])];
}

export function ageText({ modified, live }: SessionListItem, now: number): string {
  return live ? vscode.l10n.t('live') : relativeTime(modified, now, vscode.env.language);
}
