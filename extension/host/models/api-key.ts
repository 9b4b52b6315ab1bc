import * as vscode from 'vscode';
import { openAiAccess } from '../../models/openai/environment';
import { readModelSettings } from './model-settings';
import { encodeKey, keyFor, originOf } from './stored-key';

const secretName = 'strata.openai.apiKey';

/** The API key of the OpenAI-compatible server in the settings. Stored in VS Code's secret storage only. */
export class ApiKey {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async read(): Promise<string | undefined> {
    return keyFor(baseUrlNow(), await this.secrets.get(secretName));
  }

  /** Asks a person for the key. Cancelling changes nothing; an empty one removes it. */
  async set(): Promise<void> {
    const origin = originOf(baseUrlNow());
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t('API key for {0}', origin),
      prompt: vscode.l10n.t(
        'The key is stored in the secret storage of the editor and sent to this server only. Leave it empty to remove the stored key.',
      ),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === '') return await this.#remove();
    await this.secrets.store(secretName, encodeKey({ origin, key: key.trim() }));
    void vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} was stored.', origin));
  }

  async #remove(): Promise<void> {
    await this.secrets.delete(secretName);
    void vscode.window.showInformationMessage(vscode.l10n.t('The API key was removed.'));
  }
}

function baseUrlNow(): string {
  return openAiAccess(readModelSettings().openAi, process.env).baseUrl;
}
