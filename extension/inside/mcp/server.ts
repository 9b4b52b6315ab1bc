import { type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server';
import { type ServeStdioOptions, type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { answerTools } from '../../inspection/tools/answers';
import { budgets, contextTools } from '../../inspection/tools/definitions';
import type { ToolSurroundings } from '../../inspection/tools/tool';

interface McpOptions {
  readonly version: string;
  readonly surroundings: ToolSurroundings;
  /** Reports a failure that is not part of an answer to the model. */
  readonly warn: (message: string) => void;
}

const instructions =
  'Strata looks after the context of this conversation. After a compaction, call strata_lost to see what its summary left out and strata_recall to read it, instead of guessing or doing the work again. What the person laid down belongs into the core: strata_propose.';

/** Serves the tools for agents over standard input and output until the agent closes them. */
export function serveMcp(options: McpOptions, stdio: Pick<ServeStdioOptions, 'transport'> = {}): StdioServerHandle {
  return serveStdio(() => mcpServer(options), { ...stdio, onerror: ({ message }) => options.warn(message) });
}

function mcpServer({ version, surroundings, warn }: McpOptions): Server {
  const server = new Server(
    { name: 'strata', title: 'Strata', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: listedTools }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }, { mcpReq }) => {
    try {
      return textResult(await answerTo(name, input, surroundings, mcpReq.signal));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      warn(`${name}: ${message}`);
      return { ...textResult(message), isError: true };
    }
  });
  return server;
}

const listedTools: Tool[] = contextTools.map(({ name, title, description, inputSchema, isReadOnly }) => ({
  ...{ name, title, description, inputSchema },
  annotations: { title, readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
}));

async function answerTo(
  name: string,
  input: unknown,
  surroundings: ToolSurroundings,
  signal: AbortSignal,
): Promise<string> {
  const tool = contextTools.find((each) => each.name === name);
  if (!tool)
    throw new Error(`There is no tool ${name}. The tools are ${contextTools.map((each) => each.name).join(', ')}.`);
  return await answerTools[tool.key]({ input, model: null, most: budgets.max, signal }, surroundings);
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text: text.toWellFormed() }] };
}
