import type { Entry } from '../../conversation/entry';
import { oncePer } from '../../conversation/once-per';
import { subjectOf } from '../../conversation/tool-subject';
import { exchangesOf } from '../../ledger/changes';
import { keyOfCommand } from '../../ledger/commands';
import { lastPart } from '../../ledger/files';
import { branchIn, committing, pushing } from '../../ledger/git-commands';
import { isPlanCall } from '../../ledger/plan';
import { filesOf, type ToolStep, toolStepsOf } from '../../ledger/steps';
import { namesIn } from '../names';
import { wordsOfCode } from './words-of-code';

/** A statement and the entry that it comes from. */
interface Said {
  readonly text: string;
  readonly entryId: string;
}

/**
 * What the work of these entries was in the end, for whoever quotes a part of them: a statement, the state of a command
 * or a plan may be over by what was done later. From what the calls say alone.
 */
export const laterWorkIn = oncePer((entries: readonly Entry[]) => new LaterWork(entries));

/** Built in time linear in what the calls say. */
export class LaterWork {
  readonly #places: ReadonlyMap<string, number>;
  /** By the last part of its path: place of the last change of a file. */
  readonly #changedFiles = new Map<string, number>();
  /** Place of the change that took a name of code out, where none put it in again. */
  readonly #removedNames = new Map<string, number>();
  /** Branches that were left: place of the command that did. */
  readonly #leftBranches = new Map<string, number>();
  readonly #runs = new Map<string, number>();
  #branch: string | null = null;
  #lastPlan = -1;
  #lastCommit = -1;
  #lastPush = -1;

  constructor(entries: readonly Entry[]) {
    this.#places = new Map(entries.map(({ id }, at) => [id, at]));
    for (const step of toolStepsOf(entries)) {
      if (step.result !== null) this.#note(step, this.#places.get(step.entryIds[0] ?? '') ?? -1);
    }
  }

  /** A file that it names was changed since, code that it names was taken out, or its branch was left. */
  overtakes({ text, entryId }: Said): boolean {
    const at = this.#placeOf(entryId);
    const isLater = (when: number | undefined) => when !== undefined && when > at;
    return (
      namesIn(text).some(
        ({ kind, text: name }) => kind !== 'identifier' && isLater(this.#changedFiles.get(lastPart(name))),
      ) ||
      [...wordsOfCode(text)].some((name) => isLater(this.#removedNames.get(name))) ||
      [...this.#leftBranches].some(([branch, when]) => when > at && standsOn(text, branch))
    );
  }

  /** Whether a command was run again after an entry. */
  runsAfter(command: string, entryId: string): boolean {
    return (this.#runs.get(keyOfCommand(command)) ?? -1) > this.#placeOf(entryId);
  }

  /** Whether the agent wrote its list of tasks again after an entry. */
  plansAfter(entryId: string): boolean {
    return this.#lastPlan > this.#placeOf(entryId);
  }

  /** Whether the work left a branch after an entry. */
  leavesAfter(branch: string, entryId: string): boolean {
    return (this.#leftBranches.get(branch) ?? -1) > this.#placeOf(entryId);
  }

  /** Whether something was committed after an entry. */
  commitsAfter(entryId: string): boolean {
    return this.#lastCommit > this.#placeOf(entryId);
  }

  /** Whether something was pushed after an entry. */
  pushesAfter(entryId: string): boolean {
    return this.#lastPush > this.#placeOf(entryId);
  }

  /** What the agent no longer sends is older than what it sends. */
  #placeOf(entryId: string): number {
    return this.#places.get(entryId) ?? -1;
  }

  #note(step: ToolStep, at: number): void {
    if (isPlanCall(step)) this.#lastPlan = at;
    if (step.kind === 'run') this.#runs.set(keyOfCommand(subjectOf(step.call)), at);
    if (step.problem !== null) return;
    if (step.kind === 'change') this.#noteChange(step, at);
    if (step.kind === 'run') this.#noteGit(subjectOf(step.call), at);
  }

  #noteGit(command: string, at: number): void {
    if (committing.test(command)) this.#lastCommit = at;
    if (pushing.test(command)) this.#lastPush = at;
    const next = branchIn(command);
    if (next === null || next === this.#branch) return;
    if (this.#branch !== null) this.#leftBranches.set(this.#branch, at);
    this.#leftBranches.delete(next);
    this.#branch = next;
  }

  #noteChange({ call }: ToolStep, at: number): void {
    for (const file of filesOf(call)) this.#changedFiles.set(lastPart(file), at);
    for (const { before, after } of exchangesOf(call)) {
      const kept = wordsOfCode(after);
      for (const name of wordsOfCode(before)) if (!kept.has(name)) this.#removedNames.set(name, at);
      for (const name of kept) this.#removedNames.delete(name);
    }
  }
}

/** "On `feature/x`, branched from main": where the work stands, and not what was done with a branch. */
function standsOn(text: string, branch: string): boolean {
  const at = text.indexOf(branch);
  const isWhole = at >= 0 && !/[\w/-]/.test(text[at + branch.length] ?? '') && !/[\w/-]/.test(text[at - 1] ?? '');
  return isWhole && standing.test(text.slice(0, at));
}

const standing = /(?:^\W*(?:\w+ )?|\b(?:work|working|are|am|is) (?:now )?)on (?:(?:the )?branch )?[`"'“]?$/i;
