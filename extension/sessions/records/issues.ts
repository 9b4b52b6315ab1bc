import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { SessionIssue } from '../session';

/** A file that is no session at all could yield an issue a line; nobody reads more than this many. */
const mostIssues = 200;

export type IssueAtLine = Pick<SessionIssue, 'line' | 'message'>;

export class IssueList {
  readonly #issues: SessionIssue[] = [];
  #leftOut = 0;

  constructor(private readonly file: string) {}

  add(line: number, message: LocalizableText): void {
    if (this.#issues.length < mostIssues) this.#issues.push({ file: this.file, line, message });
    else this.#leftOut += 1;
  }

  /** With those behind them that are found anew in what the session says now. */
  list(found: readonly IssueAtLine[] = []): SessionIssue[] {
    const { file } = this;
    const listed = found.slice(0, mostIssues - this.#issues.length).map((issue) => ({ file, ...issue }));
    const leftOut = this.#leftOut + found.length - listed.length;
    const all = [...this.#issues, ...listed];
    return leftOut === 0
      ? all
      : [...all, { file, line: 0, message: localizable('{0} more issues in this file are not listed', leftOut) }];
  }
}
