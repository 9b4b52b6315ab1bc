import type * as vscode from 'vscode';

const storageKey = 'strata.modelHintDismissed';

/** The hint that a model writes better blocks: shown until a person dismisses it once, for all windows. */
export class ModelHint {
  constructor(private readonly storage: vscode.Memento) {}

  get isDismissed(): boolean {
    return this.storage.get<boolean>(storageKey, false);
  }

  async dismiss(): Promise<void> {
    await this.storage.update(storageKey, true);
  }
}
