import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A program in a process of its own, so that only its own work is measured. */
export interface Measurable {
  /** The address for requests to `/v1/chat/completions`. */
  readonly address: string;
  readonly messages: readonly string[];
  /** Milliseconds of processor time that all of its threads have used so far. */
  processorMs(): Promise<number>;
  /** Resident memory in bytes. */
  memory(): Promise<number>;
  /** The peak of resident memory since the last call of `forgetPeak`, in bytes. */
  peak(): Promise<number>;
  forgetPeak(): Promise<void>;
  stop(): Promise<void>;
}

const path = '/v1/chat/completions';

/** Starts a proxy that adds nothing to what it forwards. */
export async function startProxy(upstream: string): Promise<Measurable> {
  return await started([join(import.meta.dirname, 'proxy.mjs'), upstream], ({ url }) => `${url}${path}`);
}

export interface GatewayOrder {
  /** The built command line. */
  readonly command: string;
  readonly upstream: string;
  readonly folder: string;
  /** In tokens. */
  readonly window: number;
  readonly autoCompact: boolean;
}

export async function startBuiltGateway(order: GatewayOrder): Promise<Measurable> {
  const { command, upstream, folder, window, autoCompact } = order;
  const options = ['--json', '--folder', folder, '--openai', `${upstream}/v1`, '--window', String(window)];
  const args = [command, 'gateway', ...options, ...(autoCompact ? [] : ['--no-auto-compact']), '--keep-one-offs'];
  return await started(args, ({ url, token }) => `${url}/${token}/openai${path}`);
}

export interface TeamOrder extends Pick<GatewayOrder, 'command' | 'upstream'> {
  readonly tenants: string;
  readonly store: string;
}

/** Its address is that of the server, because each tenant has its own token. */
export async function startBuiltTeamGateway({ command, upstream, tenants, store }: TeamOrder): Promise<Measurable> {
  const options = ['--json', '--tenants', tenants, '--store', store, '--openai', `${upstream}/v1`];
  return await started([command, 'serve', ...options], ({ url }) => url);
}

type Start = Readonly<Record<'url' | 'token', string>>;

async function started(args: readonly string[], addressOf: (start: Start) => string): Promise<Measurable> {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const messages: string[] = [];
  child.stderr.on('data', (text) => messages.push(String(text)));
  const start = await firstJson(child, messages);
  const status = `/proc/${child.pid}`;
  return {
    address: addressOf(start),
    messages,
    processorMs: async () => {
      const threads = await readdir(`${status}/task`);
      const used = await Promise.all(threads.map((thread) => readFile(`${status}/task/${thread}/schedstat`, 'utf8')));
      return used.reduce((total, text) => total + Number(text.split(' ')[0]) / 1e6, 0);
    },
    memory: async () => await memoryOf(status, 'VmRSS'),
    peak: async () => await memoryOf(status, 'VmHWM'),
    forgetPeak: async () => {
      await writeFile(`${status}/clear_refs`, '5');
    },
    stop: async () => {
      child.kill('SIGINT');
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

async function firstJson({ stdout }: ChildProcess, messages: readonly string[]): Promise<Start> {
  let text = '';
  for await (const data of stdout ?? []) {
    text += data;
    if (text.trimEnd().endsWith('}')) return JSON.parse(text);
  }
  throw new Error(`The program ended before it served: ${messages.join('')}`);
}

async function memoryOf(status: string, name: string): Promise<number> {
  const text = await readFile(`${status}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024;
}
