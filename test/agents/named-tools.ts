import { toolNames } from '../../extension/inspection/tools/tool-names';
import type { ScriptedCall } from './server/script';

/** The tools of Strata's server by the names that the agent gives them in a request body. */
export function namedTools(body: unknown, namespace?: string): ScriptedCall[] {
  if (Array.isArray(body)) return body.flatMap((item) => namedTools(item, namespace));
  if (typeof body !== 'object' || body === null) return [];
  const { name, type } = body as { name?: unknown; type?: unknown };
  if (type === 'namespace' && typeof name === 'string') return namedTools(Object.values(body), name);
  const isTool = typeof name === 'string' && Object.values(toolNames).some((own) => name.endsWith(own));
  const found = isTool ? [{ name: String(name), input: {}, ...(namespace ? { namespace } : {}) }] : [];
  return [...found, ...namedTools(Object.values(body), namespace)];
}

/** A call by the default name, for agents that list tools only when the model searches for them. */
export function unlisted(tool: string): ScriptedCall {
  return { name: `mcp__strata__${tool}`, input: {} };
}
