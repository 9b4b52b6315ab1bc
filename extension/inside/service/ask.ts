import * as v from 'valibot';
import { type AgentAnswer, type AgentRequest, fallback } from '../exchange';
import { findRunning, type RunningStrata } from './running';

/** Maximum time that an agent waits for the answer, in milliseconds. Claude Code gives up after ten seconds. */
export const agentPatience = 8000;

/** A running Strata responds at once. One that sends nothing for this long hangs, in milliseconds. */
const silence = 3000;

const answer = v.looseObject({ kind: v.picklist(['compacted', 'cleared', 'said', 'fallback']), message: v.string() });

/** Asks a running Strata. Null if none is running; the caller then answers itself. Never rejects. */
export async function askRunning(path: string, agent: string, request: AgentRequest): Promise<AgentAnswer | null> {
  const running = await findRunning(path).catch(() => null);
  if (running === null) return null;
  switch (await lifeOf(running)) {
    case 'there':
      return await ask(running, agent, request);
    case 'silent':
      return fallback(`process ${running.pid} answers plugins, but says nothing for ${silence / 1000} seconds.`);
    case 'gone':
      return null;
  }
}

/** Any answer, even an error, shows that the process is running. */
async function lifeOf({ url }: RunningStrata): Promise<'there' | 'silent' | 'gone'> {
  const limit = AbortSignal.timeout(silence);
  try {
    await fetch(url, { signal: limit });
    return 'there';
  } catch {
    return limit.aborted ? 'silent' : 'gone';
  }
}

async function ask({ url, token }: RunningStrata, agent: string, request: AgentRequest): Promise<AgentAnswer | null> {
  try {
    const response = await fetch(`${url}/${agent}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(agentPatience),
    });
    // An error means that another program is listening there now.
    if (!response.ok) return null;
    const parsed = v.safeParse(answer, await response.json());
    return parsed.success ? (parsed.output as unknown as AgentAnswer) : null;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return tooSlow();
    return null;
  }
}

export function tooSlow(): AgentAnswer {
  return fallback(`no answer within ${agentPatience / 1000} seconds.`);
}
