import type * as vscode from 'vscode';
import { isToken, newToken } from '../../gateway/admission';

export const tokenSecret = 'strata.gateway.token';

/** The token stays the same, so that an agent is set up only once. It is stored only in the editor's secret storage. */
export class GatewayToken {
  constructor(private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store'>) {}

  async read(): Promise<string> {
    const stored = await this.secrets.get(tokenSecret);
    return stored !== undefined && isToken(stored) ? stored : await this.renew();
  }

  async renew(): Promise<string> {
    const token = newToken();
    await this.secrets.store(tokenSecret, token);
    return token;
  }
}
