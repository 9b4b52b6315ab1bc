import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { FillView, SessionListItem } from '../../protocol/view';
import { relativeTime } from './relative-time';
import { shareText, tokensText } from './tokens-text';

/** What tells a session of a list from the others, in the same words everywhere. */

export function titleText({ title }: Pick<SessionListItem, 'title'>): string {
  return title ?? vscode.l10n.t('Untitled session');
}

/** Share of the context window that the agent's context takes: `68 %`. */
export function fillShare({ tokens, window }: FillView): string {
  return shareText(tokens, window);
}

export function fillText(fill: FillView): string {
  return vscode.l10n.t('{0} of {1} tokens, {2}', tokensText(fill.tokens), tokensText(fill.window), fillShare(fill));
}

/** Folder and branch, as far as they are known: `api · main`. */
export function placeParts({ cwd, branch }: SessionListItem): readonly string[] {
  return [...(cwd === null ? [] : [basename(cwd) || cwd]), ...(branch === undefined ? [] : [branch])];
}

export function ageText({ modified, live }: SessionListItem, now: number): string {
  return live ? vscode.l10n.t('live') : relativeTime(modified, now, vscode.env.language);
}
