import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type LocalizableText, localizable } from '../engine/wording/localizable-text';
import { adapterOf } from './adapters';
import { tornLineIssue } from './line-reading';
import { type OpenOptions, type OpenOutcome, sessionOf, startReading } from './open';
import type { SessionReading } from './reading';
import type { ParsedSession, Session, SessionIssue, Subagent } from './session';

interface FollowTiming {
  /** An agent writes several lines in a burst; one update serves them all. */
  readonly settle: number;
  /** `fs.watch` misses changes on network disks and in some containers, so the file is also checked at this interval. */
  readonly poll: number;
  /** A last line that is still incomplete after this time counts as torn. */
  readonly rest: number;
}

/** All in milliseconds. */
const followTiming: FollowTiming = { settle: 60, poll: 2000, rest: 2000 };

interface FollowOptions extends OpenOptions {
  /** Stops following. Nothing is reported afterwards. */
  readonly signal: AbortSignal;
  /** An update failed unexpectedly. The next change is tried again. */
  readonly onFailure: (error: unknown) => void;
  readonly timing?: Partial<FollowTiming>;
}

/**
 * Opens a session and reports it again whenever its file changes, at a cost that depends on what was added. A file that
 * shrank or was replaced is read again from the start; a deleted one stays visible; both get an issue that says so. If
 * the outcome is not `opened`, nothing is followed.
 */
export async function followSession(
  file: string,
  onChange: (session: Session) => void,
  options: FollowOptions,
): Promise<OpenOutcome> {
  const start = await startReading(file, options.adapter);
  if (start.kind !== 'reading') return start;
  const follower = new Follower(file, onChange, options, start.reading);
  return { kind: 'opened', session: await follower.begin() };
}

/** The file at the last update, apart from its content. */
type FileState = { readonly kind: 'present' } | { readonly kind: 'absent'; readonly message: LocalizableText };

class Follower {
  readonly #timing: FollowTiming;
  /** Never removed: a person should know that what they saw before is gone. */
  readonly #notices: SessionIssue[] = [];
  #state: FileState = { kind: 'present' };
  /** Number of times that the file was read from its first byte. */
  #readings = 1;
  #atRest: boolean;
  #shown = '';
  #subagents: { readonly of: ParsedSession; readonly found: readonly Subagent[] } | null = null;
  #updates: Promise<void> = Promise.resolve();
  #settling: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly onChange: (session: Session) => void,
    private readonly options: FollowOptions,
    private reading: SessionReading,
  ) {
    this.#timing = { ...followTiming, ...options.timing };
    this.#atRest = this.#now() - reading.modified >= this.#timing.rest;
  }

  /** The present session; later changes are reported. */
  async begin(): Promise<Session> {
    const session = await this.#session();
    this.#shown = this.#appearance(session);
    if (!this.options.signal.aborted) this.#watch();
    return session;
  }

  #watch(): void {
    const { signal } = this.options;
    const watchers = this.#watchFolders();
    const poll = setInterval(() => this.#schedule(), this.#timing.poll);
    signal.addEventListener(
      'abort',
      () => {
        for (const watcher of watchers) watcher.close();
        clearInterval(poll);
        clearTimeout(this.#settling);
        clearTimeout(this.#resting);
      },
      { once: true },
    );
    this.#awaitRest();
    // Reads what was written between the first reading and the start of the watch.
    this.#schedule();
  }

  /** Folders, not files: a watch on a file ends when the file is replaced. */
  #watchFolders(): FSWatcher[] {
    const folders = new Set(this.reading.watched.map((file) => dirname(file)));
    return [...folders].flatMap((folder) => this.#watchFolder(folder) ?? []);
  }

  #watchFolder(folder: string): FSWatcher | null {
    const names = new Set(
      this.reading.watched.filter((file) => dirname(file) === folder).map((file) => basename(file)),
    );
    try {
      const watcher = watch(folder, { persistent: false }, (_event, changed) => {
        if (changed === null || names.has(changed)) this.#schedule();
      });
      // Without a watch (too many of them, or a folder that was deleted), only the poll continues.
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      // As above: some file systems cannot be watched at all.
      return null;
    }
  }

  #schedule(): void {
    if (this.#settling !== undefined || this.options.signal.aborted) return;
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      this.#queue(() => this.#update());
    }, this.#timing.settle);
  }

  /** Runs updates one after the other; a failed one does not stop the next. */
  #queue(work: () => Promise<void>): void {
    this.#updates = this.#updates.then(work).catch(this.options.onFailure);
  }

  async #update(): Promise<void> {
    if (this.options.signal.aborted) return;
    const outcome = await this.reading.readOn();
    switch (outcome.kind) {
      case 'unchanged':
        this.#state = { kind: 'present' };
        break;
      case 'read':
        this.#state = { kind: 'present' };
        this.#awaitRest();
        break;
      case 'shrunk':
        await this.#reread(localizable('{0} became shorter; it was read again', this.file));
        break;
      case 'replaced':
        await this.#reread(localizable('{0} was replaced; it was read again', this.file));
        break;
      case 'missing':
        this.#state = {
          kind: 'absent',
          message: localizable('{0} was deleted; this is what was read before', this.file),
        };
        break;
      case 'unreadable':
      case 'directory':
        this.#state = { kind: 'absent', message: localizable('{0}; this is what was read before', outcome.message) };
        break;
    }
    await this.#report();
  }

  async #reread(message: LocalizableText): Promise<void> {
    const start = await startReading(this.file, this.options.adapter);
    if (start.kind !== 'reading') {
      this.#state = { kind: 'absent', message: localizable('{0}; this is what was read before', start.message) };
      return;
    }
    this.#state = { kind: 'present' };
    this.#readings += 1;
    this.reading = start.reading;
    const isUsual = adapterOf(this.reading.parsed.agent).rewritesFiles === true;
    if (!isUsual && !this.#notices.some((notice) => String(notice.message) === String(message))) {
      this.#notices.push({ file: this.file, line: 0, message });
    }
    this.#awaitRest();
  }

  #awaitRest(): void {
    clearTimeout(this.#resting);
    this.#atRest = this.#now() - this.reading.modified >= this.#timing.rest;
    if (this.#atRest || this.reading.tornLine === null) return;
    this.#resting = setTimeout(() => {
      this.#atRest = true;
      this.#queue(() => this.#report());
    }, this.#timing.rest);
  }

  async #report(): Promise<void> {
    const session = await this.#session();
    const appearance = this.#appearance(session);
    if (appearance === this.#shown || this.options.signal.aborted) return;
    this.#shown = appearance;
    this.onChange(session);
  }

  async #session(): Promise<Session> {
    const { parsed } = this.reading;
    // A subagent begins with a recorded call; its own file may appear a moment later.
    const isSettled = this.#subagents?.of === parsed && !parsed.awaitsReply;
    const known = isSettled ? (this.#subagents?.found ?? null) : null;
    const session = await sessionOf(this.reading, this.#fileIssues(), this.options, known);
    this.#subagents = { of: parsed, found: session.subagents };
    return session;
  }

  #fileIssues(): SessionIssue[] {
    const issues = this.#notices.slice();
    if (this.#state.kind === 'absent') issues.push({ file: this.file, line: 0, message: this.#state.message });
    const torn = this.reading.tornLine;
    if (torn !== null && this.#atRest) issues.push(tornLineIssue(this.file, torn));
    return issues;
  }

  /** Distinguishes two reports without comparing their contents: within one reading, by the version. */
  #appearance(session: Session): string {
    return JSON.stringify([this.#readings, this.reading.version, session.live, session.subagents, session.issues]);
  }

  #now(): number {
    return (this.options.now ?? Date.now)();
  }
}
