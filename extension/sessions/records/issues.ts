import type { SessionIssue } from '../session';

/** A file that is no session at all could yield an issue a line; nobody reads more than this many. */
const mostIssues = 200;

export class IssueList {
  readonly #issues: SessionIssue[] = [];
  #leftOut = 0;

  constructor(private readonly file: string) {}

  add(line: number, message: string): void {
    if (this.#issues.length < mostIssues) this.#issues.push({ file: this.file, line, message });
    else this.#leftOut += 1;
  }

  list(): SessionIssue[] {
    if (this.#leftOut === 0) return this.#issues.slice();
    const message = `${this.#leftOut} more issues in this file are not listed`;
    return [...this.#issues, { file: this.file, line: 0, message }];
  }
}
