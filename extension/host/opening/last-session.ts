import type * as vscode from 'vscode';
import type { AgentId } from '../../sessions/session';

const key = 'strata.lastSession';

export interface RememberedSession {
  readonly file: string;
  /** Null where an earlier version of Strata remembered it. */
  readonly agent: AgentId | null;
}

/** The session that was open last in this workspace, which a reload of the window shows again. */
export class LastSession {
  constructor(private readonly state: vscode.Memento) {}

  read(): RememberedSession | null {
    const kept = this.state.get<RememberedSession | string>(key);
    if (kept === undefined) return null;
    return typeof kept === 'string' ? { file: kept, agent: null } : kept;
  }

  async remember({ file, agent }: RememberedSession): Promise<void> {
    await this.state.update(key, { file, agent });
  }
}
