import * as v from 'valibot';
import { answerAgent } from '../answer';
import type { AgentServices } from '../call';
import { agentRequest } from '../exchange';
import type { SessionRef } from '../find-session';

/** Prepares the next compactions of sessions in this process, one at a time for each session. */
export class Preparations {
  readonly #underWay = new Set<string>();
  readonly #closing = new AbortController();

  constructor(
    private readonly services: Omit<AgentServices, 'prepares'>,
    private readonly warn: (message: string) => void,
  ) {}

  /** For `AgentServices.prepares`. */
  readonly begin = (agent: string, asked: SessionRef): void => {
    const key = `${agent} ${asked.session}`;
    if (this.#underWay.has(key)) return;
    this.#underWay.add(key);
    const request = v.parse(agentRequest, { ...asked, action: 'prepare' });
    answerAgent(agent, request, this.services, this.#closing.signal)
      .then((answer) => answer.kind === 'fallback' && this.warn(answer.message))
      .catch((error) => this.#closing.signal.aborted || this.warn(`Preparing failed: ${error}`))
      .finally(() => this.#underWay.delete(key));
  };

  /** Ends what is under way. */
  close(): void {
    this.#closing.abort();
  }
}
