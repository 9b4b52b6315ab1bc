import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface McpServerProcess {
  readonly words: readonly [command: string, ...args: string[]];
  readonly folder: string;
  readonly variables: NodeJS.ProcessEnv;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A client of an MCP server, over the standard input and output of a real process. */
export class McpClient {
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #ended: Promise<number | null>;
  #number = 0;
  /** The server's standard error. */
  warnings = '';
  /** Lines on standard output that are not JSON. */
  readonly strayLines: string[] = [];

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stderr.on('data', (chunk) => {
      this.warnings += chunk;
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    this.#ended = new Promise((resolve) => child.on('close', resolve));
  }

  static async start({ words: [command, ...args], folder, variables }: McpServerProcess): Promise<McpClient> {
    const client = new McpClient(spawn(command, args, { cwd: folder, env: variables }));
    const clientInfo = { name: 'test', version: '1' };
    await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    client.write({ method: 'notifications/initialized' });
    return client;
  }

  #take(line: string): void {
    try {
      const reply: Reply = JSON.parse(line);
      this.#waiting.get(reply.id)?.(reply);
    } catch {
      this.strayLines.push(line);
    }
  }

  write(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async request(method: string, params: object = {}): Promise<unknown> {
    this.#number += 1;
    const id = this.#number;
    const replied = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.write({ id, method, params });
    const early = this.#ended.then((code) => {
      throw new Error(`The server ended with ${code}: ${this.warnings}`);
    });
    const { result, error } = await Promise.race([replied, early]);
    if (error) throw new Error(error.message);
    return result;
  }

  async call(name: string, input: object = {}): Promise<ToolAnswer> {
    const result = await this.request('tools/call', { name, arguments: input });
    const { content, isError = false } = result as { content: readonly { text: string }[]; isError?: boolean };
    return { text: content.map(({ text }) => text).join(''), isError };
  }

  /** Closes standard input, as agents do. Resolves to the exit code. */
  async end(): Promise<number | null> {
    this.child.stdin.end();
    return await this.#ended;
  }
}
