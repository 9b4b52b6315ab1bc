import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { SessionIssue } from '../session';

/** Maximum number of listed issues. A file that is not a session could have one per line. */
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

  /** The issues, followed by those found in the current state of the session. */
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
