import * as vscode from 'vscode';
import type { Destination } from './destination';

const storageKey = 'strata.agreedDestinations';

/** Destinations that a person agreed to send session text to. A destination on this machine needs no consent. */
export class Consent {
  constructor(private readonly storage: vscode.Memento) {}

  isGiven({ id, isLocal }: Destination): boolean {
    return isLocal || this.#agreed.includes(id);
  }

  /** Asks unless consent was given before. */
  async ask(destination: Destination): Promise<boolean> {
    const { name, sent, question = vscode.l10n.t('Let {0} write the summaries?', name) } = destination;
    if (this.isGiven(destination)) return true;
    const agree = vscode.l10n.t('Use This Model');
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: sent }, agree);
    if (answer !== agree) return false;
    await this.give(destination);
    return true;
  }

  /** The person agreed, in answer to a question that said where the text goes. */
  async give(destination: Destination): Promise<void> {
    if (!this.isGiven(destination)) await this.storage.update(storageKey, [...this.#agreed, destination.id]);
  }

  get #agreed(): readonly string[] {
    return this.storage.get<readonly string[]>(storageKey, []);
  }
}
