import type * as vscode from 'vscode';

const key = 'strata.gateway.port';

/** The port of the last start, so that an agent that was set up once finds the gateway again. */
export class PortMemory {
  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** The port of the setting, or else that of the last start; 0: any. */
  portFor(set: number): number {
    return set || this.state.get<number>(key, 0);
  }

  async remember(port: number): Promise<void> {
    await this.state.update(key, port);
  }
}
