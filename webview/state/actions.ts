import type { Method, Requests } from '../../extension/protocol/messages';
import type { Caller } from '../../extension/protocol/rpc';
import { t } from '../l10n';
import type { PinDraft } from './core/pin-form.svelte';
import type { Notices } from './notices.svelte';
import { failureText } from './shared/failure-text';

/** Actions without further input. The host answers with a change of the session; a failure becomes a notice. */
export class Actions {
  constructor(
    private readonly request: Caller['request'],
    private readonly notices: Notices,
  ) {}

  /** Undoes a run by its number or a single block; without either, the newest run. */
  undo = (order: Requests['undo']['params'] = {}) => this.#do('undo', order);
  redo = () => this.#do('redo', {});
  /** `without`: keys of the items that the user unticked. */
  copyForgotten = (without: readonly string[]) => this.#do('copy-forgotten', { without });
  pin = (draft: PinDraft) => this.#do('pin', { ...draft });
  cancelCompaction = () => this.#do('cancel-compaction', {});
  openDiff = (id: string) => this.#do('open-diff', { id });
  toggleAutoCompact = () => this.#do('toggle-auto-compact', {});
  chooseSummarizer = () => this.#do('choose-summarizer', {});
  /** The host asks the user for the goal of the new thread. */
  handOff = () => this.#do('hand-off', { goal: '' });
  /** `beforeRow`: the row of a user message. The fork has only the conversation before it. */
  fork = (beforeRow: string | null) => this.#do('fork', { beforeRow });
  forkWhole = () => this.#do('fork-whole', {});
  forkAndResume = () => this.#do('fork-and-resume', {});
  compactInPlace = () => this.#do('compact-in-place', {});
  resume = () => this.#do('resume', {});
  deleteFork = () => this.#do('delete-fork', {});
  openSession = (file: string) => this.#do('open-session', { file });
  openInEditor = () => this.#do('open-in-editor', {});
  /** Excludes the message of a row, or a whole turn, from the context. */
  excludeRow = (key: string) => this.#do('exclude-row', { key });
  /** The host shows the target and asks before opening it. */
  openLink = (url: string) => this.#do('open-link', { url });
  revealRow = (key: string) => this.#do('reveal-row', { key });
  revealEntry = (entryId: string) => this.#do('reveal-entry', { entryId });
  revealIssue = (file: string, line: number) => this.#do('reveal-issue', { file, line });
  /** Uses the browser's clipboard, which can refuse as the host can. */
  copy = (text: string) => this.copyWhenRead(Promise.resolve(text));
  copyWhenRead = (text: Promise<string>) =>
    this.notices.watch(
      text.then((copied) => navigator.clipboard.writeText(copied)),
      (reason) => t('Nothing was copied: {0}', reason),
    );

  #do<M extends Method>(method: M, params: Requests[M]['params']): Promise<boolean> {
    return this.notices.watch(this.request(method, params), (reason) => failureText(method, reason));
  }
}
